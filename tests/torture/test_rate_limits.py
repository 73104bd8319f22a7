"""The quotas and caps of addresses and tokens.

Clients come from addresses of the loopback network, each test from its own.
While one client floods at full speed, others play, and hardly wait.
"""
import concurrent.futures
import contextlib
import http.client
import itertools
import multiprocessing
import os
import re
import select
import socket
import tempfile
import time

import gangd
from honest import P99_MS, SANITIZED_FACTOR
import measure
import pytest

pytestmark = pytest.mark.timed

WINDOW = 60
DAY = 24 * 60 * 60
RETRY_MAX = 60 * 60
QUOTAS = {"address": 3000, "token": 600, "creation": 30, "joining": 60,
          "listing": 240, "game": 300, "day_creation": 500,
          "day_changes": 40000, "day_keys": 2000}
LOBBY = 10
SITE_LOBBIES = 4  # times that for 48 bits of IPv6
CREATORS = 19  # together with those after them below their quota
PAGE = "/problems/invalid"  # which costs no database
LARGE = "/openapi.yaml"
BEYOND_MOST = 16 * os.cpu_count()  # connections that are refused by 429
UNIT = 16384  # bytes of a file that count for a request
LARGEST = 1 << 19

# The flood: connections that never wait for an answer, all of one address.
FLOOD_CONNECTIONS = 8
PIPELINED = 16
FLOOD_SECONDS = 5
HONEST = 20  # addresses, each with a game of its own
HONEST_EACH_SECOND = 100


def client(daemon, source, token=None):
    made = daemon.client(token)
    made.connection = http.client.HTTPConnection(
        *daemon.address, timeout=10, source_address=(source, 0))
    return made


def ask(daemon, source, method, path, body=None, token=None, headers=None):
    with contextlib.closing(client(daemon, source, token)) as asking:
        return asking.ask(method, path, body, headers)


def create(daemon, source, **options):
    return ask(daemon, source, "POST", "/v1/games",
               dict({"name": "A"}, **options))


# --- the fields --------------------------------------------------------------

MEMBER = re.compile(r'"([\x20\x21\x23-\x5b\x5d-\x7e]*)"'
                    r'((?:; *[a-z*][a-z0-9_.*-]*=-?[0-9]{1,15})*)')
BETWEEN = re.compile(r"[ \t]*,[ \t]*")


def parse_list(text):
    """A list of strings whose parameters are integers (RFC 9651), as pairs."""
    members, at = [], 0
    while True:
        found = MEMBER.match(text, at)
        if not found:
            raise ValueError(f"no member at {at} of {text}")
        pairs = [pair.strip().split("=")
                 for pair in found.group(2).split(";")[1:]]
        members.append((found.group(1),
                        {name: int(value) for name, value in pairs}))
        at = found.end()
        if at == len(text):
            return members
        comma = BETWEEN.match(text, at)
        if not comma:
            raise ValueError(f"no comma at {at} of {text}")
        at = comma.end()


def fields(answer):
    """The values of the fields, by the policies' names: (policies, left)."""
    return tuple(dict(parse_list(answer.header(name) or "none"))
                 for name in ("RateLimit-Policy", "RateLimit"))


def is_counted(answer, *names):
    """Do the fields have these policies, with right values?"""
    policies, left = fields(answer)
    return list(policies) == list(left) == list(names) and all(
        policies[name] == {"q": QUOTAS[name], "w": window_of(name)} and
        left[name].keys() == {"r", "t"} and
        0 <= left[name]["r"] < QUOTAS[name] and
        0 < left[name]["t"] <= window_of(name) for name in names)


def window_of(name):
    return DAY if name.startswith("day_") else WINDOW


def names_quota(answer):
    """Does it name a used-up quota, and its size?

    A refusal by a cap (too many at a time) has words of its own.
    """
    detail = answer.json["detail"]
    policies, left = fields(answer)
    return detail.startswith("From your ") or any(
        f'"{name}" is used up: {policies[name]["q"]} ' in detail
        for name in left if left[name]["r"] == 0)


def is_refused(answer):
    """Is it a complete 429, with all its fields?"""
    if answer.status != 429:
        return False
    problem = answer.json
    return (answer.header("Content-Type") == "application/problem+json" and
            problem["type"] == "/problems/rate_limited" and
            problem["code"] == "rate_limited" and problem["status"] == 429 and
            bool(problem["title"]) and names_quota(answer) and
            answer.header("Cache-Control") == "no-store" and
            1 <= int(answer.header("Retry-After")) <= RETRY_MAX)


def until_refused(ask_once, most):
    """Ask until refused; how many were accepted, and the refusal."""
    for passed in range(most):
        answer = ask_once()
        if answer.status == 429:
            return passed, answer
    return most, answer


def succeeds_after(answer, ask_once):
    time.sleep(int(answer.header("Retry-After")))
    return ask_once().status != 429


# --- what counts for what ----------------------------------------------------

def check_fields(tally, daemon):
    source = "127.0.1.1"
    table = gangd.Table(daemon)
    asked = [
        ("a page", ["address"], "GET", PAGE, None, None),
        ("a view", ["address", "token"], "GET", table.path,
         table.tokens[0], None),
        ("a move", ["address", "token", "game", "day_changes"], "POST",
         table.path + "/chips/white/1/take", table.tokens[0], None),
        ("the lobby", ["address", "listing"], "GET", "/v1/games", None, None),
        ("a refusal", ["address", "token"], "POST",
         table.path + "/chips/red/1/take", table.tokens[0], None),
        ("no token", ["address"], "GET", table.path, None, None),
        ("a damaged token", ["address"], "GET", table.path, "gang_x", None),
        ("a creation", ["address", "creation", "day_creation",
                        "day_changes"], "POST", "/v1/games", None,
         {"name": "A"}),
        ("a wrong creation", ["address", "creation"], "POST", "/v1/games",
         None, {}),
        ("joining", ["address", "joining"], "POST", table.path + "/players",
         None, {"name": "E"}),
        ("joining by a code", ["address", "joining"], "POST",
         "/v1/invitations/ZZZZZZZZ/players", None, {"name": "E"}),
        ("a code", ["address", "joining"], "GET", "/v1/invitations/ZZZZZZZZ",
         None, None),
        ("a ticket", ["address", "token", "day_changes"], "POST",
         table.path + "/stream_tickets", table.tokens[1], None),
        ("a code for another device", ["address", "token", "day_changes"],
         "POST", table.path + "/transfers", table.tokens[1], None),
        ("using one", ["address", "joining"], "POST",
         table.path + "/transfers/claim", None, {"code": "0" * 22}),
    ]
    wrong = []
    for name, policies, method, path, token, body in asked:
        answer = ask(daemon, source, method, path, body, token)
        if not is_counted(answer, *policies):
            wrong.append((name, answer.status, answer.headers))
    tally.check("each answer names the quotas that it counted for",
                not wrong, wrong)


