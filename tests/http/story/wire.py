"""Requests go out and answers come in, several at once if need be.

The client adds no header field but Host and the one that frames the body.  An
exchange is done when its answer is whole, or can no longer come (status 0).
Connections are kept for later requests, as browsers do.
"""
import json
import re
import select
import socket
import time

from .text import to_bytes, to_text

SHOWN_CHARACTERS = 3000
# The size of a chunk, after the end of the one before; the last one is 0.
CHUNK_SIZE = re.compile(
    rb"(?:\r\n)?(?:(0+)\r\n\r\n|([1-9A-Fa-f][0-9A-Fa-f]*)\r\n)")


class Exchange:
    """One request and its answer."""

    def __init__(self, actor, method, target):
        self.actor = actor       # None: somebody without a seat
        self.method, self.target = method, target
        self.sent = {}           # header fields; names are in lower case
        self.body = None         # bytes
        self.elsewhere = False   # sent to the other daemon
        self.by_library = False  # libmicrohttpd answers it by itself
        self.leaving = None      # the actor at the seat that it is to free
        self.before = None       # the game's row before it was sent
        self.status = 0
        self.fields = {}
        self.answer = bytearray()
        self.text = ""           # the whole answer
        self.json = None         # the same, if it is JSON
        self.done = False
        self.begun = self.seconds = 0.0

    def set_body(self, body):
        self.body = to_bytes(body)
        self.sent["content-type"] = "application/json"

    def finish(self, status):
        self.status, self.done = status, True
        self.seconds = time.monotonic() - self.begun
        self.text = to_text(self.answer)
        if self.text and "json" in self.fields.get("content-type", ""):
            try:
                self.json = json.loads(self.text)
            except ValueError:
                pass

    @property
    def code(self):
        """The problem's code in a refusal; "" when it has no code."""
        if self.status < 400 or not isinstance(self.json, dict):
            return ""
        return self.json.get("code", "")

    def show(self):
        """The request and its answer, for people."""
        lines = [f"> {self.method} {self.target}"]
        lines += [f"> {name}: {value}" for name, value in self.sent.items()]
        if self.body is not None:
            lines.append("> " + to_text(self.body)[:SHOWN_CHARACTERS])
        lines.append(f"< {self.status}")
        lines += [f"< {name}: {value}" for name, value in self.fields.items()]
        lines.append("< " + to_text(self.answer)[:SHOWN_CHARACTERS])
        return "".join(f"  {line}\n" for line in lines)

    def request(self, host):
        """The bytes to send."""
        fields, body = {"host": host, **self.sent}, self.body or b""
        if "transfer-encoding" in fields:
            body = b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)
        elif self.body is not None or self.method == "POST":
            fields.setdefault("content-length", len(body))
        lines = [f"{self.method} {self.target} HTTP/1.1"]
        lines += [f"{name}: {value}" for name, value in fields.items()]
        return to_bytes("\r\n".join(lines) + "\r\n\r\n") + body


def parse_head(head):
    """The status and the header fields of the bytes before the empty line."""
    first, *lines = to_text(head).split("\r\n")
    fields = {}
    for line in lines:
        name, colon, value = line.partition(":")
        name, value = name.lower(), value.lstrip(" ")
        if colon:
            fields[name] = f"{fields[name]}, {value}" if name in fields \
                else value
    return int(first[9:12]) if first[9:12].isdigit() else 0, fields


