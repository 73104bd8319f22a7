"""Metrics of statements that meet, and of bots, are right.

A daemon has one connection to the database.  While a move waits there for a lock,
others come, so that the test knows what is gathered, what travels together, which
move meets another one and which is sent again: each is counted as often as it
happened.

Then one daemon plays for bots and another one does not.  The first must count what is
in the log of their game; and while it is stopped between a bot's load and its commit,
a person moves.
"""
import os
import signal
import time

import gangd
import metrics_client
from metrics_client import SOON
import pytest

pytestmark = pytest.mark.waiting

GAMES = 8  # a bound of the histograms of sizes
LOBBIES = 3
SETTINGS = {"GANGD_METRICS_LISTEN": "127.0.0.1:0", "GANGD_LOOPS": "1",
            "GANGD_QUOTAS": "off",
            # Locks are waited for through 40 % of it.
            "GANGD_DATABASE_TIMEOUT_MS": "20000"}
GATHERED, BATCH = "gangd_gathered_statements", "gangd_batch_statements"
WAITING = "SELECT count(*) FROM pg_locks WHERE NOT granted"


def start(build, **more):
    daemon = gangd.Daemon(build, **SETTINGS, **more)
    daemon.wait_ready()
    metrics = metrics_client.of_daemon(daemon)
    # A new connection prepares statements, and would wait for the test's locks.
    metrics.wait_for(metrics.value("gangd_database_connections_max"),
                     "gangd_database_connections")
    return daemon, metrics


class Lock:
    """The locks of a statement, held in a session of its own."""

    def __init__(self, statement):
        self.sql = gangd.Sql()
        self.sql.ask("SET ROLE gangd_owner; BEGIN; " + statement +
                     ";\n\\echo locked\n")

    @classmethod
    def game(cls, table):
        return cls("DO $$ BEGIN PERFORM FROM gangd.game WHERE game_id = "
                   f"'{table.id}' FOR UPDATE; END $$")

    def release(self):
        self.sql.close()


# --- statements that meet -----------------------------------------------------

def send(client, method, path):
    """Send a request; its answer is read later."""
    client.connection.request(method, path, None, client.fields(None))
    return client.connection


def read_all(daemon):
    """Wait until the loop has read what was sent: it answers in another turn."""
    client = daemon.client()
    for _ in range(2):
        client.get("/livez")
    client.close()


def send_moves(daemon, tables):
    """The moves, of which the first two are of one game, and some lobbies."""
    movers = [(tables[0], 1), *((table, 0) for table in tables)]
    sent = [send(daemon.client(table.tokens[seat]), "POST",
                 f"{table.path}/chips/white/{seat + 1}/take")
            for table, seat in movers]
    return sent + [send(daemon.client(), "GET", "/v1/games")
                   for _ in range(LOBBIES)]


def statuses(sent):
    answers = [connection.getresponse() for connection in sent]
    for answer in answers:
        answer.read()
    return [answer.status for answer in answers]


