"""A client of asyncio that keeps a connection, and one that reads a stream."""
import asyncio
import collections
import re

import streams

ANSWER_SECONDS = 20  # in addition to the time for which a request may wait
STATUS = re.compile(rb"HTTP/1\.1 (\d+)")
LENGTH = re.compile(rb"\r\nContent-Length: (\d+)", re.I)

Answer = collections.namedtuple("Answer", "status head body")


class Unanswered(Exception):
    """A request got no answer: it took too long, or the connection ended."""


class Wire(asyncio.Protocol):
    """One connection, and the answer that it is waited for at."""

    def __init__(self):
        self.transport = self.pending = None
        self.got = b""

    def connection_made(self, transport):
        self.transport = transport
        Connection.opened += 1

    def connection_lost(self, exc):
        Connection.opened -= 1
        self.give_up(f"closed: {exc}")

    def give_up(self, reason="too late"):
        if self.pending and not self.pending.done():
            self.pending.set_exception(Unanswered(reason))

    def data_received(self, data):
        self.got += data
        head, found, body = self.got.partition(b"\r\n\r\n")
        if not found:
            return
        length = LENGTH.search(head)
        if len(body) >= (int(length[1]) if length else 0):
            self.got = b""
            if self.pending and not self.pending.done():
                self.pending.set_result(
                    Answer(int(STATUS.match(head)[1]), head, body))


class Connection:
    """A client whose connection is opened when it is needed, with one request
    at a time.  Connection.opened counts all that are open, with streams."""

    opened = 0

    def __init__(self, address):
        self.address = address
        self.wire = None
        self.sent_again = False

    async def open(self):
        if not self.wire or self.wire.transport.is_closing():
            _, self.wire = await asyncio.get_running_loop().create_connection(
                Wire, *self.address)
        return self.wire

    async def ask(self, request, seconds=ANSWER_SECONDS):
        """The answer to the bytes of a request."""
        answer = None
        try:
            wire = await self.open()
            wire.pending = asyncio.get_running_loop().create_future()
            wire.transport.write(request)
            # Not wait_for(), which may forget that its task was cancelled.
            late = asyncio.get_running_loop().call_later(seconds, wire.give_up)
            try:
                answer = await wire.pending
            finally:
                late.cancel()
        except OSError as error:
            raise Unanswered(str(error)) from error
        finally:
            if not answer:  # one that comes late is not for the next request
                self.close()
        return answer

    async def send(self, request):
        """Send a request, and be gone before its answer."""
        try:
            wire = await self.open()
        except OSError as error:
            raise Unanswered(str(error)) from error
        wire.transport.write(request)
        self.close()

    def close(self):
        if self.wire:
            self.wire.transport.close()
            self.wire = None


class Stream(asyncio.Protocol, streams.Reader):
    """A reader of events whose connection asyncio serves.

    on_block is called after the blocks of a piece; on_end when the connection
    has ended, but not after cut().
    """

    def __init__(self, address, path, token, last, views, on_block, on_end):
        streams.Reader.__init__(self, path, token, last, views)
        self.address = address
        self.on_block, self.on_end = on_block, on_end
        self.transport = None
        self.opened_at = 0

    async def listen(self):
        loop = asyncio.get_running_loop()
        self.opened_at = loop.time()
        await loop.create_connection(lambda: self, *self.address)

    def connection_made(self, transport):
        self.transport = transport
        Connection.opened += 1
        transport.write(self.begin())

    def data_received(self, data):
        self.take(data)
        self.on_block(self)
        if self.ended and self.transport:  # a proxy keeps its connection
            self.transport.close()

    def connection_lost(self, exc):
        Connection.opened -= 1
        was_cut, self.transport = self.transport is None, None
        if not was_cut:
            self.on_end(self)

    def cut(self):
        """Close the connection without a word."""
        transport, self.transport = self.transport, None
        if transport:
            transport.abort()
