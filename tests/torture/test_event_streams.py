"""Readers receive each event once, in order.

A thousand readers listen at two daemons on one database to games in which
players move through one or the other.  Readers are cut off and reconnect, at
either daemon, with the id of their last event; one daemon is killed and another
is stopped meanwhile.  In the end each reader has received every event of its game
once, and learns when the game is deleted.

Then come clients that do not read, readers that claim a future event, a long
log, a damaged event, and the comment every 15 seconds.

READERS and STREAM_MOVES in the environment set the numbers.
"""
import os
import random
import threading
import time

import crowd
import gangd
import measure
import pytest
import streams

pytestmark = pytest.mark.waiting

READERS = 1000
GAMES = 8
MOVES = 160           # of all games
MOVING_SECONDS = 4
CUTS_EACH_TURN = 2    # readers that are cut off, all the time
LATE_SECONDS = 10     # until all have heard all
LATE_MOVES = 600      # whose views would be more than a stream may keep
SILENT = 12           # readers that do not read
SILENT_KB = 256       # what each may cost, in addition to the kernel's buffers
SILENT_SECONDS = 60   # until they are given up
LONG_LOG = 60000      # events, more than kernel and daemon keep for one
LONG_KB = 8192        # additional memory that a daemon may need for them
SIGN_SECONDS = 15
IDLE_CPU_SECONDS = 0.3 # of two


def wait_for_all(room, readers, version):
    return room.listen(LATE_SECONDS,
                       lambda: all(r.is_up_to(version) for r in readers))


def faults_of(readers):
    return [reader.faults[:2] for reader in readers if reader.faults][:5]


def version_of(daemon, table):
    answer = daemon.client(table.tokens[0]).get(table.path)
    return answer.json["version"]


# --- a thousand ---------------------------------------------------------------

class Movers(threading.Thread):
    """Take and return chips in all games, through any running daemon."""

    def __init__(self, tables, daemons, count, seed):
        super().__init__(daemon=True)
        self.tables, self.daemons, self.count = tables, daemons, count
        self.chance = random.Random(seed)
        self.answered = {}  # (table, version) -> when
        self.faults = []
        self.clients = {}

    def run(self):
        for number in range(self.count):
            table = self.tables[number % len(self.tables)]
            verb = "return" if number // len(self.tables) % 2 else "take"
            self.move(table, verb)
            time.sleep(self.chance.uniform(0, 2 * MOVING_SECONDS / self.count))

    def move(self, table, verb):
        """Move; a killed daemon may have carried it out."""
        path = f"{table.path}/chips/white/1/{verb}"
        for _ in range(20):
            daemon = self.chance.choice(self.daemons)
            try:
                answer = self.client(daemon, table).post(path)
            except (OSError, gangd.http.client.HTTPException):
                self.clients.pop((daemon, table), None)
                time.sleep(0.05)
                continue
            if answer.status == 200:
                self.answered[table, answer.json["version"]] = time.monotonic()
                return
            if answer.code in ("chip_already_held", "chip_not_held"):
                return
        self.faults.append(f"{verb}: {answer.status}")

    def client(self, daemon, table):
        key = daemon, table
        if key not in self.clients:
            self.clients[key] = daemon.client(table.tokens[0])
        return self.clients[key]


class House:
    """The daemons, and the readers that always come back."""

    def __init__(self, build, seed):
        self.build = build
        self.chance = random.Random(seed)
        self.daemons = [self.start(), self.start()]
        self.room = streams.Room(self.come_back)
        self.refused = 0

    def start(self):
        daemon = gangd.Daemon(self.build, GANGD_LOOPS="2")
        daemon.wait_ready()
        return daemon

    def come_back(self, reader):
        if reader.closed not in (None, "stopping"):
            return
        for daemon in self.chance.sample(self.daemons, len(self.daemons)):
            try:
                self.room.enter(reader, daemon.address)
                return
            except OSError:
                self.refused += 1
        reader.faults.append("nobody listens")

    def cut_some(self, readers):
        for reader in self.chance.sample(readers, CUTS_EACH_TURN):
            if not reader.ended:
                self.room.cut(reader)
                self.come_back(reader)

    def replace(self, index, end):
        """Start a new daemon before the old one ends."""
        old = self.daemons[index]
        self.daemons[index] = self.start()
        return end(old)


