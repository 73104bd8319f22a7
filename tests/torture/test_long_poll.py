#!/usr/bin/python3
"""test_long_poll.py BUILD - who waits for a game hears of every move.

Two daemons on one database.  Players move chips through one or the other, at
their own pace; others wait for each game at both, again and again, with the
tag of what they were told last.  Nobody may be left behind, be told what they
know, or be told too early that nothing has happened; and it is measured how
long after a move's answer they hear of it.  Whoever moves waits too, through
the daemon that did not see the move.

Then what becomes of those who wait when games are deleted, when the game is
none, when they go away, when there are more of them than statements that may
wait for the database, and when the daemon is told to stop.

To be run under deploy/local/with-cluster.sh; MOVES in the environment is how
many there are to be.
"""
import multiprocessing
import os
import random
import sys
import threading
import time
import uuid

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "harness"))
import crowd
import gangd
import measure
from player import Wire

MOVES = 2400
GAMES = 8
WAITERS_EACH = 2     # of a game at each daemon
PAUSE_SECONDS = 0.06 # between a game's moves, at most
WAIT_SECONDS = 4
LEFT_BEHIND_SECONDS = 2
NEAR_MS = 50         # p99 of those at the daemon that kept the move
FAR_MS = 100 + 50    # of those at the other, which looks every 100 ms
SANITIZED_FACTOR = 5
CROWD = 5000         # more than a loop's statements that may wait
LEAVING = 200
DRAIN_SECONDS = 1.0   # GANGD_DRAIN_MS, by default


def version_of(etag):
    return int(etag.split(".")[1])


# --- moving and waiting ------------------------------------------------------

def ask_to_wait(path, token, etag, seconds=WAIT_SECONDS):
    return ("GET", path, ["Authorization: Bearer " + token,
                          "If-None-Match: " + etag,
                          f"Prefer: wait={seconds}"], "")


def move(near, far, table, count, seed):
    """Take and return a chip, again and again, and wait at the other daemon
    for the next move: when each version was answered, and faults."""
    wire, other = Wire(near, 30), threading.Thread()
    chance = random.Random(seed)
    token = table.tokens[0]
    told, faults = {}, []

    def wait(etag):
        status, fields, _ = Wire(far, 30).ask(
            *ask_to_wait(table.path, token, etag))
        if status != 200 or version_of(fields["etag"]) <= version_of(etag):
            faults.append(f"the mover: {status} {fields.get('etag')}, "
                          f"which knows {etag}")

    for number in range(count):
        verb = "return" if number % 2 else "take"
        status, fields, _ = wire.ask(
            "POST", f"{table.path}/chips/white/1/{verb}",
            ["Authorization: Bearer " + token], "")
        if status != 200:
            return told, [f"a move: {status}"]
        told[version_of(fields["etag"])] = time.monotonic()
        if other.ident:
            other.join()
        other = threading.Thread(target=wait, args=(fields["etag"],))
        if number < count - 1:
            other.start()
        time.sleep(chance.uniform(0, PAUSE_SECONDS))
    return told, faults


def wait_on(address, table, seat, last):
    """Wait for one version after the other up to the last: when each was
    told, and faults."""
    wire = Wire(address, 30)
    token = table.tokens[seat]
    told, faults = {}, []
    etag = wire.ask("GET", table.path, ["Authorization: Bearer " + token],
                    "")[1]["etag"]
    while version_of(etag) < last:
        begun = time.monotonic()
        status, fields, _ = wire.ask(*ask_to_wait(table.path, token, etag))
        now = time.monotonic()
        if fields.get("preference-applied") != f"wait={WAIT_SECONDS}":
            faults.append(f"preference not applied: {status} {fields}")
        if status == 304 and now - begun < WAIT_SECONDS:
            faults.append(f"304 after {now - begun:.3f} s")
        if status == 304:
            told.setdefault(None, []).append((version_of(etag), now))
            continue
        if status != 200 or version_of(fields["etag"]) <= version_of(etag):
            faults.append(f"{status} {fields.get('etag')}, knows {etag}")
            break
        etag = fields["etag"]
        told[version_of(etag)] = now
    return told, faults


