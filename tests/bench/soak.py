#!/usr/bin/python3
"""soak.py BUILD - people play for long; what grows?

"make soak" runs this under deploy/local/with-cluster.sh --durable.  People play
whole games (people.py); every SAMPLE_SECONDS a line of BUILD/soak/samples.tsv
says how large the daemon and the tables are, and how fast moves were answered
and reached the streams.  Draws BUILD/soak/soak.png.

It fails after an error, an unanswered request, an error in the daemon's log, or
a game whose log does not replay; if memory or descriptors grow by more than
their bound after the warm-up, the first quarter of the time; or if descriptors
are left when all clients have gone.

  SOAK_SECONDS     how long, 3600 by default
  SOAK_PEOPLE      how many, 1000 by default
  SOAK_THINK       seconds between two moves of a person, 4 by default
  SAMPLE_SECONDS   10 by default, or a sixtieth of a short run
  SOAK_METRICS     the address for GANGD_METRICS_LISTEN
"""
import asyncio
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "harness"))

import gangd  # noqa: E402
from async_http import Connection  # noqa: E402
from crowd import allow_files  # noqa: E402
from people import BOTS, FAMIGLIA, LONGEST_PAUSE, Crowd, Table  # noqa: E402
from processor import Server, memory_kib, work_seconds  # noqa: E402

SECONDS = float(os.environ.get("SOAK_SECONDS", "3600"))
PEOPLE = int(os.environ.get("SOAK_PEOPLE", "1000"))
THINK = float(os.environ.get("SOAK_THINK", "4"))
SAMPLE = float(os.environ.get("SAMPLE_SECONDS", min(10, SECONDS / 60)))
WARM_UP = 1 / 4         # of the time
WINDOW = 1 / 10         # of it: what is compared after the warm-up
# The growth that is allowed between the first window and the last one.
MEMORY_PART, MEMORY_KIB = 0.05, 4096
DESCRIPTORS = 20        # in addition to those of clients' connections
STUCK_SECONDS = 20 + 15 * THINK  # the longest time of a table without a move
GONE_SECONDS = 20
REPLAYED = 100

COLUMNS = """seconds rss_kib files own_files people_files moves_s requests_s
    move_p50_ms move_p99_ms echo_p50_ms echo_p99_ms late_p99_ms errors refused
    games reconnects service_cpu database_cpu client_cpu game_mib seat_mib
    event_mib database_mib wal_mib game_rows game_dead seat_dead""".split()
SIZES = """SELECT concat_ws(' ', {sizes}, pg_database_size(current_database()),
    pg_current_wal_lsn() - '0/0', {rows})"""


def percentile_ms(seconds, part):
    return 1000 * sorted(seconds)[int(len(seconds) * part)] if seconds else 0


