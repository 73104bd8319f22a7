"""A new release comes while the old one serves.

Two releases are built from these sources: BUILD/bin, and
BUILD/tests/torture/next with one migration more (next/9999_next.sql) and all
functions replaced.  While clients play, wait and listen at the old daemon, the
schema is migrated; a new daemon is started next to it, clients use both
alternately, and the old one is restarted.  No answer is a 5xx.  Then both releases
serve one game: its moves alternate, and streams and waiters of each release
receive the moves at the other.
"""
import http.client
import os
import subprocess
import threading
import time
import uuid

import crowd
import gangd
import pytest
import streams

pytestmark = pytest.mark.waiting

PLAYERS = 6
LEAST = 300       # requests before, during and after
PHASE_SECONDS = 60
CLIENTS_OF_LOOPS = 16  # enough that each loop has one
CHIPS = ("take", "return")
MOVES_IN_TURN = 20
STARTED_VERSION = 7  # of a game of three that has begun


class Player(threading.Thread):
    """Moves, reads, creates, joins, waits and leaves, at all running daemons
    alternately; notes every answer that is not a success."""

    def __init__(self, daemons):
        super().__init__(daemon=True)
        self.daemons = daemons
        self.stopping = threading.Event()
        self.asked, self.wrong = 0, []

    def ask(self, method, path, body=None, token=None, **headers):
        daemon = self.daemons[self.asked % len(self.daemons)]
        self.asked += 1
        client = daemon.client(token)
        try:
            answer = client.ask(method, path, body, headers)
        except (OSError, http.client.HTTPException) as error:
            self.wrong.append((method, path, repr(error)))
            raise
        finally:
            client.close()
        if answer.status >= 300 and answer.status != 304:
            self.wrong.append((method, path, answer.status, answer.body))
        return answer

    def play_once(self):
        made = self.ask("POST", "/v1/games", {
            "name": "A", "seats": 3, "spectators": True,
            "visibility": "public"}, **{
                "Idempotency-Key": str(uuid.uuid4())}).json
        path, tokens = "/v1/games/" + made["game"]["id"], [made["token"]]
        self.ask("GET", "/v1/games?mode=basic&limit=3")
        for name in "BC":
            tokens.append(self.ask(
                "POST", path + "/players", {"name": name}).json["token"])
        for number in range(8):
            token = tokens[0]
            tag = self.ask("POST", f"{path}/chips/white/1/{CHIPS[number % 2]}",
                           token=token, **{"Idempotency-Key":
                                           str(uuid.uuid4())}).header("ETag")
            self.ask("GET", path, token=token)
            self.ask("GET", path, token=token, **{
                "If-None-Match": tag, "Prefer": "wait=0"})
        self.ask("GET", path + "/events", token=tokens[1])
        self.ask("POST", path + "/stream_tickets", token=tokens[1])
        self.ask("GET", path + "/players", token=tokens[1])
        self.ask("DELETE", path + "/players/3", token=tokens[2])

    def run(self):
        while not self.stopping.is_set() and not self.wrong:
            try:
                self.play_once()
            except (OSError, http.client.HTTPException, KeyError,
                    ValueError) as error:
                self.wrong.append(repr(error))


class Players:
    def __init__(self, daemons):
        self.daemons = daemons
        self.players = [Player(daemons) for _ in range(PLAYERS)]
        for player in self.players:
            player.start()

    def wrong(self):
        return [each for player in self.players for each in player.wrong]

    def go_on(self):
        """Wait until the players have sent more requests, or one failed."""
        until = sum(player.asked for player in self.players) + LEAST
        deadline = time.monotonic() + PHASE_SECONDS
        while sum(player.asked for player in self.players) < until and \
                not self.wrong() and time.monotonic() < deadline:
            time.sleep(0.02)

    def end(self):
        for player in self.players:
            player.stopping.set()
        for player in self.players:
            player.join()
        return sum(player.asked for player in self.players)


