#!/usr/bin/python3
"""bench.py BUILD - how fast gangd is, compared with pgbench.

"make bench" runs this under deploy/local/with-cluster.sh --durable.  Every
figure that depends on the machine is measured in rounds that alternate with
pgbench running the same SQL on the same server, and is given as a ratio too.
Prints the tables of tests/bench/README.md and draws BUILD/bench/load.svg.

"bench.py BUILD PART..." measures some parts; "bench.py BUILD check" only runs
pgbench's scripts and the clients of our own, as "make selftest" does.

  ROUNDS    of each pair, 7 by default
  SECONDS   of each measurement, 5 by default
  AGAINST   the folder of an older build, for the part "against"
"""
import os
import pathlib
import resource
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "harness"))

import against  # noqa: E402
import archived  # noqa: E402
import bots  # noqa: E402
import commands  # noqa: E402
import contention  # noqa: E402
import encrypted  # noqa: E402
import gangd  # noqa: E402
import keyed  # noqa: E402
import listeners  # noqa: E402
import lobby  # noqa: E402
import metered  # noqa: E402
import pace  # noqa: E402
import restored  # noqa: E402
import told  # noqa: E402
import waiting  # noqa: E402
import watched  # noqa: E402
from figures import ROUNDS, SECONDS, Table, median, span  # noqa: E402
from bench_games import Maker, GAMES, MOVED_GAMES, MOVED_GAMES_EACH  # noqa: E402
from pgbench import Scripts  # noqa: E402
from processor import memory_kib  # noqa: E402

TICKS = os.sysconf("SC_CLK_TCK")


# --- what is measured -------------------------------------------------------

class Bench:
    def __init__(self, build, under=(), games=GAMES):
        self.folder = pathlib.Path(build) / "bench"
        self.folder.mkdir(exist_ok=True)
        gangd.migrate(build)
        self.daemon = gangd.Daemon(build, log=self.folder / "daemon.log",
                                   under=under,
                                   # For told.py: gangd only writes rows for it.
                                   GANGD_WEBHOOK_URL="http://127.0.0.1:9/",
                                   GANGD_CONNECTIONS=str(max(
                                       waiting.CONNECTIONS,
                                       listeners.CONNECTIONS,
                                       watched.CONNECTIONS)),
                                   GANGD_BOT_GAMES=str(2 * bots.TABLES))
        self.daemon.wait_ready()
        self.maker = Maker(self.daemon)
        self.games = self.maker.make(games)

    def url(self):
        return self.daemon.url

    def write_games(self, games):
        with open(self.folder / "games", "w", encoding="ascii") as file:
            for game in games:
                file.write(f"{game.path} {game.tokens[0]}\n")

    def make_games(self, script, connections):
        """Create games for a script; moves get new ones, in which every move
        is legal."""
        self.write_games(self.games if script == "get.lua" else
                         self.maker.make(max(
                             MOVED_GAMES, MOVED_GAMES_EACH * connections)))

    def ask(self, script, connections, seconds=SECONDS, may_fail=False):
        """The figures of a run in these games, by name."""
        environment = dict(os.environ, BENCH_THREADS="1",
                           BENCH_GAMES=str(self.folder / "games"))
        text = subprocess.run(
            ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s",
             "--timeout", "10s", "-s", str(HERE / script), self.url()],
            env=environment, check=True, text=True,
            stdout=subprocess.PIPE).stdout
        words = text.splitlines()[-1].split()
        run = {k: float(v) for k, v in zip(words[::2], words[1::2])}
        if run["errors"] and not may_fail:
            raise SystemExit(f"{script}: {run['errors']:.0f} errors")
        return run

    def wrk(self, script, connections, seconds=SECONDS):
        self.make_games(script, connections)
        return self.ask(script, connections, seconds)

    def cpu_seconds(self):
        """User and system time of the daemon: the sum is exact to a tick of
        10 ms, though not the parts."""
        with open(f"/proc/{self.daemon.pid}/stat", encoding="ascii") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def files_count(self):
        return len(os.listdir(f"/proc/{self.daemon.pid}/fd"))


# --- figures ---------------------------------------------------------------

def check(build):
    """Run each script of pgbench, by each client twice; it must work, which a
    change of the schema or of a function may break.  Then run the parts with
    clients of their own, once."""
    bench = Bench(build)
    scripts = Scripts(bench, length=("-t", "2"))
    scripts.run_loads()
    scripts.run_loads_by_join()
    scripts.run_commits()
    table = Table()
    contention.measure_locked(bench, table)
    contention.measure_conflicts(bench, table)
    bots.measure(bench, table)
    told.measure(bench, table)
    os.environ["AGAINST"] = build
    against.measure(bench, table, (against.measure_light,))
    print("1 passed, 0 failed")
    return bench.daemon.stop()


def measure_rates(bench, table):
    scripts = Scripts(bench)
    views, loads, joins = [], [], []
    for _ in range(ROUNDS):
        views.append(bench.wrk("get.lua", 64)["rate"])
        loads.append(scripts.run_loads()["rate"])
        joins.append(scripts.run_loads_by_join()["rate"])
    table.compare("`GET` of a view, 64 connections / pgbench's load, 8",
                  views, loads, ">= 1.6", unit=" / s")
    table.compare("the same / pgbench's load of before, by a join, 8",
                  views, joins, ">= 1.6", unit=" / s")
    moves, commits = [], []
    for _ in range(ROUNDS):
        moves.append(bench.wrk("move.lua", 64))
        commits.append(scripts.run_commits()["rate"])
    table.compare("a move, 64 connections / pgbench's commit, 32",
                  [run["rate"] for run in moves], commits, ">= 2.0",
                  unit=" / s")
    table.compare("p99 / p50 of a move, 64 connections",
                  [run["p99_us"] / 1000 for run in moves],
                  [run["p50_us"] / 1000 for run in moves], "<= 5",
                  "{:.1f}", " ms")


