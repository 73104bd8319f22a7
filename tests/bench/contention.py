"""Contention: moves of other games while one game is locked, and six clients
on each game.
"""
import os
import signal
import subprocess
import threading
import time

import gangd
import pace
from figures import ROUNDS, SECONDS, span
from bench_games import Maker

LOCK_SECONDS = 2
# Lock a game's row for this many seconds, again and again.
LOCK = """DO $$ BEGIN LOOP
    PERFORM 1 FROM gangd.game WHERE game_id = '{id}' FOR UPDATE;
    PERFORM pg_sleep({seconds});
    COMMIT;
END LOOP; END $$"""
IS_LOCKED = """SELECT count(*) FROM pg_stat_activity
    WHERE wait_event = 'PgSleep'"""
CLIENTS = 60
PLAYERS = 6
PATIENCE_SECONDS = 10


def await_count(statement, wanted):
    """Wait until a statement counts as many."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while int(gangd.psql(statement)) != wanted:
        if time.monotonic() > deadline:
            raise SystemExit(f"not {wanted}: {statement}")
        time.sleep(0.05)


# --- a game that another session has locked ----------------------------------

class Locked:
    """A game whose row a session of ours locks, and one client that moves."""

    def __init__(self, bench):
        self.game = bench.maker.make(1)[0]
        self.client = bench.daemon.client(self.game.tokens[0])
        self.statuses = []
        self.stopping = threading.Event()
        self.thread = threading.Thread(target=self.move)

    def move(self):
        while not self.stopping.is_set():
            stars = 1 + len(self.statuses) % 2
            self.statuses.append(self.client.post(
                f"{self.game.path}/chips/white/{stars}/take").status)

    def __enter__(self):
        self.session = subprocess.Popen(
            ["psql", "-X", "-q", os.environ["GANGD_MIGRATE_URL"], "-c",
             LOCK.format(id=self.game.id, seconds=LOCK_SECONDS)],
            stderr=subprocess.DEVNULL)
        await_count(IS_LOCKED, 1)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.stopping.set()
        self.thread.join()
        self.session.send_signal(signal.SIGINT)
        self.session.wait()
        self.client.close()
        if 503 not in self.statuses:
            raise SystemExit("the lock has held nobody")


def measure_locked(bench, table):
    with_lock, without, errors, refused = [], [], 0, 0

    def run_with():
        nonlocal errors, refused
        with Locked(bench) as locked:
            bench.make_games("move.lua", 64)
            run = bench.ask("move.lua", 64, SECONDS, may_fail=True)
        with_lock.append(run["p99_us"] / 1000)
        errors += run["errors"]
        refused += locked.statuses.count(503)

    def run_without():
        without.append(bench.wrk("move.lua", 64)["p99_us"] / 1000)

    for number in range(ROUNDS):
        for run in (run_with, run_without)[::-1 if number % 2 else 1]:
            run()
    table.compare(f"p99 of moves of other games, one game locked for "
                  f"{LOCK_SECONDS} s again and again / none", with_lock,
                  without, "<= 1.5", "{:.1f}", " ms")
    table.add("answers to them that are no success, such as 503",
              f"{errors:.0f}", f"of the locked game: {refused} x 503", "<= 0",
              errors)


# --- conflicts ---------------------------------------------------------------

LOOK_UPS = """SELECT idx_scan FROM pg_stat_all_tables
    WHERE relid = 'gangd.game'::regclass"""
LOOK_UPS_EACH = 2  # of a conflict
SESSIONS = """SELECT count(*) FROM pg_stat_activity
    WHERE application_name = 'gangd'"""


class Contended:
    """A run by clients that each are a seat, and send their next move when the
    last is answered.  Each move takes a chip, perhaps another player's.

    It asks a daemon that then ends: a process of the server reports how often
    it has looked up the row of a game when it ends.
    """

    def __init__(self, bench, seats):
        sessions = int(gangd.psql(SESSIONS))
        before = int(gangd.psql(LOOK_UPS))
        daemon = gangd.Daemon(str(bench.folder.parent),
                              log=bench.folder / "other.log")
        daemon.wait_ready()
        run = pace.run_clients(bench, "move", seats, len(seats), 0, daemon)
        if daemon.stop():
            raise SystemExit("the other daemon failed")
        await_count(SESSIONS, sessions)
        self.rate, self.p99 = run.rate, run.p(99)
        self.look_ups = ((int(gangd.psql(LOOK_UPS)) - before) /
                         len(run.latencies))


def measure_conflicts(bench, table):
    """As many clients on fewer games."""
    maker = Maker(bench.daemon, PLAYERS)

    def run_crowded():
        games = maker.make(CLIENTS // PLAYERS)
        crowded.append(Contended(bench, [(game.path, token) for game in games
                                         for token in game.tokens]))

    def run_alone():
        alone.append(Contended(bench, pace.first_seats(maker.make(CLIENTS))))

    crowded, alone = [], []
    for number in range(ROUNDS):
        for run in (run_crowded, run_alone)[::-1 if number % 2 else 1]:
            run()
    name = f"{CLIENTS} clients, {PLAYERS} on each game / one on each"
    table.compare("moves / s, " + name, [run.rate for run in crowded],
                  [run.rate for run in alone], unit=" / s")
    table.compare("p99 of a move, " + name, [run.p99 for run in crowded],
                  [run.p99 for run in alone], form="{:.1f}", unit=" ms")
    # A conflict is a load and a commit more; of loads at once some are shared.
    table.add(f"conflicts a move, at least, {PLAYERS} clients on each game",
              span([(one.look_ups - two.look_ups) / LOOK_UPS_EACH
                    for one, two in zip(crowded, alone)], "{:.1f}"))