class Connection:
    """A connection to a daemon, and the exchange that is under way on it."""

    def __init__(self, address):
        self.address = address
        self.socket = socket.create_connection(address)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, exchange, data):
        self.exchange, self.buffer = exchange, bytearray()
        self.left = None  # bytes of the body or chunk; None before the head
        self.chunked = self.until_closed = False
        exchange.begun = time.monotonic()
        try:
            self.socket.sendall(data)
        except OSError:
            pass  # the daemon may answer what it does not read to its end

    def receive(self):
        """Read what has come; true when no more of the answer will."""
        try:
            data = self.socket.recv(65536)
        except OSError:
            data = b""
        self.buffer += data
        if self.left is None and not self.take_head():
            return not data
        return self.take_body() or not data

    def is_whole(self, closed):
        """True if all of the answer has come."""
        return self.until_closed and closed or \
            self.left == 0 and not self.chunked

    def take_head(self):
        """True when the head is there; interim answers are passed over."""
        status = 0
        while status < 200:
            end = self.buffer.find(b"\r\n\r\n")
            if end < 0:
                return False
            status, fields = parse_head(self.buffer[:end])
            del self.buffer[:end + 4]
        self.exchange.status, self.exchange.fields = status, fields
        self.left = int(fields.get("content-length", 0))
        if self.exchange.method == "HEAD" or status in (204, 304):
            self.left = 0
        elif fields.get("transfer-encoding") == "chunked":
            self.chunked = True
        else:
            self.until_closed = "content-length" not in fields
        return True

    def take_body(self):
        """Move what is there of the body to the exchange; true at its end."""
        if self.until_closed:
            self.left = len(self.buffer) + 1
        while True:
            part = self.buffer[:self.left]
            self.exchange.answer += part
            del self.buffer[:self.left]
            self.left -= len(part)
            if self.left or not self.chunked:
                return not self.left
            size = CHUNK_SIZE.match(self.buffer)
            if not size:
                return False
            self.left = int(size[1] or size[2], 16)
            self.chunked = self.left > 0
            del self.buffer[:size.end()]


class Client:
    """Sends requests to daemons at "http://HOST:PORT", and calls on_done with
    each exchange that has ended."""

    def __init__(self, url, elsewhere, on_done):
        self.hosts = [each.removeprefix("http://")
                      for each in (url, elsewhere)]
        self.on_done = on_done
        self.idle = []
        self.busy = {}  # by file descriptor
        self.poll = select.poll()

    def connect(self, exchange):
        """A connection that the daemon has not closed, kept or new."""
        host, _, port = self.hosts[exchange.elsewhere].rpartition(":")
        for connection in list(self.idle):
            if connection.address == (host, int(port)):
                self.idle.remove(connection)
                if not select.select([connection.socket], [], [], 0)[0]:
                    return connection
                connection.socket.close()
        return Connection((host, int(port)))

    def send(self, exchange):
        """Begin to send."""
        try:
            connection = self.connect(exchange)
        except OSError:
            self.end(exchange, 0)
            return
        connection.send(exchange,
                        exchange.request(self.hosts[exchange.elsewhere]))
        self.busy[connection.socket.fileno()] = connection
        self.poll.register(connection.socket, select.POLLIN)

    def end(self, exchange, status):
        exchange.finish(status)
        self.on_done(exchange)

    def drop(self, connection, keep=False):
        """Nothing is under way any more on a connection."""
        self.poll.unregister(connection.socket)
        del self.busy[connection.socket.fileno()]
        if keep:
            self.idle.append(connection)
        else:
            connection.socket.close()

    def carry_on(self, connection):
        """Read from a connection that has something to read."""
        exchange = connection.exchange
        if connection.receive():
            self.drop(connection, keep=connection.is_whole(False) and
                      exchange.fields.get("connection", "").lower() != "close")
            self.end(exchange,
                     exchange.status if connection.is_whole(True) else 0)

    def wait(self, exchange, seconds, enough=None):
        """True when the answer is there, or enough bytes of it; false when it
        is not so by then."""
        until = time.monotonic() + seconds
        while not exchange.done:
            if enough is not None and len(exchange.answer) >= enough:
                break
            left = until - time.monotonic()
            if left <= 0:
                return False
            for fd, _ in self.poll.poll(left * 1000):
                self.carry_on(self.busy[fd])
        return True

    def forget(self, exchange=None):
        """Give up an exchange that is under way, or all of them."""
        for connection in list(self.busy.values()):
            if exchange in (None, connection.exchange):
                self.drop(connection)

    def raw(self, exchange, data, seconds):
        """Send bytes as they are over a connection of their own, and read one
        answer, if one comes."""
        host, _, port = self.hosts[exchange.elsewhere].rpartition(":")
        connection = Connection((host, int(port)))
        connection.socket.settimeout(seconds)
        connection.send(exchange, data)
        while not connection.receive():
            pass
        connection.socket.close()
        self.end(exchange, exchange.status)
