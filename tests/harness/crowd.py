"""Thousands of clients in one process, each waiting for its game to change."""
import collections
import re
import resource
import select
import socket
import struct
import time

STATUS = re.compile(rb"HTTP/1\.1 (\d+)")
LENGTH = re.compile(rb"\r\nContent-Length: (\d+)", re.I)
ETAG = re.compile(rb"\r\nETag: (\S+)", re.I)

# When it came, by the monotonic clock, and how long after it was asked for.
Told = collections.namedtuple("Told", "status etag at seconds")


def allow_files(count):
    """Each client is an open file, here and there."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, count), most))


def request(table, token, etag, seconds):
    fields = [f"GET {table.path} HTTP/1.1", "Host: gangd",
              f"If-None-Match: {etag}", f"Prefer: wait={seconds}"]
    if token:
        fields.append(f"Authorization: Bearer {token}")
    return "\r\n".join([*fields, "", ""]).encode()


def read_whole(got):
    """The answer, if that is all of it."""
    head, _, body = got.partition(b"\r\n\r\n")
    length = LENGTH.search(head)
    if not length or len(body) < int(length[1]):
        return None
    etag = ETAG.search(head)
    return int(STATUS.match(head)[1]), etag and etag[1].decode()


class Waiter:
    def __init__(self, address):
        self.socket = socket.create_connection(address)
        self.got = b""
        self.begun = None

    def ask(self, *asked):
        """A game's table, a token or None, the tag it knows, seconds."""
        self.got = b""
        self.begun = time.monotonic()
        self.socket.sendall(request(*asked))

    def read(self):
        """What it was told, if all has come; an end is status None."""
        piece = self.socket.recv(65536)
        self.got += piece
        told = read_whole(self.got) if piece else (None, None)
        now = time.monotonic()
        return told and Told(*told, now, now - self.begun)

    def half_close(self):
        self.socket.shutdown(socket.SHUT_WR)

    def reset(self):
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                               struct.pack("ii", 1, 0))
        self.socket.close()

    def close(self):
        self.socket.close()


def collect(waiters, seconds):
    """What each was told, in the order in which it came; those that were told
    nothing in time are missing."""
    told = []
    poll = select.epoll()
    by_file = {waiter.socket.fileno(): waiter for waiter in waiters}
    for file in by_file:
        poll.register(file, select.EPOLLIN)
    deadline = time.monotonic() + seconds
    while by_file and time.monotonic() < deadline:
        for file, _ in poll.poll(deadline - time.monotonic(), 256):
            answer = by_file[file].read()
            if answer:
                told.append(answer)
                poll.unregister(file)
                del by_file[file]
    poll.close()
    return told


def are_waiting(waiters, seconds):
    """True if none of them is told anything for so long."""
    poll = select.epoll()
    for waiter in waiters:
        poll.register(waiter.socket.fileno(), select.EPOLLIN)
    told = poll.poll(seconds)
    poll.close()
    return not told
