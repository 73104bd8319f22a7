"""Daemons are killed while players retry.

Two daemons serve one database.  At random moments one of them is killed with
SIGKILL, and started anew at once; the players (retrier.py) turn to the other
and retry under the same key.  Each acknowledged move is in the log once, in
the order of its player, and no other move; the log explains every answer,
also that to a repeated request (checker.py).

Before that a daemon is killed at the worst moment, when the database has
committed and no client has an answer; after it come many short games, which are
checked in the same way, and the database is searched for tokens and keys.

KILLS, ACTIONS and GAMES in the environment set the numbers: 50, 50000 and 2000
take minutes.
"""
import collections
import copy
import multiprocessing
import os
import random
import subprocess
import threading
import time

import checker
import game_log
import gangd
from player import Asked
from proxy import BACK, Proxy, Step
import pytest
from retrier import PREFIX, Retrier

pytestmark = pytest.mark.singly

KILLS = 4
ACTIONS = 1500           # that are acknowledged
GAMES = 40               # short ones
PLAYERS = (4, 5, 6)      # of a long game, one after the other
REQUESTS = 1500          # of one player of a long game at most
SHORT_PLAYERS = 4
SHORT_REQUESTS = 6
BATCH = 20               # short games that are begun before their end is seen
LONG_SECONDS = 1.5       # from one kill to the next at most
SHORT_SECONDS = 0.6


# --- two daemons, which are killed ------------------------------------------

class Pair:
    """Two daemons; the players' processes share their ports."""

    def __init__(self, build, ports):
        self.build, self.ports = build, ports
        self.daemons = [None, None]
        self.kills = 0
        self.faults = ""
        for number in range(2):
            self.start(number)

    def start(self, number):
        daemon = gangd.Daemon(self.build, GANGD_LOOPS="2",
                              GANGD_DATABASE_CONNECTIONS="2")
        self.daemons[number] = daemon
        self.ports[number] = daemon.address[1]

    def kill(self, number):
        daemon = self.daemons[number]
        daemon.process.kill()
        daemon.wait()
        self.faults += daemon.faults()
        self.kills += 1
        self.start(number)

    def kill_on(self, seconds, stop):
        """Kill daemons until stopped; one of the two always runs."""
        while not stop.wait(random.uniform(0, seconds)):
            self.kill(random.randrange(2))

    def end(self, tally):
        tally.check("none of the killed daemons has logged a fault of its "
                    "own", not self.faults, self.faults)
        for daemon in self.daemons:
            tally.end_well(daemon)


class Killing:
    """"with Killing(pair, seconds)" kills the daemons alternately."""

    def __init__(self, pair, seconds):
        self.stop = threading.Event()
        self.thread = threading.Thread(target=pair.kill_on,
                                       args=(seconds, self.stop))

    def __enter__(self):
        self.thread.start()
        return self.thread

    def __exit__(self, *what):
        self.stop.set()
        self.thread.join()


# --- a game, and what the log makes of it ------------------------------------

def share(ports):
    """Give the daemons' ports to the process of a player, when it begins."""
    global PORTS
    PORTS = ports


def addresses():
    return [("127.0.0.1", port) for port in PORTS]


def play(task):
    path, token, seat, players, seed, requests = task
    return Retrier(addresses, path, token, seat, players, seed).play(requests)


def is_success(asked):
    """Is it the success of an action, and no repetition?"""
    return asked.is_done and asked.verb != "look" and not asked.again


class Game:
    """One client for each seat, so that the log has each client's order."""

    def __init__(self, pair, pool, players, requests, seed, play=play):
        self.table = gangd.Table(pair.daemons[0], players)
        tasks = [(self.table.path, token, number + 1, players,
                  seed * 10 + number, requests)
                 for number, token in enumerate(self.table.tokens)]
        self.pending = pool.map_async(play, tasks, 1)

    def finish(self, daemon, begun=None):
        self.histories = self.pending.get()
        self.history = sum(self.histories, [])
        self.log = game_log.read_log(daemon, self.table, begun)
        # The events before the first move: players join, and the game starts.
        self.start = next(number for number, event in enumerate(self.log)
                          if event["type"] == "round_started") + 1
        return self

    def faults(self):
        try:
            moves = checker.read_log(self.log, self.start)[1]
            explained = Explained(moves, self.histories).history
        except checker.Fault as fault:
            return [str(fault)]
        return checker.check(self.log, explained, self.start)


