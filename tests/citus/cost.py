#!/usr/bin/python3
"""cost.py BUILD [WORKERS...] - processor time of all nodes for a view, a move and a
move with a key, and of an idle service with two daemons, on clusters of that many
workers (2 and 3; 0: one server, whose tables are not spread), alternately, ROUNDS times.
GANGD_BATCH in the environment counts for the one server.

It requires wrk, as the benchmarks do.
"""
import contextlib
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import nodes

BENCH = nodes.ROOT / "tests" / "bench"
sys.path.insert(0, str(BENCH))

import gangd  # noqa: E402
import processor  # noqa: E402
from bench_games import Maker  # noqa: E402

GAMES = 512
CONNECTIONS = 16
SECONDS = int(os.environ.get("SECONDS", "3"))
ROUNDS = int(os.environ.get("ROUNDS", "3"))
IDLE_SECONDS = 20
REQUESTS = (("a view", "get.lua"), ("a move", "move.lua"),
            ("a move with a key", "keyed.lua"))


class Server(processor.Server):
    """All processes of a node."""

    def __init__(self, node):  # pylint: disable=super-init-not-called
        self.postmaster = str(node.processes()[0])


@contextlib.contextmanager
def cluster_of(workers, build):
    cluster = nodes.Cluster(tempfile.mkdtemp(prefix="gangd-citus.",
                                             dir=nodes.scratch()), workers)
    os.environ.update(cluster.urls(), GANGD_QUOTAS="off",
                      GANGD_CONNECTIONS_PER_ADDRESS="0")
    if workers:
        os.environ["GANGD_BATCH"] = "0"
    try:
        cluster.start()
        if workers:
            cluster.migrate(build)
        else:
            gangd.migrate(build)
        yield cluster
    finally:
        gangd.Daemon.stop_all()
        cluster.stop()


def ask(daemon, script, games):
    """Run wrk; how many requests it made, and per second."""
    with tempfile.NamedTemporaryFile("w", encoding="ascii") as file:
        for game in games:
            file.write(f"{game.path} {game.tokens[0]}\n")
        file.flush()
        text = subprocess.run(
            ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{SECONDS}s", "--timeout", "10s",
             "-s", str(BENCH / script), daemon.url], check=True, text=True,
            env=dict(os.environ, BENCH_THREADS="1", BENCH_GAMES=file.name),
            stdout=subprocess.PIPE).stdout
    words = text.splitlines()[-1].split()
    run = {k: float(v) for k, v in zip(words[::2], words[1::2])}
    if run["errors"]:
        raise SystemExit(f"{script}: {run['errors']:.0f} errors")
    return run["requests"], run["rate"]


def measure(workers, build):
    """Milliseconds of all nodes, and of the daemon, a request; processors when idle."""
    found = {}
    with cluster_of(workers, build) as cluster:
        daemon = gangd.Daemon(build, log=pathlib.Path(build) / "citus-cost.log")
        daemon.wait_ready()
        maker = Maker(daemon)
        servers = [Server(node) for node in cluster.nodes]
        for name, script in REQUESTS:
            games = maker.make(GAMES)
            ask(daemon, script, games)
            begun = [server.seconds() for server in servers]
            own = processor.work_seconds(daemon.pid)
            count, rate = ask(daemon, script, games)
            each = [(server.seconds() - before) / count * 1000
                    for server, before in zip(servers, begun)]
            found[name] = (sum(each), each[0],
                           (processor.work_seconds(daemon.pid) - own) / count * 1000,
                           rate)
        other = gangd.Daemon(build, log=pathlib.Path(build) / "citus-other.log")
        other.wait_ready()
        time.sleep(10)
        begun = [server.seconds() for server in servers]
        time.sleep(IDLE_SECONDS)
        each = [(server.seconds() - before) / IDLE_SECONDS
                for server, before in zip(servers, begun)]
        found["idle"] = (sum(each), each[0], 0, 0)
    return found


def main():
    build = os.path.abspath(sys.argv[1])
    sizes = [int(word) for word in sys.argv[2:]] or [2, 3]
    runs = {size: [] for size in sizes}
    for _ in range(ROUNDS):
        for size in sizes:
            runs[size].append(measure(size, build))
    for size in sizes:
        print(f"{size} workers:" if size else "one server:")
        for name in runs[size][0]:
            total, first, own, rate = (statistics.median(run[name][part]
                                                         for run in runs[size])
                                       for part in range(4))
            if name == "idle":
                print(f"  idle, two daemons: {total:.3f} of a processor, "
                      f"coordinator {first:.3f}")
            else:
                print(f"  {name}: nodes {total:.2f} ms, of which the coordinator "
                      f"{first:.2f}; the daemon {own:.3f} ms; {rate:.0f} / s")


if __name__ == "__main__":
    main()
