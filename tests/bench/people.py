"""People who play: they think, look, move, get lost and come back, leave, play
again or go on to other tables.

A Table seats people in game after game.  A Person does what legal_actions of
its view offers, by the contract alone.  How people learn of moves is drawn for
each: by a stream with views, by waiting requests, or by looking before each
move.  Crowd has the numbers of all: a latency counts from the time when the
request was due, so that a slow client cannot hide latency.

An answer that is not a success is an error, except a 409 or 422 in a game that has
moved on since the person's view.  Where the service has faults (day.py), a person
sends a change under a key, and sends what a fault has refused or cut off again until
it is answered; what no fault explains is an error there too.

The ledger has every move that was acknowledged, by game: soak.py compares it with the
event log.
"""
import asyncio
import collections
import json
import random
import re
import sys
import time

import async_http
from async_http import Connection, Unanswered
from famiglia import value_of

VERSION = re.compile(rb'"version":(\d+)')
ETAG = re.compile(rb"\r\nETag: (\S+)", re.I)
HEARD_BY = ("stream", "stream", "stream", "poll", "look")
MODES = ("basic", "basic", "advanced", "professional", "master_thief")
FAMIGLIA = 1 / 8        # of all tables
BOTS = 1 / 4            # of all tables: bots have a part of the seats
REMATCH = 0.6           # of all games that ended
LEAVE = 1 / 300         # of the times that a person looks up
LOST = 1 / 40           # of those times: a connection is cut
KEYED = 1 / 30          # of moves: sent twice with a key, cut off once
POLL_SECONDS = 20       # of people who think for THINK seconds
THINK = 4
AGAIN_SECONDS = 0.2     # until a request that a fault has hit is sent again
CAUGHT_UP_SECONDS = 10  # until a stream has the last event of a game
SWAP = 0.25             # of people who hold a chip: they take a different one
LONGEST_PAUSE = 4       # times that of the mean
ENDED = ("won", "lost", "over")


class NoFaults:
    """A service that nothing happens to."""

    is_possible = False

    def explain(self, trouble):
        """Does a fault explain this: "refused", "cut", "ended", or "broken"?"""
        return False


class Record:
    """The moves of a game that were acknowledged: the version after each, with its
    seat; and by seat how many were sent twice, whose answer has a later version."""

    def __init__(self):
        self.seats = {}
        self.repeated = collections.Counter()


class Crowd:
    """All people share this: the service's address, and what they count."""

    def __init__(self, address, think, seed, faults=NoFaults()):
        self.address, self.think, self.faults = address, think, faults
        self.ledger = collections.defaultdict(Record)
        self.acknowledged_at = time.monotonic()
        self.random = random.Random(seed)
        self.begun = time.monotonic()
        self.stopping = False
        self.moves, self.echoes, self.lates = [], [], []
        self.counts = collections.Counter()
        self.errors = []  # what went wrong, the first ones

    def fail(self, text):
        self.counts["errors"] += 1
        if len(self.errors) < 50:
            self.errors.append(text)
            print(f"{time.monotonic() - self.begun:6.0f} s: {text}",
                  file=sys.stderr, flush=True)

    def acknowledge(self, path, seat, version, repeated):
        """A move was answered; the version is that after it, unless it was sent
        twice."""
        self.acknowledged_at = time.monotonic()
        record = self.ledger[path]
        if repeated:
            record.repeated[seat] += 1
        elif version in record.seats:
            self.fail(f"{path}: version {version} is of two moves, of seat {seat} "
                      f"and of seat {record.seats[version]}")
        else:
            record.seats[version] = seat

    def new_key(self):
        return f"{self.random.getrandbits(128):032x}"

    def chance(self, part):
        return self.random.random() < part

    def draw_pause(self):
        """Seconds of thinking."""
        return min(self.random.expovariate(1 / self.think),
                   LONGEST_PAUSE * self.think)

    def name(self):
        return f"P{self.random.randrange(10 ** 6)}"


