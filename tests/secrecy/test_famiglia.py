"""No viewer learns over HTTP what Famiglia hides.

Games are played at random.  At some moments one viewer sends every request that
there is, and tries moves, right and wrong; a stream of events is open
meanwhile.  Then the game is put back, with all that is hidden from that viewer
exchanged: the order of the draw pile, the other player's hand, the seeds of the
deals.  The same requests must have the same answers, byte for byte, and leave
the same lines in the log; only the digits of times are masked.

So that the test can fail, pairs that differ in the viewer's own hand must be
distinguished by that viewer, and by no other.

The daemon deals at random, so no two runs are the same; a failure prints the
states of the pair.  GANG_GAMES is how many pairs.
"""
import collections
import json
import os
import random
import re
import socket
import time

import famiglia
import gangd

# A line for each request, also those that are refused; on a busy machine too.
DAEMON = {"GANGD_LOG_LEVEL": "debug", "GANGD_DATABASE_TIMEOUT_MS": "10000"}
PAIRS = 48
PLANTED = 16
PAIRS_MAX = 1000  # until every sort of moment was met
TRIES = 20
PROBES = 16
KEPT = 8  # cards on top of the pile that may come up for both
PATIENCE = 10  # seconds
TIMES = re.compile(rb'("(?:at|updated_at|last_seen_at)":")([^"]*)')
DURATION = re.compile(r'"duration_us":\d+')
COPIES = (5, 4, 3, 2, 1)  # of the ranks of a family
CARDS = ["-"] + [f"{family}{rank}{'abcde'[copy]}" for family in "fmba"
                 for rank in range(5) for copy in range(COPIES[rank])]
FIRST = ({}, {"f0a", "m0a", "b0a", "a0a"}, {"f0b", "m0b", "b0b", "a0b"})


# --- what is hidden -----------------------------------------------------------

def checksum_of(data):
    """As internal/base/bytes.c computes it."""
    total = len(data)
    whole = len(data) // 4 * 4
    words = [int.from_bytes(data[i:i + 4], "little")
             for i in range(0, whole, 4)] + list(data[whole:])
    for word in words:
        total = ((total ^ word) * 0x9e3779b1) & 0xffffffff
        total = (total << 15 | total >> 17) & 0xffffffff
    return total.to_bytes(4, "little")


class State:
    """The bytes of a game, as internal/games/famiglia/rules/famiglia_codec.c writes them."""

    def __init__(self, data):
        self.head, data = data[:8], data[8:]
        self.turn, data = data[:15], data[15:]
        self.second_pass = data[0]
        self.pile, data = self.cut(data[1:])
        self.discards, data = data[:8], data[8:]
        self.street, data = self.cut(data)
        self.sets = [self.names(data[i:i + 8]) for i in range(0, 32, 8)]

    @staticmethod
    def cut(data):
        end = 1 + data[0]
        return [CARDS[number] for number in data[1:end]], data[end:]

    @staticmethod
    def names(data):
        bits = int.from_bytes(data, "little")
        return {name for i, name in enumerate(CARDS) if bits >> i & 1}

    @staticmethod
    def listed(names):
        return bytes([len(names), *map(CARDS.index, names)])

    @property
    def is_over(self):
        return self.head[4] != 0

    def hand(self, seat):
        return self.sets[2 * seat - 2]

    def bytes(self):
        sets = b"".join(sum(1 << CARDS.index(name) for name in names)
                        .to_bytes(8, "little") for names in self.sets)
        data = (self.head + self.turn + bytes([self.second_pass]) +
                self.listed(self.pile) + self.discards +
                self.listed(self.street) + sets)
        return data + checksum_of(data)

    def secrets_of(self, seat):
        """Cards of a hand that might be others: not the first ones, not those
        that an accountant has just brought back, no zero of a second pass."""
        taken = {CARDS[number] for number in self.turn[8:12]}
        return sorted(name for name in self.hand(seat) - FIRST[seat] - taken
                      if not self.second_pass or name[1] != "0")

    def exchange(self, seats, kept, chance):
        """Shuffle those seats' cards and the pile except its top; false if
        nothing changes."""
        before = self.bytes()
        below = len(self.pile) - kept
        mine = {seat: self.secrets_of(seat) for seat in seats}
        cards = self.pile[:below] + sum(mine.values(), [])
        chance.shuffle(cards)
        self.pile[:below], cards = cards[:below], cards[below:]
        for seat, names in mine.items():
            self.hand(seat).difference_update(names)
            self.hand(seat).update(cards[:len(names)])
            cards = cards[len(names):]
        return self.bytes() != before


