#!/usr/bin/python3
"""soak.py BUILD - people play for long; what grows, and what is lost?

"make soak" runs this under deploy/local/with-cluster.sh --durable.  People play
whole games (people.py); every SAMPLE_SECONDS a line of BUILD/soak/samples.tsv
says how large the daemons and the tables are, and how fast moves were answered
and reached the streams.  Draws BUILD/soak/soak.png.

With HOURS people play that many hours of a day at PACE times their pace, while what
happens to a service in a day happens to two daemons and their database (day.py).

It fails after an error, an unanswered request, an error in a daemon's log, a move
that was acknowledged and is not in the event log exactly once, or a game whose log
does not replay; if memory, descriptors or threads of a daemon grow by more than
their bound after its warm-up, the first quarter of its life; or if descriptors
are left when all clients have gone.

  HOURS            of a day, with its events; none: no events
  PACE             10 by default, with HOURS
  SOAK_SECONDS     how long, 3600 by default, or HOURS at that pace
  SOAK_PEOPLE      how many, 1000 by default, or 140 with HOURS
  SOAK_THINK       seconds between two moves of a person, 4 by default, or 4 / PACE
  SAMPLE_SECONDS   10 by default, or a sixtieth of a short run
  SOAK_METRICS     the address for GANGD_METRICS_LISTEN, without HOURS
"""
import asyncio
import collections
import math
import os
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "harness"))

import day  # noqa: E402
import gangd  # noqa: E402
import guide  # noqa: E402
from async_http import Connection  # noqa: E402
from crowd import allow_files  # noqa: E402
from people import BOTS, FAMIGLIA, LONGEST_PAUSE, NoFaults  # noqa: E402
from people import Crowd, Table  # noqa: E402
from processor import Server, memory_kib, work_seconds  # noqa: E402

HOURS = float(os.environ.get("HOURS") or 0)
PACE = float(os.environ.get("PACE") or 10) if HOURS else 1
ROUNDS = max(1, round(HOURS / 4))  # in which each event comes once
SECONDS = float(os.environ.get("SOAK_SECONDS") or HOURS * 3600 / PACE or 3600)
PEOPLE = int(os.environ.get("SOAK_PEOPLE") or (140 if HOURS else 1000))
THINK = float(os.environ.get("SOAK_THINK") or 4 / PACE)
SAMPLE = float(os.environ.get("SAMPLE_SECONDS") or min(10, SECONDS / 60))
WARM_UP = 1 / 4         # of the time, or of a daemon's life
WINDOW = 1 / 10         # of it: what is compared after the warm-up
LIFE = 1 / 15           # of the time: the shortest life that is judged
LIFE_SAMPLES = 8        # and the least number of samples in it
# The growth that is allowed between the first window and the last one.
MEMORY_PART, MEMORY_KIB = 0.05, 4096
DESCRIPTORS = 20        # in addition to those of clients' connections
THREADS = 0
ROWS_PART = 1.5         # of tables after a purge, compared with the first purge
SESSIONS = 2            # times those that the daemons usually have, at the server
STUCK_SECONDS = 20 + 15 * THINK  # the longest time of a table without a move
GONE_SECONDS = 20
REPLAYED = 100
AUDIT_SECONDS = 30
AUDITED = 100           # games at a time
SETTLED_SECONDS = 20    # since a game was left

OF_DAEMON = "rss_kib files own_files threads".split()
COLUMNS = """seconds people_files moves_s requests_s
    move_p50_ms move_p99_ms echo_p50_ms echo_p99_ms late_p99_ms errors refused
    games reconnects service_cpu database_cpu client_cpu game_mib seat_mib
    event_mib database_mib wal_mib game_rows game_dead seat_dead event_dead
    sessions log_mib""".split()
SIZES = """SELECT concat_ws(' ', {sizes}, pg_database_size(current_database()),
    pg_current_wal_lsn() - '0/0', (SELECT count(*) FROM gangd.game), {rows},
    (SELECT count(*) FROM pg_stat_activity WHERE application_name = 'gangd'))"""