REFUSALS = [
    # status, method, path, body, header
    (404, "GET", "/wp-login.php", None, {}),
    (404, "GET", "/v1/games/no-id", None, {}),
    # Answered before the body comes.
    (404, "POST", "/nowhere", None, {"Content-Length": "65537"}),
    (405, "DELETE", "/docs", None, {}),
    (406, "GET", "/v1/games", None, {"Accept": "text/html"}),
    (413, "POST", "/v1/games", b"x" * 5000, {}),
    (414, "GET", "/" + "x" * 3000, None, {}),
    (415, "POST", "/v1/games", b"{}", {"Content-Type": "text/plain"}),
    (431, "GET", PAGE, None, {"X": "y" * 17000}),
    (501, "BREW", "/", None, {}),
    (400, "GET", PAGE, None, {"Host": "a b"}),
    (204, "OPTIONS", "/v1/games", None, {}),
    (204, "OPTIONS", "*", None, {}),
]


def ask_refused(daemon, source, refusal):
    _, method, path, body, headers = refusal
    with contextlib.closing(client(daemon, source)) as asking:
        return asking.ask(method, path, body, headers)


def check_refusals(tally, daemon):
    """Requests refused before their handler count for their address."""
    wrong = []
    for i, refusal in enumerate(REFUSALS):
        answer = ask_refused(daemon, f"127.0.14.{i + 1}", refusal)
        if answer.status != refusal[0] or not is_counted(answer, "address"):
            wrong.append((refusal, answer.status, answer.headers))
    tally.check("requests refused before their handler count too",
                not wrong, wrong)


def check_few_refusals(tally, daemon, quota):
    wrong = []
    for i, refusal in enumerate(REFUSALS):
        source = f"127.0.15.{i + 1}"
        statuses = [ask_refused(daemon, source, refusal).status
                    for _ in range(quota + 1)]
        last = ask(daemon, source, "GET", PAGE)
        if statuses[:quota] != [refusal[0]] * quota or \
                statuses[quota] != 429 or not is_refused(last):
            wrong.append((refusal, statuses, last.status))
    tally.check("such a request beyond the quota gets 429 instead", not wrong,
                wrong)
    answer = ask_refused(daemon, "127.0.15.1", REFUSALS[3])
    tally.check("a 429 has no fields of the other refusal",
                is_refused(answer) and not answer.header("Allow") and
                "errors" not in answer.json, answer.headers)


def check_probes(tally, daemon, quota):
    source = "127.0.16.1"
    probes = [ask(daemon, source, "GET", path) for path in
              ("/livez", "/readyz") for _ in range(quota)]
    tally.check("probes are never refused",
                all(answer.status == 200 and not answer.header("RateLimit")
                    for answer in probes))
    tally.check("probes count for others' requests",
                ask(daemon, source, "GET", PAGE).status == 429)


def check_preflights(tally, daemon, quota):
    """A page must be able to read that a quota is used up."""
    source = "127.0.16.2"
    origin = {"Origin": "https://app.example"}
    asked = dict(origin)
    asked["Access-Control-Request-Method"] = "GET"

    def preflights(paths):
        return [ask(daemon, source, "OPTIONS", path, headers=asked)
                for path in paths]

    before = preflights([PAGE] * quota)
    statuses = [ask(daemon, source, "GET", PAGE, headers=origin).status
                for _ in range(quota)]
    tally.check("preflights count for no quota",
                statuses == [200] * quota and
                not any(answer.header("RateLimit") for answer in before),
                statuses)
    refused = ask(daemon, source, "GET", PAGE, headers=origin)
    beyond = preflights([PAGE, "/v1/games", "/nowhere"])
    tally.check("beyond a quota a preflight is answered, and a page reads 429",
                is_refused(refused) and all(
                    answer.status == 204 and
                    answer.header("Access-Control-Allow-Methods")
                    for answer in beyond) and
                refused.header("Access-Control-Allow-Origin") ==
                origin["Origin"], (refused.headers, beyond[-1].headers))


def count_down(tally, daemon):
    source = "127.0.1.2"
    with contextlib.closing(client(daemon, source)) as asking:
        begun = time.monotonic()
        left = [fields(asking.get(PAGE))[1]["address"]["r"]
                for _ in range(20)]
        back = QUOTAS["address"] / WINDOW * (time.monotonic() - begun)
    fallen = left[0] - left[-1]
    tally.check("the remaining quota decreases, and comes back evenly",
                19 - back - 1 <= fallen <= 19, left)


def check_avatars(tally, daemon):
    """A long avatar counts as several changes, since it is stored with them."""
    left = []
    for more in ({}, {"avatar": "x" * 127}, {"avatar": "x" * 128},
                 {"avatar": "x" * 512}, {}):
        answer = create(daemon, "127.0.1.3", **more)
        left.append(fields(answer)[1]["day_changes"]["r"])
    used = [before - after for before, after in zip(left, left[1:])]
    # Within the seconds of this test a change or two come back.
    tally.check("an avatar counts as a change for each 128 bytes more",
                all(counts - 2 <= times <= counts for counts, times in
                    zip((1, 2, 5, 1), used)), left)


