"""Waiters whose game, client or daemon goes.

Games are deleted or unknown, clients go away, more clients wait than statements
may be queued for the database, and the daemon is stopped.  test_wait_latency.py
checks that waiters receive every move, and how soon.
"""
import time
import uuid

import crowd
import gangd
import measure
import pytest

pytestmark = pytest.mark.waiting

CROWD = 5000         # more than a loop's statements that may wait
LEAVING = 200
DRAIN_SECONDS = 1.0   # GANGD_DRAIN_MS, by default


def tag_of(daemon, table, seat=0):
    return daemon.client(table.tokens[seat]).get(table.path).header("ETag")


def wait_many(daemon, table, count, seconds=60):
    """This many waiters, of every seat in turn, with its tag."""
    tags = [tag_of(daemon, table, seat) for seat in range(len(table.tokens))]
    waiters = []
    for number in range(count):
        seat = number % len(tags)
        waiters.append(crowd.Waiter(daemon.address))
        waiters[-1].ask(table, table.tokens[seat], tags[seat], seconds)
    return waiters


def statuses(told):
    return sorted({answer.status for answer in told}, key=str)


def check_deleted(tally, daemons):
    """Delete games again and again, to hit every step of a waiter."""
    strange = []
    for number in range(40):
        table = gangd.Table(daemons[0])
        waiters = [waiter for daemon in daemons
                   for waiter in wait_many(daemon, table, 6)]
        time.sleep(0.002 * number)
        daemons[number % 2].client(table.tokens[0]).ask("DELETE", table.path)
        told = crowd.collect(waiters, 2)
        if len(told) != len(waiters) or statuses(told) != [401]:
            strange.append((len(told), statuses(told)))
        crowd.close_all(waiters)
    tally.check("a waiter gets 401 when its game is deleted",
                not strange, strange[:5])


def check_no_game(tally, daemon):
    """Clients wait for an unknown game all the time; polling its version must
    not end the daemon."""
    table = gangd.Table(daemon)
    table.path = f"/v1/games/{uuid.uuid4()}"
    told, until = [], time.monotonic() + 1
    waiters = [crowd.Waiter(daemon.address) for _ in range(20)]
    while time.monotonic() < until:
        for waiter in waiters:
            waiter.ask(table, table.tokens[0], "*", 60)
        told += crowd.collect(waiters, 5)
    crowd.close_all(waiters)
    tally.check("a request for an unknown game does not wait",
                statuses(told) == [401] and
                max(answer.seconds for answer in told) < 1, statuses(told))


def check_gone(tally, daemon):
    """A client that goes leaves nothing, even if it closes only its side."""
    table = gangd.Table(daemon)
    files = measure.open_files(daemon)
    ways = (crowd.Waiter.close, crowd.Waiter.reset, crowd.Waiter.half_close)
    waiters = wait_many(daemon, table, LEAVING * len(ways))
    tally.check("the clients wait", crowd.are_waiting(waiters, 0.3))
    tally.check("each waiter has a connection", measure.open_files(daemon) >
                len(waiters), measure.open_files(daemon))
    for number, waiter in enumerate(waiters):
        ways[number % len(ways)](waiter)
    told = crowd.collect(waiters[2::3], 2)
    tally.check("a waiter that closes its side is answered or closed at once",
                len(told) == LEAVING and {304, None} >= {*statuses(told)},
                (len(told), statuses(told)))
    crowd.close_all(waiters[2::3])
    gangd.wait_for(lambda: measure.open_files(daemon) <= files, 2)
    tally.check("a waiter that goes away leaves no connection",
                measure.open_files(daemon) <= files,
                f"{files}, now {measure.open_files(daemon)}")

    def gone():
        return sum('"client_gone"' in line for line in daemon.lines)

    gangd.wait_for(lambda: gone() >= LEAVING, 20)
    tally.check("the log has the clients that went away",
                gone() >= LEAVING, gone())
    answer = daemon.client(table.tokens[0]).post(
        table.path + "/chips/white/1/take")
    tally.check("a player can move after they have gone",
                answer.status == 200, answer.status)


def check_spectators(tally, daemons):
    table = gangd.Table(daemons[0], spectators=True)
    etag = daemons[0].client().get(table.path).header("ETag")
    waiters = [crowd.Waiter(daemon.address) for daemon in daemons]
    for waiter in waiters:
        waiter.ask(table, None, etag, 20)
    tally.check("spectators wait", crowd.are_waiting(waiters, 0.2))
    daemons[0].client(table.tokens[0]).post(
        table.path + "/chips/white/1/take")
    told = crowd.collect(waiters, 2)
    tally.check("spectators hear of a move",
                [t.status for t in told] == [200, 200],
                told)
    crowd.close_all(waiters)


def check_crowd(tally, build):
    """A crowd waits at one loop for one game."""
    daemon = gangd.Daemon(build, GANGD_LOOPS="1")
    daemon.wait_ready()
    table = gangd.Table(daemon)
    waiters = wait_many(daemon, table, CROWD)
    tally.check(f"a crowd of {CROWD} waits", crowd.are_waiting(waiters, 0.5))
    client = daemon.client(table.tokens[0])
    times = []
    for _ in range(20):
        asked = time.monotonic()
        client.get(table.path)
        times.append(time.monotonic() - asked)
    tally.check("a waiting crowd does not delay other requests",
                max(times) < 1,
                f"{max(times):.3f} s")
    begun = time.monotonic()
    client.post(table.path + "/chips/white/1/take")
    told = crowd.collect(waiters, 10)
    print(f"the crowd has heard after {time.monotonic() - begun:.2f} s")
    tally.check("all waiters of the crowd hear of a move",
                len(told) == CROWD and statuses(told) == [200],
                (len(told), statuses(told)))
    crowd.close_all(waiters)
    tally.end_well(daemon, "their daemon")


def check_stop(tally, daemon):
    table = gangd.Table(daemon)
    waiters = wait_many(daemon, table, LEAVING)
    tally.check("clients wait while the daemon stops",
                crowd.are_waiting(waiters, 0.2))
    daemon.process.terminate()
    begun = time.monotonic()
    told = crowd.collect(waiters, 5)
    seconds = time.monotonic() - begun
    tally.check("waiters are answered when the daemon no longer listens",
                len(told) == LEAVING and statuses(told) == [304] and
                DRAIN_SECONDS <= seconds < DRAIN_SECONDS + 1,
                (len(told), statuses(told), seconds))
    status = daemon.wait(5)
    tally.check("the stopped daemon ends in time", status == 0, status)
    tally.check("the stopped daemon logs no fault", not daemon.faults(),
                daemon.faults())
    crowd.close_all(waiters)


@pytest.fixture(scope="module")
def daemons(build, database):
    crowd.allow_files(2 * CROWD)
    daemons = [gangd.Daemon(build, GANGD_LOOPS="2") for _ in range(2)]
    for daemon in daemons:
        daemon.wait_ready()
    return daemons


def test_deleted(tally, daemons):
    check_deleted(tally, daemons)


def test_no_game(tally, daemons):
    check_no_game(tally, daemons[0])


def test_spectators(tally, daemons):
    check_spectators(tally, daemons)


def test_gone(tally, daemons):
    check_gone(tally, daemons[0])


def test_crowd(tally, build, database):
    check_crowd(tally, build)


def test_stop(tally, daemons):
    check_stop(tally, daemons[0])


def test_the_daemon_ends_well(tally, daemons):
    tally.end_well(daemons[1], "the other daemon")
