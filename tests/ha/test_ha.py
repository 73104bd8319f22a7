#!/usr/bin/python3
"""test_ha.py BUILD FOLDER [VARIABLE=VALUE...] - hosts and daemons fail while players
retry.

Three hosts with PostgreSQL under Patroni and etcd, each in a network namespace of
its own, two daemons, HAProxy before them (deploy/ha/cluster.py).  Players
(retrier.py) of several games at a time send each move under a key, until there is an
outcome.  Meanwhile one fault comes after the other (faults.py), each when the last
is repaired and the players have made their share of the moves: a thirty-sixth of
them between two of 36 faults.  So a slow machine takes longer and does no less.

At the end the log has every acknowledged move once, in the order of its
player, and no other move; the log explains every answer (checker.py); and the
three nodes hold the same rows.  The longest time without an acknowledged move is
printed for each fault; the median of faults that have a goal must meet it.

First of all, "make run-ha" serves from three hosts on loopback within a minute; the
variables are make's, for it.  Before the faults an operator switches over, replaces a password, fails over and
brings the lost node back by the commands of deploy/README.md (runbook.py).

The checker's work grows with the moves alone, since each game is checked by itself
and ends after some hundred moves.

To be run by deploy/ha/test.sh.  In the environment: FAULTS and MOVES, their numbers
(36 and 200,000); ONLY, the names of the faults to choose from; SEED, which sets the
order of the faults; SECONDS, after which the test ends, complete or not (3600);
STANDBYS_GONE (standbys_gone.py), STALLS and BUSY (stalls.py).  A fault does not wait for the moves
when its share of that time is over.
"""
import collections
import multiprocessing
import os
import random
import signal
import statistics
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", folder) for folder in
                ("harness", "torture", "../deploy/ha")]
import cluster
import faults
import game_log
import gangd
import retrier
import runbook
import stalls
import standbys_gone
import test_kill_and_retry as crash
from process import wait_for

TABLES = 8               # at a time
PLAYERS = (3, 4, 5)
REQUESTS = 100000        # of a player: a game ends by its rules
LISTEN = "127.0.0.1:18450"
SOME = 30                # moves that show that moves are acknowledged
MOVE_SECONDS = 90        # within which enough moves must follow a fault
GOALS = {"database": 12, "node": 12, "disk": 12, "freeze_primary": 12,
         "partition": 12, "split": 12}
GOAL_FAULTS = 3          # of fewer the median says little
UP_GOAL = 60
RUN_LISTEN = "127.0.0.1:8080"  # of make run-ha
RUN_STOP_SECONDS = 120


# --- players -----------------------------------------------------------------

class Shared:
    """The memory that the players' processes share with this one."""

    def __init__(self):
        self.moves = multiprocessing.Value("q", 0)
        self.stop = multiprocessing.Value("b", 0)


class Player(retrier.Retrier):
    def insist(self, asked):
        super().insist(asked)
        if crash.is_success(asked):
            with SHARED.moves.get_lock():
                SHARED.moves.value += 1
        self.ended = self.ended or bool(SHARED.stop.value)
        return asked


def share(shared):
    global SHARED
    SHARED = shared
    # Many who ask all the time would keep the new primary from starting.
    retrier.PAUSE_SECONDS = 0.2
    retrier.GIVE_UP_SECONDS = 150 + crash.number_of("STANDBYS_GONE", 0)


def addresses():
    host, port = LISTEN.rsplit(":", 1)
    return [(host, int(port))]


def play(task):
    path, token, seat, players, seed, requests = task
    return Player(addresses, path, token, seat, players, seed).play(requests)


class Front:
    """The balancer, as the harness knows a daemon."""

    def client(self, token=None, timeout=10):
        return gangd.Client(addresses()[0], token, timeout)


class Pair:
    daemons = [Front()]


def persistently(ask, stop=lambda: False):
    """Repeat a request while hosts fail; None if it is to stop."""
    while not stop():
        try:
            return ask()
        except (OSError, KeyError, ValueError, gangd.http.client.HTTPException,
                subprocess.CalledProcessError):
            time.sleep(0.2)
    return None


