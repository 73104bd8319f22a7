"""The rights of callers, and secrecy.

authorization.txt has the answer of every route to each sort of caller.  Beyond
that, an outsider's answers about a private game are compared, byte for byte,
with those about a game that does not exist.
"""
import json
import os
import random
import re
import socket
import string
import zlib

import famiglia
import games
import gangd
import pytest

HERE = os.path.dirname(os.path.abspath(__file__))

TABLE = os.path.join(HERE, "authorization.txt")
DAEMON = {"GANGD_VAPID_PUBLIC_KEY": gangd.VAPID_KEY,
          "GANGD_DATABASE_TIMEOUT_MS": "10000"}
ROUTE = re.compile(r'^ROUTE\((\w+), "([^"]+)"', re.M)
CODES = ("with the code", "with a wrong code")
# The body that a route gets in the place of its usual one.
OTHERWISE = {
    "for a bot": {"action": "seat_bot"},
    "for a bot instead of the caller": {"action": "seat_bot",
                                        "instead_of_me": True},
    "instead of the caller": {"instead_of_me": True},
}
NOTES = (*CODES, *OTHERWISE)

NO_GAME = "01890a5d-ac96-774b-bcce-b302099a8057"
NO_CODE = "ZZZZZZZZ"
BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase
GROUPS = {
    "private": {},
    "spectators": {"spectators": True},
    "public": {"visibility": "public"},
}
PARTS = {
    "seat": "1", "stars": "1", "number": "1", "color": "white",
    "problem": "invalid",
}
ASSETS = {"/docs/{asset}": "/docs/swagger-ui.css",
          "/table/{asset}": "/table/worker.js"}
BODIES = {
    "/v1/rules/evaluations": {"hands": [["Ah", "Kh", "Qh", "Jh", "Th"]]},
    "/v1/games": {"name": "Eve"},
    "/v1/games/{game_id}/players": {"name": "Eve"},
    "/v1/invitations/{code}/players": {"name": "Eve"},
    "/v1/games/{game_id}/players/{seat}": {"name": "Eve"},
    "/v1/games/{game_id}/actions": {"action": "take_chip", "color": "white",
                                    "stars": 1},
    "/v1/games/{game_id}/specialist/proposals": {"seat": 1, "target_seat": 2},
    "/v1/games/{game_id}/specialist/votes": {"agree": False},
    "/v1/games/{game_id}/push": {
        "endpoint": "https://fcm.googleapis.com/fcm/send/x",
        "keys": {"p256dh": gangd.VAPID_KEY, "auth": "BTBZMqHH6r4Tts7J_aSIgg"}},
}
FIELDS = {
    "/v1/games/{game_id}/players/{seat}/token":
        ["Idempotency-Key: 5a0c7e4a-7c1b-4d0e-9f51-3f0f6f2b8e11"],
}
ANSWERS = {"retina_scan": "A", "fingerprint_scan": "pair"}

# The modes in which a game can come to a state; the others are basic.
MODES = {
    "helped": "advanced", "voting": "advanced", "due": "advanced",
    "asking": "master_thief",
}
# The states of games whose rounds are confirmed.
CONFIRMED = ("settled",)


# --- the table ---------------------------------------------------------------

class Row:
    def __init__(self, state, cells, route):
        self.state, self.cells = state, cells
        note = [note for note in NOTES if route.endswith(" " + note)]
        self.note = max(note, key=len, default="")
        self.route = route[:-len(self.note)].strip() if note else route
        self.method, self.path = self.route.split(" ")

    def __str__(self):
        note = " " + self.note if self.note else ""
        return f"{self.route}{note} ({self.state})"


def fill(path, **names):
    """A route's path with values for its parameters in braces."""
    return ASSETS.get(path, path).format(**PARTS, **names)


def read_lines(text):
    """The legend's lines and the table's, without the comments."""
    lines = [line for line in text.splitlines()
             if line.strip() and not line.startswith("#")]
    return ([line for line in lines if "|" not in line],
            [[part.strip() for part in line.split("|")]
             for line in lines if "|" in line])