# Of each game: id, events, events that are missing, and the moves of people, as
# "version after the move:seat".  A move begins with an event that has replay_data:
# of these, the start of a game (4) and what comes of rules (from 32 on) are moves.
MOVES = """WITH begin AS (
    SELECT game_id, type, event.seat, lead(event.version, 1, game.version + 1) OVER (
        PARTITION BY game_id ORDER BY event.version) - 1 AS after
    FROM gangd.event JOIN gangd.game USING (game_id)
    WHERE {games} AND replay_data IS NOT NULL)
SELECT coalesce(string_agg(line, ';'), '') FROM (
    SELECT concat_ws(' ', game_id, version, version - (SELECT count(*)
        FROM gangd.event WHERE event.game_id = game.game_id),
        (SELECT string_agg(after || ':' || seat, ' ' ORDER BY after) FROM begin
         WHERE begin.game_id = game.game_id AND (type >= 32 OR type = 4) AND seat > 0
           AND NOT EXISTS (SELECT FROM gangd.seat WHERE seat.game_id = game.game_id
                           AND seat.seat = begin.seat AND bot_level IS NOT NULL)))
        AS line
    FROM gangd.game WHERE {games}) AS lines"""


def percentile_ms(seconds, part):
    return 1000 * sorted(seconds)[int(len(seconds) * part)] if seconds else 0


class Alone:
    """One daemon, at the cluster that with-cluster.sh has made."""

    def __init__(self, build, folder):
        gangd.migrate(build)
        self.folder = folder
        self.daemons = [gangd.Daemon(
            build, log=folder / "daemon-1.log",
            GANGD_METRICS_LISTEN=os.environ.get("SOAK_METRICS", "127.0.0.1:0"))]
        self.daemons[0].wait_ready()
        self.address = self.daemons[0].address
        self.server = Server()

    def work(self):
        return ({str(daemon.pid): work_seconds(daemon.pid)
                 for daemon in self.daemons},
                {self.server.postmaster: self.server.seconds()})

    def logs(self):
        return sorted(self.folder.glob("daemon-*.log"))

    def end(self):
        gangd.Daemon.stop_all()


class Life:
    """The samples of one process of a daemon."""

    def __init__(self, number, pid, begun):
        self.number, self.pid, self.begun = number, pid, begun
        self.samples = []

    @property
    def seconds(self):
        return self.samples[-1]["seconds"] - self.begun

    def window(self, name, begin):
        """The median of a figure over the window that begins at this part, or what is
        nearest to it."""
        parts = [((sample["seconds"] - self.begun) / self.seconds, sample[name])
                 for sample in self.samples]
        values = [value for part, value in parts if begin <= part <= begin + WINDOW]
        return statistics.median(values) if values else \
            min(parts, key=lambda part: abs(part[0] - begin - WINDOW / 2))[1]