class Explained:
    """
    A history for the checker: each success gets the next move of its seat in
    the log, and its view is checked as a read of its own, since the answer to a
    repeated request shows the present view.
    """

    def __init__(self, moves, histories):
        self.moves, self.history = moves, []
        # The log does not say who dealt a heist; the answers of 201 do.
        told = {asked.version for history in histories for asked in history
                if is_success(asked) and asked.tries == 1}
        self.heists = [version for version, move in moves.items()
                       if move.verb == "heist" and version not in told]
        for number, history in enumerate(histories):
            self.explain(history, number + 1)

    def explain(self, history, seat):
        own = collections.deque(version
                                for version, move in self.moves.items()
                                if move.seat == seat)
        last = 0
        for asked in history:
            if is_success(asked):
                last = self.version_of(asked, own, last)
                self.history.append(self.move_of(asked, last))
            if asked.again:
                checker.insist(asked.status == asked.again.status,
                               f"another outcome the second time: {asked}")
            self.history.append(look_of(asked) if asked.is_done else asked)
        checker.insist(not own, f"seat {seat} has moves without answer: {own}")

    def version_of(self, asked, own, last):
        """The version of its move, which follows the seat's last one."""
        if asked.verb != "heist":
            checker.insist(own, f"it is not in the log: {asked}")
            return own.popleft()
        if asked.tries == 1:
            return asked.version
        found = [version for version in self.heists if version > last]
        checker.insist(found, f"it is not in the log: {asked}")
        self.heists.remove(found[0])
        return found[0]

    def move_of(self, asked, version):
        checker.insist(version in self.moves,
                       f"there is no such move in the log: {asked}")
        if asked.tries == 1:
            checker.insist(asked.version == version,
                           f"it is version {version} of the log: {asked}")
        plain = {name: getattr(asked, name) for name in vars(Asked(0, ""))}
        return Asked(**plain | {"version": version,
                                "board": self.moves[version].after.board})


def look_of(asked):
    return Asked(asked.seat, "look", sent=asked.sent,
                 answered=asked.answered, status=asked.status,
                 version=asked.version, board=asked.board)


# --- the test of all this ----------------------------------------------------

