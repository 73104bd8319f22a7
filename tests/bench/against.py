"""An older build compared with this one: the processor time of service and database,
and the p99 of moves, also of 8,000 people who play (players.py).  AGAINST in the environment names its folder; "make
bench-against" makes it of a commit.

The two have a database each on one server, and are asked alternately.
"""
import contextlib
import os
import re

import gangd
import pace
from bench_games import Maker
from figures import ROUNDS, SECONDS, median, span
from players import SEATS, Players, percentile
from processor import Server, work_seconds

DATABASE = "against"
PLAYERS = 8000


def ask_timed(bench, server, script, connections):
    """The figures of a run, with microseconds of processor time."""
    def work():
        return work_seconds(bench.daemon.pid), server.seconds()

    begun = work()
    run = bench.ask(script, connections)
    run["service_us"], run["database_us"] = (
        (after - before) / run["requests"] * 1e6
        for before, after in zip(begun, work()))
    run["us"] = run["service_us"] + run["database_us"]
    return run


class Side:
    """A build with a database of its own, which the environment names."""

    def __init__(self, make_bench, build, urls):
        self.urls = urls
        with self.chosen():
            self.bench = make_bench(build)
            self.server = Server()

    @contextlib.contextmanager
    def chosen(self):
        before = {name: os.environ[name] for name in self.urls}
        os.environ.update(self.urls)
        try:
            yield self
        finally:
            os.environ.update(before)

    def run(self, script, connections):
        with self.chosen():
            self.bench.make_games(script, connections)
            return ask_timed(self.bench, self.server, script, connections)

    def run_play(self):
        with self.chosen():
            maker = Maker(self.bench.daemon, SEATS)
            players = Players(self.bench.daemon, maker.make(PLAYERS // SEATS),
                              SECONDS)

            def work():
                return work_seconds(self.bench.daemon.pid), self.server.seconds()

            begun, ended = [], []
            play = players.play(lambda: begun.extend(work()),
                                lambda: ended.extend(work()))
            service_us, database_us = (
                (after - before) / len(play.moves) * 1e6
                for before, after in zip(begun, ended))
        if play.fault or play.failed:
            raise SystemExit(f"{play.failed} moves failed {play.fault}")
        return {"service_us": service_us, "database_us": database_us,
                "us": service_us + database_us,
                "p99_ms": percentile(play.moves, 99),
                "view_p99_ms": percentile(play.events, 99)}

    def run_light(self, kind):
        with self.chosen():
            return pace.run_light(self.bench, kind)


def open_older(make_bench):
    """The older build, in a second database of the server."""
    names = ("GANGD_DATABASE_URL", "GANGD_MIGRATE_URL")
    superuser = re.sub(r"user=\S+", "user=postgres", os.environ[names[1]])
    gangd.psql(f"CREATE DATABASE {DATABASE} OWNER gangd_owner",
               url=superuser)
    return Side(make_bench, os.environ["AGAINST"], {
        name: re.sub(r"dbname=\S+", "dbname=" + DATABASE, os.environ[name])
        for name in names})


def by_turns(ours, older, ask):
    """The results of ask(side), for both alternately: two lists."""
    mine, other = [], []
    for number in range(ROUNDS):
        order = ((mine, ours), (other, older))
        for list_, side in order[::-1] if number % 2 else order:
            list_.append(ask(side))
    return mine, other


def tell_work(table, name, mine, other, goal):
    parts = [" (service {:.1f}, database {:.1f})".format(
        *(median([run[part] for run in runs])
          for part in ("service_us", "database_us"))) + " us"
        for runs in (mine, other)]
    ratios = [a["us"] / b["us"] for a, b in zip(mine, other)]
    table.compare_texts(
        f"CPU of service and database for {name}",
        *(span([run["us"] for run in runs], "{:.1f}") + text
          for runs, text in zip((mine, other), parts)), ratios, goal)


def measure_rates(table, sides):
    views = by_turns(*sides, lambda side: side.run("get.lua", 64))
    tell_work(table, "a `GET` of a view / the older build", *views, "<= 0.55")
    for connections in (64, 512):
        moves = by_turns(
            *sides, lambda side, count=connections: side.run("move.lua", count))
        if connections == 64:
            tell_work(table, "a move / the older build", *moves, "<= 0.5")
        table.compare(
            f"p99 of a move, {connections} connections / the older build",
            *([run["p99_us"] / 1000 for run in runs] for runs in moves),
            "<= 0.7", "{:.1f}", " ms")


def measure_keyed(table, sides):
    tell_work(table, "a move with an `Idempotency-Key` / the older build",
              *by_turns(*sides, lambda side: side.run("keyed.lua", 64)), None)


def measure_light(table, sides):
    for kind in pace.SCRIPTS:
        pace.tell_light(table, kind, *by_turns(
            *sides, lambda side, kind=kind: side.run_light(kind)))


def measure_play(table, sides):
    plays = by_turns(*sides, Side.run_play)
    tell_work(table, f"a move of {PLAYERS} players / the older build", *plays, None)
    for name, part in (("p99 of a move", "p99_ms"),
                       ("p99 from an event to its views", "view_p99_ms")):
        table.compare(f"{name}, {PLAYERS} players / the older build",
                      *([run[part] for run in runs] for runs in plays),
                      form="{:.1f}", unit=" ms")


def measure(bench, table, parts=(measure_rates, measure_keyed, measure_light,
                                 measure_play)):
    sides = (Side(lambda _: bench, None, {}), open_older(type(bench)))
    for part in parts:
        part(table, sides)
    if sides[1].bench.daemon.stop():
        raise SystemExit("the older daemon failed")
