#!/usr/bin/python3
"""bench.py BUILD - how fast gangd is, compared with pgbench.

"make bench" runs this under deploy/local/with-cluster.sh --durable.  Every
figure that depends on the machine is measured in rounds that alternate with
pgbench running the same SQL on the same server, and is given as a ratio too.
Prints the tables of tests/bench/README.md and draws BUILD/bench/load.svg.

"bench.py BUILD check" only runs each of pgbench's scripts once; "make selftest"
does so.

  ROUNDS    of each pair, 7 by default
  SECONDS   of each measurement, 5 by default
"""
import os
import pathlib
import re
import resource
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "harness"))

import commands  # noqa: E402
import gangd  # noqa: E402
import lobby  # noqa: E402
import waiting  # noqa: E402
from figures import ROUNDS, SECONDS, Table, span  # noqa: E402

GAMES = 1024
# Enough that no game has two requests on their way, however late one is.
GAMES_EACH = 4
TRIES = 3
PGBENCH = "/usr/lib/postgresql/15/bin/pgbench"
QUERIES = HERE.parents[1] / "sql" / "queries"
TICKS = os.sysconf("SC_CLK_TCK")


# --- what is measured -------------------------------------------------------

class Bench:
    def __init__(self, build, under=(), games=GAMES):
        self.folder = pathlib.Path(build) / "bench"
        self.folder.mkdir(exist_ok=True)
        gangd.migrate(build)
        self.daemon = gangd.Daemon(build, log=self.folder / "daemon.log",
                                   under=under,
                                   GANGD_CONNECTIONS=str(waiting.CONNECTIONS))
        self.daemon.wait_ready()
        self.games = [self.make_game() for _ in range(games)]

    def url(self):
        return "http://%s:%d" % self.daemon.address

    def write_games(self, games):
        with open(self.folder / "games", "w", encoding="ascii") as file:
            for game in games:
                file.write(f"{game.path} {game.tokens[0]}\n")

    def make_games(self, script, connections):
        """Create games for a script; moves get new ones, in which every move
        is legal."""
        games = self.games
        if script != "get.lua":
            games = [self.make_game()
                     for _ in range(max(GAMES, GAMES_EACH * connections))]
        self.write_games(games)

    def make_game(self):
        """Create a game; retry a 503, since a disk may stall for long."""
        for _ in range(TRIES):
            try:
                return gangd.Table(self.daemon)
            except OSError as error:
                print(error, file=sys.stderr)
        raise SystemExit("no game can be made")

    def ask(self, script, connections, seconds=SECONDS):
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
        if run["errors"]:
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

    def memory_kib(self):
        with open(f"/proc/{self.daemon.pid}/status", encoding="ascii") as file:
            return int(re.search(r"VmRSS:\s+(\d+)", file.read()).group(1))


def pgbench(script, clients, *more, length=("-T", str(SECONDS))):
    """Its rate and number, in sessions with the daemon's settings."""
    text = subprocess.run(
        [PGBENCH, "-n", "-M", "prepared", "-c", str(clients), "-j", "1",
         *length, "-f", str(script), *more,
         os.environ["GANGD_MIGRATE_URL"]],
        env=dict(os.environ, PGOPTIONS="-c enable_seqscan=off "
                 "-c plan_cache_mode=force_generic_plan "
                 "-c client_connection_check_interval=1s"),
        check=False, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT).stdout
    if "aborted" in text or " tps" not in text.replace("\n", " "):
        raise SystemExit("pgbench: " + text)
    return {"rate": float(re.search(r"tps = ([\d.]+)", text).group(1)),
            "requests": int(re.search(r"processed: (\d+)", text).group(1))}


# --- the same SQL for pgbench ----------------------------------------------

def statement(path):
    text = path.read_text(encoding="ascii")
    return "\n".join(line for line in text.splitlines()
                     if not line.startswith("--"))


# Games of pgbench's own, whose ids it can make of a number: copies of one.
COPY_ROWS = """
INSERT INTO gangd.{table}
SELECT (jsonb_populate_record(row, jsonb_build_object(
    'game_id', lpad(to_hex(n), 32, '0')))).*
FROM gangd.{table} AS row, generate_series(0, {last}) AS n
WHERE row.game_id = '{id}'
"""
GAME_ID = "lpad(to_hex(%s), 32, '0')::uuid"


