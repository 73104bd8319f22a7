"""Daemons of one database report to each other what they commit.

Streams at one daemon hear of the moves at another, although the database is hardly
asked about their games.  What nobody reports, what was reported while a daemon was
stopped, and what a daemon did not report before it was killed is found as well, by the
poll.
"""
import re
import signal
import time

import gangd
import metrics_client
import pytest
import streams

pytestmark = pytest.mark.waiting

DAEMON = {"GANGD_METRICS_LISTEN": "127.0.0.1:0", "GANGD_LOOPS": "2",
          "GANGD_BOTS": "off"}
TABLES = 20
KNOWN_SECONDS = 6     # by then others know a daemon, and its reports are complete
SOON_SECONDS = 2      # 0.1 on an idle machine
ROUND_SECONDS = 60    # in which each game is polled
SILENT_SECONDS = 7    # by then a daemon is known to have ended
STOPPED_SECONDS = 9   # the others have forgotten the daemon by then
SLACK_SECONDS = 3


@pytest.fixture(scope="module")
def daemons(build, database):
    daemons = [gangd.Daemon(build, **DAEMON) for _ in range(2)]
    for daemon in daemons:
        daemon.wait_ready()
    time.sleep(KNOWN_SECONDS)
    return daemons


def count_polls(daemon):
    values = metrics_client.Metrics("\n".join(daemon.lines)).values()
    return sum(value for (name, *labels), value in values.items()
               if name == "gangd_statements_total" and
               dict(labels).get("statement") == "poll_versions")


class Watched:
    """A table whose players move at one daemon, and a stream at another."""

    def __init__(self, room, near, far):
        self.table = gangd.Table(near)
        self.client = near.client(self.table.tokens[0])
        self.reader = streams.Reader(self.table.path, self.table.tokens[1])
        room.enter(self.reader, far.address)
        self.version = self.look()
        self.moves = 0

    def look(self):
        return self.client.get(self.table.path).json["version"]

    def move(self):
        self.moves += 1
        answer = self.client.post(
            f"{self.table.path}/chips/white/{1 + self.moves % 2}/take")
        self.version = answer.json["version"]

    def is_up_to_date(self):
        return self.reader.is_up_to(self.version)

    def close(self):
        self.client.close()
        self.reader.close()


@pytest.fixture
def watched(daemons):
    room = streams.Room()
    tables = [Watched(room, *daemons) for _ in range(TABLES)]
    assert hear(room, tables, SOON_SECONDS)
    yield room, tables
    for table in tables:
        table.close()


def hear(room, tables, seconds):
    """Do the streams hear of all moves within this time?"""
    return room.listen(seconds, lambda: all(table.is_up_to_date()
                                            for table in tables))


def delete(tally, watched):
    """Delete a table as nobody who reports does."""
    tally.check("a table is deleted", gangd.psql(
        f"SELECT gangd.delete_game('{watched.table.id}', {watched.version})",
        url=gangd.superuser()) is not None)


def test_moves_are_reported(tally, daemons, watched):
    room, tables = watched
    far = daemons[1]
    before, begun, late = count_polls(far), time.monotonic(), 0
    for number in range(100):
        for table in tables[number % 2::2]:
            table.move()
        late += not hear(room, tables, SOON_SECONDS)
    seconds = time.monotonic() - begun
    polls = count_polls(far) - before
    tally.check("the other daemon's streams heard each move soon", not late,
                late)
    tally.check("the database was asked about the games once in a minute",
                polls <= 2 * (1 + seconds / ROUND_SECONDS), (polls, seconds))
    delete(tally, tables[0])
    tally.check("what nobody reports is found by the poll",
                room.listen(ROUND_SECONDS + SLACK_SECONDS,
                            lambda: tables[0].reader.ended))


def test_a_stopped_daemon_catches_up(tally, daemons, watched):
    room, tables = watched
    far = daemons[1]
    far.process.send_signal(signal.SIGSTOP)
    try:
        time.sleep(STOPPED_SECONDS)
        for table in tables:
            table.move()
    finally:
        far.process.send_signal(signal.SIGCONT)
    tally.check("it hears of what was committed meanwhile at once",
                hear(room, tables, SOON_SECONDS))
    before = count_polls(far)
    time.sleep(1)
    polls = count_polls(far) - before
    tally.check("it polls until the others know it again", polls >= 5, polls)
    for table in tables:
        table.move()
    tally.check("and hears of later moves", hear(room, tables, SOON_SECONDS))


def test_a_daemon_goes_on_alone(tally, daemons, watched):
    room, tables = watched
    near, far = daemons
    near.process.kill()
    near.wait()
    client = far.client(tables[0].table.tokens[0])
    taken = client.post(tables[0].table.path + "/chips/white/1/take")
    client.close()
    tables[0].version = taken.json["version"]
    tally.check("the daemon that is left tells its own streams",
                hear(room, tables[:1], SOON_SECONDS))
    delete(tally, tables[1])
    tally.check("what the killed one may not have reported is soon found",
                room.listen(SILENT_SECONDS + SLACK_SECONDS,
                            lambda: tables[1].reader.ended))
    left = re.findall(r"\w+", gangd.psql(
        "SELECT count(*) FROM gangd.commit_report", url=gangd.superuser()))
    tally.check("there are few reports", int(left[0]) < 1000, left)
