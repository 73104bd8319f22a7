"""Moves while others only listen: each player moves as in players.py, and thousands
of streams of other games are open, in which nothing happens.

The rounds go through all numbers of listeners, upwards and downwards alternately, so
that what drifts does not favour one of them.
"""
import collections

from bench_games import Maker
from figures import ROUNDS, SECONDS, median, span
from players import SEATS, Players, percentile
from processor import Server, work_seconds

PLAYERS = 2000
LISTENERS = (0, 5000, 10000, 15000)
CONNECTIONS = max(LISTENERS) + PLAYERS // 2 + 1000


def run(bench, server, maker, count):
    """Microseconds of processor time a move, of the service and of the database,
    and the p99 of moves."""
    players = Players(bench.daemon, maker.make(PLAYERS // SEATS), SECONDS,
                      listeners=maker.make(count // SEATS))
    def used():
        return work_seconds(bench.daemon.pid), server.seconds()

    before, after = [], []
    play = players.play(lambda: before.extend(used()),
                        lambda: after.extend(used()))
    if play.fault or play.failed:
        raise SystemExit(f"{count} listeners: {play.failed} failed {play.fault}")
    return [*((b - a) / len(play.moves) * 1e6 for a, b in zip(before, after)),
            percentile(play.moves, 99)]


def measure(bench, table):
    server, maker = Server(), Maker(bench.daemon, SEATS)
    runs = collections.defaultdict(list)
    for number in range(ROUNDS):
        for count in LISTENERS[::-1] if number % 2 else LISTENERS:
            runs[count].append(run(bench, server, maker, count))
    for count in LISTENERS[1:]:
        service, database = ([[one[part] for one in runs[number]]
                              for number in (count, 0)] for part in (0, 1))
        sums = [[a + b for a, b in zip(*pair)]
                for pair in zip(service, database)]
        table.compare_texts(
            f"CPU of service and database for a move of {PLAYERS} players, "
            f"{count} others listen / none",
            *(span(one, "{:.0f}") +
              f" (service {median(service[i]):.0f}, "
              f"database {median(database[i]):.0f}) us"
              for i, one in enumerate(sums)),
            [a / b for a, b in zip(*sums)], "<= 1.1")
        table.compare(f"p99 of a move, {count} others listen / none",
                      *([one[2] for one in runs[number]]
                        for number in (count, 0)), form="{:.1f}", unit=" ms")