def measure_crowd(bench, table):
    runs = [bench.wrk("move.lua", 512)["p99_us"] / 1000 for _ in range(ROUNDS)]
    table.add("p99 of a move, 512 connections", span(runs) + " ms", "",
              "<= 150 ms", median(runs))


def measure_cpu(bench, table):
    figures = []
    for _ in range(ROUNDS):
        begun, count = bench.cpu_seconds(), 0
        while count < 100000:
            count += bench.wrk("get.lua", 64)["requests"]
        figures.append((bench.cpu_seconds() - begun) / count * 1e6)
    table.add("CPU of the service per `GET` of a view",
              span(figures, "{:.1f}") + " us", "", "<= 30 us", median(figures))


def measure_memory(bench, table):
    """The memory of connections that are idle after one request, without what
    the first ones make the process keep for good."""
    first, count = 500, 5000
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE,
                       (min(most, 2 * (first + count)), most))
    clients = []
    for i in range(first + count):
        if i == first:
            begun = memory_kib(bench.daemon)
        game = bench.games[i % GAMES]
        clients.append(bench.daemon.client(game.tokens[0]))
        clients[-1].get(game.path)
    each = (memory_kib(bench.daemon) - begun) / count
    if bench.files_count() < first + count:
        raise SystemExit("not all of the connections are there")
    for client in clients:
        client.close()
    table.add("memory of an idle connection", f"{each:.1f} KiB", "",
              "<= 40 KiB", each)


def measure_hands(bench, table):
    rates = [float(subprocess.run(
        [str(bench.folder.parent / "tests/bench/hands")], check=True,
        text=True, stdout=subprocess.PIPE).stdout) for _ in range(ROUNDS)]
    millions = [rate / 1e6 for rate in rates]
    table.add("random hands of 7 cards, one core",
              span(millions, "{:.1f}") + " million / s", "",
              ">= 70 million / s", median(millions))
    sizes = subprocess.run(
        ["size", str(bench.folder.parent / "internal/poker/hand.o")],
        check=True, text=True, stdout=subprocess.PIPE).stdout
    # The sum of text with constants, data, and bss.
    each = int(sizes.splitlines()[1].split()[3]) / 1024
    table.add("its code and tables", f"{each:.1f} KiB", "", "<= 32 KiB", each)


def draw(bench):
    """Draw throughput and latency by number of connections."""
    data = bench.folder / "load.dat"
    with open(data, "w", encoding="ascii") as file:
        for script in ("get.lua", "move.lua"):
            file.write("connections rate p50_ms p99_ms\n")
            for connections in (1, 2, 4, 8, 16, 32, 64, 128, 256, 512):
                run = bench.wrk(script, connections, min(SECONDS, 3))
                file.write(f"{connections} {run['rate']} "
                           f"{run['p50_us'] / 1000} "
                           f"{run['p99_us'] / 1000}\n")
            file.write("\n\n")
    print(data.read_text(encoding="ascii"))
    subprocess.run(["gnuplot", "-e", f"data='{data}'", "-e",
                    f"picture='{bench.folder / 'load.svg'}'",
                    str(HERE / "load.gnuplot")], check=True)


def main():
    if sys.argv[2:] == ["check"]:
        sys.exit(check(sys.argv[1]))
    table = Table()
    gangd.fill_log()
    # The memory first: what is free in the process would hide some of it.
    parts = {"memory": measure_memory, "waiter": waiting.measure_memory,
             "waiting": waiting.measure,
             "rates": measure_rates, "crowd": measure_crowd,
             "waited_for": waiting.measure_waited_for,
             "idle": waiting.measure_idle,
             "listeners": listeners.measure,
             "watched": watched.measure,
             "lobby": lobby.measure, "cpu": measure_cpu,
             "actions": commands.measure_actions,
             "views": commands.measure_streams,
             "half": pace.measure_half,
             "locked": contention.measure_locked,
             "conflicts": contention.measure_conflicts,
             "encrypted": encrypted.measure,
             "metered": metered.measure,
             "archived": archived.measure,
             "bots": bots.measure,
             "keyed": keyed.measure,
             "told": told.measure,
             "hands": measure_hands}
    if "AGAINST" in os.environ:
        parts["against"] = against.measure
    else:
        parts["light"] = pace.measure_light
    wanted = sys.argv[2:] or [*parts, "picture"]
    parts["restored"] = restored.measure  # if it is named: it stops the server
    own = {"actions", "views", "hands"}  # they make their own games, or none
    bench = Bench(sys.argv[1], games=GAMES if set(wanted) - own else 0)
    for name, measure in parts.items():
        if name in wanted:
            begun = time.monotonic()
            measure(bench, table)
            print(f"{name}: {time.monotonic() - begun:.0f} s", file=sys.stderr)
    if "picture" in wanted:
        draw(bench)
    status = bench.daemon.stop()
    (bench.folder / "table.md").write_text("\n".join(table.lines) + "\n",
                                           encoding="ascii")
    sys.exit(status)


if __name__ == "__main__":
    main()