class Sampler:
    """Writes a line about each span of time."""

    def __init__(self, crowd, service, path):
        self.crowd, self.service = crowd, service
        self.sql = None
        self.samples, self.lives = [], []
        self.columns = COLUMNS + [f"{name}_{number}" for name in OF_DAEMON for
                                  number in range(1, 1 + len(service.daemons))]
        self.file = open(path, "w", encoding="ascii", buffering=1)
        self.file.write("\t".join(self.columns) + "\n")
        self.begun = self.at = time.monotonic()
        self.before, self.worked = self.totals(), service.work()
        self.wal = None

    def totals(self):
        """The counters that only grow."""
        return {"moves": self.crowd.counts["moves"],
                "requests": self.crowd.counts["requests"],
                "client": time.process_time()}

    def ask_sizes(self):
        """Bytes of tables with their indexes, and their rows; not a number while no
        server answers."""
        names = COLUMNS[COLUMNS.index("game_mib"):-1]
        tables = ("game", "seat", "event")
        sizes = ", ".join(f"pg_total_relation_size('gangd.{table}')"
                          for table in tables)
        rows = ", ".join(
            f"(SELECT n_dead_tup FROM pg_stat_user_tables WHERE schemaname = "
            f"'gangd' AND relname = '{table}')" for table in tables)
        try:
            self.sql = self.sql or gangd.Sql()
            values = self.sql.ask(SIZES.format(sizes=sizes, rows=rows)).split()
        except (OSError, RuntimeError):
            self.sql = None
            return dict.fromkeys(names, math.nan)
        values = [int(value) for value in values]
        self.wal = self.wal or values[4]
        values[4] -= self.wal
        return {name: value / 2 ** 20 if name.endswith("_mib") else value
                for name, value in zip(names, values)}

    def measure_daemons(self, seconds):
        """How large each is now; not a number of one that has ended."""
        found = {}
        for number, daemon in enumerate(self.service.daemons, 1):
            try:
                sizes = dict(zip(OF_DAEMON, (
                    memory_kib(daemon), *count_files(daemon),
                    len(os.listdir(f"/proc/{daemon.pid}/task")))))
                self.life(number, daemon.pid, seconds).samples.append(
                    sizes | {"seconds": seconds})
            except (OSError, TypeError):
                sizes = dict.fromkeys(OF_DAEMON, math.nan)
            found |= {f"{name}_{number}": sizes[name] for name in OF_DAEMON}
        return found

    def life(self, number, pid, seconds):
        """The life of this process; it begins with this sample if it is new."""
        if not any(life.pid == pid for life in self.lives):
            begun = self.samples[-1]["seconds"] if self.samples else 0
            self.lives.append(Life(number, pid, begun))
        return next(life for life in self.lives if life.pid == pid)

    def work(self, span):
        """Processors that the service and the database took since the last time."""
        before, self.worked = self.worked, self.service.work()
        return [sum(max(0, seconds - old.get(pid, 0)) for pid, seconds in
                    new.items()) / span for old, new in zip(before, self.worked)]

    def take(self):
        """A sample of the time since the last one."""
        crowd, now, totals = self.crowd, time.monotonic(), self.totals()
        span = now - self.at
        rates = {name: (totals[name] - self.before[name]) / span
                 for name in totals}
        self.at, self.before = now, totals
        moves, crowd.moves = crowd.moves, []
        echoes, crowd.echoes = crowd.echoes, []
        lates, crowd.lates = crowd.lates, []
        service, database = self.work(span)
        sample = {
            "seconds": now - self.begun, "people_files": Connection.opened,
            "moves_s": rates["moves"], "requests_s": rates["requests"],
            "move_p50_ms": percentile_ms(moves, 0.5),
            "move_p99_ms": percentile_ms(moves, 0.99),
            "echo_p50_ms": percentile_ms(echoes, 0.5),
            "echo_p99_ms": percentile_ms(echoes, 0.99),
            "late_p99_ms": percentile_ms(lates, 0.99),
            "service_cpu": service, "database_cpu": database,
            "client_cpu": rates["client"],
            "log_mib": sum(path.stat().st_size for path in
                           self.service.logs()) / 2 ** 20,
            **{name: crowd.counts[name] for name in
               ("errors", "refused", "games", "reconnects")},
            **self.ask_sizes(), **self.measure_daemons(now - self.begun)}
        self.samples.append(sample)
        self.file.write("\t".join(f"{sample[name]:.6g}" for name in self.columns)
                        + "\n")

    async def run(self):
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(SAMPLE)
            # It waits for the database, and people shall not wait for it.
            await loop.run_in_executor(None, self.take)

    def known(self, name):
        """The values of a column after the warm-up."""
        return [sample[name] for sample in self.samples
                if sample["seconds"] > SECONDS * WARM_UP and
                not math.isnan(sample[name])]