class Tables:
    """Games, some at a time, each of which is followed by another."""

    def __init__(self, shared):
        self.shared = shared
        self.pool = multiprocessing.Pool(TABLES * max(PLAYERS), share,
                                         [shared])
        self.games = []
        self.threads = [threading.Thread(target=self.run, args=(number,))
                        for number in range(TABLES)]
        for thread in self.threads:
            thread.start()

    def run(self, number):
        seed = number
        while not self.shared.stop.value:
            players = PLAYERS[seed % len(PLAYERS)]
            game = persistently(
                lambda: crash.Game(Pair, self.pool, players, REQUESTS, seed,
                                   play),
                lambda: self.shared.stop.value)
            if game:
                self.games.append(game)
                game.histories = game.pending.get()
            seed += TABLES

    def end(self):
        self.shared.stop.value = 1
        for thread in self.threads:
            thread.join()
        self.pool.close()
        self.pool.join()


# --- faults ------------------------------------------------------------------

class Event:
    def __init__(self, kind):
        self.kind = kind
        self.begun = time.monotonic()
        self.ended = None
        self.gap = 0.0


def choose_kinds(count):
    """This many kinds in random order, each in its share."""
    only = os.environ.get("ONLY", "").split()
    kinds = []
    while len(kinds) < count:
        block = [kind for kind, share in faults.KINDS.items()
                 for _ in range(share) if not only or kind.__name__ in only]
        random.shuffle(block)
        kinds += block
    return kinds[:count]


class Pace:
    """Lets play go on until a share of the moves is made."""

    def __init__(self, shared, moves, seconds):
        self.shared, self.moves = shared, moves
        self.seconds = seconds
        self.rates = []       # moves a second while nothing was wrong

    def is_late(self, share=1):
        return time.monotonic() - BEGUN > self.seconds * share

    def play(self, done, of):
        """Wait for this share of the parts, or the time of the next one."""
        begun, before = time.monotonic(), self.shared.moves.value
        while self.shared.moves.value < self.moves * done / of and \
                not self.is_late(min(1, (done + 1) / of)):
            time.sleep(0.2)
        lasted = time.monotonic() - begun
        if lasted > 1:
            self.rates.append((self.shared.moves.value - before) / lasted)

    def print(self):
        if self.rates:
            print(f"{statistics.median(self.rates):.0f} moves a second between "
                  f"faults (median), {self.shared.moves.value} in "
                  f"{time.monotonic() - BEGUN:.0f} s", flush=True)


def await_moves(shared, since):
    wait_for("moves are acknowledged after a fault", lambda:
             shared.moves.value >= since + SOME, MOVE_SECONDS)


def bring_about(tally, site, shared, kind):
    """Inject a fault, repair it, and wait until all is as before."""
    event = Event(kind.__name__)
    promotions = len(site.history())
    print(f"{event.begun - BEGUN:6.0f} s: {kind.__doc__}", flush=True)
    restore = kind(site)
    if kind in faults.IMMEDIATE:
        time.sleep(faults.IMMEDIATE[kind])
    else:
        # Moves on the way when the fault came say nothing.
        time.sleep(0.5)
        await_moves(shared, shared.moves.value)
    restore()
    await_moves(shared, shared.moves.value)
    wait_for("all is whole again", site.is_whole, 180)
    event.ended = time.monotonic()
    if kind in faults.HARMLESS:
        tally.check(f"no failover: {kind.__name__}",
                    len(site.history()) == promotions, site.history())
    print(f"         whole again after {event.ended - event.begun:.0f} s; "
          f"{shared.moves.value} moves", flush=True)
    time.sleep(random.uniform(0, 2))
    return event


# --- what came of it ---------------------------------------------------------

def find_gaps(events, times):
    """The longest time without an acknowledged move, by fault."""
    usual = 0.0
    for before, after in zip(times, times[1:]):
        met = [event for event in events
               if before < event.ended and after > event.begun]
        for event in met:
            event.gap = max(event.gap, after - before)
        if not met:
            usual = max(usual, after - before)
    return usual


def print_gaps(events, usual):
    print("| fault | times | s without a move: median | most |\n|---|---|---|---|")
    kinds = collections.defaultdict(list)
    for event in events:
        kinds[event.kind].append(event.gap)
    for kind in faults.KINDS:
        gaps = kinds.get(kind.__name__)
        if gaps:
            print(f"| `{kind.__name__}`: {kind.__doc__} | {len(gaps)} | "
                  f"{statistics.median(gaps):.1f} | {max(gaps):.1f} |")
    print(f"| none | | | {usual:.1f} |", flush=True)
    return kinds