def read_table(text):
    """The problems by letter, and the rows."""
    legend, (groups, columns, *lines) = read_lines(text)
    rows = []
    for state, *cells, route in lines:
        expected = {}
        for group, names, values in zip(groups[1:], columns[1:], cells):
            names, values = names.split(), values.split()
            if len(names) != len(values):
                raise SystemExit(f"{TABLE}: {route}: cells of {group}")
            for name, value in zip(names, values):
                expected[group, name] = value
        rows.append(Row(state, expected, route))
    return dict(line.split() for line in legend), rows


def read_routes():
    return [" ".join(found) for found in ROUTE.findall(games.read("routes.def"))]


def unmatched(routes, rows):
    """Routes without a row, and rows without a route."""
    have = {row.route for row in rows}
    return sorted(set(routes) ^ have)


# --- games and callers -------------------------------------------------------

class Game(gangd.Table):
    """A game in the state of a row, with its callers' header fields."""

    def __init__(self, daemon, group, state):
        in_lobby = state == "lobby"
        self.daemon = daemon
        self.body = None  # what its state asks for
        players, options = 5 if in_lobby else 3, dict(GROUPS[group])
        if state in famiglia.STEPS:
            players, options["ruleset"] = 2, "famiglia"
        else:
            options["mode"] = MODES.get(state, "basic")
        if state in CONFIRMED:
            options["round_end"] = "confirmed"
        while True:
            super().__init__(daemon, players, start=not in_lobby, **options)
            if self.arrange(state):
                return

    def arrange(self, state):
        """Play up to the state; false if the deal did not allow it."""
        if state == "lobby":
            self.join("B")
            self.join("C")
            self.join("D")
        if state == "held":
            self.take(0, "white", 1)
        if state == "settled":
            for seat in range(3):
                self.take(seat, "white", seat + 1)
        if state in ("over", "ended"):
            self.play_heist()
        while state == "ended" and self.view()["status"] == "playing":
            self.post(0, "/heists")
            self.play_heist()
        if state in famiglia.STEPS:
            return self.come_to(state)
        if MODES.get(state) == "advanced":
            return self.use_specialist(state)
        return state != "asking" or self.ask_question()

    def use_specialist(self, state):
        """Use the Informant, who comes with the first failed heist."""
        self.play_heist()
        if self.view()["alarms"]["red"] == 0:
            return False
        self.post(0, "/heists")
        if state == "helped":
            return True
        self.post(0, "/specialist/proposals", {"seat": 1, "target_seat": 2})
        if state == "due":
            self.post(1, "/specialist/votes", {"agree": True})
            self.post(2, "/specialist/votes", {"agree": True})
            self.body = {"card": self.view()["you"]["pocket_cards"][0]}
        return True

    def come_to(self, step):
        """Play until the host can do a step of a turn."""
        while True:
            for seat in (0, 1):
                actions = self.view(seat)["you"]["legal_actions"]
                entry = famiglia.toward(actions, step if seat == 0 else "pass",
                                        random)
                if not entry:
                    continue
                self.body = famiglia.body_of(entry, random)
                if seat == 0 and entry["action"] == step:
                    return True
                path = entry["href"].removeprefix(self.path)
                self.post(seat, path, self.body)
            if self.view()["status"] == "over":
                return False

    def ask_question(self):
        self.play_heist()
        questions = self.view()["heist"]["showdown"]["questions"]
        for question in questions:
            code = question["code"]
            self.body = {"question": code, "value": ANSWERS[code]}
        return bool(questions)

    def post(self, seat, path, body=None):
        client = self.daemon.client(self.tokens[seat])
        answer = client.post(self.path + path, body)
        if answer.status not in (200, 201):
            raise SystemExit(f"{path}: {answer.body}")
        client.close()

    def view(self, seat=0):
        client = self.daemon.client(self.tokens[seat])
        view = client.get(self.path).json
        client.close()
        return view

    def transfer(self):
        """A code for the second seat."""
        client = self.daemon.client(self.tokens[1])
        code = client.post(self.path + "/transfers").json["code"]
        client.close()
        return code

    def join(self, name):
        client = self.daemon.client()
        answer = client.post(f"/v1/invitations/{self.code}/players",
                             {"name": name})
        self.tokens.append(answer.json["token"])
        client.close()

    def take(self, seat, color, stars):
        self.post(seat, f"/chips/{color}/{stars}/take")

    def play_heist(self):
        """Seats take chips in their order, until all are taken."""
        while (heist := self.view()["heist"])["phase"] == "chips":
            for seat in range(3):
                self.take(seat, heist["color"], seat + 1)

    def free_third(self, by_host):
        """Free the third seat, or of two the second; its token is refused then.

        A player who leaves does not stop the heist.  One whom the host removes
        does, and the code is renewed.
        """
        seat = min(3, len(self.tokens))
        client = self.daemon.client(self.tokens[0 if by_host else seat - 1])
        answer = client.ask("DELETE", f"{self.path}/players/{seat}")
        if answer.status != 204:
            raise SystemExit(f"not free: {answer.body}")
        client.close()


