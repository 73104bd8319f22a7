"""Requests and starts when memory runs out.

Each route is asked again and again of a daemon in which the first, second,
third ... allocation after the request began fails, until a request succeeds
without a failure.  In turn the failing one is our own (in a daemon that has
nothing in reserve yet), or a library's, or all fail from one on.  The start
fails in the same ways.

Then the daemon ends with the status for that, or answers 500 or 503, or closes
the connection, or answers as usual.  An answer is right, a success is
committed, and every commit is whole: as many events as the version says, and
the log replays to the snapshot.

Every third of our allocations fails, beginning with the first or a later one, and
every 24th of a library's, which are much the same for every request; EVERY=1 in the
environment lets each one fail.
"""
import collections
import concurrent.futures
import hashlib
import http.client
import os
import random
import re
import subprocess
import threading
import time
import uuid

import failing
from failing import ALL, LIBRARIES, OURS, OUT_OF_MEMORY, Control, start
import famiglia
import game_log
import games
from gangd import VAPID_KEY, Answer, Daemon, Sql, Table
import pytest

pytestmark = pytest.mark.first

HERE = os.path.dirname(os.path.abspath(__file__))
EVENT = re.compile(rb"^id: (\d+)$", re.M)
ROUTE = re.compile(r'^ROUTE\((\w+), "([^"]+)"', re.M)

