"""Waiters are handed what their process has committed, and nothing else.

One player moves, while streams with views and waiting requests of all seats, at both
loops of a daemon, are woken.  The daemon asks the database for the move alone: not
for the game, and not for the events, again.  What the streams say is what the
database has.  A change of a seat is not handed over: waiters load it.
"""
import json
import re
import time

import gangd
import metrics_client
import pytest
import streams

pytestmark = pytest.mark.waiting

MOVES = 60
STREAMS_EACH = 3      # of each seat: a kernel gives some to each loop
LATE_SECONDS = 10
# A caller is recorded once in ten seconds, and loads the game for that.
SLACK = 2 * 3 * STREAMS_EACH
DATA = re.compile(rb"data: (.*)$", re.M)
DAEMON = {"GANGD_METRICS_LISTEN": "127.0.0.1:0", "GANGD_LOOPS": "2",
          "GANGD_BOTS": "off"}


class Listener(streams.Reader):
    """Keeps the events, too."""

    def __init__(self, table, seat):
        super().__init__(table.path, table.tokens[seat], views=True)
        self.seat, self.events = seat, []

    def note(self, version, data, now):
        super().note(version, data, now)
        self.events.append(json.loads(data))


class Statements:
    """How often the database was asked for games and for events."""

    def __init__(self, daemon):
        self.metrics = metrics_client.Metrics("\n".join(daemon.lines))

    def count(self):
        values = self.metrics.values()
        sums = {"load": 0, "events": 0}
        for (name, *labels), value in values.items():
            statement = dict(labels).get("statement")
            if name == "gangd_statements_total" and statement in sums:
                sums[statement] += value
        return sums


def move(client, table, number):
    """Take white 1 and 2 alternately; the version."""
    answer = client.post(f"{table.path}/chips/white/{1 + number % 2}/take")
    assert answer.status == 200, answer.body
    return answer.json["version"]


def test_a_move_is_handed_to_its_waiters(tally, daemon):
    table = gangd.Table(daemon)
    room = streams.Room()
    readers = [Listener(table, seat) for seat in range(3)
               for _ in range(STREAMS_EACH)]
    for reader in readers:
        room.enter(reader, daemon.address)
    mover = daemon.client(table.tokens[0])
    room.listen(LATE_SECONDS, lambda: all(
        reader.is_up_to(mover.get(table.path).json["version"])
        for reader in readers))
    statements = Statements(daemon)
    before, late = statements.count(), 0
    for number in range(MOVES):
        version = move(mover, table, number)
        late += not room.listen(LATE_SECONDS, lambda: all(
            reader.is_up_to(version) for reader in readers))
    time.sleep(1)  # an event too many would come by then
    after = statements.count()
    tally.check("all streams heard all moves", not late, late)
    tally.check("the streams are in order",
                not any(reader.faults for reader in readers),
                [reader.faults[:2] for reader in readers])
    loads, pages = (after[name] - before[name] for name in ("load", "events"))
    tally.check("waiters do not load the game", loads <= MOVES + SLACK, loads)
    tally.check("waiters do not load events", pages <= SLACK, pages)
    for seat in range(3):
        client = daemon.client(table.tokens[seat])
        view = client.get(table.path).json
        log = client.get(table.path + "/events?limit=500").json["events"]
        mine = [reader for reader in readers if reader.seat == seat]
        tally.check(f"seat {seat + 1} heard the events as they are stored",
                    all(reader.events == log for reader in mine))
        tally.check(f"seat {seat + 1} has the view as it is stored",
                    all(json.loads(DATA.search(reader.view)[1]) == view
                        for reader in mine))
        client.close()
    for reader in readers:
        reader.close()


def test_a_changed_seat_is_loaded(tally, daemon):
    """After a removal the removed player's stream ends, and others see it."""
    table = gangd.Table(daemon)
    room = streams.Room()
    readers = [Listener(table, seat) for seat in (0, 1, 2)]
    for reader in readers:
        room.enter(reader, daemon.address)
    mover = daemon.client(table.tokens[0])
    version = move(mover, table, 0)
    room.listen(LATE_SECONDS, lambda: all(
        reader.is_up_to(version) for reader in readers))
    gone = daemon.client(table.tokens[2])
    tally.check("a player leaves",
                gone.ask("DELETE", table.path + "/players/3").status == 204)
    room.listen(LATE_SECONDS, lambda: readers[2].ended and all(
        reader.last > version for reader in readers[:2]))
    tally.check("the stream of the player who left ends",
                readers[2].ended and readers[2].closed, readers[2].closed)
    tally.check("the others hear of it", all(
        reader.events[-1]["type"] == "player_left" for reader in readers[:2]),
        [reader.events[-1] for reader in readers[:2]])
    for reader in readers:
        reader.close()
