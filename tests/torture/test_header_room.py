"""Header fields of every size and number.

A browser sends all cookies of all programs on a host.  Each
request is sent with cookies and other fields of some number and size, at once
and in pieces.  Up to 16 KiB in 100 fields it is carried out and answered
completely; beyond that it is refused by one 431, the connection is closed, and
nothing has changed.
"""
import itertools
import json
import os

import gangd
import hostile
import pytest
from streams import take_chunks
from wire import Wire

FIELDS_MAX, COUNT_MAX, TARGET_MAX = 16384, 100, 2048
SECONDS = 20
DAEMON = {"GANGD_QUOTAS": "off", "GANGD_CONNECTIONS_PER_ADDRESS": "0",
          "GANGD_CORS_ORIGINS": "*"}
PIECE = 1400  # bytes, about those of a packet

# The fields that Chrome sends for fetch(), with a token.
BROWSER = """Host: localhost:8080
Connection: keep-alive
sec-ch-ua-platform: "Linux"
Authorization: Bearer $token
User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like \
Gecko) Chrome/136.0.0.0 Safari/537.36
Accept: $accept
sec-ch-ua: "Chromium";v="136", "Google Chrome";v="136", "Not.A/Brand";v="99"
sec-ch-ua-mobile: ?0
Origin: https://a.example
Sec-Fetch-Site: cross-site
Sec-Fetch-Mode: cors
Sec-Fetch-Dest: empty
Referer: https://a.example/
Accept-Encoding: identity
Accept-Language: en-US,en;q=0.9,de;q=0.8"""

# The number of cookies, and the bytes of each.
COOKIES = [
    (0, 0), (1, 1000), (3, 1000), (20, 120), (47, 30), (1, 4000), (3, 4000),
    (180, 60), (400, 20), (2000, 4), (7000, 0), (1, 15000), (16, 1000),
    (1, 17000), (9, 2000), (180, 120), (1, 24000), (600, 40), (180, 4000),
    (1, 40000), (1, 1000000),
]
# The number of other fields, and the bytes of each value.
OTHERS = [(50, 8), (80, 150), (84, 1), (86, 1), (120, 20), (250, 4),
          (1000, 1), (1000, 90), (8000, 0)]


CHIPS = {}  # the chip that the player of a table holds


class Request:
    """A kind of request; .path, .fields and .body of the next one."""

    def __init__(self, table, name):
        self.table, self.name = table, name
        self.method, self.path, self.body = "GET", table.path, ""
        self.accept, self.key = "application/json", None
        if name == "page":
            self.path, self.accept = "/", "text/html"
        elif name == "stream":
            self.path += "/events?after=0"
            self.accept = "text/event-stream"
        elif name != "view":
            self.method = "POST"
        self.is_move = self.method == "POST"

    def next(self):
        """A move that is allowed: the chip is not the player's present one."""
        if self.is_move:
            chip = CHIPS.get(self.table.id, 0) % 3 + 1
            self.path = f"{self.table.path}/chips/white/{chip}/take"
        if self.name == "keyed move":
            self.key = os.urandom(16).hex()

    def head(self, more):
        text = BROWSER.replace("$token", self.table.tokens[0])
        lines = text.replace("$accept", self.accept).split("\n")
        if self.key:
            lines.append("Idempotency-Key: " + self.key)
        if self.name == "chunked move":
            lines.append("Transfer-Encoding: chunked")
            lines.append("Content-Type: application/json")
        elif self.is_move:
            lines.append("Content-Length: 0")
        return lines + more

    def bytes(self, more):
        lines = self.head(more)
        chunk = "2" if hostile.IS_STRICT else "2;a=b"
        body = chunk + "\r\n{}\r\n0\r\n\r\n" if self.name == "chunked move" else ""
        text = f"{self.method} {self.path} HTTP/1.1\r\n" + "".join(
            line + "\r\n" for line in lines) + "\r\n" + body
        return text.encode()

    def is_allowed(self, more):
        lines = self.head(more)
        return sum(len(line) + 2 for line in lines) <= FIELDS_MAX and \
            len(lines) <= COUNT_MAX


def cookies(number, size):
    if not number:
        return []
    name = "" if size < 8 else "c%d="
    each = [(name % i if name else "").ljust(size, "v") for i in range(number)]
    return ["Cookie: " + "; ".join(each) if size else "Cookie:" + ";" * number]


def others(number, size):
    return [f"X-{i}: ".ljust(len(f"X-{i}: ") + size, "v")
            for i in range(number)]


def fill(request, more, count=COUNT_MAX, size=FIELDS_MAX):
    """Exactly the most: this many fields with this many bytes."""
    lines = request.head(more)
    more = more + ["Y: 1"] * (count - 1 - len(lines))
    left = size - sum(len(line) + 2 for line in request.head(more))
    return more + ["Z: ".ljust(left - 2, "z")]


def send(wire, text, piece):
    try:
        for at in range(0, len(text), piece):
            wire.socket.sendall(text[at:at + piece])
    except (BrokenPipeError, ConnectionResetError):
        pass


def read(wire, is_stream):
    """The response; of a stream the first events."""
    if not is_stream:
        return wire.answer()
    while b"\r\n\r\n" not in wire.read and wire.more():
        pass
    if not wire.read.startswith(b"HTTP/1.1 200"):
        return wire.answer()
    while True:
        events = take_chunks(wire.read.split(b"\r\n\r\n", 1)[1])[0]
        if events.endswith(b"\n\n") or not wire.more():
            return events


