"""Players join, leave and move at once.

Clients of two daemons on one database join, leave, remove each other, seat bots, give
them their seats, start and move chips in public games, as fast as they can, while
both daemons play for the bots; some leave at the same moment as others; some come
back, at one daemon, while another removes them as absent at the other.  No answer may
be a fault of the daemon; a player who got 204 for leaving is gone, and one who got
201 for joining sits there; a game with players has a present host; each game has one
invitation code.  At the end every log replays to the stored state.

HAMMER_SECONDS in the environment is the duration, TIMES how often each pair of
actions is tried.
"""
import collections
import http.client
import itertools
import os
import random
import select
import threading
import time

import game_log
import gangd
import pytest

HAMMER_SECONDS = float(os.environ.get("HAMMER_SECONDS", "2"))
CLIENTS = 8
GAMES = 4
TIMES = int(os.environ.get("TIMES", "10"))
SEED = 20260131
LOOPS = "2"
GIVES_UP = 0.05     # chance, when a game is full

# The statuses that each request may have, since its game may have changed.
ALLOWED = {
    "create": {201},
    "join": {201, 404, 409, 422},
    "leave": {204, 401, 412},
    "remove": {204, 401, 403, 404},
    "start": {200, 401, 403, 409},
    "bot": {201, 401, 403, 409},
    "give": {201, 401, 409},
    "move": {200, 201, 401, 404, 409},
    "look": {200, 401},
}

# Games whose rows contradict each other.
CROOKED = """SELECT count(*) FROM gangd.game g
    WHERE (SELECT count(*) FROM gangd.event e
           WHERE e.game_id = g.game_id) <> version
    OR (SELECT count(*) FROM gangd.invitation i
        WHERE i.game_id = g.game_id AND i.code = g.invite_code) <> 1
    OR host NOT BETWEEN 1 AND seats_count
    OR seats IS DISTINCT FROM gangd.pack_seats(game_id)
    OR bots <> (SELECT count(*) FROM gangd.seat s
                WHERE s.game_id = g.game_id AND s.bot_level IS NOT NULL)
    OR EXISTS (SELECT FROM gangd.seat s WHERE s.game_id = g.game_id
               AND s.seat > seats_count)
    OR status = 'lobby' AND (SELECT count(*) FROM gangd.seat s
        WHERE s.game_id = g.game_id) <> seats_count
    OR (EXISTS (SELECT FROM gangd.seat s WHERE s.game_id = g.game_id)
        AND NOT EXISTS (SELECT FROM gangd.seat s
            WHERE s.game_id = g.game_id AND s.seat = host))"""
LOST_CODES = """SELECT count(*) FROM gangd.invitation
    WHERE game_id NOT IN (SELECT game_id FROM gangd.game)"""


class Games:
    """The ids of the games in play; None where a new one is wanted."""

    def __init__(self):
        self.lock = threading.Lock()
        self.ids = [None] * GAMES
        self.made = 0

    def pick(self, chance):
        with self.lock:
            slot = chance.randrange(GAMES)
            return slot, self.ids[slot]

    def put(self, slot, game):
        with self.lock:
            self.ids[slot] = game
            self.made += game is not None


