"""Readers of server-sent events, thousands of them in one process."""
import re
import select
import socket
import struct
import time

BLOCK = re.compile(rb"id: (\d+)\ndata: ({.*})$")
VIEW = re.compile(rb'event: view\nid: (\d+)\ndata: {.*"version":(\d+),.*}$')
RETRY, SIGN = b"retry: 2000", b": still here"
CLOSED = re.compile(rb'event: closed\ndata: {"reason":(?:"(\w+)"|null)}')


def request(path, token=None, last=None, version="1.1", views=False):
    """A request for a stream; last is the id of the last event, or None."""
    query = "?views=true" if views else ""
    fields = [f"GET {path}/events{query} HTTP/{version}", "Host: gangd",
              "Accept: text/event-stream"]
    if token:
        fields.append("Authorization: Bearer " + token)
    if last is not None:
        fields.append(f"Last-Event-ID: {last}")
    return "\r\n".join([*fields, "", ""]).encode()


def take_chunks(raw):
    """The content of the complete chunks, the remaining bytes, and whether the
    last chunk was there."""
    body = b""
    while True:
        size, found, rest = raw.partition(b"\r\n")
        if not found or len(rest) < int(size, 16) + 2:
            return body, raw, False
        size = int(size, 16)
        body, raw = body + rest[:size], rest[size + 2:]
        if size == 0:
            return body, raw, True


class Reader:
    """Hears a game's events, and goes on from connection to connection.

    .last is the version heard last, .faults what was wrong, and .times when
    events and signs of life came.  With views, .views counts them and .viewed
    is the version of the last one: each must count the events heard so far.
    .view has the block of the last view.
    """

    def __init__(self, path, token=None, last=0, views=False):
        self.path, self.token, self.last = path, token, last
        self.with_views, self.views, self.viewed = views, 0, None
        self.view = b""
        self.faults, self.times, self.signs = [], {}, []
        self.status = None     # of the present connection
        self.closed = None     # the last reason of an event "closed"
        self.ended = True      # has no connection, or its stream has ended
        self.connections = 0
        self.socket = None

    def open(self, address, buffer=None):
        self.socket = socket.socket()
        if buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self.socket.connect(address)
        self.socket.sendall(self.begin())

    def begin(self):
        """Begin with another connection; the request to be sent there."""
        self.viewed = None
        self.raw = self.text = b""
        self.status, self.ended, self.began = None, False, False
        self.is_whole = False  # its end was no cut
        self.connections += 1
        return request(self.path, self.token, self.last,
                       views=self.with_views)

    def read(self):
        """Take the bytes that have arrived."""
        try:
            piece = self.socket.recv(65536)
        except OSError:
            piece = b""
        if piece:
            self.take(piece)
        else:
            self.ended = True

    def take(self, piece):
        self.raw += piece
        if not self.status:
            head, found, rest = self.raw.partition(b"\r\n\r\n")
            if not found:
                return
            self.status, self.raw = int(head.split(b" ", 2)[1]), rest
            if self.status != 200:
                self.faults.append(head)
                self.ended = True
                return
        body, self.raw, self.is_whole = take_chunks(self.raw)
        self.ended = self.is_whole
        self.hear(body)

    def hear(self, body):
        *blocks, self.text = (self.text + body).split(b"\n\n")
        now = time.monotonic()
        for block in blocks:
            event = BLOCK.fullmatch(block)
            if event:
                self.note(int(event[1]), event[2], now)
            elif self.with_views and (view := VIEW.fullmatch(block)):
                self.note_view(int(view[1]), int(view[2]))
                self.view = block
            elif block == RETRY and not self.began:
                self.began = True
            elif block == SIGN:
                self.signs.append(now)
            elif closed := CLOSED.fullmatch(block):
                self.closed = (closed[1] or b"unknown").decode()
            else:
                self.faults.append(block)

    def note(self, version, data, now):
        if version != self.last + 1 or \
                self.closed not in (None, "stopping") or \
                not data.startswith(b'{"version":%d,' % version):
            self.faults.append((self.last, version, data[:40]))
        self.last = version
        self.times[version] = now

    def note_view(self, number, version):
        """A view comes after the events that it counts, once in a connection."""
        if not number == version == self.last or self.viewed == version:
            self.faults.append((self.last, self.viewed, number, version))
        self.views += 1
        self.viewed = version

    def is_up_to(self, version):
        return self.last >= version and \
            (not self.with_views or self.viewed == self.last)

    def cut(self):
        """Close the connection without a word, as a lost phone does."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                               struct.pack("ii", 1, 0))
        self.close()

    def close(self):
        if self.socket:
            self.socket.close()
        self.socket, self.ended = None, True


class Room:
    """Readers that listen at once; ended() gets those that end."""

    def __init__(self, ended=None):
        self.poll = select.epoll()
        self.readers = {}
        self.ended = ended

    def enter(self, reader, address, **how):
        reader.open(address, **how)
        self.join(reader)

    def join(self, reader):
        """A reader that has a connection."""
        self.readers[reader.socket.fileno()] = reader
        self.poll.register(reader.socket.fileno(), select.EPOLLIN)

    def leave(self, reader):
        del self.readers[reader.socket.fileno()]
        self.poll.unregister(reader.socket.fileno())

    def cut(self, reader):
        self.leave(reader)
        reader.cut()

    def turn(self, seconds):
        for file, _ in self.poll.poll(max(0, seconds), 1024):
            reader = self.readers.get(file)
            if not reader:
                continue
            reader.read()
            if reader.ended:
                self.leave(reader)
                reader.close()
                if self.ended:
                    self.ended(reader)

    def listen(self, seconds, until=lambda: False):
        """Listen until the condition holds, or for this many seconds; does it hold?"""
        deadline = time.monotonic() + seconds
        while not until():
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            self.turn(min(left, 0.1))
        return True

    def close(self):
        for reader in list(self.readers.values()):
            self.leave(reader)
            reader.close()
        self.poll.close()