class Room:
    def __init__(self, daemon, tally):
        self.daemon, self.tally = daemon, tally
        self.client = daemon.client()
        self.faults, self.seen = [], {200: 0, 431: 0}
        self.page = self.client.get("/").body

    def version(self, table):
        self.client.token = table.tokens[0]
        return self.client.get(table.path).json["version"]

    def ask(self, request, more, piece=1 << 20, following=b""):
        """Send one request, and check everything that it leaves."""
        request.next()
        before = self.version(request.table) if request.is_move else 0
        allowed = request.is_allowed(more)
        text = request.bytes(more)
        fault = self.look(request, text + following, piece, allowed)
        if request.is_move and allowed:
            CHIPS[request.table.id] = int(request.path.split("/")[-2])
        if not fault and request.is_move:
            after = self.version(request.table)
            if (after > before) != allowed:
                fault = f"version {before} became {after}"
        if not fault and request.key and allowed:
            # Repeated without the cookies: the same response, no second move.
            fault = self.look(request, request.bytes([]), piece, True)
            if not fault and self.version(request.table) != after:
                fault = "a repeated request is carried out twice"
        self.seen[200 if allowed else 431] += 1
        if fault:
            lines = request.head(more)
            self.faults.append((request.name, len(lines), sum(
                len(line) + 2 for line in lines), piece, fault))

    def look(self, request, text, piece, allowed):
        wire = Wire(self.daemon.address, SECONDS)
        try:
            send(wire, text, piece)
            is_stream = request.name == "stream"
            answer = read(wire, is_stream)
            if not answer:
                return f"no response, but {wire.read[:300]}"
            if isinstance(answer, bytes):
                return None if allowed and b"data: " in answer else answer
            if answer.headers.get("access-control-allow-origin") != \
                    "https://a.example":
                return f"no CORS: {answer} {answer.headers} {answer.body}"
            if allowed:
                return self.look_at_success(request, answer)
            if answer.status != 431 or answer.fault() or not answer.closes \
                    or answer.code != "headers_too_large":
                return f"not our 431: {answer}"
            wire.read_to_end()
            if not wire.ended or wire.read or len(wire.answers) != 1:
                return f"after it: {wire.ended}, {wire.read[:200]}"
            return None
        finally:
            wire.close()

    def look_at_success(self, request, answer):
        if answer.status != 200 or not answer.id:
            return str(answer)
        if request.name == "page":
            return None if answer.body == self.page else "another page"
        return None if json.loads(answer.body)["version"] else "no view"

    def done(self, name):
        self.tally.check(
            f"{name}: {self.seen[200]} were answered, {self.seen[431]} refused",
            not self.faults and self.seen[200] and self.seen[431],
            (len(self.faults), self.faults[:6]))
        self.faults, self.seen = [], {200: 0, 431: 0}


@pytest.fixture(scope="module")
def table(daemon):
    return gangd.Table(daemon)


@pytest.fixture
def room(daemon, tally):
    return Room(daemon, tally)


@pytest.mark.parametrize("name", ["view", "move", "keyed move", "chunked move",
                                  "page", "stream"])
def test_fields(room, table, name):
    request = Request(table, name)
    for more in itertools.chain(itertools.starmap(cookies, COOKIES),
                                itertools.starmap(others, OTHERS)):
        for piece in (1 << 20, PIECE):
            room.ask(request, more, piece)
    room.done(name)


def test_edges(room, table):
    """The most that is allowed, whatever comes with it and after it."""
    view = Request(table, "view")
    many = (view.bytes([]) * 300)[:100000]
    for name in ("view", "move", "keyed move", "chunked move"):
        request = Request(table, name)
        for count, size in ((COUNT_MAX, FIELDS_MAX), (30, FIELDS_MAX),
                            (COUNT_MAX + 1, FIELDS_MAX),
                            (COUNT_MAX, FIELDS_MAX + 1)):
            for piece in (1 << 20, 16384, 8192, 4096, PIECE, 100):
                for following in (b"", many):
                    request.next()
                    room.ask(request, fill(request, [], count, size), piece,
                             following)
    room.done("the most fields, and requests after them")


def test_preflights(tally, daemon):
    """A preflight that asks for all that it may, or for far more."""
    client = daemon.client()
    for number, length in ((40, 40), (41, 40), (350, 40), (7000, 1)):
        names = ",".join(f"{i:x}".rjust(length, "n") for i in range(number))
        for method in ("PUT", "x" * 40, names[:8000]):
            answer = client.ask("OPTIONS", "/v1/games", headers={
                "Origin": "https://" + "a" * 280,
                "X-Request-Id": "r" * 64,
                "Access-Control-Request-Method": method,
                "Access-Control-Request-Headers": names[:15000 - len(method)]})
            tally.check(
                f"a preflight for {number} names of {length} bytes, and a method of "
                f"{len(method)}", answer.status == 204 and
                "Authorization, " in answer.header("Access-Control-Allow-Headers"),
                answer.headers)
    client.close()


def test_the_daemon_ends_well(tally, daemon):
    tally.end_well(daemon)
