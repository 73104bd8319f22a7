#!/usr/bin/python3
"""capacity.py BUILD - how many players a machine serves.

"make bench-capacity" runs this under deploy/local/with-cluster.sh --durable.  A
number of players is served if 99 of 100 moves are answered within 100 ms, from
the time when they are due, and every answer is a success.  The number is doubled
until it is not served, and the gap is then halved; the greatest number that was
served must be served once more, for longer.

Four players sit at a table, and each moves every 4 s; players.py says how.  It is
measured three times: with the service, the database and the clients on all
processors; the same with tables whose four players all move within one second, as
at the beginning of a round; and with the service on one processor and the database
on another.

The daemon holds a stream for every second player, so the limit on open files
(ulimit -Hn) may end a trial.

  SECONDS       of each trial, 8 by default; the last one takes twice as long
  CAPACITY_MIN  players to begin with, 1000 by default
  CAPACITY_MAX  players at most, 64000 by default
  GOAL_MS       within which 99 of 100 moves are answered, 100 by default
  HALVINGS      4 by default: the result is within 6 % of its double
  PLAYERS       numbers of players: only these are tried, and none is looked for
"""
import collections
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "harness"))

import gangd  # noqa: E402
from bench_games import Maker  # noqa: E402
from players import CONNECTIONS, SEATS, THINK, Players, percentile  # noqa: E402
from processor import Server, work_seconds  # noqa: E402

SECONDS = int(os.environ.get("SECONDS", "8"))
LEAST = int(os.environ.get("CAPACITY_MIN", "1000"))
MOST = int(os.environ.get("CAPACITY_MAX", "64000"))
HALVINGS = int(os.environ.get("HALVINGS", "4"))
PLAYERS = os.environ.get("PLAYERS")
GOAL_MS = int(os.environ.get("GOAL_MS", "100"))
FULL = 0.9       # of a processor, or of the time for flushes
RUSH = 1         # seconds in which a table's players move, in the second part

Trial = collections.namedtuple(
    "Trial", "players moves p50 p99 view_p99 late service database client disk syncs bad")


