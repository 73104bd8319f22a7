"""Metrics compared with none: the cost of counting for a GET of a view.

Two daemons have one database, and are asked alternately; one of them has
GANGD_METRICS_LISTEN.
"""
import pathlib

import gangd
from against import by_turns, tell_work
from encrypted import Side


def measure(bench, table):
    build = str(pathlib.Path(bench.folder).parent)
    daemon = gangd.Daemon(build, log=bench.folder / "metered.log",
                          GANGD_METRICS_LISTEN="127.0.0.1:0")
    daemon.wait_ready()
    sides = Side(bench, daemon), Side(bench, bench.daemon)
    runs = by_turns(*sides, lambda side: side.run("get.lua"))
    tell_work(table, "a `GET` of a view, with metrics / without", *runs, "<= 1.01")
    if daemon.stop():
        raise SystemExit("the daemon with metrics failed")