def check_endpoints(tally, daemon):
    """So does a long endpoint, with 112 bytes of keys."""
    source = "127.0.1.4"
    made = create(daemon, source).json
    path = f"/v1/games/{made['game']['id']}/push"
    left = []
    for length in (30, 15 + 128, 1024, 30):
        answer = ask(daemon, source, "PUT", path, {
            "endpoint": "https://ntfy.sh/".ljust(length, "x"),
            "keys": {"auth": "BTBZMqHH6r4Tts7J_aSIgg",
                     "p256dh": gangd.VAPID_KEY}}, made["token"])
        left.append(fields(answer)[1]["day_changes"]["r"])
    left.append(fields(ask(daemon, source, "DELETE", path, token=made["token"]))[1]
                ["day_changes"]["r"])
    used = [before - after for before, after in zip(left, left[1:])]
    tally.check("an endpoint counts as a change for each 128 bytes more",
                all(counts - 2 <= times <= counts for counts, times in
                    zip((2, 9, 2, 1), used)), left)


def games():
    return int(gangd.psql("SELECT count(*) FROM gangd.game"))


def check_creation(tally, daemon):
    source = "127.0.2.1"
    before = games()
    begun = time.monotonic()
    passed, answer = until_refused(lambda: create(daemon, source), 100)
    back = QUOTAS["creation"] / WINDOW * (time.monotonic() - begun)
    tally.check("an address may create 30 games",
                30 <= passed <= 30 + back + 1, passed)
    tally.check("a creation beyond the quota is refused by a problem",
                is_refused(answer), (answer.headers, answer.body))
    tally.check("a refused creation creates no game",
                games() == before + passed)
    tally.check("another address may create",
                create(daemon, "127.0.2.2").status == 201)
    tally.check("the refused address may do all else", ask(
        daemon, source, "GET", "/v1/games").status == 200)
    tally.check("the address creates again after Retry-After",
                succeeds_after(answer, lambda: create(daemon, source)))


def check_joining(tally, daemon):
    """Every way to join is a guess of a code."""
    source = "127.0.3.1"
    table = gangd.Table(daemon, 6, start=False)
    codes = (f"{number:08d}" for number in itertools.count(1))
    ways = itertools.cycle([
        lambda code: ("GET", f"/v1/invitations/{code}", None),
        lambda code: ("POST", f"/v1/invitations/{code}/players",
                      {"name": "E"}),
        lambda code: ("POST", table.path + "/players",
                      {"name": "E", "invite_code": code})])

    def guess():
        return ask(daemon, source, *next(ways)(next(codes)))

    begun = time.monotonic()
    passed, answer = until_refused(guess, 200)
    back = QUOTAS["joining"] / WINDOW * (time.monotonic() - begun)
    tally.check("an address may guess a code 60 times",
                60 <= passed <= 60 + back + 1, passed)
    tally.check("a guess beyond the quota is refused by a problem",
                is_refused(answer), (answer.headers, answer.body))
    _, right = until_refused(lambda: ask(
        daemon, source, "GET", f"/v1/invitations/{table.code}"), 5)
    tally.check("a right guess beyond the quota is refused too",
                right.status == 429, right.status)
    answer = ask(daemon, source, "POST", table.path + "/players",
                 {"name": "E", "invite_code": table.code})
    tally.check("joining with a right code beyond the quota is refused too",
                answer.status == 429)
    tally.check("another address may join", ask(
        daemon, "127.0.3.2", "POST", table.path + "/players",
        {"name": "E", "invite_code": table.code}).status == 201)
    tally.check("the address guesses again after Retry-After",
                succeeds_after(answer, guess))


# --- many connections --------------------------------------------------------

class Pipe:
    """Pipelined requests; the statuses of their answers are counted."""

    STATUS = re.compile(rb"HTTP/1\.1 (\d{3}) ")
    STATUS_LEN = len("HTTP/1.1 200 ")

    def __init__(self, address, source, path, token=None):
        self.socket = socket.create_connection(address, 10, (source, 0))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        lines = [f"GET {path} HTTP/1.1", "Host: gangd"]
        if token:
            lines.append("Authorization: Bearer " + token)
        self.request = "\r\n".join(lines + ["", ""]).encode()
        self.rest = b""
        self.statuses = {}

    def send(self, count):
        self.socket.sendall(self.request * count)

    def read(self):
        """Read the arrived bytes and count the answers that have begun."""
        piece = self.socket.recv(1 << 18)
        if not piece:
            raise OSError("the daemon closed the connection")
        text = self.rest + piece
        found = self.STATUS.findall(text)
        # Keep the beginning of a status line; a whole one would count again.
        self.rest = text[1 - self.STATUS_LEN:]
        for status in found:
            self.statuses[int(status)] = self.statuses.get(int(status), 0) + 1
        return len(found)

    def ask(self, count):
        """Send this many requests, a few at a time."""
        while count:
            some = min(count, PIPELINED)
            self.send(some)
            count -= some
            while some > 0:
                some -= self.read()


def ask_together(pipes, each):
    """Ask by all pipes; how many were accepted, and in how many seconds."""
    begun = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(len(pipes)) as pool:
        list(pool.map(lambda pipe: pipe.ask(each), pipes))
    taken = time.monotonic() - begun
    passed = sum(count for pipe in pipes
                 for status, count in pipe.statuses.items() if status == 200)
    others = {status for pipe in pipes for status in pipe.statuses}
    for pipe in pipes:
        pipe.socket.close()
    return passed, taken, others


def is_quota(name, passed, taken):
    """Is the number the quota and its refill in that time?"""
    quota = QUOTAS[name]
    return quota <= passed <= quota + quota / WINDOW * taken + 1


def check_address(tally, daemon):
    """Ask by many connections, so by both loops."""
    source = "127.0.4.1"
    pipes = [Pipe(daemon.address, source, PAGE) for _ in range(8)]
    passed, taken, statuses = ask_together(pipes, 500)
    tally.check("an address may send 3000 requests, by any connections",
                is_quota("address", passed, taken), (passed, taken))
    tally.check("all other requests of the address are refused",
                statuses == {200, 429},
                statuses)
    with contextlib.closing(client(daemon, source)) as asking:
        _, answer = until_refused(lambda: asking.get(PAGE), 4000)
    tally.check("the quota of the address is checked before the route",
                is_refused(answer),
                answer.body)
    tally.check("the refused address may still ask for /livez and /readyz",
                all(ask(daemon, source, "GET", path).status == 200 and
                    not ask(daemon, source, "GET", path).header("RateLimit")
                    for path in ("/livez", "/readyz") for _ in range(50)))
    return source