class Table:
    """A place where a number of people, and bots, play one game after the other."""

    def __init__(self, crowd, places, ruleset, bots=0):
        self.crowd, self.ruleset = crowd, ruleset
        self.places, self.bots = places, bots
        self.people = [Person(self) for _ in range(places - bots)]
        self.path = self.code = None
        self.rematches = False
        self.moved_at = time.monotonic()
        self.sent, self.heard = {}, collections.defaultdict(list)

    def enter(self, game):
        """The people are in another game."""
        self.path = "/v1/games/" + game
        self.moved_at = time.monotonic()
        self.crowd.counts["games"] += 1
        self.rematches = self.crowd.chance(REMATCH)
        self.sent.clear()
        self.heard.clear()

    def note_sent(self, version, at):
        """A move of this version, of a game's path, was sent at that time."""
        self.sent[version] = at
        for heard_at, opened_at in self.heard.pop(version, ()):
            self.note_echo(at, heard_at, opened_at)

    def note_heard(self, version, at, opened_at):
        """A stream that was opened then has received a version."""
        if version in self.sent:
            self.note_echo(self.sent[version], at, opened_at)
        else:
            self.heard[version].append((at, opened_at))

    def note_echo(self, sent_at, heard_at, opened_at):
        # A stream that comes back gets old events late: that is right.
        if opened_at < sent_at:
            self.crowd.echoes.append(heard_at - sent_at)

    async def gather(self):
        """Begin a game: one creates it, the others come in by its code."""
        crowd, options = self.crowd, {"visibility": "public"}
        if self.ruleset == "famiglia":
            options["ruleset"] = "famiglia"
        else:
            options["seats"] = self.places
            options["mode"] = crowd.random.choice(MODES)
            if options["mode"] != "basic":
                options["stacks"] = "shuffled"
        if self.bots:
            options["bots"] = self.bots
            crowd.counts["bots"] += self.bots
        host = self.people[0]
        made = await host.ask("POST", "/v1/games",
                              {"name": crowd.name(), **options})
        if made.status != 201:
            return False
        made = json.loads(made.body)
        self.enter(made["game"]["id"])
        self.code = made["invite_code"]
        host.sit_down(made)
        for person in self.people[1:]:
            await asyncio.sleep(crowd.think / 4 * crowd.random.random())
            await person.ask("GET", "/v1/games?limit=10")
            if not await person.join():
                return False
        return True

    async def play(self):
        """Play until the gang parts, or one of them gets no answer."""
        tasks = [asyncio.ensure_future(person.play())
                 for person in self.people]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def run(self):
        while not self.crowd.stopping:
            try:
                if await self.gather():
                    await self.play()
            except Unanswered as error:
                self.crowd.counts["unanswered"] += 1
                self.crowd.fail(f"no answer: {error}")
            for person in self.people:
                person.go()