def kill(daemon):
    daemon.process.kill()
    return daemon.wait()


def delays_ms(movers, readers, tables):
    """How long after the move's answer each reader heard of it."""
    found = []
    for (table, version), when in movers.answered.items():
        found += [1000 * max(0, reader.times[version] - when)
                  for reader in readers[tables.index(table)]
                  if version in reader.times]
    return sorted(found)


def check_thousand(tally, build):
    house = House(build, 1)
    tables = [gangd.Table(house.daemons[0], spectators=True)
              for _ in range(GAMES)]
    count = int(os.environ.get("READERS", READERS))
    readers = [[] for _ in tables]
    for number in range(count):
        table = tables[number % GAMES]
        # Readers of each seat, and a spectator.
        token = (table.tokens + [None])[number // GAMES % 4]
        readers[number % GAMES].append(streams.Reader(
            table.path, token, views=number // GAMES % 2 == 1))
    everybody = [reader for each in readers for reader in each]
    for reader in everybody:
        house.come_back(reader)
    tally.check(f"{count} readers hear the past events",
                wait_for_all(house.room, everybody, 7),
                sum(not reader.is_up_to(7) for reader in everybody))
    movers = Movers(tables, house.daemons,
                    int(os.environ.get("STREAM_MOVES", MOVES)), 2)
    begun = time.monotonic()
    movers.start()
    killed = stopped = None
    while movers.is_alive():
        house.room.turn(0.05)
        house.cut_some(everybody)
        if killed is None and time.monotonic() - begun > MOVING_SECONDS / 3:
            killed = house.replace(0, kill)
        elif stopped is None and \
                time.monotonic() - begun > MOVING_SECONDS * 2 / 3:
            old = house.replace(1, lambda daemon: daemon)
            old.process.terminate()
            stopped = old
    good = all([wait_for_all(house.room, readers[i],
                             version_of(house.daemons[0], table))
                for i, table in enumerate(tables)])
    tally.check("all readers hear every event", good,
                [reader.last for reader in everybody][:20])
    tally.check("each reader hears each event once, in order, and a view "
                "after the events that it counts",
                not faults_of(everybody),
                faults_of(everybody))
    tally.check("a reader is told that its daemon stops",
                any(reader.closed == "stopping" for reader in everybody))
    tally.check("the movers were served", not movers.faults, movers.faults[:5])
    tally.check("the stopped daemon ended well, with its readers",
                stopped.wait() == 0 and not stopped.faults(), stopped.faults())
    cuts = sum(reader.connections - 1 for reader in everybody)
    waits = delays_ms(movers, readers, tables)
    print(f"{cuts} times somebody came back, {house.refused} were refused; "
          f"{len(waits)} events heard, p50 {waits[len(waits) // 2]:.0f} ms, "
          f"p99 {waits[len(waits) * 99 // 100]:.0f} ms")
    for table in tables:
        house.daemons[1].client(table.tokens[0]).ask("DELETE", table.path)
    tally.check("all readers hear that their game is deleted",
                house.room.listen(5, lambda: all(
                    r.closed == "deleted" for r in everybody)),
                sum(r.closed != "deleted" for r in everybody))
    house.room.close()
    return house.daemons


# --- readers that cost --------------------------------------------------------

def lengthen(table, count, kind="type"):
    """Repeat the last event so often that the log is long."""
    gangd.psql(f"""
        WITH last AS (SELECT * FROM gangd.event
            WHERE game_id = '{table.id}' ORDER BY version DESC LIMIT 1)
        INSERT INTO gangd.event (game_id, version, at, type, seat, heist,
            color, public_data, private_data, replay_data)
        SELECT game_id, version + number, at, {kind}, seat, heist, color,
            public_data, private_data, replay_data FROM last, generate_series(1, {count}) AS number;
        UPDATE gangd.game SET version = version + {count}
            WHERE game_id = '{table.id}'""")


def long_game(daemon):
    table = gangd.Table(daemon)
    daemon.client(table.tokens[0]).post(table.path + "/chips/white/1/take")
    lengthen(table, LONG_LOG)
    return table


def hears_in_time(daemon, table, room, reader, verb):
    daemon.client(table.tokens[0]).post(f"{table.path}/chips/white/1/{verb}")
    version = version_of(daemon, table)
    return room.listen(1, lambda: reader.last >= version)


def check_silent(tally, build, daemon, table):
    """Readers that do not read fill their buffers, and are closed."""
    other = gangd.Table(daemon)
    room = streams.Room()
    honest = streams.Reader(other.path, other.tokens[1])
    room.enter(honest, daemon.address)
    room.listen(5, lambda: honest.last == 7)
    files, kb = measure.open_files(daemon), measure.memory_kb(daemon)
    silent = [streams.Reader(table.path, table.tokens[i % 3], views=i % 2)
              for i in range(SILENT)]
    most = 0
    for reader in silent:
        reader.open(daemon.address, buffer=2048)
    begun = time.monotonic()
    in_time = []
    while time.monotonic() - begun < SILENT_SECONDS and (
            measure.open_files(daemon) > files or len(in_time) < 4):
        in_time.append(hears_in_time(daemon, other, room, honest,
                                     "return" if len(in_time) % 2 else "take"))
        most = max(most, measure.memory_kb(daemon) - kb)
        room.listen(0.2)
    seconds = time.monotonic() - begun
    left = measure.open_files(daemon) - files
    print(f"{SILENT} silent readers: {most} kB more at the most, gone after "
          f"{seconds:.1f} s")
    tally.check("a connection whose client does not read is closed",
                left <= 0, left)
    if not measure.is_sanitized(build):
        tally.check(f"each silent reader costs {SILENT_KB} kB at the most",
                    most <= SILENT * SILENT_KB, most)
    tally.check("other readers hear moves meanwhile", all(in_time),
                in_time.count(False))
    for reader in silent:
        reader.close()
    room.close()


def check_skipped_views(tally, daemon):
    """A client that reads late gets every event, but not every view."""
    table = gangd.Table(daemon)
    room = streams.Room()
    late = streams.Reader(table.path, table.tokens[1], views=True)
    late.open(daemon.address, buffer=2048)
    client = daemon.client(table.tokens[0])
    for number in range(LATE_MOVES):
        verb = "return" if number % 2 else "take"
        client.post(f"{table.path}/chips/white/1/{verb}")
    version = version_of(daemon, table)
    room.join(late)
    good = room.listen(LATE_SECONDS, lambda: late.is_up_to(version))
    print(f"{late.last} events and {late.views} views, read late")
    tally.check("a client that reads late hears every event and the newest "
                "view", good and late.connections == 1 and not late.faults,
                (late.last, late.viewed, version, late.faults[:3]))
    tally.check("it was spared most of the views between",
                0 < late.views < LATE_MOVES / 2, late.views)
    room.close()


def check_long(tally, build, daemon, table):
    """A reader gets the whole log, in as many connections as it takes."""
    kb, most = measure.memory_kb(daemon), 0
    version = version_of(daemon, table)
    room = streams.Room(lambda reader: room.enter(reader, daemon.address))
    reader = streams.Reader(table.path, table.tokens[0])
    room.enter(reader, daemon.address)
    begun = time.monotonic()
    while reader.last < version and time.monotonic() - begun < 30:
        room.turn(0.05)
        most = max(most, measure.memory_kb(daemon) - kb)
    print(f"{reader.last} events in {time.monotonic() - begun:.1f} s, over "
          f"{reader.connections} connections; {most} kB more at the most")
    tally.check("a reader hears a long log to its end",
                reader.last == version and not reader.faults,
                (reader.last, reader.faults[:3]))
    if not measure.is_sanitized(build):
        tally.check(f"a long log costs {LONG_KB} kB at the most",
                    most <= LONG_KB, most)
    room.close()


def cpu_seconds(daemon):
    with open(f"/proc/{daemon.pid}/stat", encoding="ascii") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def check_future(tally, build):
    """A reader that claims a future event does not change others' streams."""
    daemon = gangd.Daemon(build, GANGD_LOOPS="1")
    daemon.wait_ready()
    table = gangd.Table(daemon)
    room = streams.Room()
    reader = streams.Reader(table.path, table.tokens[1])
    room.enter(reader, daemon.address)
    waiter = crowd.Waiter(daemon.address)
    tag = daemon.client(table.tokens[2]).get(table.path).header("ETag")
    waiter.ask(table, table.tokens[2], tag, 60)
    room.listen(5, lambda: reader.last == 7)
    ahead = streams.Reader(table.path, table.tokens[0], last=2147483647)
    room.enter(ahead, daemon.address)
    room.listen(0.5)
    before = cpu_seconds(daemon)
    room.listen(2)
    used = cpu_seconds(daemon) - before
    tally.check("a reader that claims a future event costs no processor time",
                used < IDLE_CPU_SECONDS, f"{used:.2f} s")
    tally.check("others hear of a move at once",
                hears_in_time(daemon, table, room, reader, "take") and
                len(crowd.collect([waiter], 2)) == 1)
    tally.check("a reader that claims a future event hears nothing",
                ahead.last == 2147483647 and not ahead.faults and
                not ahead.ended)
    waiter.close()
    room.close()
    tally.end_well(daemon, "its daemon")


def check_damaged(tally, daemon):
    """A damaged row ends the stream, and nothing else."""
    table = gangd.Table(daemon)
    room = streams.Room()
    reader = streams.Reader(table.path, table.tokens[0], last=7)
    room.enter(reader, daemon.address)
    room.listen(5, lambda: reader.began)
    lengthen(table, 1, 30000)
    tally.check("a damaged event ends a stream",
                room.listen(5, lambda: reader.ended) and
                not reader.closed and reader.is_whole and
                not reader.faults, reader.faults)
    answer = daemon.client(table.tokens[0]).get(
        table.path + "/events", headers={"Accept": "text/event-stream"})
    tally.check("no stream begins with a damaged event",
                (answer.status, answer.code) == (500, "internal"),
                answer.status)
    room.close()


def sign_of_life(tally, daemon):
    """Start a check that takes 15 seconds; its end is awaited later."""
    table = gangd.Table(daemon)
    room = streams.Room()
    readers = [streams.Reader(table.path, token) for token in table.tokens]
    begun = time.monotonic()
    for reader in readers:
        room.enter(reader, daemon.address)
    listening = threading.Thread(
        target=room.listen, args=(SIGN_SECONDS + 2,), daemon=True)
    listening.start()

    def check():
        listening.join()
        late = [sign - begun for reader in readers for sign in reader.signs]
        tally.check("a silent stream sends a sign of life every 15 seconds",
                    len(late) == len(readers) and
                    all(SIGN_SECONDS - 1 < sign < SIGN_SECONDS + 2
                        for sign in late), late)
        tally.check("the stream goes on after its sign of life",
                    all(hears_in_time(daemon, table, room, reader, verb)
                        for verb, reader in zip(("take", "return"), readers))
                    and not faults_of(readers), faults_of(readers))
        room.close()
    return check


def test_event_streams(tally, build, database):
    crowd.allow_files(3 * READERS)
    quiet = gangd.Daemon(build, GANGD_LOOPS="1")
    quiet.wait_ready()
    check_the_sign = sign_of_life(tally, quiet)
    daemons = check_thousand(tally, build)
    table = long_game(daemons[0])
    check_silent(tally, build, daemons[0], table)
    check_skipped_views(tally, daemons[0])
    check_long(tally, build, daemons[0], table)
    check_future(tally, build)
    check_damaged(tally, daemons[1])
    check_the_sign()
    for number, daemon in enumerate([quiet, *daemons], 1):
        tally.end_well(daemon, f"daemon {number}")