class Client:
    """A player who joins a game, plays for a while, and leaves."""

    names = itertools.count()

    def __init__(self, daemon, games, seed):
        self.chance = random.Random(seed)
        self.games = games
        self.client = daemon.client(timeout=30)
        self.seen = collections.Counter()
        self.faults = []
        self.slot = self.game = None
        self.seat = 0

    def ask(self, verb, method, path, body=None, headers=None):
        answer = self.client.ask(method, path, body, headers)
        self.seen[f"{verb} {answer.status}"] += 1
        if answer.status not in ALLOWED[verb]:
            self.faults.append(f"{verb} {path}: {answer.status} "
                               f"{answer.body[:200]}")
        return answer

    @property
    def path(self):
        return f"/v1/games/{self.game}"

    def create(self, name):
        answer = self.ask("create", "POST", "/v1/games", {
            "name": name, "visibility": "public", "mode": "advanced"})
        self.games.put(self.slot, answer.json["game"]["id"])
        return answer

    def join(self):
        """Join a game in play, or create one."""
        self.client.token = None
        self.slot, self.game = self.games.pick(self.chance)
        name = f"p{next(self.names)}"
        answer = self.ask("join", "POST", self.path + "/players",
                          {"name": name}) if self.game else self.create(name)
        if answer.status == 201:
            made = answer.json
            self.client.token, self.seat = made["token"], made["seat"]
            self.game = made["game"]["id"]
            if made["game"]["players"][self.seat - 1]["name"] != name:
                self.faults.append(f"{name} sits elsewhere: {answer.body}")
        elif answer.status == 404 or answer.code == "game_over" or \
                self.chance.random() < GIVES_UP:  # full, of bots perhaps
            self.games.put(self.slot, None)

    def look(self):
        """The view; None if the client has no seat any more."""
        answer = self.ask("look", "GET", self.path)
        if answer.status != 200:
            self.client.token = None
            return None
        view = answer.json
        self.seat = view["you"]["seat"]
        seats = view["players"]
        mine = seats[self.seat - 1]
        if mine["vacant"] or sum(seat["host"] for seat in seats) != 1 or \
                any(seat["host"] and seat["vacant"] for seat in seats) or \
                any(seat["vacant"] != (seat["name"] is None)
                    for seat in seats):
            self.faults.append(f"seats: {seats}")
        return view

    def leave(self):
        view = self.ask("look", "GET", self.path)
        if view.status != 200:
            self.client.token = None
            return
        answer = self.ask("leave", "DELETE", f"{self.path}/players/"
                          f"{view.json['you']['seat']}",
                          headers={"If-Match": view.header("ETag")})
        if answer.status != 204:
            return
        if self.ask("look", "GET", self.path).status != 401:
            self.faults.append(f"{self.path}: left, and still there")
        self.client.token = None

    def give(self):
        """Leave, and give the seat to a bot."""
        answer = self.ask("give", "POST", self.path + "/bots",
                          {"instead_of_me": True})
        if answer.status != 201:
            return
        seat = answer.json["seat"]
        if answer.json["game"]["players"][seat - 1]["bot"] is None or \
                answer.json["game"]["you"]:
            self.faults.append(f"no bot at seat {seat}: {answer.body}")
        if self.ask("look", "GET", self.path).status != 401:
            self.faults.append(f"{self.path}: gave the seat, and is there")
        self.client.token = None

    def remove(self, view):
        other = self.chance.randrange(len(view["players"])) + 1
        if other != self.seat:
            self.ask("remove", "DELETE", f"{self.path}/players/{other}")

    def move(self, view):
        moves = view["you"]["legal_actions"]
        if not moves:
            return
        move = self.chance.choice(moves)
        body = dict(move["body"])
        for name, form in (move["choose"] or {}).items():
            body[name] = self.chance.choice(form["options"])
        verb = {"start": "start", "seat_bot": "bot"}.get(move["action"],
                                                         "move")
        self.ask(verb, move["method"], move["href"], body)

    def step(self):
        if not self.client.token:
            self.join()
            return
        view = self.look()
        if not view:
            return
        if view["status"] in ("won", "lost"):
            self.games.put(self.slot, None)
            self.leave()
        elif self.chance.random() < 0.08:
            self.leave()
        elif self.chance.random() < 0.04:
            self.remove(view)
        elif self.chance.random() < 0.02:
            self.give()
        else:
            self.move(view)

    def play(self, until):
        while time.monotonic() < until and not self.faults:
            try:
                self.step()
            except (OSError, http.client.HTTPException, ValueError) as error:
                self.faults.append(f"no answer: {error!r}")


# --- leaving at the same moment ----------------------------------------------