class Audit:
    """Compares the ledger of a crowd with the event log, game by game, when a game
    is played no more.  .moves counts the moves that are right."""

    def __init__(self, crowd, tables):
        self.crowd, self.tables = crowd, tables
        self.moves = self.games = 0
        self.wrong = []
        self.absent = {}  # since when a game is at no table

    async def run(self):
        while True:
            await asyncio.sleep(AUDIT_SECONDS / PACE)
            await self.check()

    async def check(self, all_games=False):
        now, present = time.monotonic(), {table.path for table in self.tables}
        for path in self.crowd.ledger:
            if path not in present:
                self.absent.setdefault(path, now)
        # A move may still be sent again.
        paths = [path for path in self.crowd.ledger if all_games or
                 self.absent.get(path, now) < now - SETTLED_SECONDS]
        for path in paths:
            self.absent.pop(path, None)
        for begin in range(0, len(paths), AUDITED):
            records = {path.rpartition("/")[2]: self.crowd.ledger.pop(path)
                       for path in paths[begin:begin + AUDITED]}
            await asyncio.get_running_loop().run_in_executor(
                None, self.compare, records)

    def compare(self, records):
        games = "game_id IN (" + ", ".join(f"'{game}'" for game in records) + ")"
        lines = ask_until(MOVES.format(games=games))
        for line in filter(None, lines.split(";")):
            game, version, missing, *moves = line.split()
            self.judge(game, int(missing), moves, records.pop(game))
        self.wrong += [f"{game} is not there" for game in records]

    def judge(self, game, missing, moves, record):
        """Each move of the log is an answered one, and the other way round.  A move
        that was sent twice counts, since its answer has a later version."""
        found = dict(map(int, move.split(":")) for move in moves)
        unknown = collections.Counter(
            seat for version, seat in found.items() if version not in record.seats)
        lost = {version: seat for version, seat in record.seats.items()
                if found.get(version) != seat}
        self.games += 1
        self.moves += len(found)
        if missing or lost or unknown != record.repeated:
            self.wrong.append(
                f"{game}: {missing} events missing; acknowledged, and not in the "
                f"log: {lost}; in the log, by seats: {dict(unknown)} more than "
                f"acknowledged, {dict(record.repeated)} expected")


def ask_until(statement):
    """The result of a statement, which is asked again while no server answers."""
    deadline = time.monotonic() + GONE_SECONDS
    while True:
        try:
            return gangd.psql(statement)
        except subprocess.CalledProcessError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.5)


def count_files(daemon):
    """The descriptors of a daemon, and how many are not of clients."""
    port = f":{daemon.address[1]:04X}"
    clients = 0
    with open("/proc/net/tcp", encoding="ascii") as file:
        for line in file:
            fields = line.split()
            # Established, or closed by the client alone.
            clients += fields[1].endswith(port) and fields[3] in ("01", "08")
    files = len(os.listdir(f"/proc/{daemon.pid}/fd"))
    return files, files - clients


async def play(crowd, sampler, make_day):
    """Let people come in the first tenth of the warm-up, and play; what audits
    them, and the day."""
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
    audit = Audit(crowd, tables)
    a_day = make_day and make_day(audit.check)
    others = [sampler.run(), audit.run(), *([a_day.run(SECONDS)] if a_day else [])]
    others = [asyncio.ensure_future(other) for other in others]
    begun = time.monotonic()
    runs = []
    for table in tables:
        runs.append(asyncio.ensure_future(table.run()))
        await asyncio.sleep(SECONDS * WARM_UP / 10 / len(tables))
    done, _ = await asyncio.wait([*others, *runs],
                                 timeout=begun + SECONDS - time.monotonic(),
                                 return_when=asyncio.FIRST_EXCEPTION)
    crowd.stopping = True
    stuck = [table.path for table in tables
             if table.moved_at < time.monotonic() - STUCK_SECONDS]
    if stuck:
        crowd.fail(f"{len(stuck)} tables stand still: {stuck[:3]}")
    for task in done:
        task.result()  # raises what has ended it
    for other in others:
        if not other.done() and a_day and other is others[-1]:
            crowd.fail("the events of the day took longer than it")
        other.cancel()
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
    await audit.check(all_games=True)
    return audit, a_day