# --- bytes --------------------------------------------------------------------

def masked(data):
    data = re.sub(rb"\r\nDate: [^\r]*", b"\r\nDate:", data)
    return TIMES.sub(lambda m: m[1] + re.sub(rb"\d", b"#", m[2]), data)


def timeless(answer):
    """Without the digits of the time that an ETag has."""
    return re.sub(rb'(\r\nETag: "[^."]+\.\d+\.\d+\.)[0-9a-f]+', rb"\1#", answer)


class Wire:
    """One connection; whole answers, masked."""

    def __init__(self, address):
        self.address = address
        self.socket = socket.create_connection(address, PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.file = self.socket.makefile("rb")

    def ask(self, request):
        self.socket.sendall(request)
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            line = self.file.readline()
            if not line:
                raise SystemExit(f"no answer to {request}")
            head += line
        length = re.search(rb"\r\nContent-Length: (\d+)", head)
        wanted = int(length[1]) if length else 0
        if request.startswith(b"HEAD "):
            wanted = 0
        return masked(head + self.file.read(wanted))

    def close(self):
        self.file.close()
        self.socket.close()


def status_of(answer):
    return int(answer[9:12])


def json_of(answer):
    return json.loads(answer.split(b"\r\n\r\n", 1)[1])


# --- games --------------------------------------------------------------------

class Game(gangd.Table):
    def __init__(self, daemon, sql, chance):
        super().__init__(daemon, 2, ruleset="famiglia", spectators=True)
        self.sql = sql
        self.chance = chance
        self.clients = [daemon.client(token) for token in self.tokens]
        self.wanted = chance.choice(("refill", "accountant", "brute", None))
        self.done = None  # the last step

    def view(self, seat):
        return self.clients[seat - 1].get(self.path).json

    def step(self):
        """One step of the player to move; false when the game is over."""
        for seat in (1, 2):
            view = self.view(seat)
            actions = view["you"]["legal_actions"]
            if view["status"] == "over":
                return False
            if actions:
                self.act(seat, actions)
        return True

    def act(self, seat, actions):
        entry = famiglia.toward(actions, self.wanted, self.chance)
        if self.chance.random() < 0.2:
            entry = self.chance.choice(actions)
        answer = self.clients[seat - 1].post(
            entry["href"], famiglia.body_of(entry, self.chance))
        self.done = entry["action"]
        if answer.status != 200:
            raise SystemExit(f"{entry}: {answer.body}")

    def close(self):
        for client in self.clients:
            client.close()

    # --- in the database

    def keep(self):
        """Remember the game's rows."""
        state, self.version, self.status = self.sql.ask(
            "SELECT encode(state, 'hex'), version, status FROM gangd.game "
            f"WHERE game_id = '{self.id}'").split("|")
        self.kept = bytes.fromhex(state)

    def put(self, state):
        """Put the remembered rows back, with this state and new seeds."""
        self.sql.do(f"""
            UPDATE gangd.game SET state = '\\x{state.hex()}',
                version = {self.version}, status = '{self.status}',
                revision = revision + 1
            WHERE game_id = '{self.id}';
            DELETE FROM gangd.event
            WHERE game_id = '{self.id}' AND version > {self.version};
            UPDATE gangd.event SET replay_data = substr(decode(
                repeat(md5(random()::text), 40), 'hex'), 1, length(replay_data))
            WHERE game_id = '{self.id}'""")


# --- a script of requests -----------------------------------------------------

Request = collections.namedtuple("Request", "text is_viewers")


class Script:
    """The requests of a viewer (0: a spectator) and their answers."""

    def __init__(self, daemon, game, viewer):
        self.daemon, self.game, self.viewer = daemon, game, viewer
        self.requests, self.answers = [], []

    def text(self, seat, method, path, body=None, fields=(), name=None):
        if not path.startswith("/v1/"):
            path = self.game.path + path
        lines = [f"{method} {path} HTTP/1.1", "Host: gangd",
                 f"X-Request-Id: asked-{name or len(self.requests)}",
                 *fields]
        if seat:
            token = self.game.tokens[seat - 1]
            lines.append("Authorization: Bearer " + token)
        if body is not None:
            body = body if isinstance(body, str) else json.dumps(body)
            lines += ["Content-Type: application/json",
                      f"Content-Length: {len(body)}"]
        return "\r\n".join(lines + ["", body or ""]).encode()

    def ask(self, method, path, body=None, fields=(), seat=None):
        """Send a request, and note it for the twin."""
        seat = self.viewer if seat is None else seat
        text = self.text(seat, method, path, body, fields)
        self.requests.append(Request(text, seat in (0, self.viewer)))
        answer = self.wire.ask(text)
        self.answers.append(timeless(answer))
        return answer

    def perform(self, write):
        """Call write to send the requests during a stream of events; the text
        of the stream, and the log."""
        before = len(self.daemon.lines)
        self.wire = Wire(self.daemon.address)
        stream = socket.create_connection(self.daemon.address, PATIENCE)
        text = self.text(self.viewer, "GET",
                         f"/events?after={int(self.game.version) - 1}",
                         fields=["Accept: text/event-stream"],
                         name="stream")
        stream.sendall(text.replace(b"HTTP/1.1", b"HTTP/1.0", 1))
        write()
        said = self.hear(stream)
        stream.close()
        self.wire.close()
        # There was the stream, too, and who asked for the newest version.
        return said, self.log(before, len(self.answers) + 2)

    def hear(self, stream):
        """Listen up to the newest event."""
        newest = json_of(self.wire.ask(self.text(
            self.viewer, "GET", "", name="newest")))["version"]
        said = b""
        while not re.search(rb"id: ?%d\n(?:.+\n)*\n" % newest, said):
            more = stream.recv(65536)
            if not more:
                raise SystemExit(f"the stream ends: {said}")
            said += more
        return masked(said)

    def log(self, before, wanted):
        """The log's lines of this many requests, in any order."""
        end = time.monotonic() + PATIENCE
        while True:
            lines = [line for line in self.daemon.lines[before:]
                     if '"id":"asked-' in line]
            if len(lines) >= wanted or time.monotonic() > end:
                break
            time.sleep(0.002)
        lines = [masked(DURATION.sub("", line).encode()) for line in lines]
        return sorted(lines)

    # --- what is asked

    def views(self):
        for path in ("", "/hand", "/players/1/hand", "/players/2/hand"):
            self.ask("GET", path)

    def reads(self):
        for path in ("", "/hand", "/events", "/players", "/invitation",
                     "/players/1/hand", "/players/2/hand", "/showdown"):
            answer = self.ask("GET", path)
            self.ask("HEAD", path)
            etag = re.search(rb"\r\nETag: ([^\r]*)", answer)
            if etag:
                self.ask("GET", path,
                         fields=["If-None-Match: " + etag[1].decode()])
            self.ask("GET", path, seat=0)
        self.ask("GET", "/events?after=2&limit=3")
        self.ask("GET", "/v1/games")

    def nonsense(self):
        self.ask("POST", "/turn/take", {"card": "f5a"})
        self.ask("POST", "/turn/take", '{"card":')
        self.ask("POST", "/turn/brute", {"card": "b1a", "by": 9})
        self.ask("POST", "/turn/swap", {})
        self.ask("POST", "/chips/white/1/take")
        self.ask("POST", "/rematch", fields=['If-Match: "x"'])
        self.ask("PUT", "/hand")

    def probe(self):
        """Send moves whose refusal must not tell where a card lies: a zero that
        was never in the street is no target."""
        for card in self.game.chance.sample(CARDS[1:], PROBES):
            self.ask("POST", "/turn/brute",
                     {"card": card, "target": "m0a", "by": 1})

    def tries(self, kept):
        """Moves that open only cards that both games have on top."""
        for _ in range(TRIES if self.viewer else 0):
            view = json_of(self.ask("GET", ""))
            move = self.draw_move(view, kept)
            if move:
                answer = self.ask("POST", *move)
                if status_of(answer) == 200 and move[0] == "/turn/refill":
                    kept -= int(move[1]["card"][1])
        # The other player's turn is over before the viewer's eyes.
        view = json_of(self.ask("GET", ""))
        table = view["table"]
        if view["status"] == "playing" and not ends(table):
            self.ask("POST", "/turn/pass", seat=table["seat_to_move"])
            self.ask("GET", "")
        self.ask("GET", f"/events?after={self.game.version}")

    def draw_move(self, view, kept):
        """A legal move or any other; None if it would open more cards."""
        chance, table = self.game.chance, view["table"]
        actions = view["you"]["legal_actions"]
        if actions and chance.random() < 0.5:
            entry = chance.choice(actions)
            path = entry["href"].removeprefix(self.game.path)
            body = famiglia.body_of(entry, chance)
        else:
            path, body = any_move(chance, view)
        if path == "/rematch":
            return None
        if path == "/turn/refill" and int(body["card"][1]) > kept:
            return None
        if path in ("/turn/take", "/turn/pass") and \
                (ends(table) or len(table["street"]) < 2):
            return None
        return path, body


def ends(table):
    """May the game end with this turn, which opens all hands?"""
    return table["previous_turn_passed"] or \
        table["last_turn"] == table["turn"]


def any_move(chance, view):
    """A request that a client may send, mostly with cards that it sees."""
    seen = re.findall(r'"([fmba]\d[a-e])"', json.dumps(view))

    def card():
        return chance.choice(seen if chance.random() < 0.6 else CARDS[1:])

    step = chance.choice(famiglia.STEPS)
    body = {"card": card()}
    if step == "accountant":
        body.update(give=[card()], take=[card()])
    elif step == "brute":
        body.update(target=card(), by=chance.randint(1, 4))
    elif step == "take" and chance.random() < 0.7:
        pay = [card(), card()]
        body.update(pay=pay, keep=chance.choice(pay))
    return "/turn/" + step, None if step == "pass" else body


# --- pairs --------------------------------------------------------------------

MOMENTS = 12  # sorts of them, of which each must be met


class Apart(Exception):
    """A pair of twins differs, or a pair that should differ does not."""


class Pairs:
    def __init__(self, daemon):
        self.daemon = daemon
        self.met = collections.Counter()
        self.answers = 0

    def all_met(self):
        return len(self.met) == MOMENTS and min(self.met.values()) > 0

    def count(self, view, viewer, kept):
        table = view["table"]
        whose = "own" if table["seat_to_move"] == viewer else "other"
        self.met[f"viewer {viewer}"] += 1
        self.met["over" if view["status"] == "over" else
                 whose + " turn"] += 1
        self.met["something kept" if kept else "nothing kept"] += 1
        for name in ("accountant", "brute", "refills"):
            self.met[name] += bool(table["played"][name])
        self.met["second pass"] += table["second_pass"]

    def compare(self, script, requests, first, second):
        """The differences between the answers of the two games."""
        for request, one, other in zip(requests, *(
                answers for answers, _ in (first, second))):
            if not request.is_viewers:
                one, other = status_of(one), status_of(other)
            if one != other:
                yield f"{request.text.decode()}\n{one}\n{other}"
        for one, other in zip(*(rest for _, rest in (first, second))):
            if one != other:
                yield f"stream or log:\n{one}\n{other}"

    def perform(self, script, write):
        script.answers = []
        rest = script.perform(write)
        self.answers += len(script.answers)
        return script.answers, rest

    def again(self, script, requests, state):
        """Send the same requests to the game in another state."""
        script.game.put(state)

        def write():
            etag = b""
            for request in requests:
                # The ETag of this game, which has another time.
                answer = script.wire.ask(re.sub(
                    rb'(If-None-Match: )"[^"]+\.\d+\.\d+\.[^"]+"',
                    lambda m: m[1] + etag, request.text))
                found = re.search(rb"\r\nETag: ([^\r]*)", answer)
                etag = found[1] if found else etag
                script.answers.append(timeless(answer))
        return self.perform(script, write)

    def check(self, game):
        """Compare a pair for a viewer; false if nothing is hidden now."""
        chance = game.chance
        viewer = chance.choice((0, 1, 2))
        game.keep()
        twin = State(game.kept)
        kept = KEPT if chance.random() < 0.5 and len(twin.pile) > 14 else 0
        seats = {1, 2} - {viewer} if not twin.is_over else ()
        if not twin.exchange(seats, kept, chance):
            return False
        self.count(game.view(1), viewer, kept)
        script = Script(self.daemon, game, viewer)

        def write():
            script.reads()
            script.nonsense()
            script.probe()
            script.tries(kept)
            script.views()
        first = self.perform(script, write)
        requests = list(script.requests)
        second = self.again(script, requests, twin.bytes())
        game.put(game.kept)
        for fault in self.compare(script, requests, first, second):
            raise Apart(f"viewer {viewer}: {fault}\n"
                        f"{game.kept.hex()}\n{twin.bytes().hex()}")
        return True

    def look(self, game):
        """The four views, of each seat and a spectator."""
        scripts = [Script(self.daemon, game, viewer) for viewer in range(3)]
        return [self.perform(script, script.views)[0] for script in scripts]

    def check_planted(self, game):
        """Plant another own hand: its seat must see it, or all in the end."""
        game.keep()
        seat = game.chance.choice((1, 2))
        twin = State(game.kept)
        if not twin.secrets_of(seat) or not twin.pile or \
                not twin.exchange([seat], 0, game.chance) or \
                twin.hand(seat) == State(game.kept).hand(seat):
            return False
        before = self.look(game)
        game.put(twin.bytes())
        found = [sum(one != other for one, other in zip(*answers))
                 for answers in zip(before, self.look(game))]
        game.put(game.kept)
        # The view, the hand and the seat's hand; in the end all see them.
        right = [3 if viewer == seat else 0 for viewer in range(3)]
        if twin.is_over:
            right = [2, 2, 2]
            right[seat] = 3
        if found != right:
            raise Apart(f"another hand of seat {seat} is seen in {found} "
                        f"views, not {right}")
        return True


def share_of(game, more):
    """The share of moments that become pairs: few of the usual ones."""
    if not more:
        return 1
    return 0.5 if game.done in famiglia.FAMILIES else 0.05


def play(daemon, sql, wanted, check, is_enough=lambda: True):
    """Play games until there are as many pairs as wanted, and is_enough(); the
    number of pairs, and the fault or None."""
    pairs = 0

    def wants_more():
        return pairs < wanted or not is_enough() and pairs < PAIRS_MAX
    while wants_more():
        game = Game(daemon, sql, random)
        more = True
        while more and wants_more():
            more = game.step()
            if game.chance.random() >= share_of(game, more):
                continue
            try:
                pairs += check(game)
            except Apart as apart:
                return pairs, str(apart)
        game.close()
    return pairs, None


def test_planted_pairs(tally, daemon, sql):
    count, fault = play(daemon, sql, PLANTED, Pairs(daemon).check_planted)
    tally.check(f"{count} pairs are distinguished only by viewers who may",
                not fault, fault)


def test_pairs(tally, daemon, sql):
    wanted = int(os.environ.get("GANG_GAMES", PAIRS))
    pairs = Pairs(daemon)
    count, fault = play(daemon, sql, wanted, pairs.check,
                        lambda: wanted < PAIRS or pairs.all_met())
    tally.check(f"{count} pairs look the same", not fault, fault)
    print(f"{pairs.answers} answers; moments:", dict(pairs.met))
    tally.check("every sort of moment was met",
                fault or wanted < PAIRS or pairs.all_met(), dict(pairs.met))


def test_the_daemon_ends_well(tally, daemon):
    tally.end_well(daemon)