def at_once(acts):
    """Begin all at the same moment; their results in order."""
    results = [None] * len(acts)
    gate = threading.Barrier(len(acts))

    def one(number, act):
        gate.wait()
        results[number] = act()

    threads = [threading.Thread(target=one, args=each)
               for each in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def go(client, path):
    """Leave from the present seat; the fault, or None."""
    while True:
        view = client.get(path)
        if view.status != 200:
            return f"thrown out: {view.status}"
        answer = client.ask(
            "DELETE", f"{path}/players/{view.json['you']['seat']}",
            headers={"If-Match": view.header("ETag")})
        if answer.status == 204:
            return None
        if answer.status != 412:
            return f"{answer.status} {answer.body[:200]}"


def sit(daemons, players, start):
    """A table, and a client for each of its players."""
    table = gangd.Table(daemons[0], players if start else 6, start)
    for name in "" if start else "BCDEF"[:players - 1]:
        answer = daemons[0].client().post(
            f"/v1/invitations/{table.code}/players", {"name": name})
        table.tokens.append(answer.json["token"])
    clients = [daemon.client(token) for token, daemon in
               zip(table.tokens, itertools.cycle(daemons))]
    return table, clients


def all_leave(daemons, sql, players, start):
    table, clients = sit(daemons, players, start)
    wrong = at_once([lambda c=client: go(c, table.path)
                     for client in clients])
    left = sql.ask("SELECT count(*) FROM gangd.seat "
                   f"WHERE game_id = '{table.id}'")
    return any(wrong) or left != "0" and f"{left} are left"


def two_leave(daemons):
    """The host and the second player leave at once: no other is gone."""
    table, clients = sit(daemons, 4, False)
    wrong = at_once([lambda c=client: go(c, table.path)
                     for client in clients[:2]])
    names = [player["name"]
             for player in clients[2].get(table.path).json["players"]]
    return any(wrong) or names != ["C", "D"] and names


def leave_and_start(daemons):
    """One order explains it: three start, or four and one leaves."""
    table, clients = sit(daemons, 4, False)
    started, wrong = at_once([
        lambda: clients[0].post(table.path + "/start").status,
        lambda: go(clients[1], table.path)])
    view = clients[0].get(table.path).json
    seats = [player["name"] for player in view["players"]]
    fits = seats in (["A", "C", "D"], ["A", None, "C", "D"])
    return wrong or (started != 200 or view["status"] != "playing" or
                     not fits) and f"{started} {seats}"


def leave_and_join(daemons):
    """A joining player gets the vacated seat, or learns that no seat is free."""
    table, clients = sit(daemons, 3, True)
    body = {"name": "D", "invite_code": table.code}
    wrong, joined = at_once([
        lambda: go(clients[1], table.path),
        lambda: clients[-1].post(table.path + "/players", body).status])
    seats = [player["name"] for player in
             clients[0].get(table.path).json["players"]]
    fits = {201: ["A", "D", "C"], 409: ["A", None, "C"]}.get(joined)
    return wrong or seats != fits and f"{joined} {seats}"


def check_moments(tally, daemons):
    sql = gangd.Sql()
    cases = [(f"all {players} leave {where} at once",
              lambda p=players, s=start: all_leave(daemons, sql, p, s))
             for players, start, where in ((2, False, "a lobby"),
                                           (5, False, "a lobby"),
                                           (3, True, "a game"),
                                           (6, True, "a game"))]
    cases += [("who leaves as the host does removes nobody",
               lambda: two_leave(daemons)),
              ("who leaves as the game starts is gone",
               lambda: leave_and_start(daemons)),
              ("who leaves as somebody comes is gone",
               lambda: leave_and_join(daemons))]
    for name, case in cases:
        faults = [fault for fault in (case() for _ in range(TIMES)) if fault]
        tally.check(f"{name}, {TIMES} times", not faults, faults[:3])
    sql.close()


# --- players who come back as others remove them for being absent -------------

ABSENCE_SECONDS = 120
GATHER_SECONDS = 1.3  # by then each daemon has written last_seen
CHIP = "/chips/white/1/"
EVENTS = {"Accept": "text/event-stream"}


def set_back(tables):
    ids = ",".join(f"'{table.id}'" for table in tables)
    gangd.psql("UPDATE gangd.seat SET last_seen = now() - interval '1 hour' "
               f"WHERE seat = 3 AND game_id IN ({ids})")


def absent_tables(daemon, count):
    """Tables that wait for C, whose last_seen is long ago."""
    tables = [gangd.Table(daemon, absence_seconds=ABSENCE_SECONDS)
              for _ in range(count)]
    time.sleep(GATHER_SECONDS)
    set_back(tables)
    return tables


def know(player, table):
    """The tag of the newest view, as if C had read it long ago."""
    etag = player.get(table.path).header("ETag")
    time.sleep(GATHER_SECONDS)
    set_back([table])
    return etag


def read_known(player, table):
    """The answer has no news, but updates last_seen."""
    etag = know(player, table)
    return player.get(table.path, headers={"If-None-Match": etag}).status


def move_twice(player, table):
    """C takes and returns a chip, so the others still wait for C."""
    return max(player.post(table.path + CHIP + verb).status
               for verb in ("take", "return"))


def wait_for_move(player, table):
    """C waits by a long poll, which the removal does not answer first."""
    player.connection.request("GET", table.path, None, player.fields(
        {"Prefer": "wait=20", "If-None-Match": know(player, table)}))
    readable, _, _ = select.select([player.connection.sock], [], [], 0.3)
    return "answered" if readable else "waits"


def open_stream(player, table):
    answer = player.open(table.path + "/events", EVENTS)
    answer.readline()
    return answer.status


# The ways in which C comes back, and the status of each answer.
COMES_BACK = {
    "reads the view": (lambda player, table:
                       player.get(table.path).status, 200),
    "reads a view that is known": (read_known, 304),
    "moves": (move_twice, 200),
    "is refused a move": (lambda player, table: player.post(
        table.path + CHIP + "return").status, 409),
    "waits for a move": (wait_for_move, "waits"),
    "opens a stream": (open_stream, 200),
}


def remove_absent(daemon, table):
    """B removes C; 204, or the status and code of the refusal."""
    client = daemon.client(table.tokens[1])
    answer = client.ask("DELETE", table.path + "/players/3")
    client.close()
    return answer.status if answer.status == 204 else answer.code


def check_come_back(tally, daemons):
    """An answered request counts at once, at both daemons."""
    *tables, control = absent_tables(daemons[0], len(COMES_BACK) + 1)
    for table, (how, (act, status)) in zip(tables, COMES_BACK.items()):
        player = daemons[0].client(table.tokens[2])
        got = (act(player, table), remove_absent(daemons[1], table))
        tally.check(f"an absent player who {how} is not removed",
                    got == (status, "not_host"), got)
        player.close()
    got = remove_absent(daemons[1], control)
    tally.check("an absent player who does nothing is removed", got == 204,
                got)


def check_come_back_at_once(tally, daemons):
    """One order explains both answers: a move, or a removal."""
    acts = {"reads": lambda player, table: player.get(table.path).status,
            "moves": lambda player, table: player.post(
                table.path + CHIP + "take").status}
    for how, act in acts.items():
        seen = collections.Counter()
        for table in absent_tables(daemons[0], TIMES):
            player = daemons[0].client(table.tokens[2])
            seen[tuple(at_once([
                lambda a=act, p=player, t=table: a(p, t),
                lambda t=table: remove_absent(daemons[1], t)]))] += 1
            player.close()
        tally.check(f"a player who {how} while being removed stays or is gone",
                    set(seen) <= {(200, "not_host"), (401, 204)}, seen)
        print(how, dict(seen))


# --- all together ------------------------------------------------------------

# Answers that many requests must have got.
WANTED = ("join 201", "leave 204", "remove 204", "start 200", "move 200",
          "look 401", "bot 201", "give 201")
WANTED_COUNT = 3
ROUNDS_MAX = 10  # on a busy machine, until there were as many


def hammer_once(clients):
    until = time.monotonic() + HAMMER_SECONDS
    threads = [threading.Thread(target=client.play, args=(until,))
               for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum((client.seen for client in clients), collections.Counter())


def hammer(tally, daemons):
    games = Games()
    clients = [Client(daemon, games, SEED + number) for number, daemon in
               zip(range(CLIENTS), itertools.cycle(daemons))]
    for _ in range(ROUNDS_MAX):
        seen = hammer_once(clients)
        if all(seen[what] >= WANTED_COUNT for what in WANTED):
            break
    faults = sum((client.faults for client in clients), [])
    print(games.made, "games:", dict(sorted(seen.items())))
    tally.check("each answer has an allowed status", not faults, faults[:3])
    for what in WANTED:
        tally.check(f"many requests got: {what}", seen[what] >= WANTED_COUNT,
                    seen[what])


@pytest.fixture(scope="module")
def daemons(build, database):
    # On a machine that is full of tests a statement may take longer than 900 ms.
    daemons = [gangd.Daemon(build, GANGD_LOOPS=LOOPS, GANGD_BOT_PACE="0",
                            GANGD_DATABASE_TIMEOUT_MS="10000")
               for _ in range(2)]
    for daemon in daemons:
        daemon.wait_ready()
    return daemons


def test_moments(tally, daemons):
    check_moments(tally, daemons)


def test_come_back(tally, daemons):
    check_come_back(tally, daemons)


def test_come_back_at_once(tally, daemons):
    check_come_back_at_once(tally, daemons)


def test_hammer(tally, daemons):
    hammer(tally, daemons)


def test_concurrent_seats(tally, build, daemons):
    for number, daemon in enumerate(daemons):
        tally.end_well(daemon, f"daemon {number + 1}")
    crooked = gangd.psql(CROOKED)
    tally.check("no rows of the database contradict each other",
                crooked == "0", crooked)
    lost = gangd.psql(LOST_CODES)
    tally.check("no code invites to a deleted game", lost == "0", lost)
    wrong = game_log.replay(build, gangd.psql(
        "SELECT game_id FROM gangd.game").split())
    tally.check("every log replays to the stored state", not wrong, wrong)
