"""Commits wait for a standby that is not there.

The server waits for a standby that does not exist, while ten players move without
a pause, each move under a key until it has an outcome, and others read.  Meanwhile
reads go on; changes are refused at once, except the first ones; no move becomes
visible; and the daemon has no more sessions at the server than its settings say,
including those that it has given up.  When the server waits no longer, moves go on by
themselves, and each is in the log once.

All of it with one host in the connection string, and with two, of which one is away:
there a connection is used only when it has acknowledged a commit.

In the environment: HANG_SECONDS, how long commits do not come back (6).
"""
import os
import re
import secrets
import threading
import time

import game_log
import gangd
from metrics_client import Metrics
import pytest

pytestmark = pytest.mark.timed

WRITERS, READERS, GAMES = 10, 4, 5
CONNECTIONS, BOT_CONNECTIONS, OTHER_CONNECTIONS = 8, 2, 2
ATTEMPTS_SECONDS = 8   # several attempts of the other daemon to connect
CALM_SECONDS = 1
SETTLE_SECONDS = 0.5   # until the server has read its settings
FIRST_SECONDS = 2      # in which commits are tried until it is clear
BACK_SECONDS = 10      # seen: 1 s; 4 s with a load of 40 from other jobs
READ_P99 = 0.25        # seen: 0.02 s
REFUSAL_P99 = 0.25     # seen: 0.01 s
HANG_SECONDS = float(os.environ.get("HANG_SECONDS", "6"))
# Count requests, but refuse nothing.
QUOTAS = {"GANGD_QUOTAS": "on", "GANGD_CAP_LOBBY": "1000000", **{
    f"GANGD_QUOTA_{name}": "1000000"
    for name in ("ADDRESS", "TOKEN", "CREATION", "JOINING", "LISTING", "GAME",
                 "DAY_CREATION", "DAY_CHANGES", "DAY_KEYS")}}


def wait_for_standby(name):
    """Let commits wait for a standby of this name; None: do not wait."""
    gangd.psql(f"ALTER SYSTEM SET synchronous_standby_names = '{name}'" if name
               else "ALTER SYSTEM RESET synchronous_standby_names",
               url=gangd.superuser())
    gangd.psql("SELECT pg_reload_conf()", url=gangd.superuser())


