"""Several hosts in the connection string.

Two servers: a primary, and a standby that is named first.  Players move under
idempotency keys, which they retry.  The daemon must find the primary, whether the
other host is a standby, away or silent; and when the primary freezes and the
standby is promoted it must go on by itself.  Commits wait for the standby, so that no
acknowledged move may be lost, or made twice.  When the old primary wakes
up, and does not know of the other yet, nothing may be read from it, neither by a new
connection nor by one that was silent meanwhile.
"""
import secrets
import shutil
import signal
import threading
import time

import gangd
import pytest
import servers

pytestmark = pytest.mark.waiting

MOVES_BEFORE = 60     # acknowledged, before the primary freezes
MOVES_AFTER = 60
GAP_SECONDS = 30      # seen: 1 s
CONNECTIONS = 16  # to the database
ALL_UP_SECONDS = 30   # seen: 5 s
SILENT_SECONDS = 4    # more than the daemon trusts a silent connection
TIMEOUT_SECONDS = 2   # of a connection to a host that does not answer


def freeze(server):
    """As on a machine that hangs: connections are made, but not answered."""
    server.signal_all(signal.SIGSTOP)


def connections(server):
    return int(server.sql("SELECT count(*) FROM pg_stat_activity"
                          " WHERE application_name = 'gangd'"))


class Mover(threading.Thread):
    """Takes and returns a chip without end, each move until it is acknowledged;
    .acknowledged has the versions, .slowest the longest time of a move."""

    def __init__(self, daemon, table):
        super().__init__(daemon=True)
        self.client = daemon.client(table.tokens[0], timeout=5)
        self.path = table.path + "/chips/white/1/"
        self.acknowledged, self.refused = [], []
        self.slowest = 0.0
        self.stop = threading.Event()

    def run(self):
        verbs = ("take", "return")
        number = 0
        while not self.stop.is_set():
            self.move(verbs[number % 2])
            number += 1

    def move(self, verb):
        key = {"Idempotency-Key": secrets.token_urlsafe(20)}
        begun = time.monotonic()
        while not self.stop.is_set():
            try:
                answer = self.client.post(self.path + verb, headers=key)
            except OSError:
                continue
            if answer.status == 200:
                self.acknowledged.append(answer.json["version"])
                break
            if answer.status != 503:
                self.refused.append((answer.status, answer.body))
                break
            time.sleep(0.01)
        self.slowest = max(self.slowest, time.monotonic() - begun)

    def wait_for_more(self, count, seconds):
        """True when this many more moves were acknowledged in that time."""
        wanted = len(self.acknowledged) + count
        deadline = time.monotonic() + seconds
        while len(self.acknowledged) < wanted and \
                time.monotonic() < deadline and not self.refused:
            time.sleep(0.01)
        return len(self.acknowledged) >= wanted


def wait_for_connections(daemon, server, count, seconds=ALL_UP_SECONDS):
    """The seconds until the daemon has this many there; None: never.  A loop
    notices that a silent server is lost when it asks it: each new client may
    come to another loop."""
    begun = time.monotonic()
    while connections(server) < count:
        daemon.client().get("/v1/games")
        if time.monotonic() - begun > seconds:
            return None
        time.sleep(0.05)
    return time.monotonic() - begun


class Scene:
    def __init__(self, tally, build):
        self.build = build
        self.tally = tally
        self.primary = servers.take_over()
        self.primary.start()
        self.standby = None

    def gangctl(self, user, words, *some):
        url = servers.url_of(user, *some)
        return gangd.gangctl(self.build, *words, GANGD_DATABASE_URL=url,
                             GANGD_MIGRATE_URL=url)

    def start_daemon(self, *some, **settings):
        daemon = gangd.Daemon(
            self.build, GANGD_DRAIN_MS="0",
            GANGD_DATABASE_URL=servers.url_of("gangd_app", *some),
            **{"GANGD_DATABASE_CONNECTIONS": str(CONNECTIONS)} | settings)
        daemon.wait_ready()
        return daemon

    def stop(self):
        for server in (self.primary, self.standby):
            if server:
                server.signal_all(signal.SIGCONT)
                server.stop(signal.SIGQUIT)


def check_standby_first(test):
    """The standby is named first; the primary serves, until it freezes."""
    check = test.tally.check
    both = (test.standby, test.primary)
    done = test.gangctl("gangd_migrate", ["migrate"], *both)
    check("gangctl migrates at the primary", done.returncode == 0, done.stdout)
    daemon = test.start_daemon(*both)
    up = wait_for_connections(daemon, test.primary, CONNECTIONS)
    check("all connections lead to the primary",
          up is not None and connections(test.standby) == 0,
          f"{connections(test.primary)}, {connections(test.standby)}")
    done = test.gangctl("gangd_app", ["check"], *both)
    check("gangctl check sees both hosts", "ok    hosts: 2" in done.stdout and
          "ok    takes_writes: yes" in done.stdout, done.stdout)

    table = gangd.Table(daemon)
    mover = Mover(daemon, table)
    mover.start()
    check("moves are made", mover.wait_for_more(MOVES_BEFORE, GAP_SECONDS),
          mover.refused)
    # This one freezes too, as on the machine of the primary.
    sleeper = test.start_daemon(*both, GANGD_LOOPS="1",
                                GANGD_DATABASE_CONNECTIONS="1")
    answer = sleeper.client(table.tokens[0]).get(table.path)
    check("another daemon serves the game", answer.status == 200, answer.body)
    sleeper.process.send_signal(signal.SIGSTOP)
    # It stays, but says nothing: every attempt to connect has to give it up.
    freeze(test.primary)
    test.frozen_at = time.monotonic()
    test.standby.promote()
    check("moves go on after the promotion",
          mover.wait_for_more(MOVES_AFTER, GAP_SECONDS), mover.refused)
    up = wait_for_connections(daemon, test.standby, CONNECTIONS)
    check("all connections lead to the new primary", up is not None,
          connections(test.standby))
    mover.stop.set()
    mover.join()
    print(f"the slowest move took {mover.slowest:.1f} s; all connections were "
          f"up {up or 0:.1f} s after the moves")
    check("no move was refused", not mover.refused, mover.refused)
    rows = test.standby.sql(
        "SELECT version, seat = 1 FROM gangd.event WHERE game_id = "
        f"'{table.id}' AND version > 4 ORDER BY version")
    versions = [int(row.split("|")[0]) for row in rows.split("\n")
                if row.endswith("t")]
    check("each acknowledged move is in the log, and no other",
          versions == mover.acknowledged,
          f"{len(versions)} in the log, {len(mover.acknowledged)} answers")
    done = test.gangctl("gangd_migrate", ["replay", table.id], test.standby)
    check("the log can be replayed", done.returncode == 0, done.stdout)
    test.tally.end_well(daemon)
    return table, sleeper