def write_load(bench, path):
    """Load a game at random."""
    script = bench.folder / path.name
    script.write_text(
        f"\\set n random(0, {GAMES - 1})\n" +
        statement(path).replace("$1", GAME_ID % ":n::integer")
        .replace("$2", "false") + ";\n",
        encoding="ascii")
    return script


def write_commit(bench):
    """Commit a game's last move again and again: its events, its state.  Each
    client has a game of its own, so it knows the version."""
    game = bench.games[0]
    player = bench.daemon.client(game.tokens[0])
    for stars in (1, 2):
        player.post(f"{game.path}/chips/white/{stars}/take")
    arguments = gangd.psql(f"""
        SELECT concat_ws(', ', quote_literal(g.status),
            g.seats_max || '::smallint', g.seats_count || '::smallint',
            g.host || '::smallint', quote_literal(g.state) || '::bytea',
            e.types, e.seats, e.heists, e.colors, e.public_datas,
            e.private_datas, e.replay_datas, 'NULL, NULL, NULL, NULL')
        FROM gangd.game AS g, LATERAL (
            SELECT {", ".join(f"quote_literal(array_agg({column} "
                              f"ORDER BY version)) || '::{kind}[]' AS {column}s"
                              for column, kind in EVENT_COLUMNS)}
            FROM gangd.event AS e
            WHERE e.game_id = g.game_id AND e.version > g.version - 2) AS e
        WHERE g.game_id = '{game.id}'""")
    version = gangd.psql("SELECT version FROM gangd.game "
                         f"WHERE game_id = '{game.id}'")
    script = bench.folder / "commit.sql"
    script.write_text(
        "SELECT gangd.commit_move(" + GAME_ID % ":client_id::integer" +
        f", :version::integer, {arguments});\n"
        "\\set version :version + 2\n", encoding="ascii")
    return script, int(version)


EVENT_COLUMNS = (("type", "smallint"), ("seat", "smallint"),
                 ("heist", "smallint"), ("color", "smallint"),
                 ("public_data", "bytea"), ("private_data", "bytea"),
                 ("replay_data", "bytea"))


def prepare_pgbench(bench):
    for table in ("game", "seat"):
        gangd.psql(COPY_ROWS.format(table=table, last=GAMES - 1,
                                    id=bench.games[0].id))


# --- figures ---------------------------------------------------------------

def compare(table, name, ours, theirs, goal):
    """Alternate the two; add both rates and their ratio by rounds."""
    mine, other, ratios = [], [], []
    for _ in range(ROUNDS):
        mine.append(ours())
        other.append(theirs()["rate"])
        ratios.append(mine[-1]["rate"] / other[-1])
    table.add(name, span([run["rate"] for run in mine]) + " / s",
              span(other) + " / s", span(ratios, "{:.2f}"), goal)
    return mine


class Scripts:
    """The same SQL as the daemon's, as scripts for pgbench."""

    def __init__(self, bench, **more):
        self.load = write_load(bench, QUERIES / "load.sql")
        self.load_by_join = write_load(bench, HERE / "load_by_join.sql")
        self.commit, self.version = write_commit(bench)
        self.more = more
        prepare_pgbench(bench)

    def run_loads(self):
        return pgbench(self.load, 8, **self.more)

    def run_loads_by_join(self):
        return pgbench(self.load_by_join, 8, **self.more)

    def run_commits(self):
        """All clients begin at the same version, without the events of the
        round before."""
        gangd.psql(f"UPDATE gangd.game SET version = {self.version} WHERE "
                   f"game_id < '{GAME_ID_MAX}' AND version > {self.version}")
        gangd.psql("DELETE FROM gangd.event WHERE game_id "
                   f"< '{GAME_ID_MAX}'")
        before = count_events()
        run = pgbench(self.commit, 32, "-D", f"version={self.version}",
                      **self.more)
        if count_events() - before != 2 * run["requests"]:
            raise SystemExit("pgbench's moves were not committed: "
                             f"{run['requests']}, "
                             f"{count_events() - before} events")
        return run


def check_scripts(build):
    """Run each script of pgbench, by each client twice; it must do what it
    shall, which a change of the schema or of a function may break."""
    bench = Bench(build, games=1)
    scripts = Scripts(bench, length=("-t", "2"))
    scripts.run_loads()
    scripts.run_loads_by_join()
    scripts.run_commits()
    print("1 passed, 0 failed")
    return bench.daemon.stop()


