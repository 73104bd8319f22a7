"""What it costs to be watched: thousands of games with a stream each, in which
nothing happens.  The figures are of 100,000 games; a process here may open 20,000
files, so they are those of WATCHED games times a factor, but for what the service and
the server take without any stream.
"""
import time

from bench_games import Maker
from figures import ROUNDS, span
from players import Players, SEATS
from processor import Server, memory_kib, work_seconds

WATCHED = 16000
ALL = 100000
SETTLE_SECONDS = 70  # the first note of each player, and a vacuum
QUIET_SECONDS = 60   # each player is noted once
CONNECTIONS = WATCHED + 1000


class Watched:
    """A game of which one seat listens."""

    def __init__(self, game):
        self.path, self.tokens = game.path, game.tokens[:1]


def measure(bench, table):
    server, maker = Server(), Maker(bench.daemon, SEATS)
    games = [Watched(game) for game in maker.make(WATCHED)]
    before = memory_kib(bench.daemon)

    def run():
        begun = work_seconds(bench.daemon.pid), server.seconds()
        time.sleep(QUIET_SECONDS)
        ended = work_seconds(bench.daemon.pid), server.seconds()
        return [(b - a) / QUIET_SECONDS for a, b in zip(begun, ended)]

    alone = run()
    players = Players(bench.daemon, [], 0, listeners=games)
    time.sleep(SETTLE_SECONDS)
    memory = (memory_kib(bench.daemon) - before) / WATCHED

    runs = [[one + (all_ - one) * ALL / WATCHED
             for all_, one in zip(run(), alone)] for _ in range(ROUNDS)]
    players.end()
    service, database = zip(*runs)
    sums = [a + b for a, b in runs]
    table.add(f"processors for {ALL} games with a stream each, nothing moves",
              f"{span(sums, '{:.3f}')} (service {span(service, '{:.3f}')}, "
              f"database {span(database, '{:.3f}')})", goal="<= 0.05",
              value=sorted(sums)[len(sums) // 2])
    table.add("memory of a stream", f"{memory:.1f} KiB")
