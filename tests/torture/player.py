"""A client that moves chips at random, and records its answers.

It decides by its last answer, and takes a few chips only, so its moves mostly
conflict with those of others.  Times are of the monotonic clock, which all
processes of a machine share.
"""
import dataclasses
import json
import random
import socket
import time

COLORS = ("white", "yellow", "orange", "red")
CONTESTED = 2  # stars that most moves are about
WAIT_SECONDS = 0.005
AGREE_VERSIONS = 60  # of a game; in the last third players agree


@dataclasses.dataclass
class Asked:
    """A request and its answer; None if there was no answer."""
    seat: int
    verb: str                # take, return, heist; look for the view
    color: str = None
    stars: int = None
    source: object = None    # "from": "center" or a seat
    if_match: int = None     # the version that was named
    sent: float = 0.0
    answered: float = 0.0
    status: int = None
    code: str = None
    version: int = None      # as the ETag says
    board: tuple = None      # as the view says

    @property
    def is_done(self):
        return self.status in (200, 201)


def board_of(view):
    """The chips as a view shows them; checker.State.board has the same form."""
    heist = view["heist"]
    chips = tuple((chip["color"], chip["stars"], chip["seat"])
                  for chip in heist["chips"])
    return (view["version"], view["status"], heist["number"],
            heist["phase"] == "over", heist["color"], chips)


class Wire:
    """HTTP over one persistent connection, as fast as Python allows."""

    def __init__(self, address, timeout):
        self.address, self.timeout = address, timeout
        self.socket = None

    def close(self):
        if self.socket:
            self.socket.close()
        self.socket = None

    def ask(self, method, path, fields, body):
        """Status, header lines and body; OSError without an answer."""
        try:
            if not self.socket:
                self.socket = socket.create_connection(self.address,
                                                       self.timeout)
                self.socket.setsockopt(socket.IPPROTO_TCP,
                                       socket.TCP_NODELAY, 1)
            head = [f"{method} {path} HTTP/1.1", "Host: gangd", *fields]
            if body:
                head += ["Content-Type: application/json",
                         f"Content-Length: {len(body)}"]
            self.socket.sendall(("\r\n".join(head) + "\r\n\r\n" +
                                 body).encode())
            return self.answer()
        except OSError:
            self.close()
            raise

    def answer(self):
        got = b""
        while b"\r\n\r\n" not in got:
            got += self.more()
        head, body = got.split(b"\r\n\r\n", 1)
        lines = head.decode().split("\r\n")
        fields = {name.lower(): value.strip() for name, value in
                  (line.split(":", 1) for line in lines[1:])}
        while len(body) < int(fields.get("content-length", 0)):
            body += self.more()
        if fields.get("connection") == "close":
            self.close()
        return int(lines[0].split()[1]), fields, body

    def more(self):
        got = self.socket.recv(65536)
        if not got:
            raise ConnectionError("closed before the answer")
        return got


class Player:
    def __init__(self, address, path, token, seat, players, seed, timeout=30):
        self.wire = Wire(address, timeout)
        self.path, self.token = path, token
        self.seat, self.players = seat, players
        self.random = random.Random(seed)
        self.etag = None
        self.version = None
        self.board = None
        self.over = self.ended = False
        self.span = self.round = None
        self.history = []

    # --- what to ask ---------------------------------------------------------

    def color(self):
        return self.board[4] if self.board else COLORS[0]

    def holder(self, color, stars):
        for chip in self.board[5] if self.board else ():
            if chip[:2] == (color, stars):
                return chip[2] or "center"
        return "center"

    def held(self, color):
        """The stars of the player's own chip, as far as the player knows."""
        for chip in self.board[5] if self.board else ():
            if (chip[0], chip[2]) == (color, self.seat):
                return chip[1]
        return None

    def agreed(self):
        """
        In the last third of every sixty versions each player takes the chip of
        its own number until the round is over; else no round would end.  The
        version is common to all players, however fast the machine is.  None
        when it is not the time.
        """
        span, at = divmod(self.version, AGREE_VERSIONS)
        if self.over or at < AGREE_VERSIONS * 2 / 3:
            return None
        if span != self.span:
            self.span, self.round = span, None
            return Asked(self.seat, "look")
        self.round = self.round or self.board[2:5]
        if self.round != self.board[2:5]:
            return None
        if self.holder(self.color(), self.seat) == self.seat:
            time.sleep(WAIT_SECONDS)  # for the others to take theirs
            return Asked(self.seat, "look")
        if self.history[-1].status != 200:
            return Asked(self.seat, "look")
        return Asked(self.seat, "take", self.color(), self.seat)

    def stars(self):
        chance = self.random.random()
        if chance < 0.5:
            return self.random.randint(1, CONTESTED)
        if chance < 0.52 and self.players < 6:
            return self.players + 1  # no such chip
        return self.random.randint(1, self.players)

    def move(self):
        """Draw the player's next request."""
        chance = self.random.random()
        color = self.color()
        if not self.board or chance < 0.05:
            return Asked(self.seat, "look")
        if self.over and chance < 0.6:
            return Asked(self.seat, "heist")
        agreed = self.agreed()
        if agreed:
            return agreed
        if chance < 0.10:
            color = self.random.choice(COLORS)
        asked = Asked(self.seat, "take", color, self.stars())
        if 0.10 <= chance < 0.15:
            asked.verb = "return"
            asked.stars = self.held(color) or asked.stars
        elif chance < 0.30:
            asked.source = self.holder(color, asked.stars)
            if asked.source == self.seat:
                asked.source = "center"
        elif chance < 0.35:
            asked.source = self.random.choice(
                ["center", self.random.randint(1, self.players)])
        if self.random.random() < 0.10:
            asked.if_match = self.version
        return asked

    # --- asking --------------------------------------------------------------

    def request_of(self, asked):
        """Method, path and body, as api/openapi.yaml has them."""
        if asked.verb == "look":
            return "GET", self.path, ""
        if asked.verb == "heist":
            return "POST", self.path + "/heists", ""
        body = "" if asked.source is None else json.dumps(
            {"from": asked.source})
        return ("POST", f"{self.path}/chips/{asked.color}/{asked.stars}/"
                f"{asked.verb}", body)

    def learn(self, asked, fields, body):
        told = json.loads(body)
        if not asked.is_done:
            asked.code = told["code"]
            self.over = asked.code == "heist_over"
            self.ended = asked.code == "game_over"
            return
        self.etag = fields["etag"]
        asked.version = self.version = int(self.etag.split(".")[1])
        asked.board = self.board = board_of(told)
        self.over, self.ended = self.board[3], self.board[1] != "playing"

    def ask(self, asked):
        method, path, body = self.request_of(asked)
        fields = ["Authorization: Bearer " + self.token]
        if asked.if_match is not None:
            fields.append("If-Match: " + self.etag)
        asked.sent = time.monotonic()
        try:
            asked.status, fields, body = self.wire.ask(method, path, fields,
                                                       body)
        except OSError:
            asked.answered = time.monotonic()
        else:
            asked.answered = time.monotonic()
            self.learn(asked, fields, body)
        self.history.append(asked)
        return asked

    def play(self, count):
        """Send this many requests, or play to the end; the history."""
        for _ in range(count):
            self.ask(self.move())
            if self.ended:
                break
        self.wire.close()
        return self.history