def delays(moves, told):
    """Seconds from each move's answer until the waiter knew of it; of those
    that it was not told of by the time of a 304, infinity."""
    found = []
    for version, answered in sorted(moves.items()):
        heard = min((when for known, when in told.items()
                     if known is not None and known >= version),
                    default=float("inf"))
        found.append(max(0.0, heard - answered))
    for known, when in told.get(None, []):
        if any(version > known and answered < when - LEFT_BEHIND_SECONDS
               for version, answered in moves.items()):
            found.append(float("inf"))
    return found


def run_task(task):
    return task[0](*task[1:])


def play(daemons, moves):
    """All of it at once: the delays near and far, and faults."""
    addresses = [daemon.address for daemon in daemons]
    tasks, count = [], moves // GAMES // 2 * 2
    for number in range(GAMES):
        table = gangd.Table(daemons[0])
        near, far = addresses[number % 2], addresses[1 - number % 2]
        last = table_version(daemons[0], table) + count
        tasks.append((move, near, far, table, count, number))
        for address in (near, far):
            tasks += [(wait_on, address, table, 1 + i % 2, last)
                      for i in range(WAITERS_EACH)]
    with multiprocessing.Pool(len(tasks)) as pool:
        done = pool.map(run_task, tasks, 1)
    result = {"near": [], "far": []}, [f for _, faults in done for f in faults]
    each = 1 + 2 * WAITERS_EACH
    for first in range(0, len(done), each):
        for i, (told, _) in enumerate(done[first + 1:first + each]):
            where = "near" if i < WAITERS_EACH else "far"
            result[0][where] += delays(done[first][0], told)
    return result


def table_version(daemon, table):
    return version_of(tag_of(daemon, table))


def tag_of(daemon, table, seat=0):
    return daemon.client(table.tokens[seat]).get(table.path).header("ETag")