class Sampler:
    """Writes a line about each span of time."""

    def __init__(self, crowd, daemon, path):
        self.crowd, self.daemon = crowd, daemon
        self.sql, self.server = gangd.Sql(), Server()
        self.samples = []
        self.file = open(path, "w", encoding="ascii", buffering=1)
        self.file.write("\t".join(COLUMNS) + "\n")
        self.begun = self.at = time.monotonic()
        self.before = self.totals()
        self.wal = None

    def totals(self):
        """The counters that only grow."""
        return {"moves": self.crowd.counts["moves"],
                "requests": self.crowd.counts["requests"],
                "service": work_seconds(self.daemon.pid),
                "database": self.server.seconds(),
                "client": time.process_time()}

    def ask_sizes(self):
        """Bytes of tables with their indexes, and their rows."""
        tables = ("game", "seat", "event")
        sizes = ", ".join(f"pg_total_relation_size('gangd.{table}')"
                          for table in tables)
        rows = ", ".join(
            f"(SELECT {column} FROM pg_stat_user_tables WHERE schemaname = "
            f"'gangd' AND relname = '{table}')" for table, column in
            (("game", "n_live_tup"), ("game", "n_dead_tup"),
             ("seat", "n_dead_tup")))
        values = self.sql.ask(SIZES.format(sizes=sizes, rows=rows)).split()
        values = [int(value) for value in values]
        self.wal = self.wal or values[4]
        values[4] -= self.wal
        names = COLUMNS[COLUMNS.index("game_mib"):]
        return {name: value / 2 ** 20 if name.endswith("_mib") else value
                for name, value in zip(names, values)}

    def take(self):
        """A sample of the time since the last one."""
        crowd, now, totals = self.crowd, time.monotonic(), self.totals()
        rates = {name: (totals[name] - self.before[name]) / (now - self.at)
                 for name in totals}
        self.at, self.before = now, totals
        moves, crowd.moves = crowd.moves, []
        echoes, crowd.echoes = crowd.echoes, []
        lates, crowd.lates = crowd.lates, []
        files = count_files(self.daemon)
        sample = {
            "seconds": now - self.begun, "rss_kib": memory_kib(self.daemon),
            "files": files, "people_files": Connection.opened,
            "own_files": files - Connection.opened,
            "moves_s": rates["moves"], "requests_s": rates["requests"],
            "move_p50_ms": percentile_ms(moves, 0.5),
            "move_p99_ms": percentile_ms(moves, 0.99),
            "echo_p50_ms": percentile_ms(echoes, 0.5),
            "echo_p99_ms": percentile_ms(echoes, 0.99),
            "late_p99_ms": percentile_ms(lates, 0.99),
            "service_cpu": rates["service"], "database_cpu": rates["database"],
            "client_cpu": rates["client"],
            **{name: crowd.counts[name] for name in
               ("errors", "refused", "games", "reconnects")},
            **self.ask_sizes()}
        self.samples.append(sample)
        self.file.write("\t".join(f"{sample[name]:.6g}" for name in COLUMNS)
                        + "\n")

    async def run(self):
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(SAMPLE)
            # It waits for the database, and people shall not wait for it.
            await loop.run_in_executor(None, self.take)

    def window(self, name, begin):
        """The median of a column over the window that begins at this part."""
        values = [sample[name] for sample in self.samples
                  if begin <= sample["seconds"] / SECONDS <= begin + WINDOW]
        return statistics.median(values)


def count_files(daemon):
    return len(os.listdir(f"/proc/{daemon.pid}/fd"))


async def play(crowd, sampler):
    """Let people come in the first tenth of the warm-up, and play."""
    tables, count = [], 0
    while count < PEOPLE:
        famiglia = crowd.chance(FAMIGLIA)
        places = 2 if famiglia else crowd.random.randint(3, 6)
        bots = 0
        if crowd.chance(BOTS):
            bots = 1 if famiglia else crowd.random.randint(1, places - 2)
        count += places - bots
        tables.append(Table(crowd, places,
                            "famiglia" if famiglia else "the_gang", bots))
    sampling = asyncio.ensure_future(sampler.run())
    begun = time.monotonic()
    runs = []
    for table in tables:
        runs.append(asyncio.ensure_future(table.run()))
        await asyncio.sleep(SECONDS * WARM_UP / 10 / len(tables))
    done, _ = await asyncio.wait([sampling, *runs],
                                 timeout=begun + SECONDS - time.monotonic(),
                                 return_when=asyncio.FIRST_EXCEPTION)
    crowd.stopping = True
    stuck = [table.path for table in tables
             if table.moved_at < time.monotonic() - STUCK_SECONDS]
    if stuck:
        crowd.fail(f"{len(stuck)} tables stand still: {stuck[:3]}")
    for task in done:
        task.result()  # raises what has ended it
    sampling.cancel()
    _, late = await asyncio.wait(
        runs, timeout=GONE_SECONDS + 2 * LONGEST_PAUSE * THINK)
    if late:
        crowd.counts["unanswered"] += len(late)
        crowd.fail(f"{len(late)} tables do not end: {late.pop().get_stack()}")
    deadline = time.monotonic() + GONE_SECONDS
    while Connection.opened and time.monotonic() < deadline:
        await asyncio.sleep(0.05)
    if Connection.opened:
        crowd.fail(f"{Connection.opened} connections do not end")


