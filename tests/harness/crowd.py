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

# The time of arrival, by the monotonic clock, and the seconds of waiting.
Told = collections.namedtuple("Told", "status etag at seconds")


def allow_files(count):
    """Raise the limit of open files: each client takes one, also there."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, count), most))


def request(table, token, etag, seconds):
    fields = [f"GET {table.path} HTTP/1.1", "Host: gangd",
              f"If-None-Match: {etag}", f"Prefer: wait={seconds}"]
    if token:
        fields.append(f"Authorization: Bearer {token}")
    return "\r\n".join([*fields, "", ""]).encode()


def read_whole(got):
    """The answer if it is complete, else None."""
    head, end, body = got.partition(b"\r\n\r\n")
    if not end:
        return None
    status = int(STATUS.match(head)[1])
    length = LENGTH.search(head)
    # A 304 may have no length, and has no body in any case.
    if status != 304 and (not length or len(body) < int(length[1])):
        return None
    etag = ETAG.search(head)
    return status, etag and etag[1].decode()


class Waiter:
    def __init__(self, address):
        self.socket = socket.create_connection(address)
        self.got = b""
        self.begun = None

    def ask(self, *asked):
        """Wait for a table's game: a token or None, the known tag, seconds."""
        self.got = b""
        self.begun = time.monotonic()
        self.socket.sendall(request(*asked))

    def hear(self, piece, at):
        """Its answer, if that is complete by now; an end has status None."""
        self.got += piece
        told = read_whole(self.got) if piece else (None, None)
        return told and Told(*told, at, at - self.begun)

    def half_close(self):
        self.socket.shutdown(socket.SHUT_WR)

    def reset(self):
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                               struct.pack("ii", 1, 0))
        self.socket.close()

    def close(self):
        self.socket.close()


def close_all(waiters):
    for waiter in waiters:
        waiter.close()


def watch(waiters):
    """Register the waiters in advance, so that polling them is fast."""
    poll = select.epoll()
    for waiter in waiters:
        poll.register(waiter.socket.fileno(), select.EPOLLIN | select.EPOLLET)
    return poll


def take(poll, by_file, deadline):
    """Receive at least one piece for each waiter, with its time of arrival.
    Pieces are parsed later, since parsing would delay the next one."""
    pieces = []
    while len(pieces) < len(by_file):
        ready = poll.poll(max(0, deadline - time.monotonic()), 1024)
        if not ready:
            break
        for file, _ in ready:
            if file in by_file:
                piece = by_file[file].socket.recv(65536)
                pieces.append((file, piece, time.monotonic()))
    return pieces


def collect(waiters, seconds, poll=None):
    """The waiters' answers in their order of arrival; waiters that got no
    answer in time are missing."""
    told = []
    poll = poll or watch(waiters)
    by_file = {waiter.socket.fileno(): waiter for waiter in waiters}
    deadline = time.monotonic() + seconds
    while by_file:
        pieces = take(poll, by_file, deadline)
        if not pieces:
            break
        for file, piece, at in pieces:
            answer = file in by_file and by_file[file].hear(piece, at)
            if answer:
                told.append(answer)
                del by_file[file]
    return told


def are_waiting(waiters, seconds):
    """True if no waiter gets an answer for this many seconds."""
    poll = select.epoll()
    for waiter in waiters:
        poll.register(waiter.socket.fileno(), select.EPOLLIN)
    told = poll.poll(seconds)
    poll.close()
    return not told
