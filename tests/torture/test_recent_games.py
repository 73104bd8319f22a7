"""A move is decided on the game that this process has just committed, without a load.

Nobody must see that.  So another daemon of the same database, `other`, changes what
`here` believes to know: the game, the seats, a token, a name, a subscription.  Each test
has a table of its own, at which the three players have moved by way of `here`, so that
their seats are known there, too.
"""
import uuid

import gangd
import metrics_client
import pytest

DAEMON = {"GANGD_METRICS_LISTEN": "127.0.0.1:0", "GANGD_BOTS": "off"}
MOVES = 20


@pytest.fixture(scope="module")
def other(build, database):
    other = gangd.Daemon(build, **DAEMON)
    other.wait_ready()
    return other


class Seats:
    """A table, and a client of each of its seats at both daemons."""

    def __init__(self, daemon, other):
        self.table = gangd.Table(daemon)
        self.here = [daemon.client(token) for token in self.table.tokens]
        self.there = [other.client(token) for token in self.table.tokens]
        for client in self.here:
            self.take(client, 1)

    def take(self, client, chip, verb="take", **headers):
        return client.post(f"{self.table.path}/chips/white/{chip}/{verb}",
                           headers=headers)

    def view(self, client):
        return client.get(self.table.path)

    def close(self):
        for client in self.here + self.there:
            client.close()


@pytest.fixture
def seats(daemon, other):
    seats = Seats(daemon, other)
    yield seats
    seats.close()


def count_statements(daemon):
    values = metrics_client.Metrics("\n".join(daemon.lines)).values()
    sums = {"load": 0, "commit_move": 0}
    for (name, *labels), value in values.items():
        statement = dict(labels).get("statement")
        if name == "gangd_statements_total" and statement in sums:
            sums[statement] += value
    return sums


def test_moves_need_no_load(tally, daemon, seats):
    before = count_statements(daemon)
    answers = [seats.take(seats.here[number % 3], 1 + number % 2,
                          **{"Idempotency-Key": str(uuid.uuid4())})
               for number in range(MOVES)]
    after = count_statements(daemon)
    tally.check("all moves are made",
                all(answer.status == 200 for answer in answers))
    tally.check("each is one statement", (
        after["load"] - before["load"],
        after["commit_move"] - before["commit_move"]) == (0, MOVES),
        (before, after))
    view = seats.view(seats.there[2])
    tally.check("the last response is what is stored",
                seats.view(seats.here[(MOVES - 1) % 3]).json ==
                answers[-1].json, answers[-1].json)
    tally.check("the other daemon has the same version",
                view.json["version"] == answers[-1].json["version"])


def test_a_move_of_another_daemon_counts(tally, seats):
    """A holds white 1 as far as `here` knows; by then she has returned it."""
    ada = seats.here[0]
    seats.take(ada, 1)
    tally.check("chip 1 is returned elsewhere",
                seats.take(seats.there[0], 1, "return").status == 200)
    refused = seats.take(ada, 1, "return")
    tally.check("it cannot be returned twice", refused.status == 409,
                refused.body)


def test_no_move_is_refused_for_an_old_state(tally, seats):
    """As far as `here` knows, nobody holds white 2; by then B has it."""
    tally.check("chip 2 is taken elsewhere",
                seats.take(seats.there[1], 2).status == 200)
    returned = seats.take(seats.here[1], 2, "return")
    tally.check("it can be returned here", returned.status == 200,
                returned.body)


def test_if_match_is_about_the_stored_game(tally, seats):
    ada = seats.here[0]
    old = seats.take(ada, 1).header("ETag")
    there = seats.take(seats.there[1], 2)
    tally.check("the other daemon has moved", there.status == 200)
    late = seats.take(ada, 3, **{"If-Match": old})
    tally.check("an old If-Match is refused", late.status == 412, late.body)
    new = seats.view(ada).header("ETag")
    tally.check("the new one is accepted",
                seats.take(ada, 3, **{"If-Match": new}).status == 200)


def test_a_key_counts_at_both(tally, seats):
    ada = seats.here[0]
    key = {"Idempotency-Key": str(uuid.uuid4())}
    seats.take(ada, 1, **key)
    seats.take(seats.here[1], 1)
    for client in (ada, seats.there[0], ada):
        again = seats.take(client, 1, **key)
        tally.check("the repeated move answers with the present view",
                    again.status == 200 and
                    again.json["version"] == seats.view(ada).json["version"],
                    again.body)
        tally.check("it is not made again",
                    again.json["heist"]["chips"][0]["seat"] == 2, again.body)
    reused = seats.take(ada, 2, **key)
    tally.check("another request under the key is refused",
                reused.code == "idempotency_key_reused", reused.body)
    tally.check("chip 1 is still with the second player",
                seats.take(seats.here[1], 1, "return").status == 200)