def check_spared(tally, daemon, source):
    """Requests beyond an address's quota do not count against its tokens: else
    one address could use up the quotas of others' tokens."""
    table = gangd.Table(daemon)
    path, token = table.path, table.tokens[0]
    with contextlib.closing(client(daemon, source, token)) as asking:
        refused = 0
        for _ in range(400):
            answer = asking.get(path)
            refused += answer.status == 429 and \
                "token" not in fields(answer)[1]
    left = fields(ask(daemon, "127.0.4.2", "GET", path, token=token))[1]
    asked = 400 - refused
    tally.check("a refused address uses up no quota of a token",
                refused > 200 and
                left["token"]["r"] >= QUOTAS["token"] - asked - 2,
                (refused, left))


def check_downloads(tally, daemon):
    """A file counts by its size, which bounds downloads to about 50 MB a
    minute for an address."""
    source, drawn, back, wrong = "127.0.4.9", 0, 0, []
    with contextlib.closing(client(daemon, source)) as asking:
        begun, left = time.monotonic(), QUOTAS["address"]
        while drawn < 3 * QUOTAS["address"] * UNIT:
            answer = asking.get(LARGE)
            if answer.status != 200:
                break
            drawn += len(answer.body)
            before, left = left, fields(answer)[1]["address"]["r"]
            counts = 1 + len(answer.body) // UNIT
            back = QUOTAS["address"] / WINDOW * (time.monotonic() - begun)
            if left and not counts - back - 1 <= before - left <= counts:
                wrong.append((before, left, counts))
        most = (QUOTAS["address"] + back) * UNIT + LARGEST
        tally.check("large files are refused in the end", is_refused(answer),
                    (answer.status, drawn))
        tally.check("few large files were sent before the refusal",
                    drawn <= most, drawn)
        tally.check("each large file counts by its size", not wrong, wrong[:3])
    small = "127.0.4.10"
    answers = [ask(daemon, small, method, LARGE, headers=headers)
               for method, headers in (
                   ("GET", {"Accept-Encoding": "gzip"}),
                   ("HEAD", None),
                   ("GET", {"If-None-Match": answer_tag(daemon, small)}))]
    left = [fields(answer)[1]["address"]["r"] for answer in answers]
    packed = len(answers[0].body) // UNIT
    tally.check("a file not sent, or sent compressed, counts for less",
                [answer.status for answer in answers] == [200, 200, 304] and
                answers[0].header("Content-Encoding") == "gzip" and
                0 < packed < 10 and left[1] >= left[0] - 1 and
                left[2] >= left[1] - 1, (left, packed))


def answer_tag(daemon, source):
    return ask(daemon, source, "HEAD", LARGE).header("ETag")


def check_address_again(tally, daemon, source):
    answer = ask(daemon, source, "GET", PAGE)
    tally.check("an address asks again after Retry-After",
                answer.status == 200 or succeeds_after(
                    answer, lambda: ask(daemon, source, "GET", PAGE)))


def check_token(tally, daemon):
    table = gangd.Table(daemon)
    path, token = table.path, table.tokens[0]
    pipes = [Pipe(daemon.address, f"127.0.5.{i % 2 + 1}", path, token)
             for i in range(8)]
    passed, taken, statuses = ask_together(pipes, 100)
    tally.check("a token may send 600 requests, from any addresses",
                is_quota("token", passed, taken), (passed, taken))
    tally.check("all other requests with the token are refused",
                statuses == {200, 429},
                statuses)

    with contextlib.closing(client(daemon, "127.0.5.3", token)) as asking:
        _, answer = until_refused(lambda: asking.get(path), 4000)
        tally.check("the token is refused from a new address too",
                    is_refused(answer),
                    answer.body)
        tally.check("another token is not refused", ask(
            daemon, "127.0.5.3", "GET", path,
            token=table.tokens[1]).status == 200)
        tally.check("the token asks again after Retry-After",
                    succeeds_after(answer, lambda: asking.get(path)))


# --- changes -----------------------------------------------------------------

def events():
    return int(gangd.psql("SELECT count(*) FROM gangd.event"))


def move(asking, path, number, key=None):
    """Take or return a chip; the answer."""
    verb = "return" if number % 2 else "take"
    return asking.post(f"{path}/chips/white/1/{verb}", headers=key and {
        "Idempotency-Key": f"{key}-{number:022d}"})


def moves_until_refused(daemon, source, table, most, key=None, seat=0):
    """Move until refused; how many succeeded, and the last answer."""
    with contextlib.closing(client(daemon, source,
                                   table.tokens[seat])) as asking:
        for number in range(most):
            answer = move(asking, table.path, number, key)
            if answer.status != 200:
                return number, answer
    return most, answer


def is_refused_by(answer, name):
    """Is it a refusal that names the used-up quota?"""
    return is_refused(answer) and f'"{name}"' in answer.json["detail"]