def check_goals(tally, kinds):
    """One fault on a busy machine says little: the median must meet the goal."""
    for kind, most in GOALS.items():
        gaps = kinds.get(kind, [])
        if gaps:
            print(f"goal of {kind}: at most {most} s: "
                  f"{'met' if max(gaps) <= most else 'MISSED'} by the longest",
                  flush=True)
        if len(gaps) >= GOAL_FAULTS:
            tally.check(f"the median of {kind} is at most {most} s",
                        statistics.median(gaps) <= most, gaps)


def check_reserves(tally, reserves):
    if not reserves:
        return
    print("a primary that reached only the daemons had ended their connections "
          f"for {min(reserves):.1f} s at least when another was promoted",
          flush=True)
    tally.check("a former primary serves nobody", min(reserves) > 0, reserves)


def read(game):
    """The log of a game, and where play begins in it."""
    game.pending = None
    game.history = sum(game.histories, [])
    game.log = game_log.read_log(Front(), game.table, BEGINS)
    game.start = next(at for at, event in enumerate(game.log)
                      if event["type"] == "round_started") + 1


def judge_game(number):
    """The faults of the game of this number, and how many moves were
    acknowledged, and made."""
    game = GAMES[number]
    read(game)
    acknowledged = sum(map(crash.is_success, game.history))
    moves = sum(event["first"] for event in game.log[game.start:])
    return game.faults(), acknowledged, moves


def judge(tally, games):
    global GAMES, BEGINS
    GAMES = games
    BEGINS = game_log.begins([game.table for game in games])
    with multiprocessing.get_context("fork").Pool(2) as pool:
        found = pool.map(judge_game, range(len(games)), 1)
    lost = sum(max(0, told - moves) for _, told, moves in found)
    doubled = sum(max(0, moves - told) for _, told, moves in found)
    wrong = sum((each[0] for each in found), [])
    print(f"{sum(each[1] for each in found)} moves acknowledged in "
          f"{len(games)} games: {lost} lost, {doubled} doubled; "
          f"{len(wrong)} answers without an explanation", flush=True)
    tally.check("no acknowledged move is lost", lost == 0, lost)
    tally.check("no move was made twice", doubled == 0, doubled)
    tally.check("the log explains every answer, and has nothing else",
                not wrong, "\n".join(wrong[:5]))
    game_log.check_replays(tally, BUILD, [game.table.id for game in games])


def same_rows(site):
    """The same rows on all three, as each says."""
    queries = [f"SELECT count(*), sum(hashtextextended({table}::text, 0)) "
               f"FROM gangd.{table}" for table in ("game", "event", "seat")]
    told = [subprocess.run(
        ["psql", "-XqAt", "-v", "ON_ERROR_STOP=1",
         site.url("gangd_migrate", [host], target_session_attrs="any"),
         *sum((["-c", query] for query in queries), [])],
        check=True, text=True, stdout=subprocess.PIPE).stdout
        for host in site.hosts]
    return told[0] and told[1:] == told[:-1]


def try_checker(tally, games):
    """The checker finds what is planted into the longest game."""
    game = max(games, key=lambda each: sum(map(len, each.histories)))
    read(game)
    crash.try_checker(tally, game)


# --- make run-ha -------------------------------------------------------------

def creates_game(address):
    client = gangd.Client(address, timeout=5)
    try:
        return client.post("/v1/games", {"name": "Ada"}).status == 201
    except (OSError, gangd.http.client.HTTPException):
        return False
    finally:
        client.close()