def measure_rates(bench, table):
    scripts = Scripts(bench)
    compare(table, "`GET` of a view, 64 connections / pgbench's load, 8",
            lambda: bench.wrk("get.lua", 64), scripts.run_loads, "0.75")
    compare(table, "the same / pgbench's load of before, by a join, 8",
            lambda: bench.wrk("get.lua", 64), scripts.run_loads_by_join,
            "1")
    moves = compare(table, "a move, 64 connections / pgbench's commit, 32",
                    lambda: bench.wrk("move.lua", 64), scripts.run_commits,
                    "0.75")
    table.add("p99 / p50 of a move, 64 connections",
              span([run["p99_us"] / 1000 for run in moves], "{:.1f}") + " ms",
              span([run["p50_us"] / 1000 for run in moves], "{:.1f}") + " ms",
              span([run["p99_us"] / run["p50_us"] for run in moves],
                   "{:.1f}"), "5")


GAME_ID_MAX = "00000000-0000-0000-0000-0000ffffffff"


def count_events():
    return int(gangd.psql("SELECT count(*) FROM gangd.event "
                          f"WHERE game_id < '{GAME_ID_MAX}'"))


def measure_crowd(bench, table):
    runs = [bench.wrk("move.lua", 512) for _ in range(ROUNDS)]
    table.add("p99 of a move, 512 connections",
              span([run["p99_us"] / 1000 for run in runs]) + " ms", "", "",
              "150 ms")


def measure_cpu(bench, table):
    figures = []
    for _ in range(ROUNDS):
        begun, count = bench.cpu_seconds(), 0
        while count < 100000:
            count += bench.wrk("get.lua", 64)["requests"]
        figures.append((bench.cpu_seconds() - begun) / count * 1e6)
    table.add("CPU of the service per `GET` of a view",
              span(figures, "{:.1f}") + " us", "", "", "30 us")


def measure_memory(bench, table):
    """The memory of connections that are idle after one request."""
    count = 5000
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE,
                       (min(most, 2 * count), most))
    begun = bench.memory_kib()
    clients = []
    for i in range(count):
        game = bench.games[i % GAMES]
        clients.append(bench.daemon.client(game.tokens[0]))
        clients[-1].get(game.path)
    each = (bench.memory_kib() - begun) / count
    if bench.files_count() < count:
        raise SystemExit("not all of the connections are there")
    for client in clients:
        client.close()
    table.add("memory of an idle connection", f"{each:.1f} KiB", "", "",
              "9 KiB")


def measure_hands(bench, table):
    rates = [float(subprocess.run(
        [str(bench.folder.parent / "tests/bench/hands")], check=True,
        text=True, stdout=subprocess.PIPE).stdout) for _ in range(ROUNDS)]
    table.add("random hands of 7 cards, one core",
              span([rate / 1e6 for rate in rates], "{:.1f}") + " million / s",
              "", "", "40 million / s")
    sizes = subprocess.run(
        ["size", str(bench.folder.parent / "internal/poker/hand.o")],
        check=True, text=True, stdout=subprocess.PIPE).stdout
    # The sum of text with constants, data, and bss.
    table.add("its code and tables",
              f"{int(sizes.splitlines()[1].split()[3]) / 1024:.1f} KiB", "",
              "", "32 KiB")


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
        sys.exit(check_scripts(sys.argv[1]))
    table = Table()
    gangd.fill_log()
    # The memory first: what is free in the process would hide some of it.
    parts = {"memory": measure_memory, "waiting": waiting.measure,
             "rates": measure_rates, "crowd": measure_crowd,
             "waited_for": waiting.measure_waited_for,
             "idle": waiting.measure_idle,
             "lobby": lobby.measure, "cpu": measure_cpu,
             "actions": commands.measure_actions,
             "views": commands.measure_streams,
             "hands": measure_hands}
    wanted = sys.argv[2:] or [*parts, "picture"]
    own = {"actions", "views", "hands"}  # they make their own games, or none
    bench = Bench(sys.argv[1], games=GAMES if set(wanted) - own else 0)
    table.add("figure", "gangd", "against", "ratio", "goal")
    table.add("---", "---", "---", "---", "---")
    for name, measure in parts.items():
        if name in wanted:
            measure(bench, table)
    if "picture" in wanted:
        draw(bench)
    status = bench.daemon.stop()
    (bench.folder / "table.md").write_text("\n".join(table.lines) + "\n",
                                           encoding="ascii")
    sys.exit(status)


if __name__ == "__main__":
    main()