def whole(letters):
    """A token of 43 letters, with the checksum that belongs to them."""
    number, digits = zlib.crc32(letters.encode()), ""
    for _ in range(6):
        number, digit = divmod(number, 62)
        digits = BASE62[digit] + digits
    return "gang_" + letters + digits


def damage(token):
    """Change a letter in the middle, which the checksum finds."""
    other = "a" if token[20] != "a" else "b"
    return token[:20] + other + token[21:]


def authorization(caller, game, foreign):
    """The Authorization that the caller sends, or None."""
    if caller == "none":
        return None
    if caller == "scheme":
        return "Basic R2FuZzpnYW5n"
    token = {
        "damaged": damage(game.tokens[0]), "unknown": whole("0" * 43),
        "foreign": foreign.tokens[0], "removed": game.tokens[:3][-1],
        "seat": game.tokens[1], "host": game.tokens[0],
    }[caller]
    return "Bearer " + token


# --- bytes -------------------------------------------------------------------

END = b"\r\n\r\n"  # of the head
STREAM = "Accept: text/event-stream"


class Wire:
    """Requests as bytes, answers as bytes."""

    def __init__(self, address):
        self.socket = socket.create_connection(address, timeout=10)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def ask(self, method, path, fields=(), body=None):
        lines = [f"{method} {path} HTTP/1.1", "Host: gangd",
                 "X-Request-Id: the-same", *fields]
        if body is not None:
            lines += ["Content-Type: application/json",
                      f"Content-Length: {len(body)}"]
        text = "\r\n".join(lines + ["", body or ""])
        self.socket.sendall(text.encode())
        return self.read(method)

    def read(self, method):
        answer = b""
        while END not in answer:
            answer += self.more()
        head, body = answer.split(END, 1)
        length = re.search(rb"\r\nContent-Length: (\d+)", head)
        wanted = int(length.group(1)) if length and method != "HEAD" else 0
        while len(body) < wanted:
            body += self.more()
        return head + END + body

    def more(self):
        piece = self.socket.recv(65536)
        if not piece:
            raise SystemExit("the daemon closed the connection")
        return piece


def status_of(answer):
    return int(answer[9:12])


def verdict(answer, letters):
    """The cell of the table that the answer belongs to."""
    status = status_of(answer)
    if status < 400:
        return str(status)
    code = json.loads(answer.split(END, 1)[1])["code"]
    return f"{status}{letters.get(code, ' ' + code)}"


def masked(answer, *names):
    """The answer without its date, and without the names in the path."""
    answer = re.sub(rb"\r\nDate: [^\r]*", b"\r\nDate:", answer)
    for name in names:
        answer = answer.replace(name.encode(), b"#" * len(name))
    return answer


# --- the matrix --------------------------------------------------------------