def test_a_key_holds_for_eight_moves(tally, seats):
    ada = seats.here[0]
    key = {"Idempotency-Key": str(uuid.uuid4())}
    version = seats.take(ada, 2, **key).json["version"]
    for number in range(7):
        answer = seats.take(ada, 1 + number % 2,
                            **{"Idempotency-Key": str(uuid.uuid4())})
    for number in range(12):  # those of other seats do not count
        seats.take(seats.here[1], 3, "return" if number % 2 else "take",
                   **{"Idempotency-Key": str(uuid.uuid4())})
    before = seats.view(ada).json["version"]
    again = seats.take(seats.there[0], 2, **key)
    tally.check("a key holds while its seat makes seven others",
                again.status == 200 and again.json["version"] == before >
                answer.json["version"] > version, again.body)
    seats.take(ada, 2, **{"Idempotency-Key": str(uuid.uuid4())})
    again = seats.take(ada, 2, **key)
    tally.check("after the eighth it is forgotten",
                again.code == "chip_already_held", again.body)


def test_an_old_token_is_refused_at_once(tally, daemon, seats):
    seats.take(seats.here[0], 1)
    renewed = seats.there[0].post(
        seats.table.path + "/players/1/token",
        headers={"Idempotency-Key": str(uuid.uuid4())})
    tally.check("the token is renewed elsewhere", renewed.status == 201,
                renewed.body)
    before = seats.view(seats.here[1]).json["version"]
    for _ in range(2):
        refused = seats.take(seats.here[0], 2)
        tally.check("the old token is refused",
                    refused.status == 401 and
                    refused.code == "invalid_token", refused.body)
    tally.check("nothing was changed",
                seats.view(seats.here[1]).json["version"] == before)
    new = daemon.client(renewed.json["token"])
    tally.check("the new token moves", seats.take(new, 2).status == 200)
    new.close()


def test_a_name_is_the_new_one(tally, seats):
    seats.take(seats.here[0], 1)
    changed = seats.there[0].ask("PATCH", seats.table.path + "/players/1",
                                 {"name": "Zoe"})
    tally.check("the name is changed elsewhere", changed.status == 200,
                changed.body)
    moved = seats.take(seats.here[1], 2)
    tally.check("the next move's view has it", "Zoe" in str(moved.json),
                moved.json)


def test_what_an_operator_changes_counts(tally, seats):
    """Without a new version: SQL stands for gangctl and for a subscription."""
    seats.take(seats.here[0], 1)
    gangd.psql(f"""UPDATE gangd.seat SET token_hash = sha256('other')
        WHERE game_id = '{seats.table.id}' AND seat = 1""",
               url=gangd.superuser())
    gangd.psql(f"SELECT gangd.copy_seats('{seats.table.id}')",
               url=gangd.superuser())
    refused = seats.take(seats.here[0], 2)
    tally.check("a seat without a version is looked at", refused.status == 401,
                refused.body)
    gangd.psql(f"DELETE FROM gangd.game WHERE game_id = '{seats.table.id}'",
               url=gangd.superuser())
    gone = seats.take(seats.here[1], 2)
    tally.check("a deleted game is gone", gone.status == 401, gone.body)


def test_a_subscription_is_told(tally, seats):
    seats.take(seats.here[0], 1)
    gangd.psql(f"""INSERT INTO gangd.push_subscription
        (game_id, token_hash, endpoint_hash, sealed, service)
        SELECT game_id, token_hash, sha256('e'), '\\x00', sha256('s')
        FROM gangd.seat WHERE game_id = '{seats.table.id}' AND seat = 3""",
               url=gangd.superuser())
    gangd.psql(f"SELECT gangd.mark_push_seats('{seats.table.id}')",
               url=gangd.superuser())
    seats.take(seats.here[2], 3)
    tally.check("the round ends",
                seats.take(seats.here[1], 2).json["heist"]["round"] == 2)
    count = gangd.psql(f"""SELECT count(*) FROM gangd.notification
        WHERE game_id = '{seats.table.id}' AND seat = 3""",
                       url=gangd.superuser())
    tally.check("the subscription gets notifications", int(count) > 0, count)