def check_changes(tally, build):
    """The quotas of changes, set so small that they are used up."""
    daemon = gangd.Daemon(
        build, GANGD_QUOTAS="on", GANGD_QUOTA_GAME="20",
        GANGD_QUOTA_DAY_KEYS="12", GANGD_QUOTA_DAY_CREATION="8",
        GANGD_QUOTA_DAY_CHANGES="100", GANGD_LOOPS="2",
        GANGD_TRUSTED_PROXIES="127.0.9.9")
    daemon.wait_ready()
    QUOTAS.update({"game": 20, "day_keys": 12, "day_creation": 8,
                   "day_changes": 100})
    table = gangd.Table(daemon)  # and with that two have joined

    before = events()
    passed, answer = moves_until_refused(daemon, "127.0.13.1", table, 60)
    tally.check("a game may change 20 times a minute, by all its players",
                18 <= passed <= 20 and is_refused_by(answer, "game"),
                (passed, answer.body))
    tally.check("a refused move changes nothing",
                events() - before == passed)
    tally.check("another player is refused too, from another address",
                is_refused_by(
                    ask(daemon, "127.0.13.2", "POST", table.path +
                        "/chips/white/2/take", token=table.tokens[1]),
                    "game"))
    tally.check("the refused player may still read the game", ask(
        daemon, "127.0.13.2", "GET", table.path,
        token=table.tokens[1]).status == 200)
    stranger = ask(daemon, "127.0.13.2", "POST", table.path +
                   "/chips/white/2/take", token="gang_x")
    tally.check("a caller without a right to move uses up no quota of the "
                "game",
                stranger.status == 401 and "game" not in fields(stranger)[1])

    table = gangd.Table(daemon)
    passed, answer = moves_until_refused(daemon, "127.0.13.3", table, 40,
                                         "key")
    kept = gangd.psql("SELECT length(recent_keys) / 13 FROM gangd.game "
                      f"WHERE game_id = '{table.id}'")
    tally.check("a token may use 12 idempotency keys a day", passed == 12 and
                is_refused_by(answer, "day_keys"), (passed, answer.body))
    tally.check("the game has the last eight of them", int(kept) == 8, kept)
    with contextlib.closing(client(daemon, "127.0.13.3",
                                   table.tokens[0])) as asking:
        again = [move(asking, table.path, number, "key")
                 for number in range(passed - 8, passed)]
        tally.check("a repeated request under a stored key is answered",
                    [each.status for each in again] == [200] * 8, again)
        tally.check("moves without a key go on",
                    move(asking, table.path, passed).status == 200)

    statuses = [create(daemon, "127.0.13.4").status for _ in range(9)]
    tally.check("an address may create 8 games a day",
                statuses == [201] * 8 + [429], statuses)
    tally.check("another address has its own quota of the day", create(
        daemon, "127.0.13.5").status == 201)
    check_site(tally, daemon)
    check_site_guesses(tally, daemon)
    check_day(tally, daemon)
    tally.end_well(daemon, "a daemon with small quotas")


def check_site_guesses(tally, daemon):
    """48 bits of IPv6 share the quota of guessing codes."""
    def guess_at(number, way):
        address = f"2001:db8:17:{number:x}::{number % 7}"
        method, path, body = way
        return ask(daemon, "127.0.9.9", method, path, body,
                   headers={"X-Forwarded-For": address})
    ways = [("GET", "/v1/invitations/ZZZZZZZZ", None),
            ("POST", "/v1/invitations/ZZZZZZZZ/players", {"name": "E"})]
    begun = time.monotonic()
    statuses = [guess_at(number * 257, ways[number % 2]).status
                for number in range(150)]
    back = QUOTAS["joining"] / WINDOW * (time.monotonic() - begun)
    guessed = sum(status != 429 for status in statuses)
    tally.check("48 bits of IPv6 may guess 60 codes a minute",
                60 <= guessed <= 60 + back + 1, statuses)
    tally.check("the next 48 bits may guess too", ask(
        daemon, "127.0.9.9", *ways[0],
        headers={"X-Forwarded-For": "2001:db8:18::1"}).status == 404)


def check_site(tally, daemon):
    """48 bits of IPv6 share the quotas of a day."""
    def create_at(address):
        return ask(daemon, "127.0.9.9", "POST", "/v1/games", {"name": "A"},
                   headers={"X-Forwarded-For": address})
    answers = [create_at(f"2001:db8:7:{i}::1") for i in range(9)]
    tally.check("48 bits of IPv6 may create 8 games a day",
                [answer.status for answer in answers] == [201] * 8 + [429] and
                is_refused_by(answers[-1], "day_creation"),
                [answer.status for answer in answers])
    tally.check("the next 48 bits have their own quota",
                create_at("2001:db8:8:1::1").status == 201)


def check_day(tally, daemon):
    source, passed = "127.0.13.6", 0
    for _ in range(8):
        answer = create(daemon, source, seats=6)
        if answer.status == 429:
            break
        made = answer.json
        table = gangd.Table.__new__(gangd.Table)
        table.path = "/v1/games/" + made["game"]["id"]
        table.tokens = [made["token"]]
        passed += 1
        for name in "BCDEF":
            ask(daemon, "127.0.13.7", "POST", table.path + "/players",
                {"name": name, "invite_code": made["invite_code"]})
        kept, answer = moves_until_refused(daemon, source, table, 60)
        passed += kept
        if is_refused_by(answer, "day_changes"):
            break
    tally.check("an address may make 100 changes a day, in all games",
                passed == 100 and is_refused_by(answer, "day_changes"),
                (passed, answer.body))
    tally.check("other players go on in these games", ask(
        daemon, "127.0.13.8", "DELETE", table.path + "/players/1",
        token=table.tokens[0]).status == 204)


# --- the lobby ---------------------------------------------------------------

def check_listing(tally, daemon):
    source = "127.0.6.9"
    with contextlib.closing(client(daemon, source)) as asking:
        begun = time.monotonic()
        passed, answer = until_refused(
            lambda: asking.get("/v1/games?mode=basic"), 400)
        back = QUOTAS["listing"] / WINDOW * (time.monotonic() - begun)
    tally.check("an address may read 240 pages of the lobby",
                240 <= passed <= 240 + back + 1, passed)
    tally.check("another page of the lobby is refused",
                is_refused(answer), answer.body)
    tally.check("other routes still answer",
                ask(daemon, source, "GET", PAGE).status == 200)