def check_gathered(tally, metrics):
    values = metrics.values()
    found = [values[key] for key in (
        (GATHERED + "_count",), (GATHERED + "_sum",),
        (GATHERED + "_bucket", ("le", str(GAMES // 2))),
        (GATHERED + "_bucket", ("le", str(GAMES))))]
    tally.check("the loads and the moves of all games are one statement each",
                found == [2, 2 * GAMES, 0, 2], found)


def check_batches(tally, metrics, large):
    tally.check("the lobbies travelled with the loads", large == 1, large)

    def difference():
        """Statements that were answered, less those that travelled."""
        values = metrics.values()
        answered = sum(value for key, value in values.items()
                       if key[0] == "gangd_statements_total")
        sent = values[(BATCH + "_sum",)] - values[(GATHERED + "_count",)] + \
            values[(GATHERED + "_sum",)]
        return answered - sent + values[("gangd_statement_retries_total",)]

    # Two callers share a load; any other statement is answered once.
    tally.check("each statement that was answered travelled in a batch",
                gangd.wait_for(lambda: difference() == 1, SOON), difference())


def large_batches(metrics):
    values = metrics.values()
    return values[(BATCH + "_count",)] - values[(BATCH + "_bucket", ("le", "2"))]


def test_statements(tally, build, sql):
    daemon, metrics = start(build, GANGD_DATABASE_CONNECTIONS="1", GANGD_BATCH="32",
                            GANGD_BOTS="off")
    first, *tables = [gangd.Table(daemon) for _ in range(1 + GAMES)]
    names = ("gangd_conflicts_total", "gangd_statement_retries_total",
             GATHERED + "_count")
    tally.check("nothing meets while one client plays",
                [metrics.value(name) for name in names] == [0, 0, 0])
    held, left_out = Lock.game(first), Lock.game(tables[-1])
    sent = [send(daemon.client(first.tokens[0]), "POST",
                 first.path + "/chips/white/1/take")]
    gangd.wait_for(lambda: sql.ask(WAITING) == "1", SOON, "a move waits")
    large = large_batches(metrics)
    sent += send_moves(daemon, tables)
    read_all(daemon)
    held.release()
    gangd.wait_for(lambda: metrics.value(GATHERED + "_count") == 2, SOON,
                   "moves are gathered")
    gangd.wait_for(lambda: sql.ask(WAITING) == "1", SOON,
                   "the last game's move waits alone")
    left_out.release()
    found = statuses(sent)
    tally.check("all requests are answered", set(found) == {200}, found)
    check_gathered(tally, metrics)
    check_batches(tally, metrics, large_batches(metrics) - large)
    tally.check("a move that its statement left out is counted as sent again",
                metrics.value("gangd_statement_retries_total") == 1)
    found = [metrics.value("gangd_conflicts_total"),
             metrics.value("gangd_statements_total", statement="commit_move",
                           result="conflict"),
             metrics.value("gangd_statements_total", statement="commit_move",
                           result="ok")]
    tally.check("of two moves of a game one is counted as a conflict",
                found == [1, 1, GAMES + 2], found)
    tally.end_well(daemon)


# --- bots ---------------------------------------------------------------------

def check_lease(tally, table, daemon, player, sql):
    """A person moves when a bot of the player's daemon is about to decide."""
    lock = Lock("LOCK TABLE gangd.event IN ACCESS EXCLUSIVE MODE")
    os.kill(player.pid, signal.SIGCONT)
    gangd.wait_for(lambda: sql.ask(WAITING) == "1", SOON, "a bot loads events")
    os.kill(player.pid, signal.SIGSTOP)
    lock.release()
    client = daemon.client(table["token"])
    moved = client.post(f"/v1/games/{table['game']['id']}/chips/white/1/take")
    client.close()
    tally.check("a person moves first", moved.status == 200, moved.body)
    os.kill(player.pid, signal.SIGCONT)


def test_bots(tally, build, sql):
    player, metrics = start(build, GANGD_DATABASE_CONNECTIONS="2", GANGD_BOT_PACE="0")
    daemon, others = start(build, GANGD_DATABASE_CONNECTIONS="2", GANGD_BOTS="off")
    os.kill(player.pid, signal.SIGSTOP)
    client = daemon.client()
    table = client.post("/v1/games", {"name": "Ada", "bots": 2,
                                      "start": True}).json
    client.close()
    begun = time.monotonic()
    check_lease(tally, table, daemon, player, sql)
    lost = metrics.wait_for(1, "gangd_bot_leases_lost_total")
    tally.check("a bot's move that came too late is counted", lost == 1, lost)
    # But for the person's, each change since the start is a bot's.
    changes = (f"SELECT count(DISTINCT at) - 1 FROM gangd.event WHERE game_id = "
               f"'{table['game']['id']}' AND version > {table['game']['version']}")

    def moves():
        return metrics.value("gangd_bot_moves_total"), float(sql.ask(changes))

    deadline = time.monotonic() + SOON
    while (found := moves())[0] != found[1] or found[0] < 2:
        if time.monotonic() > deadline:
            break
        time.sleep(0.05)
    tally.check("the moves of bots are those of the log",
                found[0] == found[1] >= 2, found)
    tally.check("a daemon that does not play for bots seats them",
                others.value("gangd_bots_seated_total") == 2 and
                others.value("gangd_bot_moves_total") == 0 and
                metrics.value("gangd_bots_seated_total") == 0)
    check_decisions(tally, metrics, time.monotonic() - begun)
    tally.end_well(player, "the daemon that plays for bots")
    tally.end_well(daemon, "the daemon that does not")


def check_decisions(tally, metrics, seconds):
    """Each ends with a move, one that comes too late, or a rest."""
    deadline = time.monotonic() + SOON
    while True:
        rests = metrics.sum("gangd_statements_total", statement="rest_bots")
        found = [metrics.value(name) for name in (
            "gangd_bot_decision_duration_seconds_count", "gangd_bot_moves_total",
            "gangd_bot_leases_lost_total")]
        least = found[1] + found[2]
        if least < found[0] <= least + rests or time.monotonic() > deadline:
            break
        time.sleep(0.05)
    tally.check("the decisions of bots are counted",
                least < found[0] <= least + rests, (found, rests))
    took = metrics.value("gangd_bot_decision_duration_seconds_sum")
    tally.check("and how long they took", 0 < took < seconds, (took, seconds))