class Matrix:
    def __init__(self, daemon, letters):
        self.daemon = daemon
        self.letters = {code: letter for letter, code in letters.items()}
        self.wire = Wire(daemon.address)
        self.foreign = Game(daemon, "private", "lobby")
        self.met = set()

    def ask(self, row, method, caller, game, wire=None, more=()):
        """Send what a row says, by its method or another."""
        code = NO_CODE if row.note == "with a wrong code" else game.code
        path = fill(row.path, game_id=game.id, code=code)
        body = None
        if row.method in ("POST", "PUT", "PATCH"):
            body = OTHERWISE.get(row.note, BODIES.get(row.path, game.body))
        if row.path.endswith("/claim"):
            wrong = row.note == "with a wrong code"
            body = {"code": "0" * 22 if wrong else game.transfer()}
        elif row.note in CODES and "{code}" not in row.path:
            body = dict(body, invite_code=code)
        value = authorization(caller, game, self.foreign)
        fields = ["Authorization: " + value] if value else []
        fields += FIELDS.get(row.path, [])
        return (wire or self.wire).ask(method, path, [*fields, *more],
                                       json.dumps(body) if body else None)

    def is_same_by_stream(self, row, caller, game, answer):
        """A stream of events is open to just the callers of a page of them."""
        wire = Wire(self.daemon.address)
        stream = self.ask(row, "GET", caller, game, wire, [STREAM])
        wire.socket.close()
        return verdict(stream, self.letters) == verdict(answer, self.letters) \
            and (status_of(stream) >= 400 or b"event-stream" in stream)

    def is_same_by_head(self, row, caller, game, answer):
        """HEAD answers as GET does, without the body."""
        head = self.ask(row, "HEAD", caller, game)
        return masked(head) == masked(answer).split(END)[0] + END

    def check_group(self, row, group, faults):
        game = None
        for (of_group, caller), expected in row.cells.items():
            if of_group != group:
                continue
            if not game:
                game = Game(self.daemon, group,
                            "lobby" if row.state == "-" else row.state)
            if caller == "removed":
                game.free_third(by_host=False)
            answer = self.ask(row, row.method, caller, game)
            found = verdict(answer, self.letters)
            self.met.add(found[3:])
            if found != expected:
                faults.append(f"{group} {caller}: {found}, not {expected}")
            if row.method == "GET" and \
                    not self.is_same_by_head(row, caller, game, answer):
                faults.append(f"{group} {caller}: HEAD differs")
            if row.path.endswith("/events") and \
                    not self.is_same_by_stream(row, caller, game, answer):
                faults.append(f"{group} {caller}: the stream differs")
            # The next caller needs a new game if this one was changed, or is a
            # game of Famiglia that a player has left.
            if row.method != "GET" and status_of(answer) < 300 \
                    or caller == "removed" and len(game.tokens) == 2:
                game = None

    def faults_of(self, row):
        faults = []
        for group in GROUPS:
            self.check_group(row, group, faults)
        return faults


def check_matrix(tally, daemon, letters, rows):
    matrix = Matrix(daemon, letters)
    for row in rows:
        faults = matrix.faults_of(row)
        tally.check(f"{row}: {len(row.cells)} callers", not faults,
                    "; ".join(faults))
    unmet = set(letters) - matrix.met
    tally.check("each letter of the legend is met", not unmet, unmet)


# --- outsiders ---------------------------------------------------------------

# Ways to ask that lead to different answers, or to no answer about the game.
WAYS = [
    ("plain", [], None),
    ("If-Match", ['If-Match: "1"'], None),
    ("If-Match: *", ["If-Match: *"], None),
    ("If-None-Match: *", ["If-None-Match: *"], None),
    ("an empty body", [], "{}"),
    ("a wrong body", [], '{"secret":1}'),
    ("no JSON", [], "{"),
    ("a body to join", [], '{"name":"Eve"}'),
    ("a name that is taken", [], '{"name":"A"}'),
    ("a wrong code", [], '{"name":"Eve","invite_code":"ZZZZZZZZ"}'),
    ("no code", [], '{"name":"Eve","invite_code":"?"}'),
    ("Accept", ["Accept: text/plain"], None),
    ("a stream", [STREAM, "Last-Event-ID: 1"], None),
    ("the past", ["If-Modified-Since: Sat, 31 Jan 2026 12:00:00 GMT"], None),
]
OUTSIDERS = ("none", "scheme", "damaged", "unknown", "foreign", "removed")
METHODS = ("GET", "HEAD", "POST", "PATCH", "DELETE", "PUT", "OPTIONS")


def paths_under(routes, name):
    """The paths of routes that name a game, or a code, each once."""
    paths = [route.split(" ")[1] for route in routes]
    return sorted({path for path in paths if name in path})


def compare(wire, path, there, nowhere, fields):
    """The differences between the answers about a game and a missing game."""
    faults = []
    for method in METHODS:
        for way, more, body in WAYS:
            answers = [
                masked(wire.ask(method, fill(path, **names),
                                fields + more, body), *names.values())
                for names in (there, nowhere)]
            if answers[0] != answers[1]:
                faults.append(f"{method} with {way}: {answers}")
    return faults