def run(program, *arguments):
    return subprocess.run([program, *arguments], check=False, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def becomes_ready(daemon, seconds):
    """Does /readyz say 200 within that time, on every loop?  A loop answers for
    itself, and connections fall to the loops by chance."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        clients = [daemon.client() for _ in range(CLIENTS_OF_LOOPS)]
        ready = [client.get("/readyz").status == 200 for client in clients]
        for client in clients:
            client.close()
        if all(ready):
            return True
        time.sleep(0.05)
    return False


def check_replay(tally, program, name):
    games = gangd.psql("SELECT game_id FROM gangd.game").split()
    done = run(program, "replay", *games)
    tally.check(f"games replay to their stored state, by the {name} gangctl",
                games and not done.returncode, done.stdout[-400:])


def listen(old):
    """A stream at the old daemon, open during the whole upgrade."""
    table = gangd.Table(old, spectators=True)
    room = streams.Room()
    reader = streams.Reader(table.path, table.tokens[1])
    room.enter(reader, old.address)
    return table, room, reader


def check_stream(tally, new, table, room, reader):
    """A stream at the old daemon gets a move that the new one commits."""
    answer = new.client(table.tokens[0]).post(
        table.path + "/chips/white/1/take")
    room.listen(10, lambda: reader.last >= 8)
    tally.check("a stream at the old daemon goes on, and gets the moves at "
                "the new one", answer.status == 200 and reader.last == 8 and
                not reader.ended and not reader.faults,
                (answer.status, reader.last, reader.faults))
    room.close()


def check_moves_in_turn(tally, table, daemons):
    """Waiters at one release receive each move through the other."""
    missed = []
    waiters = [crowd.Waiter(daemon.address) for daemon in daemons]
    for number in range(MOVES_IN_TURN):
        near, far = number % 2, 1 - number % 2
        tag = daemons[far].client(table.tokens[1]).get(
            table.path).header("ETag")
        waiters[far].ask(table, table.tokens[1], tag, 10)
        moved = daemons[near].client(table.tokens[0]).post(
            f"{table.path}/chips/white/1/{CHIPS[number % 2]}")
        told = crowd.collect([waiters[far]], 5)
        if moved.status != 200 or [each.status for each in told] != [200] or \
                told[0].etag == tag:
            missed.append((number, moved.status, told))
    for waiter in waiters:
        waiter.close()
    tally.check("moves of one game alternate between two releases, and who "
                "waits at the other gets each", not missed, missed[:3])


def check_side_by_side(tally, old, new):
    """Two releases serve the same game at once."""
    daemons = [old, new]
    table = gangd.Table(old, spectators=True)
    room = streams.Room()
    readers = [streams.Reader(table.path, table.tokens[2]) for _ in daemons]
    for reader, daemon in zip(readers, daemons):
        room.enter(reader, daemon.address)
    check_moves_in_turn(tally, table, daemons)
    last = STARTED_VERSION + MOVES_IN_TURN
    room.listen(10, lambda: all(reader.last >= last for reader in readers))
    tally.check("streams at both releases have every event, once and in order",
                all(reader.last == last and not reader.ended and
                    not reader.faults for reader in readers),
                [(reader.last, reader.faults) for reader in readers])
    views = [daemon.client(table.tokens[0]).get(table.path).body
             for daemon in daemons]
    tally.check("both releases show the same game", views[0] == views[1])
    room.close()


def check_upgrade(tally, build, old, daemons):
    later = build + "/tests/torture/next/"
    table, room, reader = listen(old)
    early = gangd.Daemon(build, program=later + "gangd")
    tally.check("a new daemon does not serve the old schema",
                not becomes_ready(early, 0.5) and
                any("database_schema_unknown" in line for line in early.lines))

    players = Players(daemons)
    players.go_on()
    applied = run(later + "gangctl", "migrate")
    tally.check("the schema is migrated while clients play",
                applied.returncode == 0 and "9999_next.sql" in applied.stdout
                and "applied functions" in applied.stdout, applied.stdout)
    players.go_on()
    tally.check("then the new daemon serves it", becomes_ready(early, 10))
    daemons.append(early)
    players.go_on()
    restarted = gangd.Daemon(build)
    tally.check("an old daemon that starts now serves it too",
                becomes_ready(restarted, 10))
    daemons.append(restarted)
    players.go_on()
    asked = players.end()
    tally.check(f"of {asked} requests none is refused or lost",
                asked > 4 * LEAST and not players.wrong(), players.wrong()[:3])
    check_stream(tally, early, table, room, reader)
    check_side_by_side(tally, restarted, early)

    refused = run(build + "/bin/gangctl", "migrate")
    tally.check("the old gangctl does not migrate back",
                refused.returncode and "9999_next.sql" in refused.stdout,
                refused.stdout)
    check_replay(tally, build + "/bin/gangctl", "old")
    check_replay(tally, later + "gangctl", "new")
    tally.end_well(early, "the new daemon")
    tally.end_well(restarted, "the restarted one")


def check_locked(tally, build):
    """Another session reads a table for long, as a backup does."""
    gangd.psql("DELETE FROM gangd.schema_migration WHERE name LIKE '9999%'")
    gangd.psql("""SET ROLE gangd_owner; DROP TABLE gangd.next_thing;
        DROP FUNCTION gangd.lock_game(uuid, integer, text);
        DROP INDEX gangd.game_next;
        ALTER TABLE gangd.game DROP next_note, DROP next_at;
        ALTER TABLE gangd.seat DROP next_rank;
        ALTER TABLE gangd.event DROP next_part""")
    daemon = gangd.Daemon(build, program=build + "/tests/torture/next/gangd")
    run(build + "/bin/gangctl", "migrate")
    old = gangd.Daemon(build)
    old.wait_ready()
    backup = subprocess.Popen(
        ["psql", "-X", "-q", os.environ["GANGD_MIGRATE_URL"], "-c",
         "BEGIN; LOCK TABLE gangd.seat IN ACCESS SHARE MODE; "
         "SELECT pg_sleep(2)"], stdout=subprocess.DEVNULL)
    players = Players([old])
    players.go_on()
    applied = run(build + "/tests/torture/next/gangctl", "migrate")
    asked = players.end()
    tally.check("a migration waits for a backup, and delays no client",
                applied.returncode == 0 and not players.wrong() and asked,
                (applied.stdout, players.wrong()[:3]))
    backup.wait()
    tally.end_well(old, "the daemon during a backup")
    tally.end_well(daemon, "the one that waited for the schema")


@pytest.fixture(scope="module")
def old(build, database):
    old = gangd.Daemon(build)
    old.wait_ready()
    return old


def test_upgrade(tally, build, old):
    check_upgrade(tally, build, old, [old])


def test_the_daemon_ends_well(tally, old):
    tally.end_well(old, "the old daemon")


def test_locked(tally, build, database):
    check_locked(tally, build)