def check_growth(tally, sampler, name, bound):
    """bound(first) is the most that the last window of a life may have."""
    judged = 0
    for life in sampler.lives:
        if HOURS and (len(life.samples) < LIFE_SAMPLES or
                      life.seconds < LIFE * SECONDS):
            continue
        judged += 1
        first, last = life.window(name, WARM_UP), life.window(name, 1 - WINDOW)
        tally.check(
            f"{name} of daemon {life.number} is {first:.0f} after the warm-up, "
            f"{last:.0f} at the end of its life (at most {bound(first):.0f})",
            last <= bound(first))
    tally.check(f"{name}: {judged} lives were long enough", judged > 0)


def check(tally, crowd, sampler, audit, build):
    counts = crowd.counts
    print(" ".join(f"{name}:{counts[name]}" for name in sorted(counts)))
    tally.check(f"{counts['requests']} requests, no error",
                counts["errors"] == 0 and counts["moves"] > 0,
                counts["errors"])
    tally.check("each was answered", counts["unanswered"] == 0,
                counts["unanswered"])
    tally.check(f"{audit.moves} moves of {audit.games} games are in the event log, "
                "each once, and were acknowledged",
                not audit.wrong and audit.moves >= counts["moves"],
                (counts["moves"], len(audit.wrong), audit.wrong[:3]))
    tally.check(f"{counts['streams_complete']} streams had every event of their game, "
                "once and in order", counts["streams_complete"] > 0 or SECONDS < 60)
    moved = gangd.psql("SELECT count(*) FROM gangd.event JOIN gangd.seat "
                       "USING (game_id, seat) WHERE bot_level IS NOT NULL")
    tally.check(f"bots have {moved} events", int(moved) > 0)
    check_growth(tally, sampler, "rss_kib",
                 lambda first: first * (1 + MEMORY_PART) + MEMORY_KIB)
    check_growth(tally, sampler, "own_files", lambda first: first + DESCRIPTORS)
    check_growth(tally, sampler, "threads", lambda first: first + THREADS)
    # Not those that a purge has deleted; the audit would miss any other.
    games = gangd.psql("SELECT game_id FROM gangd.game ORDER BY created_at DESC "
                       f"LIMIT {REPLAYED}").split()
    replay = gangd.gangctl(build, "replay", *games)
    tally.check(f"the newest {len(games)} games replay",
                games and replay.returncode == 0, replay.stdout[-500:])


def check_day(tally, a_day, faults, sampler, service):
    """What a day must not leave."""
    for name in a_day.EVENTS:
        times = a_day.facts[name]
        tally.check(f"{name} came {len(times)} times", len(times) >= ROUNDS, times)
    for (name, trouble), count in sorted(faults.seen.items()):
        print(f"       {name}: {count} {trouble}, the last after "
              f"{faults.last[name]:.1f} s")
    for name in ("promotion", "standby", "purged", "rekeyed", "log"):
        print(f"       {name}: {', '.join(a_day.facts[name])}")
    tally.check("the events of the day did what they should", not a_day.faulty,
                a_day.faulty[:3])
    for rows in a_day.rows:
        print("       after a purge:", rows)
    # Each time as much was played as is kept.
    grown = {name: (first, a_day.rows[-1][name])
             for name, first in a_day.rows[0].items()
             if a_day.rows[-1][name] > 100 + ROWS_PART * first}
    tally.check("rows and size after the last purge are those after the first",
                not grown, grown)
    sessions = sampler.known("sessions")
    usual = statistics.median(sessions)
    tally.check(f"the server has {max(sessions):.0f} sessions at most, "
                f"{sessions[-1]:.0f} at the end",
                sessions[-1] <= usual and max(sessions) <= SESSIONS * usual, usual)
    rows, dead = sampler.known("game_rows"), sampler.known("game_dead")
    tally.check(f"{max(dead):.0f} dead rows of games at most, {rows[-1]:.0f} games",
                statistics.median(dead[-5:]) <= 500 + 2 * rows[-1], dead[-5:])
    left = [str(path) for path in service.temporary.rglob("*")]
    left += gangd.psql("SELECT name FROM pg_ls_tmpdir()",
                       url=gangd.superuser()).split()
    tally.check("no temporary file is left", not left, left[:3])
    guide.check_all_given(tally, day.__file__)


