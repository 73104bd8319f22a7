"""A connection byte by byte: the pieces that a row sends, and their answers.

For test_hostile.py and test_slow_clients.py; http.client sends only valid HTTP.
"""
import json
import select
import socket
import struct
import time

from streams import take_chunks

# A row may also send these, besides text.
HALF = "half"    # close our side, and go on listening
RESET = "reset"  # be gone at once
AWAIT = "await"  # go on when there is one more answer
BEGUN = "begun"  # go on when an answer has begun


class Pause:
    def __init__(self, seconds):
        self.seconds = seconds


class Endless:
    """A text that is repeated until the other side closes."""

    def __init__(self, text, limit=2 << 20):
        self.text, self.limit = text, limit


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def id(self):
        return self.headers.get("x-request-id")

    @property
    def is_library(self):
        """Has libmicrohttpd answered by itself?"""
        return self.id is None and self.status >= 400

    @property
    def closes(self):
        return self.headers.get("connection", "").lower() == "close"

    @property
    def code(self):
        try:
            return json.loads(self.body).get("code", "")
        except ValueError:
            return "no JSON"

    def fault(self):
        """The part that every answer has and this one lacks, or None."""
        if self.status == 100 or self.is_library:
            return None
        if not self.id:
            return "no X-Request-Id"
        if self.status < 400 or not self.body:
            return None
        kind = self.headers.get("content-type")
        if kind != "application/problem+json":
            return f"the problem is called {kind}"
        if json.loads(self.body)["status"] != self.status:
            return "the problem has another status"
        return None

    def __str__(self):
        who = " library" if self.is_library else f" #{self.id}"
        code = "" if self.status < 400 or self.is_library else " " + self.code
        return f"{self.status}{code}{who}{' close' if self.closes else ''}"


class Wire:
    """A connection; .answers has the answers read so far."""

    def __init__(self, address, timeout):
        self.socket = socket.create_connection(address, timeout=timeout)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.deadline = time.monotonic() + timeout
        self.read = b""
        self.answers = []
        self.ended = False  # no more will come
        self.bare = False   # answers have no body, they are to HEAD

    def send(self, pieces):
        """Send; false if the other side did not take all of it."""
        try:
            for piece in pieces:
                self.send_one(piece)
        except (BrokenPipeError, ConnectionResetError):
            return False
        return True

    def send_one(self, piece):
        if isinstance(piece, Pause):
            time.sleep(piece.seconds)
        elif isinstance(piece, Endless):
            self.send_endless(piece)
        elif piece == AWAIT:
            self.answer()
        elif piece == BEGUN:
            select.select([self.socket], [], [],
                          max(0.1, self.deadline - time.monotonic()))
        elif piece == HALF:
            self.socket.shutdown(socket.SHUT_WR)
        elif piece == RESET:
            self.reset()
        else:
            self.socket.sendall(piece.encode("latin-1"))

    def send_endless(self, piece):
        text = piece.text.encode("latin-1") * (4096 // len(piece.text) + 1)
        for _ in range(piece.limit // len(text)):
            self.socket.settimeout(max(0.1, self.deadline - time.monotonic()))
            self.socket.sendall(text)

    def reset(self):
        linger = struct.pack("ii", 1, 0)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.socket.close()

    def more(self, seconds=None):
        """Read arrived bytes; False at the end, or when the time is up."""
        left = self.deadline - time.monotonic()
        if seconds is not None:
            left = min(left, seconds)
        if self.ended or left <= 0:
            return False
        self.socket.settimeout(left)
        try:
            piece = self.socket.recv(65536)
        except socket.timeout:
            return False
        except ConnectionResetError:
            piece = b""
        self.ended = not piece
        self.read += piece
        return bool(piece)

    def answer(self):
        """The next answer, or None at the end."""
        while b"\r\n\r\n" not in self.read:
            if not self.more():
                return None
        head, rest = self.read.split(b"\r\n\r\n", 1)
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, value in
                   (line.split(":", 1) for line in lines)}
        status = int(first.split(" ")[1])
        size = int(headers.get("content-length", 0))
        if self.bare or status in (100, 204, 304):
            size = 0
        elif "event-stream" in headers.get("content-type", ""):
            self.read = rest
            return self.stream(status, headers)
        while len(rest) < size:
            if not self.more():
                return None
            rest = self.read.split(b"\r\n\r\n", 1)[1]
        self.read = rest[size:]
        answer = Answer(status, headers, rest[:size])
        self.answers.append(answer)
        return answer

    def stream(self, status, headers):
        """A streamed answer; without chunks it ends with the connection."""
        chunked = headers.get("transfer-encoding") == "chunked"
        body, is_whole = b"", False
        while not is_whole:
            if chunked:
                piece, self.read, is_whole = take_chunks(self.read)
                body += piece
            if not is_whole and not self.more():
                break
        if not chunked:
            body, self.read, is_whole = self.read, b"", self.ended
        if not is_whole:
            return None
        self.answers.append(Answer(status, headers, body))
        return self.answers[-1]

    def read_to_end(self):
        """Read all answers; has the other side closed the connection?"""
        while self.answer():
            pass
        return self.ended

    def close(self):
        self.socket.close()