class Person:
    def __init__(self, table):
        self.table, self.crowd = table, table.crowd
        self.random = self.crowd.random
        self.connection = Connection(self.crowd.address)
        self.poller = Connection(self.crowd.address)
        self.path = self.token = self.seat = self.stream = self.polling = None
        self.view, self.version, self.etag = b"", 0, None
        self.heard = 0  # the last event that a stream of this game has brought
        self.hears_by = self.random.choice(HEARD_BY)

    # --- requests ---

    def request(self, method, path, body=None, **fields):
        text = json.dumps(body) if body is not None else ""
        if method != "GET" and self.crowd.faults.is_possible:
            fields.setdefault("Idempotency_Key", self.crowd.new_key())
        lines = [f"{method} {path} HTTP/1.1", "Host: gangd"]
        if self.token:
            lines.append("Authorization: Bearer " + self.token)
        if body is not None:
            lines += ["Content-Type: application/json",
                      f"Content-Length: {len(text)}"]
        lines += [f"{name.replace('_', '-')}: {value}"
                  for name, value in fields.items()]
        return "\r\n".join([*lines, "", text]).encode()

    async def ask(self, method, path, body=None, refusals=(409,), **fields):
        answer = await self.send(self.connection,
                                 self.request(method, path, body, **fields))
        self.judge(method, path, answer, refusals)
        return answer

    async def send(self, connection, request, seconds=async_http.ANSWER_SECONDS):
        """The answer to a request, which is sent again while a fault explains that
        there is none, or 503."""
        connection.sent_again = False
        while True:
            try:
                answer = await connection.ask(request, seconds)
                if answer.status != 503 or \
                        not self.crowd.faults.explain("refused"):
                    return answer
            except Unanswered as error:
                if not self.crowd.faults.explain("cut"):
                    line = request.partition(b" HTTP/1.1")[0].decode()
                    raise Unanswered(f"{line}: {error}") from error
            connection.sent_again = True
            await asyncio.sleep(AGAIN_SECONDS)

    def judge(self, method, path, answer, refusals=(409,)):
        self.crowd.counts["requests"] += 1
        if answer.status >= 400 and answer.status not in refusals:
            self.crowd.fail(f"{method} {path}: {answer.status} "
                            f"{answer.body[:900]!r}")

    async def look(self):
        answer = await self.ask("GET", self.path, **self.tag())
        if answer.status == 200:
            self.see(answer.body, answer.head)

    def tag(self):
        return {"If_None_Match": self.etag} if self.etag else {}

    def see(self, view, head=b""):
        version = int(VERSION.search(view)[1])
        if version >= self.version:
            self.view, self.version = view, version
            etag = ETAG.search(head)
            self.etag = etag and etag[1].decode()

    # --- coming and going ---

    def sit_down(self, made):
        self.token, self.seat = made["token"], made["seat"]
        self.enter()

    def enter(self):
        """Be in the table's game, and know nothing of it."""
        self.path = self.table.path
        self.view, self.version, self.etag = b"", 0, None
        self.heard = 0

    async def learn_code(self):
        """Get the code from a player at the table: a rematch has a new one."""
        for person in self.table.people:
            if person.token and person.path == self.path:
                self.token = person.token
                answer = await self.send(self.connection, self.request(
                    "GET", self.path + "/invitation"))
                self.token = None
                code = json.loads(answer.body).get("invite_code")
                if code:  # else that one has left meanwhile
                    return code
        return None

    async def join(self):
        """Take a free seat; false if the game has ended."""
        await self.ask("GET", "/v1/invitations/" + self.table.code)
        answer = await self.ask(
            "POST", f"/v1/invitations/{self.table.code}/players",
            {"name": self.crowd.name()})
        if answer.status == 201:
            self.sit_down(json.loads(answer.body))
            self.crowd.counts["joins"] += 1
        return answer.status == 201

    def go(self):
        """Leave without notice."""
        self.token = None
        self.turn_away()
        self.connection.close()

    def turn_away(self):
        """Stop following the game."""
        if self.stream:
            self.stream.cut()
            self.stream = None
        if self.polling:
            self.polling.cancel()
            self.polling = None
        self.poller.close()

    async def listen(self):
        """Hear of the table's game from now on."""
        if not self.version:
            await self.look()
        self.heard = self.heard or self.version
        if self.hears_by == "stream":
            await self.open_stream(self.heard)
        elif self.hears_by == "poll":
            self.polling = asyncio.ensure_future(self.poll())

    async def open_stream(self, last):
        self.stream = async_http.Stream(
            self.crowd.address, self.path, self.token, last, True,
            self.on_block, self.on_end)
        try:
            await self.stream.listen()
        except OSError as error:
            raise Unanswered(f"a stream: {error}") from error

    def on_block(self, stream):
        now = asyncio.get_running_loop().time()
        for version in stream.times:
            self.table.note_heard((stream.path, version), now, stream.opened_at)
        stream.times.clear()
        if stream is self.stream and stream.path == self.path:
            self.heard = stream.last
        if self.is_fault(stream):
            self.crowd.fail(f"{self.path}: a stream said "
                            f"{stream.faults or stream.closed}")
        stream.faults.clear()
        stream.closed = None
        if stream.view:
            self.see(stream.view.partition(b"data: ")[2])
            stream.view = b""

    def is_fault(self, stream):
        """Did a stream say what it should not?"""
        explain = self.crowd.faults.explain
        if stream.status == 503 and explain("refused"):
            return False
        return stream.faults or stream.closed and not self.crowd.stopping and \
            not explain("ended")

    def on_end(self, stream):
        """The service ends a stream in the end; one that breaks is a fault."""
        if stream is not self.stream:
            return
        self.stream = None
        self.crowd.counts["ends"] += 1
        if not stream.is_whole and stream.status != 503 and \
                not self.crowd.faults.explain("broken"):
            self.crowd.fail(f"{self.path}: a stream broke")

    async def catch_up(self):
        """A game is over: has a stream brought all of it?"""
        deadline = time.monotonic() + CAUGHT_UP_SECONDS
        while self.heard < self.version and not self.crowd.stopping:
            if not self.stream:
                await self.open_stream(self.heard)
            await asyncio.sleep(0.05)
            if time.monotonic() > deadline and \
                    not self.crowd.faults.explain("cut"):
                self.crowd.fail(f"{self.path}: a stream has {self.heard} of "
                                f"{self.version} events")
                return
        self.crowd.counts["streams_complete"] += 1

    async def poll(self):
        """Wait for each change, until turn_away()."""
        seconds = max(1, POLL_SECONDS * min(1, self.crowd.think / THINK))
        while self.polling is asyncio.current_task():
            try:
                answer = await self.send(
                    self.poller, self.request("GET", self.path, **self.tag(),
                                              Prefer=f"wait={seconds:.0f}"),
                    async_http.ANSWER_SECONDS + seconds)
            except Unanswered as error:
                self.crowd.counts["unanswered"] += 1
                self.crowd.fail(f"a waiting request: {error}")
                await asyncio.sleep(1)
                continue
            if self.polling is not asyncio.current_task():
                return
            self.judge("GET", "(waiting)", answer)
            if answer.status == 200:
                self.see(answer.body, answer.head)

    async def get_lost(self):
        """Lose the connection, and come back after a while."""
        self.crowd.counts["reconnects"] += 1
        was_streaming, was_polling = self.stream, self.polling
        self.turn_away()
        self.connection.close()
        await asyncio.sleep(self.crowd.think * self.random.random())
        if was_streaming:
            await self.open_stream(self.heard)
        elif was_polling:
            await self.listen()

    # --- playing ---

    async def play(self):
        """Play at the table until the gang parts."""
        loop = asyncio.get_running_loop()
        await self.listen()
        while not self.crowd.stopping:
            due = loop.time() + self.crowd.draw_pause()
            await asyncio.sleep(due - loop.time())
            if self.hears_by == "stream" and not self.stream:
                await self.open_stream(self.heard)
            if self.hears_by == "look":
                await self.look()
            view = json.loads(self.view)
            if view["status"] in ENDED:
                if self.hears_by == "stream":
                    await self.catch_up()
                    view = json.loads(self.view)
                if not await self.end(view, due):
                    return
            elif self.crowd.chance(LOST):
                await self.get_lost()
            elif self.crowd.chance(LEAVE) and view["status"] == "playing":
                if not await self.leave():
                    return
            else:
                entry = self.choose(view)
                if entry:
                    await self.move(entry, due)

    async def end(self, view, due):
        """After a game: a rematch, or the end of this gang; is there another?"""
        again = view["rematch"]
        if not again and self.path != self.table.path:  # the others have gone on
            await self.look()
            again = json.loads(self.view)["rematch"]
        if not again:
            if not self.table.rematches or \
                    any(player["vacant"] for player in view["players"]):
                return False
            answer = await self.move(view["you"]["legal_actions"][0], due)
            if answer.status == 201:
                self.crowd.counts["rematches"] += 1
            await self.look()
            again = json.loads(self.view)["rematch"]
            if not again:
                return True
        if not self.table.path.endswith(again["id"]):
            self.table.enter(again["id"])
        self.turn_away()
        self.enter()
        await self.listen()
        return True

    async def leave(self):
        """Leave the seat; another person takes it after a while."""
        self.turn_away()
        request = self.request("DELETE", f"{self.path}/players/{self.seat}")
        self.token, token = None, self.token
        gone = await self.send(self.connection, request)
        self.judge("DELETE", self.path, gone)
        if gone.status == 204:
            self.crowd.counts["leaves"] += 1
            await asyncio.sleep(self.crowd.think * self.random.random())
            self.table.code = await self.learn_code()
            if not self.table.code or not await self.join():
                return False
        else:
            self.token = token  # the game has just ended
        await self.listen()
        return True

    def choose(self, view):
        """Choose of what legal_actions offers; None: nothing, for now."""
        actions = [entry for entry in view["you"]["legal_actions"]
                   if entry["action"] != "seat_bot"]
        chips = [entry for entry in actions if entry["action"] == "take_chip"]
        others = [entry for entry in actions if entry["action"] not in
                  ("take_chip", "return_chip", "propose")]
        proposals = [entry for entry in actions if entry["action"] == "propose"]
        if others:
            return self.random.choice(others)
        if proposals and self.crowd.chance(0.1):
            return self.random.choice(proposals)
        if len(chips) + len(others) < len(actions) - len(proposals) and \
                not self.crowd.chance(SWAP):
            return None  # has a chip, and is content
        in_center = [entry for entry in chips
                     if entry["chip"]["holder"] is None]
        if in_center and not self.crowd.chance(0.2):
            chips = in_center
        return self.random.choice(chips) if chips else None

    async def move(self, entry, due):
        """Send a move by its own route, or as a command."""
        decided_on = self.version  # which a stream may raise meanwhile
        chosen = {name: value_of(form, self.random)
                  for name, form in (entry["choose"] or {}).items()}
        if self.crowd.chance(0.5):
            path, body = entry["href"], {**entry["body"], **chosen}
        else:
            path, body = self.path + "/actions", \
                {**entry["command"], **chosen}
        fields = {}
        if self.crowd.chance(KEYED):
            fields["Idempotency_Key"] = self.crowd.new_key()
            await self.connection.send(
                self.request("POST", path, body, **fields))
            self.crowd.counts["reconnects"] += 1
        seat = self.seat
        loop = asyncio.get_running_loop()
        sent = loop.time()
        # 422: another specialist, who acts otherwise, is there by now.
        answer = await self.ask("POST", path, body, (409, 422), **fields)
        if not fields:
            self.crowd.moves.append(loop.time() - due)
            self.crowd.lates.append(sent - due)
        if answer.status in (409, 422):
            await self.refused(decided_on, path, body, answer)
        elif answer.status == 200:
            self.crowd.counts["moves"] += 1
            self.table.moved_at = time.monotonic()
            self.see(answer.body, answer.head)
            version = int(VERSION.search(answer.body)[1])
            self.crowd.acknowledge(self.path, seat, version,
                                   fields or self.connection.sent_again)
            if not fields and not self.connection.sent_again:
                self.table.note_sent((self.path, version), sent)
        return answer

    async def refused(self, decided_on, path, body, answer):
        """Right only if the game has moved on since the view."""
        self.crowd.counts["refused"] += 1
        await self.look()
        if self.version <= decided_on:
            self.crowd.fail(f"refused at version {decided_on}: {path} {body} "
                            f"{answer.body[:900]!r}")