def middle(game, wanted):
    found = [asked for asked in game.history if wanted(asked)]
    return found[len(found) // 2]


def renumber(log):
    for number, event in enumerate(log):
        event["version"] = number + 1


def apply_twice(game):
    """An action was applied twice, against the rules."""
    returned = middle(game, lambda a: is_success(a) and a.verb == "return" and
                      a.tries == 1)
    game.log.insert(returned.version,
                    copy.deepcopy(game.log[returned.version - 1]))
    renumber(game.log)


def go_to_and_fro(game):
    """The log has two legal actions without a request."""
    alone = [number for number, event in enumerate(game.log[:-1])
             if event["type"] == "chip_returned" and
             game.log[number + 1]["first"]]
    at = alone[len(alone) // 2]
    returned = game.log[at]
    taken = dict(returned, type="chip_taken",
                 data=dict(returned["data"], **{"from": "center"}))
    game.log[at + 1:at + 1] = [taken, dict(returned)]
    renumber(game.log)


def lose(game):
    """An acknowledged action is lost."""
    gone = middle(game, lambda a: is_success(a) and a.tries == 1).version
    first = max(e["version"] for e in game.log
                if e["first"] and e["version"] <= gone)
    game.log = [e for e in game.log if not first <= e["version"] <= gone]
    renumber(game.log)


def lose_last(game):
    """The log lacks its end."""
    game.log = game.log[:max(e["version"] for e in game.log
                             if e["first"]) - 1]


def refuse_applied(game):
    """An applied move is reported as refused."""
    asked = middle(game, lambda a: is_success(a))
    asked.status, asked.code = 409, "chip_moved"


def acknowledge_refused(game):
    """A refused move is reported as done."""
    refused = middle(game, lambda a: a.code == "chip_already_held")
    done = middle(game, lambda a: is_success(a))
    refused.status, refused.code = 200, None
    refused.version, refused.board = done.version, done.board


def change_outcome(game):
    """A repeated request has another outcome."""
    again = middle(game, lambda a: a.again)
    again.status, again.code = 409, "chip_moved"


def show_old(game):
    """A repeated request is answered with the view of the first time."""
    again = max((a for a in game.history if a.again and a.is_done),
                key=lambda a: a.version - a.again.version)
    again.version, again.board = again.again.version, again.again.board


MEDDLING = (apply_twice, go_to_and_fro, lose, lose_last, refuse_applied,
            acknowledge_refused, change_outcome, show_old)


def try_checker(tally, game):
    for meddle in MEDDLING:
        other = copy.deepcopy((game.log, game.history, game.histories))
        changed = copy.copy(game)
        changed.log, changed.history, changed.histories = other
        meddle(changed)
        tally.check(f"the checker finds out: {meddle.__doc__}",
                    changed.faults())


# --- killed when the database has committed ----------------------------------

class Worst:
    """A daemon that never learns that its change was committed, and dies."""

    def __init__(self, build, statement):
        url = os.environ["GANGD_DATABASE_URL"]
        folder = url.split("host=")[1].split()[0]
        self.proxy = Proxy(folder)
        self.daemon = gangd.Daemon(
            build, GANGD_LOOPS="1", GANGD_DATABASE_TIMEOUT_MS="30000",
            GANGD_DATABASE_URL=url.replace(folder, self.proxy.folder))
        self.daemon.wait_ready()
        self.proxy.arm(Step(statement, BACK, 0, "before", "stall"))

    def ask(self, path, body, token, key):
        """Send it; true if it was committed and no answer came."""
        client = self.daemon.client(token)
        asking = threading.Thread(target=self.ask_in_vain,
                                  args=(client, path, body, key))
        self.told = False
        asking.start()
        committed = self.proxy.done.wait(10)
        self.daemon.process.kill()
        asking.join()
        self.daemon.wait()
        self.proxy.close()
        return committed and not self.told

    def ask_in_vain(self, client, path, body, key):
        try:
            client.post(path, body, headers={"Idempotency-Key": key})
            self.told = True
        except OSError:
            pass


def check_worst(tally, build, pair, name, statement, path, body=None,
                token=None):
    """The other daemon reports, twice, the change made before the crash."""
    key = f"{PREFIX}{name.replace(' ', '-')}-0123456789abcdef"
    counted = "SELECT count(*) FROM gangd.event"
    before = int(gangd.psql(counted))
    unheard = Worst(build, statement).ask(path, body, token, key)
    after = int(gangd.psql(counted))
    client = pair.daemons[1].client(token)
    answers = [client.post(path, body, headers={"Idempotency-Key": key})
               for _ in range(2)]
    client.close()
    tally.check(f"killed after the commit: {name}",
                unheard and after > before and
                int(gangd.psql(counted)) == after and
                answers[0].status in (200, 201) and
                answers[0].status == answers[1].status and
                answers[0].body == answers[1].body and
                answers[0].header("Location") ==
                answers[1].header("Location"),
                [answer.body for answer in answers])
    return answers[0].json


def kill_at_worst(tally, build, pair):
    """A game, from creation to a chip; a daemon dies after each commit."""
    def worst(name, statement, *more):
        return check_worst(tally, build, pair, name, statement, *more)

    made = worst("a game is created", "create", "/v1/games",
                 {"name": "A", "seats": 4})
    path = "/v1/games/" + made["game"]["id"]
    code = made["invite_code"]
    joined = worst("somebody joins", "change_seats", path + "/players",
                   {"name": "B", "invite_code": code})
    worst("somebody joins by the code", "change_seats",
          f"/v1/invitations/{code}/players", {"name": "C"})
    worst("the game starts", "commit_move", path + "/start", None,
          made["token"])
    view = worst("a chip is taken", "commit_move",
                 path + "/chips/white/2/take", None, joined["token"])
    chips = [chip["seat"] for chip in view["heist"]["chips"]]
    tally.check("each token belongs to its seat", chips[1] == 2, chips)
    return made["token"]


# --- the series --------------------------------------------------------------

def persistently(ask):
    """Repeat a request whose daemon may have been killed just now."""
    deadline = time.monotonic() + 20
    while True:
        try:
            return ask()
        except (OSError, KeyError) as error:
            if time.monotonic() > deadline:
                raise error
            time.sleep(0.05)


def begin(pair, *more):
    return persistently(lambda: Game(pair, *more))


def is_retried(asked):
    return asked.tries > 1 and asked.verb != "look"


def hammer(tally, build, pair, pool, kills, actions):
    """Play games until there were this many kills and actions, and a request was
    on its way at every second kill, or for three times as long; one game."""
    games, done, met = [], 0, 0
    with Killing(pair, LONG_SECONDS) as killing:
        while killing.is_alive() and done < 3 * actions and (
                done < actions or pair.kills < kills or met < kills / 2):
            games.append(begin(pair, pool, PLAYERS[len(games) % len(PLAYERS)],
                               REQUESTS, len(games)))
            played = sum(games[-1].pending.get(), [])
            done += sum(map(is_success, played))
            met += sum(map(is_retried, played))
    faults = sum((game.finish(pair.daemons[0]).faults() for game in games),
                 [])
    asked = sum((game.history for game in games), [])
    retried = [a for a in asked if is_retried(a)]
    again = sum(bool(a.again) for a in asked)
    heists = sum(event["type"] == "heist_started"
                 for game in games for event in game.log)
    print(f"{pair.kills} kills; {done} actions acknowledged in {len(games)} "
          f"games and {heists} heists, of {len(asked)} requests; "
          f"{len(retried)} were sent more than once, {again} again after "
          "their success")
    tally.check("every request has an outcome, and none is a fault",
                all(a.status and a.status < 500 for a in asked))
    tally.check("many requests were sent more than once",
                len(retried) >= kills / 2 and again > 0, len(retried))
    tally.check("every action that was acknowledged is in the log once, and "
                "the log explains every answer", not faults,
                "\n".join(faults[:5]))
    game_log.check_replays(tally, build, [game.table.id for game in games])
    return max(games, key=lambda game: len(game.history))


def overlaps(history):
    """How many requests overlap with others."""
    count, busy_until = 0, 0.0
    for asked in sorted(history, key=lambda each: each.sent):
        count += asked.sent < busy_until
        busy_until = max(busy_until, asked.answered)
    return count


def linearize(tally, pair, pool, count):
    """Many short games, during some of which a daemon is killed."""
    faults, kills, asked, at_once = [], pair.kills, [], 0
    played = 0
    with Killing(pair, SHORT_SECONDS) as killing:
        # On a fast machine all may be over before the first kill.
        while played < count or (pair.kills == kills and killing.is_alive()):
            games = [begin(pair, pool, SHORT_PLAYERS, SHORT_REQUESTS,
                           played + number)
                     for number in range(min(BATCH, count))]
            played += len(games)
            for game in games:
                game.pending.wait()
            begun = game_log.begins([game.table for game in games])
            for game in games:
                persistently(lambda: game.finish(pair.daemons[0], begun))
                faults += game.faults()
                asked += game.history
                at_once += overlaps(game.history)
    kills = pair.kills - kills
    retried = sum(a.tries > 1 for a in asked)
    print(f"{played} short games of {SHORT_PLAYERS}, {len(asked)} requests, of "
          f"which {at_once} overlapped, {kills} kills, {retried} sent more "
          "than once")
    tally.check(f"{count} histories have an order, which is the log's",
                at_once > 0 and kills > 0 and not faults,
                "\n".join(faults[:5]))


# --- what must not be stored --------------------------------------------------

def dump():
    return subprocess.run(
        ["pg_dump", "--data-only", os.environ["GANGD_MIGRATE_URL"]],
        check=True, stdout=subprocess.PIPE).stdout


def stands_in(text, data):
    """Is it there, as text or as a dump prints bytes?"""
    return text.encode() in data or text.encode().hex().encode() in data


def check_dump(tally, token):
    data = dump()
    keys = int(gangd.psql("SELECT sum(length(recent_keys)) FROM gangd.game"))
    tally.check("the dump has keys", keys > 1000 and
                b", recent_keys)" in data, keys)
    tally.check("no key is in the database", not stands_in(PREFIX, data))
    tally.check("no token is in the database",
                not stands_in("gang_", data) and not stands_in(token, data))
    gangd.psql("CREATE TABLE gangd.planted AS SELECT "
               f"'{PREFIX}'::text AS key, '{token}'::bytea AS token")
    data = dump()
    tally.check("the search finds a key that is there",
                stands_in(PREFIX, data) and stands_in(token, data) and
                stands_in("gang_", data))
    gangd.psql("DROP TABLE gangd.planted")


def check_logs(tally, pair):
    lines = "".join(line for daemon in pair.daemons for line in daemon.lines)
    tally.check("no key and no token is in the daemons' logs",
                lines and PREFIX not in lines and "gang_" not in lines)


# --- all of it ---------------------------------------------------------------

def number_of(name, otherwise):
    return int(os.environ.get(name, otherwise))


def test_kill_and_retry(tally, build, database):
    ports = multiprocessing.Array("i", 2)
    pool = multiprocessing.Pool(max(PLAYERS), share, [ports])
    pair = Pair(build, ports)
    for daemon in pair.daemons:
        daemon.wait_ready()
    token = kill_at_worst(tally, build, pair)
    game = hammer(tally, build, pair, pool, number_of("KILLS", KILLS),
                  number_of("ACTIONS", ACTIONS))
    try_checker(tally, game)
    linearize(tally, pair, pool, number_of("GAMES", GAMES))
    pool.close()
    pool.join()
    check_dump(tally, token)
    check_logs(tally, pair)
    pair.end(tally)
