"""Clients that come at their own pace (open_loop.c): at half of the peak rate,
and ten times a second.

A program in C holds them.  Half of the peak is some ten thousand requests a
second: a Python process would be late, and would take much of a processor from
the service.  How late the program itself sends is printed with each figure.
"""
import collections
import pathlib
import subprocess
import sys

from figures import ROUNDS, SECONDS, span
from bench_games import GAMES

PROGRAM = pathlib.Path(sys.argv[1], "tests/bench/open_loop")
CONNECTIONS = 256   # at half of the peak
LIGHT_RATE = 10     # requests a second
LIGHT_CONNECTIONS = 8
SCRIPTS = {"get": "get.lua", "move": "move.lua"}
NAMES = {"get": "`GET` of a view", "move": "a move"}


def percentile(values, percent):
    return sorted(values)[len(values) * percent // 100]


class Run:
    """The answers of one run: latencies and lateness in ms."""

    def __init__(self, text):
        lines = [line.split() for line in text.splitlines()
                 if line[0].isdigit()]
        self.statuses = collections.Counter(line[0] for line in lines)
        self.latencies = [int(line[1]) / 1000 for line in lines]
        self.late = [int(line[2]) / 1000 for line in lines]
        self.rate = len(lines) / SECONDS

    def p(self, percent):
        return percentile(self.latencies, percent)

    @property
    def late_p99(self):
        return percentile(self.late, 99)


def run_clients(bench, kind, seats, connections, rate, daemon=None):
    """Ask by clients that are due at a rate (0: each after its answer).  seats
    are pairs of a game's path and a token."""
    text = subprocess.run(
        [PROGRAM, *map(str, (daemon or bench.daemon).address), kind,
         str(connections), str(rate), str(SECONDS)],
        check=True, text=True, stdout=subprocess.PIPE,
        input="".join(f"{path} {token}\n" for path, token in seats)).stdout
    run = Run(text)
    if set(run.statuses) != {"200"}:
        raise SystemExit(f"{kind}: {dict(run.statuses)}")
    return run


def first_seats(games):
    return [(game.path, game.tokens[0]) for game in games]


def seats_for(bench, kind, count):
    return first_seats(bench.games if kind == "get" else
                       bench.maker.make(count))


def measure_half(bench, table):
    for kind, script in SCRIPTS.items():
        rate = bench.wrk(script, 64)["rate"] / 2
        halves = [run_clients(bench, kind, seats_for(bench, kind, GAMES),
                              CONNECTIONS, rate) for _ in range(ROUNDS)]
        table.add(
            f"p99 of {NAMES[kind]} at half of the peak rate, clients at their "
            "own pace", span([run.p(99) for run in halves], "{:.1f}") + " ms",
            "p50 " + span([run.p(50) for run in halves], "{:.1f}") + " ms; " +
            span([run.rate for run in halves]) + " / s, sent " +
            span([run.late_p99 for run in halves], "{:.1f}") +
            " ms late (p99)")


def run_light(bench, kind):
    return run_clients(bench, kind, seats_for(bench, kind, LIGHT_CONNECTIONS),
                       LIGHT_CONNECTIONS, LIGHT_RATE)


def measure_light(bench, table):
    """A round has some fifty requests; the p99 is that of all rounds."""
    for kind in SCRIPTS:
        runs = [run_light(bench, kind) for _ in range(ROUNDS)]
        tell_light(table, kind, runs)


def tell_light(table, kind, runs, others=()):
    name = f"of {NAMES[kind]}, {LIGHT_RATE} requests a second"
    series = [runs, others] if others else [runs]
    middles = [[run.p(50) for run in each] for each in series]
    last = [percentile([ms for run in each for ms in run.latencies], 99)
            for each in series]
    if others:
        table.compare("p50 " + name + " / the older build", *middles,
                      "<= 1.05", "{:.2f}", " ms")
    else:
        table.add("p50 " + name, span(middles[0], "{:.2f}") + " ms")
    late = max(run.late_p99 for run in runs)
    table.add("p99 " + name + f", sent up to {late:.2f} ms late",
              *(f"{ms:.2f} ms" for ms in last))