def check_growth(tally, sampler, name, bound):
    """bound(first) is the most that the last window may have."""
    first = sampler.window(name, WARM_UP)
    last = sampler.window(name, 1 - WINDOW)
    tally.check(f"{name} is {first:.0f} after the warm-up, {last:.0f} at the "
                f"end (at most {bound(first):.0f})", last <= bound(first))


def check(tally, crowd, sampler, build):
    counts = crowd.counts
    print(" ".join(f"{name}:{counts[name]}" for name in sorted(counts)))
    tally.check(f"{counts['requests']} requests, no error",
                counts["errors"] == 0 and counts["moves"] > 0,
                counts["errors"])
    tally.check("each was answered", counts["unanswered"] == 0,
                counts["unanswered"])
    moved = gangd.psql("SELECT count(*) FROM gangd.event JOIN gangd.seat "
                       "USING (game_id, seat) WHERE bot_level IS NOT NULL")
    tally.check(f"bots have {moved} events", int(moved) > 0)
    check_growth(tally, sampler, "rss_kib",
                 lambda first: first * (1 + MEMORY_PART) + MEMORY_KIB)
    check_growth(tally, sampler, "own_files", lambda first: first + DESCRIPTORS)
    replay = subprocess.run([build + "/bin/gangctl", "replay",
                             *list(crowd.games)[-REPLAYED:]], text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    tally.check("the newest games replay", replay.returncode == 0,
                replay.stdout[-500:])


def check_gone(tally, daemon, own_files):
    """When all clients have gone, the daemon has as few descriptors as before."""
    deadline = time.monotonic() + GONE_SECONDS
    while count_files(daemon) > own_files + DESCRIPTORS and \
            time.monotonic() < deadline:
        time.sleep(0.1)
    left = count_files(daemon)
    tally.check(f"{left} descriptors when all have gone, {own_files} before "
                "they came", left <= own_files + DESCRIPTORS)


def summary(samples):
    """The lines of the README: medians and maxima of what was after warm-up."""
    for name in COLUMNS[1:]:
        values = [sample[name] for sample in samples
                  if sample["seconds"] > SECONDS * WARM_UP]
        print(f"| {name} | {values[0]:.5g} | {statistics.median(values):.5g} | "
              f"{max(values):.5g} | {values[-1]:.5g} |")


def main():
    build = sys.argv[1]
    folder = pathlib.Path(build) / "soak"
    folder.mkdir(exist_ok=True)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    allow_files(most)
    tally = gangd.Tally()
    gangd.migrate(build)
    daemon = gangd.Daemon(
        build, log=folder / "daemon.log",
        GANGD_METRICS_LISTEN=os.environ.get("SOAK_METRICS", "127.0.0.1:0"))
    daemon.wait_ready()
    own_files = count_files(daemon)
    crowd = Crowd(daemon.address, THINK, seed=1)
    sampler = Sampler(crowd, daemon, folder / "samples.tsv")
    asyncio.run(play(crowd, sampler))
    summary(sampler.samples)
    check(tally, crowd, sampler, build)
    check_gone(tally, daemon, own_files)
    tally.check("the daemon ends well", daemon.stop() == 0)
    log = (folder / "daemon.log").read_text(encoding="utf-8")
    tally.check("it has logged no error",
                '"level":"error"' not in log and not gangd.FAULTS.search(log))
    subprocess.run(["gnuplot", "-e", f"data='{folder / 'samples.tsv'}'", "-e",
                    f"picture='{folder / 'soak.png'}'",
                    str(HERE / "soak.gnuplot")], check=True)
    tally.end()


if __name__ == "__main__":
    main()