def check_moves(tally, build, daemons):
    factor = SANITIZED_FACTOR if measure.is_sanitized(build) else 1
    found, faults = play(daemons, int(os.environ.get("MOVES", MOVES)))
    tally.check("nobody is told what they know, or nothing too early",
                not faults, faults[:5])
    for where, bound_ms in (("near", NEAR_MS), ("far", FAR_MS)):
        waits = sorted(1000 * wait for wait in found[where])
        p99 = waits[len(waits) * 99 // 100]
        print(f"{where}: {len(waits)} moves heard of, p50 "
              f"{waits[len(waits) // 2]:.1f} ms, p99 {p99:.1f} ms, worst "
              f"{waits[-1]:.1f} ms")
        tally.check(f"{where}: p99 is at most {factor * bound_ms} ms",
                    p99 <= factor * bound_ms, f"{p99:.1f} ms")
        tally.check(f"{where}: nobody is left behind",
                    waits[-1] < factor * 1000 * LEFT_BEHIND_SECONDS,
                    f"{waits[-1]:.1f} ms")


# --- what becomes of them ----------------------------------------------------

def wait_many(daemon, table, count, seconds=60):
    """So many clients that wait, of every seat, with its tag."""
    tags = [tag_of(daemon, table, seat) for seat in range(len(table.tokens))]
    waiters = []
    for number in range(count):
        seat = number % len(tags)
        waiters.append(crowd.Waiter(daemon.address))
        waiters[-1].ask(table, table.tokens[seat], tags[seat], seconds)
    return waiters


def statuses(told):
    return sorted({answer.status for answer in told}, key=str)


def close_all(waiters):
    for waiter in waiters:
        waiter.close()


def check_deleted(tally, daemons):
    """Again and again, so that it falls between any two of their steps."""
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
        close_all(waiters)
    tally.check("who waits for a game that is deleted is told 401",
                not strange, strange[:5])


def check_no_game(tally, daemon):
    """One that never was, asked for all the time: it must not be looked for
    in a way that ends the daemon."""
    table = gangd.Table(daemon)
    table.path = f"/v1/games/{uuid.uuid4()}"
    told, until = [], time.monotonic() + 1
    waiters = [crowd.Waiter(daemon.address) for _ in range(20)]
    while time.monotonic() < until:
        for waiter in waiters:
            waiter.ask(table, table.tokens[0], "*", 60)
        told += crowd.collect(waiters, 5)
    close_all(waiters)
    tally.check("a game that is none is not waited for",
                statuses(told) == [401] and
                max(answer.seconds for answer in told) < 1, statuses(told))


def check_gone(tally, daemon):
    """Who goes away leaves nothing, also who closes but its half."""
    table = gangd.Table(daemon)
    files = measure.open_files(daemon)
    ways = (crowd.Waiter.close, crowd.Waiter.reset, crowd.Waiter.half_close)
    waiters = wait_many(daemon, table, LEAVING * len(ways))
    tally.check("they wait", crowd.are_waiting(waiters, 0.3))
    tally.check("each with a connection", measure.open_files(daemon) >
                len(waiters), measure.open_files(daemon))
    for number, waiter in enumerate(waiters):
        ways[number % len(ways)](waiter)
    told = crowd.collect(waiters[2::3], 2)
    tally.check("who closes its half is let go at once",
                len(told) == LEAVING and {304, None} >= {*statuses(told)},
                (len(told), statuses(told)))
    close_all(waiters[2::3])
    until = time.monotonic() + 2
    while measure.open_files(daemon) > files and time.monotonic() < until:
        time.sleep(0.02)
    tally.check("who goes away leaves no connection",
                measure.open_files(daemon) <= files,
                f"{files}, now {measure.open_files(daemon)}")
    gone = sum('"client_gone"' in line for line in daemon.lines)
    tally.check("and is logged as gone", gone >= LEAVING, gone)
    answer = daemon.client(table.tokens[0]).post(
        table.path + "/chips/white/1/take")
    tally.check("and moves go on", answer.status == 200, answer.status)


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
    tally.check("and hear of moves", [t.status for t in told] == [200, 200],
                told)
    close_all(waiters)


def check_crowd(tally, build):
    """All of them wait at one loop for one game."""
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
    tally.check("and leaves the database to others", max(times) < 1,
                f"{max(times):.3f} s")
    begun = time.monotonic()
    client.post(table.path + "/chips/white/1/take")
    told = crowd.collect(waiters, 10)
    print(f"the crowd has heard after {time.monotonic() - begun:.2f} s")
    tally.check("all of them hear of a move",
                len(told) == CROWD and statuses(told) == [200],
                (len(told), statuses(told)))
    close_all(waiters)
    tally.end_well(daemon, "their daemon")


def check_stop(tally, daemon):
    table = gangd.Table(daemon)
    waiters = wait_many(daemon, table, LEAVING)
    tally.check("they wait for the end", crowd.are_waiting(waiters, 0.2))
    daemon.process.terminate()
    begun = time.monotonic()
    told = crowd.collect(waiters, 5)
    seconds = time.monotonic() - begun
    tally.check("who waits is answered when the daemon no longer listens",
                len(told) == LEAVING and statuses(told) == [304] and
                DRAIN_SECONDS <= seconds < DRAIN_SECONDS + 1,
                (len(told), statuses(told), seconds))
    status = daemon.wait(5)
    tally.check("which then ends in time", status == 0, status)
    tally.check("without a fault of its own", not daemon.faults(),
                daemon.faults())
    close_all(waiters)


def main():
    build = sys.argv[1]
    tally = gangd.Tally()
    crowd.allow_files(2 * CROWD)
    gangd.migrate(build)
    daemons = [gangd.Daemon(build, GANGD_LOOPS="2") for _ in range(2)]
    for daemon in daemons:
        daemon.wait_ready()
    check_moves(tally, build, daemons)
    check_deleted(tally, daemons)
    check_no_game(tally, daemons[0])
    check_spectators(tally, daemons)
    check_gone(tally, daemons[0])
    check_crowd(tally, build)
    check_stop(tally, daemons[0])
    tally.end_well(daemons[1], "the other daemon")
    tally.end()


if __name__ == "__main__":
    main()