class Capacity:
    """A daemon, and the server that it asks; processors, or None: any."""

    def __init__(self, build, rush=THINK, service=None, database=None):
        self.rush = rush
        self.server = Server()
        pin(self.server.tree(), database)
        settings = {"GANGD_CONNECTIONS": str(MOST // 2 + 2 * CONNECTIONS)}
        if service is not None:
            settings["GANGD_LOOPS"] = "1"
        self.daemon = gangd.Daemon(
            build, log=pathlib.Path(build, "capacity", "daemon.log"),
            **settings)
        pin([self.daemon.pid], service)
        self.daemon.wait_ready()
        self.maker = Maker(self.daemon, SEATS)
        # Flushes of the log follow each other, so their time is a share.
        gangd.psql("ALTER SYSTEM SET track_wal_io_timing = on",
                   url=gangd.superuser())
        gangd.psql("SELECT pg_reload_conf()", url=gangd.superuser())
        self.trials = []

    def used(self):
        syncs, sync_ms = gangd.psql("SELECT wal_sync, wal_sync_time "
                                    "FROM pg_stat_wal").split("|")
        return {"service": work_seconds(self.daemon.pid),
                "database": self.server.seconds(),
                "disk": float(sync_ms) / 1000, "syncs": int(syncs)}

    def try_players(self, count, seconds=SECONDS):
        """Let this many players play for a time."""
        players = Players(self.daemon, self.maker.make(-(-count // SEATS)),
                          seconds, self.rush)
        before, after = {}, {}
        play = players.play(lambda: before.update(self.used()),
                            lambda: after.update(self.used()))
        trial = judge(count, seconds, play,
                      {name: (after[name] - before[name]) / seconds
                       for name in after})
        self.trials.append(trial)
        each_us = 1e6 * (trial.service + trial.database) / max(trial.moves, 1)
        print(f"  {trial.players:6d} players {trial.moves:6.0f} moves/s  "
              f"p50 {trial.p50:6.1f}  p99 {trial.p99:7.1f} ms  event to view "
              f"p99 {trial.view_p99:7.1f} ms  sent late "
              f"{trial.late:6.1f} ms  processors: service "
              f"{trial.service:.2f} database {trial.database:.2f} clients "
              f"{trial.client:.2f}, {each_us:.0f} us a move  "
              f"{trial.syncs:.0f} flushes/s "
              f"in {trial.disk:.2f} of the time  {trial.bad}", flush=True)
        return not trial.bad

    def find(self):
        """The greatest number of players that is served."""
        good, bad = 0, None
        players = LEAST
        while bad is None and players <= MOST:
            if self.try_players(players):
                good, players = players, 2 * players
            else:
                bad = players
        for _ in range(HALVINGS if bad else 0):
            middle = (good + bad) // 2 // SEATS * SEATS
            if self.try_players(middle):
                good = middle
            else:
                bad = middle
        while good and not self.try_players(good, 2 * SECONDS):
            good = good * 9 // 10 // SEATS * SEATS
        return good

    def stop(self):
        pin(self.server.tree(), None)
        if self.daemon.stop():
            raise SystemExit("the daemon failed")


def judge(count, seconds, play, used):
    bad = play.fault
    if not bad and not play.moves:
        bad = "no moves"
    elif not bad and play.failed:
        bad = f"{play.failed} failed"
    elif not bad and percentile(play.moves, 99) > GOAL_MS:
        bad = "too slow"
    return Trial(count, len(play.moves) / seconds, percentile(play.moves, 50),
                 percentile(play.moves, 99), percentile(play.events, 99),
                 percentile(play.lates, 99), bad=bad,
                 client=play.client_seconds / seconds, **used)


def pin(pids, processor):
    """Let processes, with all their threads, run on this processor alone."""
    where = {processor} if processor is not None else range(os.cpu_count())
    for pid in pids:
        try:
            for thread in os.listdir(f"/proc/{pid}/task"):
                os.sched_setaffinity(int(thread), where)
        except (FileNotFoundError, ProcessLookupError):
            pass  # it has ended


def saturated(trials, pinned):
    """The part that was full, or nearest to it, when players were first not
    served."""
    failed = [trial for trial in trials if trial.bad]
    trial = min(failed, key=lambda one: one.players) if failed else trials[-1]
    if not failed:
        return "nothing up to CAPACITY_MAX"
    processors = trial.service + trial.database + trial.client
    shares = {"the disk that the log is flushed to": trial.disk}
    if pinned:
        shares["the processor of the service"] = trial.service
        shares["the processor of the database"] = trial.database
    shares[f"all {os.cpu_count()} processors (service {trial.service:.2f}, "
           f"database {trial.database:.2f}, clients {trial.client:.2f})"] = \
        processors / os.cpu_count()
    name, share = max(shares.items(), key=lambda one: one[1])
    return f"{name}, {100 * share:.0f} % used" + \
        ("" if share >= FULL else ", as far as these processes tell")


def report(name, capacity, players, pinned):
    best = [one for one in capacity.trials if one.players == players][-1:]
    print(f"\n{name}: {players} players")
    print("  first full:", saturated(capacity.trials, pinned))
    for one in best:
        print(f"  p99 {one.p99:.0f} ms, p50 {one.p50:.1f} ms; a thousand "
              f"players take {1000 * one.service / players:.3f} of a processor "
              f"for the service, {1000 * one.database / players:.3f} for the "
              f"database ({1000 * one.client / players:.3f} for the clients)\n",
              flush=True)


def main():
    build = sys.argv[1]
    pathlib.Path(build, "capacity").mkdir(exist_ok=True)
    gangd.migrate(build)
    gangd.fill_log()
    failed = passed = 0
    for name, rush, *pins in (
            ("service, database and clients on all processors", THINK),
            ("the same, a table's players move within a second", RUSH),
            ("service and database on a processor each", THINK, 0, 1)):
        if pins and os.cpu_count() < 2:
            continue
        print(name, flush=True)
        capacity = Capacity(build, rush, *pins)
        if PLAYERS:
            good = all([capacity.try_players(int(count))
                        for count in PLAYERS.split()])
        else:
            good = capacity.find()
            report(name, capacity, good, bool(pins))
        passed, failed = passed + bool(good), failed + (not good)
        capacity.stop()
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