def version_of(server, table):
    return int(server.sql("SELECT version FROM gangd.game WHERE game_id = "
                          f"'{table.id}'"))


def check_sleeper(test, table, sleeper):
    """Its only connection leads to the old primary, which answers again."""
    version = version_of(test.standby, table)
    old = version_of(test.primary, table)
    sleeper.process.send_signal(signal.SIGCONT)
    client = sleeper.client(table.tokens[0])
    deadline = time.monotonic() + GAP_SECONDS
    answers = []
    while time.monotonic() < deadline:
        answer = client.get(table.path)
        answers.append((answer.status, answer.json.get("version")))
        time.sleep(0.1)
        if answer.status == 200:
            break
    test.tally.check("a connection that was silent carries nothing to it",
                     old < version and answers[-1] == (200, version),
                     (old, version, answers))
    print(f"the daemon that was silent answered {answers}")
    test.tally.end_well(sleeper, "the daemon that was silent")


def check_stale(test, table, sleeper, both):
    """The old primary wakes up, and still takes writes that it cannot commit."""
    check = test.tally.check
    time.sleep(max(0, test.frozen_at + SILENT_SECONDS - time.monotonic()))
    test.primary.signal_all(signal.SIGCONT)
    check("the old primary believes that it is the primary",
          test.primary.sql("SELECT NOT pg_is_in_recovery()") == "t" and
          test.primary.sql("SHOW default_transaction_read_only") == "off")
    check_sleeper(test, table, sleeper)
    begun = time.monotonic()
    daemon = gangd.Daemon(test.build, GANGD_DRAIN_MS="0",
                          GANGD_DATABASE_CONNECTIONS=str(CONNECTIONS),
                          GANGD_DATABASE_URL=servers.url_of("gangd_app", *both))
    daemon.wait_ready()
    up = wait_for_connections(daemon, test.standby, CONNECTIONS)
    check("a daemon goes on to the next host", up is not None and
          test.primary.sql("SELECT count(*) FROM pg_stat_activity WHERE "
                           "application_name = 'gangd' AND "
                           "wait_event IS DISTINCT FROM 'SyncRep'") == "0",
          "".join(daemon.lines))
    print(f"next to the old primary: all connections up after "
          f"{time.monotonic() - begun:.1f} s")
    answer = daemon.client(table.tokens[0]).get(table.path)
    check("and reads there", answer.status == 200 and
          answer.json["version"] == version_of(test.standby, table),
          answer.body)
    test.tally.end_well(daemon)
    test.primary.stop(signal.SIGQUIT)


def check_reconnects(test, daemon):
    """Connections are lost while a host is silent, and made again."""
    server = test.standby
    begun = server.sql("SELECT clock_timestamp()")
    server.sql("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
               " WHERE application_name = 'gangd'")
    lost = time.monotonic()
    while server.sql("SELECT count(*) FROM pg_stat_activity WHERE "
                     "application_name = 'gangd' AND backend_start > "
                     f"'{begun}'") == "0" and \
            time.monotonic() - lost < GAP_SECONDS:
        time.sleep(0.05)
    took = time.monotonic() - lost
    print(f"connected again after {took:.1f} s")
    test.tally.check("a silent host does not delay the next connection",
                     took < TIMEOUT_SECONDS * 0.75, took)


def check_other_hosts(test, table, sleeper):
    """The old primary is named first: silent, then away."""
    check = test.tally.check
    both = (test.primary, test.standby)
    for what in ("silent", "away"):
        if what == "away":
            check_stale(test, table, sleeper, both)
        begun = time.monotonic()
        daemon = test.start_daemon(*both)
        up = wait_for_connections(daemon, test.standby, CONNECTIONS)
        print(f"{what}: all connections up after "
              f"{time.monotonic() - begun:.1f} s")
        answer = daemon.client(table.tokens[0]).get(table.path)
        check(f"the first host is {what}: the game is served",
              answer.status == 200 and up is not None, answer.body)
        done = test.gangctl("gangd_app", ["check"], *both)
        check(f"the first host is {what}: gangctl check says so",
              f"no answer from {test.primary.socket} of 2 hosts" in
              done.stdout, done.stdout)
        if what == "silent":
            check_reconnects(test, daemon)
        test.tally.end_well(daemon)


def test_db_hosts(tally, build, cluster):
    test = Scene(tally, build)
    try:
        test.standby = servers.make_standby(test.primary)
        check_other_hosts(test, *check_standby_first(test))
    finally:
        test.stop()
        if test.standby:
            shutil.rmtree(test.standby.folder, ignore_errors=True)