def check_site_lobby(tally, daemon):
    """The addresses of 48 bits of IPv6 share a cap in the lobby."""
    most = SITE_LOBBIES * LOBBY

    def open_at(number):
        return ask(daemon, "127.0.9.9", "POST", "/v1/games",
                   {"name": "A", "visibility": "public"}, headers={
                       "X-Forwarded-For": f"2001:db8:9:{number:x}::1"})
    statuses = [open_at(number // 5).status for number in range(most + 1)]
    tally.check(f"48 bits of IPv6 may have {most} waiting public games",
                statuses == [201] * most + [429], statuses)
    refused = open_at(999)
    tally.check("the refusal names the 48 bits", is_refused(refused) and
                "48 bits" in refused.json["detail"], refused.body)

def check_lobby(tally, daemon):
    source = "127.0.6.1"

    def open_game():
        return create(daemon, source, seats=3, visibility="public")
    made = [open_game() for _ in range(LOBBY)]
    tally.check("an address may have 10 waiting public games",
                all(answer.status == 201 for answer in made))
    before = games()
    answer = open_game()
    tally.check("another public game is refused by a problem",
                is_refused(answer),
                (answer.headers, answer.body))
    tally.check("the refused public game is not created", games() == before)
    tally.check("a private game may be created", create(
        daemon, source, seats=3).status == 201)
    tally.check("another address may create a public game", create(
        daemon, "127.0.6.2", visibility="public").status == 201)
    made = [answer.json for answer in made]
    path = "/v1/games/" + made[0]["game"]["id"]
    for name in "BC":
        ask(daemon, source, "POST", path + "/players", {"name": name})
    tally.check("a started game makes room for one more",
                [open_game().status for _ in range(2)] == [201, 429])
    ask(daemon, source, "DELETE", "/v1/games/" + made[1]["game"]["id"],
        token=made[1]["token"])
    tally.check("a deleted game makes room for one more",
                [open_game().status for _ in range(2)] == [201, 429])
    return made[2]["game"]["id"]


def check_crowded_lobby(tally, daemon):
    """Games created at once count against the cap together."""
    source = "127.0.6.3"

    def open_game(_):
        return create(daemon, source, seats=3, visibility="public").status
    with concurrent.futures.ThreadPoolExecutor(CREATORS) as pool:
        statuses = list(pool.map(open_game, range(CREATORS)))
    waiting = statuses.count(201)
    tally.check("games created at once do not exceed the cap",
                1 <= waiting <= LOBBY and
                statuses.count(429) == CREATORS - waiting, statuses)
    statuses = [open_game(0) for _ in range(LOBBY - waiting + 1)]
    tally.check("as many games as the cap wait in the end",
                statuses == [201] * (LOBBY - waiting) + [429], statuses)


# --- one who floods ----------------------------------------------------------

def flood(address, path, token, ready, stop, counted):
    """Flood by many connections, and read the answers."""
    pipes = {}
    for _ in range(FLOOD_CONNECTIONS):
        pipe = Pipe(address, "127.0.7.1", path, token)
        pipes[pipe.socket.fileno()] = pipe
        pipe.send(PIPELINED)
    ready.set()
    poll = select.poll()
    for number in pipes:
        poll.register(number, select.POLLIN)
    answers = 0
    while not stop.is_set():
        for number, _ in poll.poll(100):
            came = pipes[number].read()
            pipes[number].send(came)
            answers += came
    counted.put((answers, sum(pipe.statuses.get(429, 0)
                              for pipe in pipes.values())))


def play_honestly(daemon, tables, seconds):
    """Many clients play, each from an address of its own; the time of each
    answer, and the requests that failed."""
    clients = [client(daemon, f"127.0.8.{i + 1}", table.tokens[0])
               for i, table in enumerate(tables)]
    waits, wrong = [], []
    begun = time.monotonic()
    while time.monotonic() - begun < seconds:
        number = len(waits)
        table = tables[number % HONEST]
        move = ("/chips/white/1/take", "/chips/white/1/return", None)[
            number // HONEST % 3]
        asking = clients[number % HONEST]
        due = begun + number / HONEST_EACH_SECOND
        time.sleep(max(0, due - time.monotonic()))
        sent = time.monotonic()
        answer = asking.post(table.path + move) if move else \
            asking.get(table.path)
        waits.append(1000 * (time.monotonic() - sent))
        if answer.status != 200:
            wrong.append((answer.status, answer.body))
    for asking in clients:
        asking.close()
    return sorted(waits), wrong


def join(daemon, source, path, body):
    """Join; again after a 503, since a busy machine may stall the database."""
    for _ in range(10):
        answer = ask(daemon, source, "POST", path + "/players", body)
        if answer.status != 503:
            break
        time.sleep(0.1)
    if answer.status != 201:
        raise OSError(f"no seat: {answer.status} {answer.body}")


def seat_honest(daemon):
    """Games of many addresses, so that no cap is reached."""
    tables = []
    for i in range(HONEST):
        made = create(daemon, f"127.0.8.{i + 1}", seats=3).json
        table = gangd.Table.__new__(gangd.Table)
        table.path = "/v1/games/" + made["game"]["id"]
        table.tokens = [made["token"]]
        for name in "BC":
            join(daemon, f"127.0.8.{i + 1}", table.path,
                 {"name": name, "invite_code": made["invite_code"]})
        tables.append(table)
    return tables


def check_flood(tally, daemon, build):
    bound_ms = P99_MS * (SANITIZED_FACTOR if measure.is_sanitized(build)
                         else 1)
    tables = seat_honest(daemon)
    victim = gangd.Table(daemon)
    ready, stop = multiprocessing.Event(), multiprocessing.Event()
    counted = multiprocessing.Queue()
    flooder = multiprocessing.Process(target=flood, args=(
        daemon.address, victim.path, victim.tokens[0], ready, stop, counted),
        daemon=True)
    begun = time.monotonic()
    flooder.start()
    ready.wait(10)
    waits, wrong = play_honestly(daemon, tables, FLOOD_SECONDS)
    stop.set()
    taken = time.monotonic() - begun
    asked, refused = counted.get(timeout=10)
    flooder.join(10)
    p99 = waits[len(waits) * 99 // 100]
    print(f"a flood of {asked / taken:.0f} requests a second, of which "
          f"{100 * refused / asked:.1f} % were refused; honest clients: "
          f"{len(waits)} requests, p50 {waits[len(waits) // 2]:.1f} ms, "
          f"p99 {p99:.1f} ms, worst {waits[-1]:.1f} ms")
    tally.check("a flooding client is refused",
                asked - refused <= QUOTAS["token"] * (1 + taken / WINDOW) + 1,
                (asked, refused))
    tally.check("no honest client is refused while another address floods",
                not wrong, wrong[:3])
    tally.check(f"the honest clients' p99 is at most {bound_ms} ms",
                p99 <= bound_ms,
                f"{p99:.1f} ms")


# --- proxies and connections -------------------------------------------------

def left_of(daemon, source, forwarded=None):
    """An address's remaining quota by an answer's field; None if refused."""
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    answer = ask(daemon, source, "GET", PAGE, headers=headers)
    return None if answer.status == 429 else fields(answer)[1]["address"]["r"]


def check_proxies(tally, daemon, quota):
    proxy = "127.0.9.9"

    def same(source, *forwarded):
        """Do all these addresses count as one?"""
        return [left_of(daemon, source, each) for each in forwarded] == \
            list(range(quota - 1, quota - 1 - len(forwarded), -1))

    tally.check("the address that a proxy names is counted",
                same(proxy, "192.0.2.1", "192.0.2.1") and
                same(proxy, "192.0.2.2"))
    tally.check("addresses made up before it are not counted",
                same(proxy, "192.0.2.3", "10.9.9.9, 192.0.2.3",
                     f"{proxy},192.0.2.3", "192.0.2.3:4711", "x,192.0.2.3"))
    tally.check("the address is found behind two proxies",
                same(proxy, f"192.0.2.4, {proxy}", "192.0.2.4"))
    tally.check("64 bits of IPv6 count as one address",
                same(proxy, "2001:db8::1", "2001:db8::ffff:1",
                     "[2001:db8::9]:80") and
                same(proxy, "2001:db8:0:1::1"))
    tally.check("a proxy that names no address is counted itself",
                same(proxy, None, "unknown", "192.0.2.5, x"))
    tally.check("X-Forwarded-For of other clients is ignored",
                same("127.0.9.1", "192.0.2.6", "192.0.2.7", None) and
                left_of(daemon, proxy, "192.0.2.6") == quota - 1)
    tally.check("no client is refused for another's made-up address", [
        left_of(daemon, "127.0.9.2", f"192.0.2.{i}")
        for i in range(quota + 3)][-3:] == [None] * 3 and
        left_of(daemon, proxy, "192.0.2.8") == quota - 1)


def connect(daemon, source):
    return socket.create_connection(daemon.address, 5, (source, 0))


def is_served(connection):
    """Does it get an answer, and may it ask again?"""
    request = b"GET /livez HTTP/1.1\r\nHost: gangd\r\n\r\n"
    try:
        connection.sendall(request)
        answer = connection.recv(65536)
    except (ConnectionResetError, BrokenPipeError):
        return False
    if answer and not answer.startswith(b"HTTP/1.1 200 "):
        raise SystemExit(f"neither served nor ended: {answer}")
    return bool(answer) and b"\r\nConnection: close\r\n" not in answer


def is_open(connection):
    connection.setblocking(False)
    try:
        return connection.recv(1) != b""
    except BlockingIOError:
        return True
    except ConnectionResetError:
        return False


def close_all(connections):
    for connection in connections:
        connection.close()


def check_connections(tally, daemon, most):
    source, proxy = "127.0.10.1", "127.0.9.9"
    held = [connect(daemon, source) for _ in range(most)]
    tally.check(f"an address may have {most} connections",
                all(map(is_served, held)))
    refusals = [ask(daemon, source, "GET", PAGE) for _ in range(10)]
    tally.check("a request by a further connection is refused by 429", all(
        answer.status == 429 and answer.header("Connection") == "close" and
        "connections already" in answer.json["detail"] and
        answer.header("Retry-After") == "10" and
        fields(answer)[0]["connections"]["q"] == most and
        fields(answer)[1]["connections"]["r"] == 0 for answer in refusals),
                [(answer.status, answer.body) for answer in refusals[:2]])
    preflight = ask(daemon, source, "OPTIONS", PAGE, headers={
        "Origin": "https://app.example", "Access-Control-Request-Method": "GET"})
    tally.check("so is its preflight, which is answered all the same",
                preflight.status == 204 and
                preflight.header("Connection") == "close" and
                preflight.header("Access-Control-Allow-Origin"), preflight.headers)
    tally.check("a probe by a further connection is answered, and closes it",
                ask(daemon, source, "GET", "/livez").header("Connection") ==
                "close")
    silent = [connect(daemon, source) for _ in range(100)]
    tally.check("of those that send nothing few stay open", soon(
        lambda: sum(map(is_open, silent)) <= BEYOND_MOST),
        sum(map(is_open, silent)))
    more = [connect(daemon, source) for _ in range(20)]
    tally.check("beyond those a connection is closed",
                not any(map(is_served, more)))
    close_all(silent)
    tally.check("the first connections are still served",
                all(map(is_served, held)))
    others = [connect(daemon, f"127.0.10.{i}") for i in range(2, 10)]
    tally.check("other addresses are served", all(map(is_served, others)))
    many = [connect(daemon, proxy) for _ in range(4 * most)]
    tally.check("a proxy may have more connections", all(map(is_served, many)))
    held.pop().close()
    tally.check("a closed connection makes room for one more",
                soon(lambda: opens(daemon, source, 1)))
    close_all(held + more + others + many)
    tally.check("when all are closed, there is room for as many again",
                soon(lambda: opens(daemon, source, most)))


def opens(daemon, source, count):
    """Are this many connections of the address served at a time?"""
    connections = [connect(daemon, source) for _ in range(count)]
    served = all(map(is_served, connections))
    close_all(connections)
    return served


def soon(holds, seconds=5):
    begun = time.monotonic()
    while time.monotonic() - begun < seconds:
        if holds():
            return True
        time.sleep(0.05)
    return False


# --- the rest ----------------------------------------------------------------

ALL_ROWS = " UNION ALL ".join(
    f"SELECT row_to_json(t)::text FROM gangd.{table} t" for table in
    ("game", "seat", "event", "invitation", "stream_ticket", "transfer",
     "idempotency_key", "creation_key"))


def check_privacy(tally, daemon, waiting):
    """Only the hash of a client's address is stored, and only while its public
    game waits."""
    rows = gangd.psql(ALL_ROWS)
    found = re.findall(r"127\.0\.\d+\.\d+|ffff7f00", rows)
    tally.check("the database holds no address", rows and not found,
                found[:3])
    kept = gangd.psql("SELECT count(*) FILTER (WHERE NOT is_public OR status"
                      " <> 'lobby'), bool_or(game_id = "
                      f"'{waiting}') FROM gangd.game"
                      " WHERE creator_address_hash IS NOT NULL")
    tally.check("only waiting public games have the hash of an address",
                kept == "0|t", kept)
    log = [line for line in daemon.lines if "listening" not in line]
    found = [line for line in log if re.search(r"127\.0\.\d+\.\d+", line)]
    tally.check("the log has no address", not found, found[:3])


def check_off(tally, build):
    daemon = gangd.Daemon(build, GANGD_QUOTAS="off", GANGD_QUOTA_ADDRESS="1",
                          GANGD_QUOTA_CREATION="1", GANGD_CAP_LOBBY="1",
                          GANGD_QUOTA_JOINING="1", GANGD_QUOTA_TOKEN="1")
    daemon.wait_ready()
    answers = [create(daemon, "127.0.11.1", visibility="public")
               for _ in range(20)]
    tally.check("without quotas nothing is refused, and no field is sent", all(
        answer.status == 201 and not answer.header("RateLimit") and
        not answer.header("RateLimit-Policy") for answer in answers))
    tally.end_well(daemon, "a daemon without limits")


def check_none(tally, build):
    """A quota of 0 is off; the others hold."""
    daemon = gangd.Daemon(build, GANGD_QUOTAS="on", GANGD_QUOTA_ADDRESS="0",
                          GANGD_QUOTA_CREATION="2", GANGD_CAP_LOBBY="0")
    daemon.wait_ready()
    answers = [create(daemon, "127.0.12.1", visibility="public")
               for _ in range(3)]
    tally.check("a quota of 0 is off, and the others hold",
                [answer.status for answer in answers] == [201, 201, 429] and
                list(fields(answers[0])[0]) == [
                    "creation", "day_creation", "day_changes"] and
                fields(answers[0])[0]["creation"]["q"] == 2, answers)
    tally.end_well(daemon, "a daemon with some limits")


def check_waiting(tally, daemon, most):
    """Connections of a proxy are not counted, but waiters by way of it are."""
    proxy = "127.0.9.9"
    game = create(daemon, "127.0.10.50", spectators=True).json["game"]
    path = f"/v1/games/{game['id']}/events"

    def open_stream(forwarded):
        asking = client(daemon, proxy)
        answer = asking.open(path, {"Accept": "text/event-stream",
                                    "X-Forwarded-For": forwarded})
        return asking, answer

    held = [open_stream("192.0.2.50") for _ in range(most)]
    tally.check(f"an address may have {most} streams by way of a proxy",
                [answer.status for _, answer in held] == [200] * most)
    asking, answer = open_stream("192.0.2.50")
    problem = answer.read()
    tally.check("a further stream of the address is refused",
                answer.status == 429 and
                answer.getheader("Retry-After") and
                b"streams already" in problem, problem)
    tally.check("other requests of the address are served", ask(
        daemon, proxy, "GET", path, headers={
            "X-Forwarded-For": "192.0.2.50"}).status == 200)
    other, answer = open_stream("192.0.2.51")
    tally.check("another address may open a stream", answer.status == 200)
    held.pop()[0].close()

    def waits_again():
        again, answer = open_stream("192.0.2.50")
        held.append((again, answer))
        return answer.status == 200
    tally.check("a closed stream makes room for one more", soon(waits_again))
    for each in [asking, other] + [each for each, _ in held]:
        each.close()


def check_few(tally, build):
    quota, connections = 20, 8
    daemon = gangd.Daemon(build, GANGD_QUOTAS="on", GANGD_LOOPS="2",
                          GANGD_QUOTA_ADDRESS=str(quota),
                          GANGD_TRUSTED_PROXIES="10.0.0.0/8, 127.0.9.9",
                          GANGD_CORS_ORIGINS="https://app.example",
                          GANGD_CONNECTIONS_PER_ADDRESS=str(connections))
    daemon.wait_ready()
    check_proxies(tally, daemon, quota)
    check_few_refusals(tally, daemon, quota)
    check_probes(tally, daemon, quota)
    check_preflights(tally, daemon, quota)
    check_connections(tally, daemon, connections)
    check_waiting(tally, daemon, connections)
    tally.end_well(daemon, "a daemon behind a proxy")


def check_lobby_of_site(tally, build):
    daemon = gangd.Daemon(build, GANGD_QUOTAS="on",
                          GANGD_QUOTA_DAY_CREATION="0",
                          GANGD_TRUSTED_PROXIES="127.0.9.9")
    daemon.wait_ready()
    check_site_lobby(tally, daemon)
    tally.end_well(daemon, "a daemon of IPv6")


def check_usual(tally, build, log):
    """A daemon with the default quotas.  It logs to a file, since the reader of
    a pipe would be slower than the flood."""
    daemon = gangd.Daemon(build, log=log, GANGD_QUOTAS="on", GANGD_LOOPS="2",
                          GANGD_VAPID_PUBLIC_KEY=gangd.VAPID_KEY)
    daemon.wait_ready()
    check_fields(tally, daemon)
    check_refusals(tally, daemon)
    count_down(tally, daemon)
    check_avatars(tally, daemon)
    check_endpoints(tally, daemon)
    check_creation(tally, daemon)
    check_joining(tally, daemon)
    flooded = check_address(tally, daemon)
    check_spared(tally, daemon, flooded)
    check_address_again(tally, daemon, flooded)
    check_downloads(tally, daemon)
    check_token(tally, daemon)
    check_listing(tally, daemon)
    waiting = check_lobby(tally, daemon)
    check_crowded_lobby(tally, daemon)
    check_flood(tally, daemon, build)
    daemon.stop()
    with open(log, encoding="utf-8") as file:
        daemon.lines = file.readlines()
    tally.end_well(daemon)
    check_privacy(tally, daemon, waiting)


@pytest.fixture(scope="module")
def folder(database):
    with tempfile.TemporaryDirectory() as folder:
        yield folder


def test_usual(tally, build, folder):
    check_usual(tally, build, folder + "/log")


def test_few(tally, build, database):
    check_few(tally, build)


def test_off(tally, build, database):
    check_off(tally, build)


def test_none(tally, build, database):
    check_none(tally, build)


def test_lobby_of_site(tally, build, database):
    check_lobby_of_site(tally, build)


def test_changes(tally, build, database):
    check_changes(tally, build)