WORKERS = 2
EVERY = int(os.environ.get("EVERY", "24"))
EVERY_OURS = min((EVERY + 3) // 4, 3)  # the smallest request has three of ours
INJECTIONS_MIN = 3000 // EVERY
STEPS_MAX = 1000  # a request that needs more allocations is out of hand
ANSWER_SECONDS = 5
SERIES = (("ours", OURS, 1), ("a library's", LIBRARIES, 1),
          ("all from one on", OURS | LIBRARIES, ALL))

# Count requests, but refuse nothing.
SETTINGS = {"GANGD_VAPID_PUBLIC_KEY": VAPID_KEY, "GANGD_QUOTAS": "on",
            "GANGD_CAP_LOBBY": "1000000", **{
    f"GANGD_QUOTA_{name}": "1000000"
    for name in ("ADDRESS", "TOKEN", "CREATION", "JOINING", "LISTING", "GAME",
                 "DAY_CREATION", "DAY_CHANGES", "DAY_KEYS")}}

# Header fields of every answer.
FIELDS = {"x-request-id", "x-content-type-options", "cache-control", "date"}

# How a game is created in which a move with such a path is legal.
ADVANCED = {"mode": "advanced"}
CREATED = {"/specialist/proposals": ADVANCED, "/specialist/votes": ADVANCED,
           "/choices": ADVANCED, "/showdown/answers": {"mode": "master_thief"},
           "/round/confirmations": {"round_end": "confirmed"}}
# The actions that bring a game forward; earlier ones are preferred.
FORTH = ("propose", "vote", "choose", "answer", "take_chip", "next_heist")

# Not a game of the database that is by halves.  A former code may still lead
# to it.
HALVES = """SELECT count(*) FROM gangd.game g
    FULL JOIN (SELECT game_id, count(*) AS events, max(version) AS newest
        FROM gangd.event GROUP BY game_id) e USING (game_id)
    FULL JOIN (SELECT game_id, count(*) AS taken
        FROM gangd.seat GROUP BY game_id) s USING (game_id)
    FULL JOIN (SELECT i.game_id, code FROM gangd.invitation i
        LEFT JOIN gangd.game USING (game_id)
        WHERE invite_code IS NULL OR invite_code = code) i USING (game_id)
    WHERE (version = events AND version = newest AND invite_code = code
        AND g.seats = gangd.pack_seats(game_id)
        AND (seats_count = taken OR status <> 'lobby'
            AND seats_count > taken)) IS NOT TRUE"""


def connections_for(what):
    """libpq may lose the answer to a commit.  That connection is replaced when
    another one has seen a commit come back; a third is for reads."""
    return 1 if what == OURS else 3


class Ask:
    """A request, and the status of its answer when there is memory."""

    memory_back_seconds = None  # nothing fails after that; None: all does

    def __init__(self, method, path, status=200, table=None, token=None,
                 body=None, headers=None):
        self.method, self.path, self.status = method, path, status
        self.table, self.token, self.body = table, token, body
        self.headers = headers

    def of(self, daemon):
        client = daemon.client(self.token, ANSWER_SECONDS)
        try:
            return client.ask(self.method, self.path, self.body,
                              self.headers)
        finally:
            client.close()


class Hear(Ask):
    """A stream of all past events, and of a move that is made meanwhile.  A
    stream may stay open while there is no memory, but sends nothing until
    there is some."""

    memory_back_seconds = 2

    def __init__(self, world, table):
        super().__init__("GET", table.path + "/events", table=table,
                         token=table.tokens[0],
                         headers={"Accept": "text/event-stream"})
        self.world = world

    def of(self, daemon):
        """The answer; its body says whether each event came once."""
        client = daemon.client(self.token, ANSWER_SECONDS)
        missed = self.world.version(self.table.id)
        try:
            stream = client.open(self.path, self.headers)
            if stream.status != 200:
                return Answer(stream.status, stream.getheaders(),
                              stream.read())
            body = self.hear(stream, b"", missed)
            self.world.touch(self.table)
            body = self.hear(stream, body, missed + 1)
            heard = [int(number) for number in EVENT.findall(body)]
            return Answer(200, stream.getheaders(),
                          heard == list(range(1, missed + 2)) or body)
        finally:
            client.close()

    @staticmethod
    def hear(stream, body, version):
        while b"id: %d\n" % version not in body or body[-2:] != b"\n\n":
            piece = stream.read1(65536)
            if not piece:
                raise http.client.IncompleteRead(body)
            body += piece
        return body


class World:
    """A daemon that does not fail, and the games for requests."""

    def __init__(self, daemon):
        self.daemon = daemon
        self.sql = Sql()
        self.tables = {}
        self.names = 0

    def view(self, table, token):
        return Ask("GET", table.path, token=token).of(self.daemon).json

    def name(self):
        """A new name each time; folded it is longer than 32 bytes."""
        self.names += 1
        return {"name": f"J\u00f6rg Gro\u00dffu\u00df {self.names} " + "x" * 9}

    def version(self, game):
        """The game's version; 0 without a game."""
        found = self.sql.ask("SELECT coalesce((SELECT version FROM gangd.game"
                             f" WHERE game_id = '{game}'), 0)")
        return int(found)

    def lobby(self, joined):
        """A game for six that has this many players or more, but one."""
        table = self.tables.get(joined)
        view = self.view(table, table.tokens[0]) if table else {}
        if not table or view.get("status") != "lobby" or \
                len(view["players"]) == 5:
            table = Table(self.daemon, 6, start=False)
            self.tables[joined] = table
            for _ in range(1, joined):
                Ask("POST", f"{table.path}/players", body=dict(
                    self.name(), invite_code=table.code)).of(self.daemon)
        return table

    def offers(self, table):
        """The actions that bring the game forward, or to its rematch, each
        with its player's token."""
        for token in table.tokens:
            view = self.view(table, token)
            chips = view["heist"]["chips"]
            seats = [chip["seat"] for chip in chips if not chip["locked"]]
            free = [f"{chip['color']}/{chip['stars']}/take" for chip in chips
                    if not chip["seat"]]
            for action in view["you"]["legal_actions"]:
                path = action["href"]
                if path.endswith(("/take", "/return")) and \
                        (view["you"]["seat"] in seats or
                         not path.endswith(tuple(free))):
                    continue
                may = (action["choose"] or {}).get("agree")
                if not may or True in may["options"]:
                    yield token, action

    def forth(self, table, end):
        """A request toward a move with such a path; None without one."""
        offers = [offer for offer in self.offers(table)
                  if offer[1]["action"] in FORTH or
                  offer[1]["href"].endswith(end)]
        offers.sort(key=lambda offer: not offer[1]["href"].endswith(end) and
                    1 + FORTH.index(offer[1]["action"]))
        if not offers:
            return None
        token, action = offers[0]
        body = dict(action["body"])
        for name, form in (action["choose"] or {}).items():
            body[name] = form["options"][0]
        made = action["action"] in ("next_heist", "rematch")
        return Ask("POST", action["href"], 201 if made else 200, table, token,
                   body or None)

    def with_chip(self, table, chip, verb, seat):
        path = f"{table.path}/chips/{chip['color']}/{chip['stars']}/{verb}"
        return Ask("POST", path, 200, table, table.tokens[seat - 1])

    def move(self, end):
        """The next move with such a path, in a game that goes on."""
        while True:
            table = self.tables.get(end)
            ask = table and self.forth(table, end)
            if not ask:
                self.tables[end] = Table(self.daemon, 3,
                                         **CREATED.get(end, {}))
            elif ask.path.endswith(end):
                return ask
            else:
                ask.of(self.daemon)

    def act(self):
        """A proposal, as a command."""
        ask = self.move("/specialist/proposals")
        return Ask("POST", ask.table.path + "/actions", 200, ask.table,
                   ask.token, {"action": "propose", **ask.body})

    def touch(self, table):
        """Any legal move."""
        chip = table.path + "/chips/white/1/"
        for verb in ("take", "return"):
            if Ask("POST", chip + verb, token=table.tokens[1]).of(
                    self.daemon).status == 200:
                return

    def give_back(self):
        """Return a chip that the player holds."""
        while True:
            ask = self.move("/take")
            chips = ask.of(self.daemon).json["heist"]["chips"]
            for chip in chips:
                if not chip["locked"] and chip["seat"]:
                    return self.with_chip(ask.table, chip, "return",
                                          chip["seat"])

    def toward(self, table, step):
        """A request toward a step of a turn; None without one."""
        for token in table.tokens:
            actions = self.view(table, token)["you"]["legal_actions"]
            entry = famiglia.toward(actions, step, random)
            if entry:
                return Ask("POST", entry["href"], 200, table, token,
                           famiglia.body_of(entry, random))
        return None

    def turn(self, step):
        """A step of a turn, in a game of Famiglia that goes on."""
        while True:
            table = self.tables.get(step)
            ask = table and self.toward(table, step)
            if not ask:
                self.tables[step] = Table(self.daemon, 2, ruleset="famiglia")
            elif ask.path.endswith("/" + step):
                return ask
            else:
                ask.of(self.daemon)

    def over(self):
        """A game whose heist is at its showdown."""
        return self.move("/heists").table


def read(of, suffix):
    """A question about a game."""
    def make(world):
        table = of(world)
        return Ask("GET", table.path + suffix, table=table,
                   token=table.tokens[0])
    return make


def page(path, status=200):
    return lambda world: Ask("GET", path, status)


def lobby(world):
    return world.lobby(3)


def taking(world):
    return world.move("/take").table


def create(world):
    return Ask("POST", "/v1/games", 201, body=dict(
        world.name(), seats=6, visibility="public", spectators=True))


def delete(world):
    table = world.lobby(1)
    return Ask("DELETE", table.path, 204, table, table.tokens[0])


def join(world):
    table = world.lobby(1)
    return Ask("POST", table.path + "/players", 201, table,
               body=dict(world.name(), invite_code=table.code))


def seat_bot(world):
    table = world.lobby(1)
    return Ask("POST", table.path + "/bots", 201, table, table.tokens[0],
               body={"level": "steady"})


def subscribe(world):
    """Another endpoint at each attempt would end in a refusal."""
    table = world.lobby(1)
    return Ask("PUT", table.path + "/push", 200, table, table.tokens[0],
               body={"endpoint": "https://ntfy.sh/" + "a" * 1000,
                     "keys": {"p256dh": VAPID_KEY,
                              "auth": "BTBZMqHH6r4Tts7J_aSIgg"}})


def unsubscribe(world):
    subscribe(world).of(world.daemon)
    table = world.lobby(1)
    return Ask("DELETE", table.path + "/push", 204, table, table.tokens[0])


def join_by_code(world):
    table = world.lobby(1)
    return Ask("POST", f"/v1/invitations/{table.code}/players", 201, table,
               body=world.name())


def leave(world):
    """The host removes a player, which draws a new code."""
    table = Table(world.daemon, 6, start=False)
    Ask("POST", f"/v1/invitations/{table.code}/players", 201, table,
        body=world.name()).of(world.daemon)
    return Ask("DELETE", table.path + "/players/2", 204, table,
               table.tokens[0])


def change_player(world):
    """A name that is compared with those of others, and an avatar."""
    table = world.lobby(3)
    return Ask("PATCH", table.path + "/players/1", 200, table, table.tokens[0],
               dict(world.name(), avatar="\u263a" * 64))


def renew_token(world):
    table = Table(world.daemon, 6, start=False)
    return Ask("POST", table.path + "/players/1/token", 201, table,
               table.tokens[0], headers={"Idempotency-Key": str(uuid.uuid4())})


def invited(world):
    return Ask("GET", f"/v1/invitations/{lobby(world).code}")


def begin(world):
    table = world.lobby(3)
    return Ask("POST", table.path + "/start", 200, table, table.tokens[0])


def evaluate(world):
    del world
    hands = [["As", "Ac", "2c", "2d", "Ah", "Ts", "7c"]] * 100
    return Ask("POST", "/v1/rules/evaluations", body={"hands": hands})


def named_twice(world):
    """Join under a taken name: the daemon folds all names of the game."""
    table = world.lobby(4)
    return Ask("POST", f"/v1/invitations/{table.code}/players", 422, table,
               body={"name": "A"})


def taken_too_late(world):
    ask = world.move("/take")
    return Ask("POST", ask.path, 409, ask.table, ask.token,
               {"from": len(ask.table.tokens)})


def wrong_swap(world):
    ask = world.turn("take")
    path = ask.table.path + "/turn/accountant"
    return Ask("POST", path, 422, ask.table, ask.token,
               {"card": "a1a", "give": ["f0a", "f0a", "x"], "take": ["f0b"]})


def waited_for(world):
    """Wait with an old tag: else each failure would take a second."""
    table = taking(world)
    return Ask("GET", table.path, table=table, token=table.tokens[0],
               headers={"If-None-Match": '"old"', "Prefer": "wait=5"})


def heard(world):
    """Read events of a log as long as the others'."""
    return Hear(world, Table(world.daemon))


def all_wrong(world):
    del world
    return Ask("POST", "/v1/games", 422, body={
        f"member {i} of no game": i for i in range(60)})


def malformed(world):
    """Half a character, which our grammar refuses."""
    del world
    return Ask("POST", "/v1/games", 400, body={"name": "\ud800"})


def seen(world):
    """last_seen lies in the far future, so that no flush disturbs."""
    table = taking(world)
    world.sql.ask("WITH done AS (UPDATE gangd.seat SET last_seen = '2100-01-01'"
                  f" WHERE game_id = '{table.id}' RETURNING 1)"
                  " SELECT count(*) FROM done")
    return Ask("GET", table.path + "/players", table=table,
               token=table.tokens[0])


def give_ticket(world):
    table = taking(world)
    return Ask("POST", table.path + "/stream_tickets", 201, table,
               table.tokens[0])


def give_transfer(world):
    table = taking(world)
    return Ask("POST", table.path + "/transfers", 201, table, table.tokens[0])


def claim_transfer(world):
    table = taking(world)
    client = world.daemon.client(table.tokens[0])
    code = client.post(table.path + "/transfers").json["code"]
    client.close()
    return Ask("POST", table.path + "/transfers/claim", 201, table,
               body={"code": code, "confirm": True},
               headers={"Idempotency-Key": f"claim-{code}"})


def no_ticket(world):
    return Ask("GET", taking(world).path + "/events?ticket=" + "0" * 22, 401,
               headers={"Accept": "text/event-stream"})


def remove_absent(world):
    """A player other than the host removes an absent one."""
    table = Table(world.daemon, 3, absence_seconds=120)
    world.sql.ask("WITH done AS (UPDATE gangd.seat SET last_seen = '2000-01-01'"
                  f" WHERE game_id = '{table.id}' RETURNING 1)"
                  " SELECT count(*) FROM done")
    return Ask("DELETE", table.path + "/players/1", 204, table,
               table.tokens[1])


REQUESTS = {
    ("GET", "/livez"): page("/livez"),
    ("GET", "/readyz"): page("/readyz"),
    ("GET", "/openapi.json"): page("/openapi.json"),
    ("GET", "/openapi.yaml"): page("/openapi.yaml"),
    ("GET", "/"): page("/"),
    ("GET", "/table/{asset}"): page("/table/worker.js"),
    ("GET", "/docs"): page("/docs"),
    ("GET", "/docs/{asset}"): page("/docs/swagger-ui.css"),
    ("GET", "/problems/{problem}"): page("/problems/chip_moved"),
    ("GET", "/v1/rules/modes"): page("/v1/rules/modes"),
    ("GET", "/v1/rules/challenges"): page("/v1/rules/challenges?lang=ru"),
    ("GET", "/v1/rules/specialists"): page("/v1/rules/specialists"),
    ("GET", "/v1/rules/rankings"): page("/v1/rules/rankings"),
    ("GET", "/v1/rules/families"): page("/v1/rules/families?lang=ru"),
    ("GET", "/v1/rules/guide"): page("/v1/rules/guide?lang=ru"),
    ("GET", "/v1/rules/actions"): page("/v1/rules/actions"),
    ("GET", "/v1/rules/announcements"): page("/v1/rules/announcements"),
    ("GET", "/v1/rules/problems"): page("/v1/rules/problems?lang=fr"),
    ("POST", "/v1/rules/evaluations"): evaluate,
    ("POST", "/v1/games"): create,
    ("GET", "/v1/games"): page("/v1/games?limit=2&mode=professional"),
    ("GET", "/v1/games/{game_id}"): read(taking, ""),
    ("DELETE", "/v1/games/{game_id}"): delete,
    ("GET", "/v1/games/{game_id}/invitation"): read(lobby, "/invitation"),
    ("POST", "/v1/games/{game_id}/players"): join,
    ("POST", "/v1/games/{game_id}/bots"): seat_bot,
    ("DELETE", "/v1/games/{game_id}/players/{seat}"): leave,
    ("PATCH", "/v1/games/{game_id}/players/{seat}"): change_player,
    ("POST", "/v1/games/{game_id}/players/{seat}/token"): renew_token,
    ("GET", "/v1/invitations/{code}"): invited,
    ("POST", "/v1/invitations/{code}/players"): join_by_code,
    ("POST", "/v1/games/{game_id}/start"): begin,
    ("GET", "/v1/games/{game_id}/hand"): read(taking, "/hand"),
    ("GET", "/v1/games/{game_id}/players/{seat}/hand"):
        read(taking, "/players/1/hand"),
    ("GET", "/v1/games/{game_id}/players"): seen,
    ("GET", "/v1/push"): page("/v1/push"),
    ("PUT", "/v1/games/{game_id}/push"): subscribe,
    ("DELETE", "/v1/games/{game_id}/push"): unsubscribe,
    ("POST", "/v1/games/{game_id}/stream_tickets"): give_ticket,
    ("POST", "/v1/games/{game_id}/transfers"): give_transfer,
    ("POST", "/v1/games/{game_id}/transfers/claim"): claim_transfer,
    ("GET", "/v1/games/{game_id}/events"): read(taking, "/events?limit=500"),
    ("POST", "/v1/games/{game_id}/actions"): World.act,
    ("POST", "/v1/games/{game_id}/chips/{color}/{stars}/take"):
        lambda world: world.move("/take"),
    ("POST", "/v1/games/{game_id}/chips/{color}/{stars}/return"):
        World.give_back,
    ("POST", "/v1/games/{game_id}/specialist/proposals"):
        lambda world: world.move("/specialist/proposals"),
    ("POST", "/v1/games/{game_id}/specialist/votes"):
        lambda world: world.move("/specialist/votes"),
    ("POST", "/v1/games/{game_id}/round/confirmations"):
        lambda world: world.move("/round/confirmations"),
    ("POST", "/v1/games/{game_id}/choices"):
        lambda world: world.move("/choices"),
    ("POST", "/v1/games/{game_id}/showdown/answers"):
        lambda world: world.move("/showdown/answers"),
    ("POST", "/v1/games/{game_id}/rematch"):
        lambda world: world.move("/rematch"),
    ("POST", "/v1/games/{game_id}/heists"):
        lambda world: world.move("/heists"),
    ("GET", "/v1/games/{game_id}/heists"):
        read(World.over, "/heists"),
    ("GET", "/v1/games/{game_id}/heists/{number}"):
        read(World.over, "/heists/1"),
    ("GET", "/v1/games/{game_id}/showdown"): read(World.over, "/showdown"),
    **{("POST", "/v1/games/{game_id}/turn/" + step):
       lambda world, step=step: world.turn(step) for step in famiglia.STEPS},
}


# The same routes, in requests that wait or are refused.
REFUSALS = {
    ("GET", "a game that is waited for"): waited_for,
    ("GET", "a stream"): heard,
    ("POST", "a name that is taken"): named_twice,
    ("POST", "a chip that has moved"): taken_too_late,
    ("POST", "a swap that is wrong in any game"): wrong_swap,
    ("POST", "faults in a body"): all_wrong,
    ("POST", "no JSON"): malformed,
    ("GET", "no such path"): lambda world: Ask("GET", "/v2" + "/x" * 900, 404),
    ("GET", "no such game"): lambda world: Ask(
        "GET", "/v1/games/" + str(uuid.uuid4()), 401),
    ("PUT", "no such method"): lambda world: Ask("PUT", "/v1/games", 405),
    ("GET", "an invalid ticket"): no_ticket,
    ("DELETE", "somebody who is away"): remove_absent,
    ("GET", "a token that is damaged"): lambda world: Ask(
        "GET", lobby(world).path, 401, token="gang_x"),
}


def routes():
    return ROUTE.findall(games.read("routes.def"))


def names_of(answer):
    return {name.lower() for name, _ in answer.headers} - {"connection"}


class Worker:
    """One failing daemon at a time, and a count of its outcomes."""

    def __init__(self, build, healthy):
        self.build = build
        self.world = World(healthy)
        self.control = Control()
        self.daemon = None
        self.seen = collections.Counter()

    def close(self):
        self.drop()
        self.world.sql.close()

    def drop(self):
        if self.daemon:
            self.daemon.process.kill()
            self.daemon.wait()
            self.daemon = None

    def ended(self):
        """None while the daemon runs; else "clean", or how it ended."""
        try:
            Ask("GET", "/livez").of(self.daemon)
            return None
        except (OSError, http.client.HTTPException):
            status = self.daemon.wait()
        log = "".join(self.daemon.lines)
        self.daemon = None
        if status == OUT_OF_MEMORY and '"event":"out_of_memory"' in log:
            return "clean"
        return f"ended with {status}: {log[-500:]}"

    # --- one injection ------------------------------------------------------

    def judge_answer(self, ask, before, answer):
        """The fault of an answer, or None."""
        if not FIELDS <= names_of(answer):
            return f"a header field is missing: {answer.headers}"
        if answer.status in (500, 503):
            self.seen[str(answer.status)] += 1
            return None if answer.code else "no problem document"
        if answer.status != ask.status:
            return f"{answer.status} {answer.body[:200]}"
        self.seen["answered well"] += 1
        if answer.status >= 400:
            kept = ask.table and self.world.version(ask.table.id) != before
            return "it is refused, and kept" if kept else None
        if ask.method == "GET":
            right = ask.of(self.world.daemon)
            same = answer.body == right.body and \
                names_of(answer) == names_of(right)
            return None if same else "another answer"
        return self.judge_kept(ask, before, answer)

    def judge_kept(self, ask, before, answer):
        """The fault of the stored game after an answer, or None."""
        if ask.path.endswith("/push"):
            return self.judge_subscription(ask)
        if ask.method == "DELETE":
            kept = self.world.version(ask.table.id)
            is_seat = ask.path != ask.table.path
            gone = kept > before if is_seat else kept == 0
            return None if gone else "it is still there"
        view = answer.json
        if "results" in view:
            right = ask.of(self.world.daemon).body
            return None if answer.body == right else "another answer"
        if "ticket" in view:
            return self.judge_ticket(view["ticket"])
        if "/transfers" in ask.path:
            return self.judge_transfer(ask)
        view = view.get("game", view)
        kept, told = self.world.version(view["id"]), view["version"]
        if ask.table and ask.table.id != view["id"]:
            before = 0  # it is a rematch
        if not before < kept == told:
            return f"from {before} to {kept}, but told {told}"
        return None

    def judge_subscription(self, ask):
        kept = self.world.sql.ask("SELECT count(*) FROM gangd.push_subscription"
                                  f" WHERE game_id = '{ask.table.id}'")
        return None if kept == str(int(ask.method == "PUT")) else \
            f"there are {kept} subscriptions"

    def judge_ticket(self, ticket):
        digest = hashlib.blake2b(ticket.encode(), digest_size=32).hexdigest()
        kept = self.world.sql.ask("SELECT count(*) FROM gangd.stream_ticket"
                                  f" WHERE ticket_hash = '\\x{digest}'")
        return None if kept == "1" else "the ticket is not there"

    def judge_transfer(self, ask):
        """A code is there, and used if it was claimed."""
        kept = self.world.sql.ask("SELECT claimed_by IS NOT NULL FROM"
                                  " gangd.transfer"
                                  f" WHERE game_id = '{ask.table.id}'")
        is_claim = ask.path.endswith("/claim")
        return None if kept == ("t" if is_claim else "f") else \
            f"the code is {kept}"

    def judge_silence(self):
        end = self.ended()
        if end not in (None, "clean"):
            return end
        self.seen["closed" if end is None else "clean end"] += 1
        return None

    def version_of(self, ask):
        """The version of the request's game; 0 without a game."""
        return self.world.version(ask.table.id) if ask.table else 0

    def settle(self):
        """Wait until the database has done what it was asked by a daemon that
        has given up its connection, or ended.  A session of a daemon that has
        ended may not have read its last request yet: it goes after that."""
        deadline = time.monotonic() + ANSWER_SECONDS
        which = " AND state = 'active'" if self.daemon else ""
        while time.monotonic() < deadline and self.world.sql.ask(
                "SELECT count(*) FROM pg_stat_activity WHERE application_name = "
                f"'{failing.APPLICATION}'{which}") != "0":
            time.sleep(0.002)

    def inject(self, ask, before, what, skipped, lasting):
        """Ask once; whether an allocation failed, and the fault or None."""
        self.control.arm(what, skipped, lasting)
        earlier = []
        back = threading.Timer(ask.memory_back_seconds or 0,
                               lambda: earlier.append(self.control.disarm()))
        if ask.memory_back_seconds:
            back.start()
        try:
            answer = ask.of(self.daemon)
        except TimeoutError:
            failed = self.control.disarm()
            return failed, "no answer in time"
        except (OSError, http.client.HTTPException):
            answer = None
        finally:
            back.cancel()
        failed = sum(earlier) + self.control.disarm()
        fault = self.judge_silence() if answer is None else \
            self.judge_answer(ask, before, answer)
        if not fault and not failed and \
                (answer is None or answer.status != ask.status):
            fault = "it fails without a failure"
        return failed, fault

    # --- series -------------------------------------------------------------

    def await_ready(self):
        """None once the daemon serves; else how it ended.  Its connector may
        lack memory, and end the process, after the loop has answered."""
        try:
            self.daemon.wait_ready()
            return None
        except SystemExit:
            if self.daemon.process.poll() is None:
                raise
            return self.ended()

    def series(self, make, what, lasting, places):
        """Let a request fail at each place; their number, and the faults."""
        faults, ask, before = [], None, 0
        for number, skipped in enumerate(places):
            # A request that changed nothing can be repeated as it is.
            self.settle()
            if not ask or self.version_of(ask) != before:
                ask = make(self.world)
                before = self.version_of(ask)
            if what == OURS:
                self.drop()
            if not self.daemon:
                self.daemon = start(self.build, self.control,
                                    connections_for(what))
            elif what != OURS:
                end = self.await_ready()
                if end not in (None, "clean"):
                    faults.append(f"\n    after {skipped}: {end}")
                if end:
                    self.daemon = start(self.build, self.control,
                                        connections_for(what))
            failed, fault = self.inject(ask, before, what, skipped,
                                        lasting)
            if fault:
                faults.append(f"\n    allocation {skipped + 1}: {fault}")
                self.drop()
            if not failed:
                break
        else:
            faults.append("it takes no end")
        halves = self.world.sql.ask(" ".join(HALVES.split()))
        if halves != "0":
            faults.append(f"{halves} games by halves")
        return number, faults

    def start_once(self, what, skipped):
        """Start once; whether an allocation failed, and the fault or None."""
        self.control.arm(what, skipped)
        process = subprocess.Popen(
            [failing.program(self.build)], text=True, stderr=subprocess.PIPE,
            env=dict(os.environ, **failing.settings(self.control)))
        log = ""
        for line in process.stderr:
            log += line
            if "database_connected" in line:
                process.kill()
        process.stderr.close()
        status = process.wait()
        failed = self.control.disarm()
        if "database_connected" in log:
            self.seen["started well"] += 1
            return failed, None
        clean = status == OUT_OF_MEMORY and "out_of_memory" in log
        self.seen["clean end" if clean else "no start"] += 1
        if clean or what != OURS and status == 1 and log:
            return failed, None
        return failed, f"status {status}: {log[-300:]}"

    def starts(self, what, places):
        faults = []
        for number, skipped in enumerate(places):
            failed, fault = self.start_once(what, skipped)
            if fault:
                faults.append(f"\n    allocation {skipped + 1}: {fault}")
            if not failed:
                break
        return number, faults


def places_of(what, number):
    """For each try, how many allocations succeed before the failing one."""
    every = EVERY_OURS if what == OURS else EVERY
    return range(number % every, STEPS_MAX, every)


def jobs():
    """The jobs, the long ones first."""
    yield "the start, ours", \
        lambda worker: worker.starts(OURS, places_of(OURS, 0))
    yield "the start, a library's", \
        lambda worker: worker.starts(LIBRARIES, places_of(LIBRARIES, 0))
    for name, what, lasting in SERIES:
        for number, (route, make) in enumerate((REQUESTS | REFUSALS).items()):
            yield " ".join(route) + ", " + name, \
                lambda worker, m=make, w=what, n=lasting, i=number: \
                worker.series(m, w, n, places_of(w, i))


def work(build, healthy, tally, queue):
    """Do all jobs; the number of injections, and of each outcome."""
    worker = Worker(build, healthy)
    injections = 0
    while queue:
        name, job = queue.popleft()
        begun = time.monotonic()
        steps, faults = job(worker)
        injections += steps
        tally.check(f"{name}: {steps} failures, "
                    f"{time.monotonic() - begun:.1f} s",
                    steps > 0 and not faults, "".join(faults))
    worker.close()
    return injections, worker.seen


def test_out_of_memory(tally, build, database):
    os.environ.update(SETTINGS)
    tally.check("every route is asked", set(routes()) == set(REQUESTS),
                set(routes()) ^ set(REQUESTS))
    healthy = Daemon(build)
    healthy.wait_ready()
    # The lobby, of which the requests make no other games.
    for _ in range(3):
        Table(healthy, 6, False, mode="professional", visibility="public")
    queue = collections.deque(jobs())
    seen = collections.Counter()
    injections = 0
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        for count, what in pool.map(
                lambda _: work(build, healthy, tally, queue),
                range(WORKERS)):
            injections += count
            seen += what
        print(f"{injections} injections:", dict(seen))
        tally.check(f"{INJECTIONS_MIN} injections or more",
                    injections >= INJECTIONS_MIN, injections)
        sql = Sql()
        games = sql.ask("SELECT string_agg(game_id::text, ' ')"
                        " FROM gangd.game").split()
        sql.close()
    game_log.check_replays(tally, build, games)
    tally.end_well(healthy, "the other daemon")