def try_run_ha(tally, folder, variables):
    """Start what make run-ha starts, create a game, and stop it.  If it does
    not stop, it would disturb the rest, so this program ends."""
    host, port = RUN_LISTEN.rsplit(":", 1)
    path = os.path.join(folder, "run-ha.log")
    begun = time.monotonic()
    with open(path, "wb") as log:
        run = subprocess.Popen(
            [os.path.join(HERE, "..", "..", "deploy", "ha", "run.sh"),
             *variables], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            start_new_session=True,
            env=dict(os.environ, GANGD_LISTEN=RUN_LISTEN, KEEP=""))
    made = False
    while not made and run.poll() is None and \
            time.monotonic() - begun < UP_GOAL:
        made = creates_game((host, int(port)))
        time.sleep(0.2)
    took = time.monotonic() - begun
    try:
        # As the terminal does it for Ctrl-C, to all of its group.
        os.killpg(run.pid, signal.SIGTERM)
    except ProcessLookupError:
        pass
    try:
        run.wait(RUN_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        raise SystemExit("ha: make run-ha does not stop") from None
    with open(path, encoding="utf-8", errors="replace") as log:
        said = log.read()
    tally.check(f"make run-ha serves within {UP_GOAL} s ({took:.0f} s)", made,
                said)
    tally.check("and stops", "gangd: stopping" in said and
                not creates_game((host, int(port))), said)


# --- one thing for long ------------------------------------------------------

def play_during(tally, site, shared, happen, seconds):
    """The games that were played meanwhile."""
    tables, broken = Tables(shared), None
    try:
        wait_for("moves are acknowledged",
                 lambda: shared.moves.value > 10 * SOME)
        wait_for("there are games", lambda: tables.games)
        happen(tally, site, shared, Front(), tables.games[-1], seconds)
    except (SystemExit, Exception) as error:  # the rest is judged anyway
        broken = error
    finally:
        tables.end()
    tally.check("all was whole again", not broken, broken)
    return tables.games


# --- all of it ---------------------------------------------------------------

def rehearse(tally, site, shared):
    """The runbook; one event, so that its gaps are not those of no fault."""
    event = Event("rehearse")
    runbook.Rehearsal(tally, site, Front(), lambda: await_moves(
        shared, shared.moves.value)).run()
    event.ended = time.monotonic()
    return [event]


def torment(tally, site, shared, count, pace):
    """Faults while tables play; the events and the games."""
    tables, events, broken = Tables(shared), [], None
    try:
        await_moves(shared, 0)
        events = rehearse(tally, site, shared)
        for number, kind in enumerate(choose_kinds(count)):
            pace.play(number, count)
            if pace.is_late():
                break
            events.append(bring_about(tally, site, shared, kind))
        pace.play(1, 1)
    except (SystemExit, Exception) as error:  # the rest is judged anyway
        broken = error
    finally:
        tables.end()
    pace.print()
    tally.check("after each fault all was whole again", not broken, broken)
    made = sum(event.kind != "rehearse" for event in events)
    tally.check(f"there were {count} faults", made >= count, made)
    tally.check(f"{pace.moves} moves were acknowledged",
                shared.moves.value >= pace.moves, shared.moves.value)
    return events, tables.games


def meet_faults(tally, site, shared):
    """The games that were played while faults came; prints their gaps."""
    number_of = crash.number_of
    events, games = torment(tally, site, shared, number_of("FAULTS", 36),
                            Pace(shared, number_of("MOVES", 200000),
                                 number_of("SECONDS", 3600)))
    times = sorted(asked.answered for game in games
                   for history in game.histories for asked in history
                   if crash.is_success(asked))
    check_goals(tally, print_gaps(events, find_gaps(events, times)))
    check_reserves(tally, faults.RESERVES)
    return games


def main():
    global BEGUN, BUILD
    BEGUN = time.monotonic()
    BUILD, folder, *variables = sys.argv[1:]
    number_of = crash.number_of
    seed = number_of("SEED", random.SystemRandom().randrange(1 << 32))
    print(f"SEED={seed}", flush=True)
    random.seed(seed)
    modes = {run: number_of(name, 0) for name, run in (
        ("STANDBYS_GONE", standbys_gone.run), ("STALLS", stalls.run))}
    long_run = next((run for run, seconds in modes.items() if seconds), None)
    tally = gangd.Tally()
    if not long_run:
        try_run_ha(tally, folder, variables)
    os.environ.update(GANGD_QUOTAS="off", GANGD_CONNECTIONS_PER_ADDRESS="0")
    site = cluster.Cluster(folder, BUILD, LISTEN, namespaces=True)
    os.environ["GANGD_MIGRATE_URL"] = site.url("gangd_migrate")
    os.environ["GANGD_DATABASE_URL"] = site.url("gangd_app")
    try:
        up = site.start()
        tally.check(f"all serve within {UP_GOAL} s ({up:.0f} s)",
                    up <= UP_GOAL)
        shared = Shared()
        if long_run:
            games = play_during(tally, site, shared, long_run,
                                modes[long_run])
        else:
            games = meet_faults(tally, site, shared)
        judge(tally, games)
        try_checker(tally, games)
        wait_for("all three nodes hold the same rows",
                 lambda: same_rows(site), 60)
        tally.check("all three nodes hold the same rows", True)
    finally:
        site.stop()
    tally.end()


if __name__ == "__main__":
    main()