def check_gone(tally, service, own_files):
    """When all clients have gone, a daemon has as few descriptors as before."""
    for number, daemon in enumerate(service.daemons, 1):
        gangd.wait_for(lambda daemon=daemon: count_files(daemon)[0] <=
                       own_files + DESCRIPTORS, GONE_SECONDS)
        left, _ = count_files(daemon)
        tally.check(f"daemon {number} has {left} descriptors when all have gone, "
                    f"{own_files} before they came", left <= own_files + DESCRIPTORS)


def summary(sampler):
    """The lines of SOAK.md: medians and maxima of what was after warm-up."""
    for name in sampler.columns[1:]:
        values = sampler.known(name)
        print(f"| {name} | {values[0]:.5g} | {statistics.median(values):.5g} | "
              f"{max(values):.5g} | {values[-1]:.5g} |")


def draw(folder, service, a_day):
    """The picture, with a line where each event began."""
    colors = day.COLORS if a_day else {}
    lines = [f"events = '{' '.join(colors).replace('_', '-')}'",
             f"colors = '{' '.join(colors.values())}'"]
    for name, begun, _ in a_day.marks if a_day else []:
        lines.append(f"set arrow from {begun / 60:.3f}, graph 0 to {begun / 60:.3f}, "
                     f"graph 1 nohead dt 2 lw 2 lc rgb '{colors[name]}' back")
    (folder / "marks.gnuplot").write_text("\n".join(lines) + "\n", "ascii")
    subprocess.run(["gnuplot", "-e", f"data='{folder / 'samples.tsv'}'", "-e",
                    f"picture='{folder / 'soak.png'}'", "-e",
                    f"marks='{folder / 'marks.gnuplot'}'", "-e",
                    f"daemons={len(service.daemons)}",
                    str(HERE / "soak.gnuplot")], check=True)


def run(tally, build, folder, service, faults):
    own_files = count_files(service.daemons[0])[0]
    crowd = Crowd(service.address, THINK, seed=1, faults=faults)
    sampler = Sampler(crowd, service, folder / "samples.tsv")
    make_day = None
    if HOURS:
        def make_day(audit):
            return day.Day(service, faults, ROUNDS, audit)
    audit, a_day = asyncio.run(play(crowd, sampler, make_day))
    summary(sampler)
    check(tally, crowd, sampler, audit, build)
    if a_day:
        check_day(tally, a_day, faults, sampler, service)
        service.stop_balancer()
    check_gone(tally, service, own_files)
    statuses = [daemon.stop() for daemon in service.daemons]
    tally.check("the daemons end well", not any(statuses), statuses)
    errors = [line for path in service.logs() for line in day.read_faults(path)]
    tally.check("they have logged no error", not errors, errors[:3])
    draw(folder, service, a_day)


def main():
    build = sys.argv[1]
    folder = pathlib.Path(build) / "soak"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    allow_files(most)
    tally = gangd.Tally()
    service = day.Pair(build, folder, PACE) if HOURS else Alone(build, folder)
    try:
        run(tally, build, folder, service, day.Faults() if HOURS else NoFaults())
    finally:
        service.end()
    tally.end()


if __name__ == "__main__":
    main()