def fields_of(caller, game, foreign):
    value = authorization(caller, game, foreign)
    return ["Authorization: " + value] if value else []


def check_game(tally, wire, routes, game, foreign, state):
    there = {"game_id": game.id, "code": game.code}
    nowhere = {"game_id": NO_GAME, "code": NO_CODE}
    for path in paths_under(routes, "{game_id}"):
        faults = []
        for caller in OUTSIDERS:
            faults += [f"{caller}: {fault}" for fault in compare(
                wire, path, there, nowhere,
                fields_of(caller, game, foreign))]
        tally.check(f"a private game ({state}) and none: {path}",
                    not faults, "\n  ".join(faults[:3]))


def check_code(tally, wire, routes, code, what):
    """Compare a code that is not valid any more with one that never was."""
    for path in paths_under(routes, "{code}"):
        faults = compare(wire, path, {"code": code}, {"code": NO_CODE}, [])
        tally.check(f"{what} and none: {path}", not faults,
                    "\n  ".join(faults[:3]))


def check_full(tally, wire, routes, daemon):
    """A valid code reveals that the game is full, and no more of it."""
    first = Game(daemon, "private", "playing")
    later = Game(daemon, "private", "over")
    for path in paths_under(routes, "{code}"):
        faults = compare(wire, path, {"code": first.code},
                         {"code": later.code}, [])
        tally.check(f"the codes of two full games: {path}", not faults,
                    "\n  ".join(faults[:3]))


def check_outsiders(tally, daemon, routes):
    wire = Wire(daemon.address)
    foreign = Game(daemon, "private", "lobby")
    for state in ("lobby", "playing", "over", "damaged", "pass"):
        game = Game(daemon, "private",
                    "playing" if state == "damaged" else state)
        code = game.code
        # In Famiglia the host removes no present player.
        is_removed = state != "pass"
        game.free_third(is_removed)
        if state == "damaged":
            gangd.psql("UPDATE gangd.game SET state = '\\x00', "
                       "revision = revision + 1 "
                       f"WHERE game_id = '{game.id}'")
        check_game(tally, wire, routes, game, foreign, state)
        if is_removed:
            check_code(tally, wire, routes, code, f"a former code ({state})")
    check_full(tally, wire, routes, daemon)


def check_that_it_fails(tally, daemon, routes, letters, rows):
    """Plant faults, which the comparison must find."""
    tally.check("a route without a row is noticed",
                unmatched(routes + ["GET /v1/new"], rows) == ["GET /v1/new"])
    tally.check("a row without a route is noticed",
                unmatched(routes[:-1], rows) == [routes[-1]])
    row = next(row for row in rows if row.path.endswith("/hand"))
    wrong = Row(row.state, dict(row.cells), row.route)
    wrong.cells["private", "removed"] = "200"
    faults = Matrix(daemon, letters).faults_of(wrong)
    tally.check("a wrong cell is noticed",
                faults == ["private removed: 401T, not 200"], faults)
    public = Game(daemon, "public", "playing")
    names = [{"game_id": id} for id in (public.id, NO_GAME)]
    faults = compare(Wire(daemon.address), "/v1/games/{game_id}/players",
                     *names, [])
    tally.check("a visible game is distinguished from none",
                len(faults) > 0)


@pytest.fixture(scope="module")
def table():
    """The letters of the callers, and the rows of authorization.txt."""
    with open(TABLE, encoding="utf-8") as file:
        return read_table(file.read())


@pytest.fixture(scope="module")
def routes():
    return read_routes()


def test_each_route_has_a_row(tally, routes, table):
    alone = unmatched(routes, table[1])
    tally.check(f"{len(routes)} routes have their rows", not alone, alone)


def test_matrix(tally, daemon, table):
    check_matrix(tally, daemon, *table)


def test_outsiders(tally, routes, daemon):
    check_outsiders(tally, daemon, routes)


def test_that_it_fails(tally, routes, daemon, table):
    check_that_it_fails(tally, daemon, routes, *table)


def test_the_daemon_ends_well(tally, daemon):
    tally.end_well(daemon)