def p99(times):
    return sorted(times)[len(times) * 99 // 100] if times else 0.0


class Actor(threading.Thread):
    """Asks again and again; .answers has (sent, took, answer)."""

    def __init__(self, daemon, table, token):
        super().__init__(daemon=True)
        self.client = daemon.client(token, timeout=10)
        self.table = table
        self.stop = threading.Event()
        self.answers, self.broken = [], None

    def ask(self, method, path, **more):
        sent = time.monotonic()
        answer = self.client.ask(method, path, **more)
        self.answers.append((sent, time.monotonic() - sent, answer))
        return answer

    def run(self):
        try:
            number = 0
            while not self.stop.is_set():
                self.act(number)
                number += 1
        except Exception as error:
            self.broken = error

    def act(self, number):
        raise NotImplementedError


class Reader(Actor):
    def act(self, number):
        self.ask("GET", (self.table.path, self.table.path + "/players",
                         self.table.path + "/events?limit=5",
                         "/v1/games")[number % 4])
        time.sleep(0.005)

    def versions(self, begun, ended):
        """The versions of the game that answers of that time had."""
        return {answer.json["version"] for sent, took, answer in self.answers
                if sent >= begun and sent + took <= ended and
                answer.status == 200 and b'"version"' in answer.body and
                b'"players"' in answer.body and b'"heist"' in answer.body}


class Writer(Actor):
    """Takes and returns a chip; .done counts the moves that were acknowledged."""

    def __init__(self, daemon, table, seat):
        super().__init__(daemon, table, table.tokens[seat - 1])
        self.seat = seat
        self.done, self.refused = 0, []

    def act(self, number):
        verb = ("take", "return")[number % 2]
        path = f"{self.table.path}/chips/white/{self.seat}/{verb}"
        key = {"Idempotency-Key": secrets.token_urlsafe(20)}
        while True:  # also after stop, so that each move has an outcome
            answer = self.ask("POST", path, headers=key)
            if answer.status == 200:
                self.done += 1
                return
            if answer.status != 503:
                self.refused.append((answer.status, answer.body))
                return
            time.sleep(0.02)


class Sessions(threading.Thread):
    """The most sessions of the daemon's role that the server has had."""

    def __init__(self):
        super().__init__(daemon=True)
        self.stop, self.most = threading.Event(), 0
        self.sql = gangd.Sql(gangd.superuser())

    def count(self):
        return int(self.sql.ask("SELECT count(*) FROM pg_stat_activity WHERE "
                                "usename = 'gangd_app'"))

    def run(self):
        while not self.stop.is_set():
            self.most = max(self.most, self.count())
            time.sleep(0.05)


def moves_in_log(writer):
    """How many takes and returns the log has of the writer's seat."""
    return int(gangd.psql(
        f"SELECT count(*) FROM gangd.event WHERE game_id = '{writer.table.id}' "
        f"AND version > 4 AND seat = {writer.seat}"))


def check_reads(tally, readers, begun, ended):
    answers = [each for reader in readers for each in reader.answers
               if begun <= each[0] <= ended]
    bad = [(answer.status, answer.body) for _, _, answer in answers
           if answer.status != 200]
    slow = p99([took for _, took, _ in answers])
    tally.check(f"{len(answers)} reads are answered meanwhile",
                answers and not bad, bad[:2])
    tally.check(f"p99 of reads is below {READ_P99} s ({slow:.3f} s)",
                slow < READ_P99)
    changed = [reader.table.id for reader in readers
               if len(reader.versions(begun, ended)) != 1]
    tally.check("no move becomes visible", not changed, changed)


def check_refusals(tally, writers, begun, ended):
    answers = [each for writer in writers for each in writer.answers
               if begun <= each[0] <= ended]
    late = [each for each in answers if each[0] > begun + FIRST_SECONDS]
    hung = [answer for writer in writers for _, _, answer in writer.answers
            if b"may or may not" in answer.body]
    slow = p99([took for _, took, _ in late])
    tally.check("no move is acknowledged meanwhile",
                all(answer.status == 503 for _, _, answer in answers))
    tally.check(f"{len(late)} moves are refused at once "
                f"(p99 {slow:.3f} s)", late and slow < REFUSAL_P99)
    tally.check("with the reason, and when to try again",
                all(answer.code == "store_refused" and
                    answer.header("Retry-After") and
                    b"nothing has changed" in answer.body
                    for _, _, answer in late),
                late and late[0][2].body)
    tally.check(f"a few moves are left in doubt ({len(hung)})",
                0 < len(hung) <= 3 * WRITERS)


def check_others(tally, daemon, table):
    """Other changes are refused too, and other reads are not."""
    client = daemon.client()
    answer = client.post("/v1/games", {"name": "Ada"})
    tally.check("no game is created", answer.code == "store_refused" and
                b"nothing has changed" in answer.body, answer.body)
    member = daemon.client(table.tokens[0])
    for method, path, body in (
            ("POST", "/stream_tickets", None),
            ("POST", "/transfers", None),
            ("PATCH", "/players/1", {"name": "Eve"})):
        answer = member.ask(method, table.path + path, body=body)
        tally.check(f"{method} {path} is refused", answer.status == 503 and
                    answer.code == "store_refused" and
                    answer.header("Retry-After"), answer.body)
        tally.check("and spends no quota of changes",
                    answer.header("RateLimit") and
                    '"day_changes"' not in answer.header("RateLimit"),
                    answer.header("RateLimit"))
    tally.check("the daemon stays ready",
                client.get("/readyz").status == 200)


def check_words(tally, build):
    done = gangd.gangctl(build, "check")
    line = [line for line in done.stdout.split("\n")
            if "acknowledged_commits" in line]
    tally.check("gangctl check says it in words", done.returncode != 0 and
                line and "nobody" in line[0] and "standby" in line[0],
                done.stdout)


def check_late_daemon(tally, build, url, table):
    """An operator starts another daemon, in the hope that it helps."""
    other = gangd.Daemon(build, GANGD_DRAIN_MS="0", GANGD_BOTS="off",
                         GANGD_LOOPS="1", GANGD_DATABASE_URL=url,
                         GANGD_DATABASE_CONNECTIONS=str(OTHER_CONNECTIONS))
    client = other.client(table.tokens[0])
    if "/nonexistent" not in url:
        other.wait_ready()
        tally.check("a daemon that starts meanwhile reads",
                    client.get(table.path).status == 200)
    else:
        time.sleep(ATTEMPTS_SECONDS)
        tally.check("a daemon that starts meanwhile cannot know the primary",
                    client.get(table.path).status == 503)
    return other


def hang(tally, build, url, daemon, metrics, tables):
    readers = [Reader(daemon, tables[i % GAMES], tables[i % GAMES].tokens[2])
               for i in range(READERS)]
    writers = [Writer(daemon, tables[i % GAMES], 1 + i // GAMES)
               for i in range(WRITERS)]
    sessions = Sessions()
    for actor in (*readers, *writers, sessions):
        actor.start()
    time.sleep(CALM_SECONDS)
    tally.check("moves are made before",
                all(writer.done > 2 for writer in writers),
                [(writer.done, writer.refused[:1]) for writer in writers])
    wait_for_standby("nobody")
    time.sleep(SETTLE_SECONDS)
    begun = time.monotonic()
    time.sleep(HANG_SECONDS * 2 / 3)
    check_others(tally, daemon, tables[0])
    check_words(tally, build)
    tally.check("the metric says so",
                metrics.value("gangd_commits_refused") == 1)
    other = check_late_daemon(tally, build, url, tables[0])
    time.sleep(HANG_SECONDS / 3)
    ended = time.monotonic()
    before = {writer: writer.done for writer in writers}
    wait_for_standby(None)
    while any(writer.done < before[writer] + 2 for writer in writers) and \
            time.monotonic() < ended + 6 * BACK_SECONDS:
        time.sleep(0.01)
    back = time.monotonic() - ended
    tally.check(f"all move again within {BACK_SECONDS} s ({back:.1f} s)",
                back < BACK_SECONDS, [vars(writer) for writer in writers][:1])
    for actor in (*readers, *writers, sessions):
        actor.stop.set()
    for actor in (*readers, *writers, sessions):
        actor.join(20)
    tally.check("no client was cut off", not any(
        actor.broken for actor in (*readers, *writers)),
        [actor.broken for actor in (*readers, *writers)])
    most = CONNECTIONS + BOT_CONNECTIONS + OTHER_CONNECTIONS
    tally.check(f"there are {most} sessions at most ({sessions.most})",
                sessions.most <= most)
    check_reads(tally, readers, begun, ended)
    check_refusals(tally, writers, begun, ended)
    tally.end_well(other, "the other daemon")
    return writers


def check_log(tally, build, writers, tables):
    refused = [writer.refused[0] for writer in writers if writer.refused]
    tally.check("no move is refused but for that reason", not refused,
                refused[:1])
    # A second take or return would be refused.
    counts = [(moves_in_log(writer), writer.done) for writer in writers]
    told = sum(done for _, done in counts)
    tally.check(f"each of {told} acknowledged moves is in the log once, and no "
                "other", all(found == done for found, done in counts), counts)
    game_log.check_replays(tally, build, [table.id for table in tables])


def try_out(tally, build, url):
    daemon = gangd.Daemon(build, GANGD_DRAIN_MS="0", GANGD_LOOPS="2",
                          GANGD_DATABASE_URL=url,
                          GANGD_DATABASE_CONNECTIONS=str(CONNECTIONS),
                          GANGD_BOT_CONNECTIONS=str(BOT_CONNECTIONS),
                          GANGD_METRICS_LISTEN="127.0.0.1:0", **QUOTAS)
    daemon.wait_ready()
    metrics = Metrics("".join(daemon.lines))
    metrics.wait_for(CONNECTIONS + BOT_CONNECTIONS, "gangd_database_connections")
    tables = [gangd.Table(daemon) for _ in range(GAMES)]
    bots = daemon.client().post("/v1/games", {"name": "B", "bots": 2,
                                              "start": True})
    tally.check("bots play at the same time", bots.status == 201, bots.body)
    writers = hang(tally, build, url, daemon, metrics, tables)
    check_log(tally, build, writers, tables)
    tally.check("the metric says that it is over",
                metrics.value("gangd_commits_refused") == 0)
    lines = [line for line in daemon.lines if '"event":"commits_' in line]
    tally.check("the log has a line for the begin and one for the end",
                len(lines) == 2, lines)
    tally.end_well(daemon)


def let_emit(verb):
    """GRANT or REVOKE the function by which a daemon commits nothing."""
    word = "TO" if verb == "GRANT" else "FROM"
    gangd.psql(f"""DO $$
        DECLARE one regprocedure;
        BEGIN
            FOR one IN SELECT oid::regprocedure FROM pg_proc
                WHERE proname = 'pg_logical_emit_message' LOOP
                EXECUTE format('{verb} EXECUTE ON FUNCTION %s {word} PUBLIC', one);
            END LOOP;
        END $$""", url=gangd.superuser())


def check_no_probe(tally, build):
    """The server answers the commits by which a daemon finds out, but refuses them:
    then moves find it out by themselves."""
    # Each move has a commit of its own: a few are needed.
    daemon = gangd.Daemon(build, GANGD_DRAIN_MS="0", GANGD_LOOPS="1",
                          GANGD_BATCH="0", GANGD_BOTS="off",
                          GANGD_DATABASE_CONNECTIONS="4")
    daemon.wait_ready()
    tables = [gangd.Table(daemon) for _ in range(6)]
    let_emit("REVOKE")
    wait_for_standby("nobody")
    time.sleep(SETTLE_SECONDS)
    writers = [Writer(daemon, table, 1) for table in tables]
    for writer in writers:
        writer.start()
    # A statement is given up after three seconds.
    deadline = time.monotonic() + 3 * BACK_SECONDS
    while '"event":"commits_refused"' not in "".join(daemon.lines) and \
            time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(CALM_SECONDS)
    ended = time.monotonic()
    tally.check("reads go on", daemon.client(tables[0].tokens[1]).get(
        tables[0].path).status == 200)
    wait_for_standby(None)
    while not all(writer.done for writer in writers) and \
            time.monotonic() < ended + 3 * BACK_SECONDS:
        time.sleep(0.01)
    for writer in writers:
        writer.stop.set()
    back = time.monotonic() - ended
    tally.check(f"without the probe all move again, too ({back:.1f} s)",
                back < BACK_SECONDS, daemon.lines[-3:])
    for writer in writers:
        writer.join(20)
    tally.check("the log says why", any(
        '"commits_accepted"' in line and "gangctl check" in line
        for line in daemon.lines), [
            line for line in daemon.lines if '"event":"request"' not in line])
    let_emit("GRANT")
    tally.end_well(daemon)


@pytest.mark.parametrize("hosts", ["one host", "two hosts"])
def test_no_standby(tally, build, database, hosts):
    # The private cluster of tests does without.
    gangd.psql("ALTER ROLE gangd_app SET synchronous_commit = 'on'",
               url=gangd.superuser())
    try:
        wait_for_standby(None)
        url = os.environ["GANGD_DATABASE_URL"]
        if hosts == "two hosts":
            url = re.sub(r"host=(\S+)", r"host=\1,/nonexistent", url)
        try_out(tally, build, url)
    finally:
        wait_for_standby(None)


def test_no_probe(tally, build, database):
    try:
        check_no_probe(tally, build)
    finally:
        wait_for_standby(None)
