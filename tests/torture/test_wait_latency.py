"""Waiters receive every move soon.

Two daemons serve one database.  Players move chips through one or the other, at
their own pace; other clients wait for each game at both, again and again, with
the tag of their last answer.  Every waiter must be woken; no waiter may get a
version that it has, or a 304 too early; and the test measures how long after a
move's answer each waiter receives it.  The player who moves waits too, through
the daemon that did not see the move.

MOVES in the environment sets their number, and SLOWNESS the factor by which a busy
machine may exceed the bounds.
"""
import multiprocessing
import os
import random
import threading
import time

import gangd
import measure
from player import Wire
import pytest

pytestmark = pytest.mark.timed

MOVES = 800
GAMES = 8
WAITERS_EACH = 2     # of a game at each daemon
PAUSE_SECONDS = 0.06 # between a game's moves, at most
WAIT_SECONDS = 4
LEFT_BEHIND_SECONDS = 2
NEAR_MS = 50         # p99 of waiters at the daemon that committed the move
FAR_MS = 100 + 50    # of those at the other: each reports, and reads, every 50 ms
SLOWNESS = int(os.environ.get("SLOWNESS", "1"))
SANITIZED_FACTOR = 5


def version_of(etag):
    return int(etag.split(".")[1])


def ask_to_wait(path, token, etag, seconds=WAIT_SECONDS):
    return ("GET", path, ["Authorization: Bearer " + token,
                          "If-None-Match: " + etag,
                          f"Prefer: wait={seconds}"], "")


def move(near, far, table, count, seed):
    """Take and return a chip, again and again, and wait at the other daemon
    for the next move; the time of each version's answer, and the faults."""
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
    """Wait for one version after the other up to the last; the time at which
    each arrived, and the faults."""
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
    """Seconds from each move's answer until the waiter received it; infinity for
    a move that it had not received by the time of a 304."""
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
    """Play with all waiters; the delays near and far, and the faults."""
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
    return version_of(daemon.client(table.tokens[0]).get(
        table.path).header("ETag"))


@pytest.fixture(scope="module")
def daemons(build, database):
    daemons = [gangd.Daemon(build, GANGD_LOOPS="2") for _ in range(2)]
    for daemon in daemons:
        daemon.wait_ready()
    return daemons


def test_moves(tally, build, daemons):
    factor = SANITIZED_FACTOR if measure.is_sanitized(build) else SLOWNESS
    found, faults = play(daemons, int(os.environ.get("MOVES", MOVES)))
    tally.check("no waiter is answered too early, or with a version that it "
                "has",
                not faults, faults[:5])
    for where, bound_ms in (("near", NEAR_MS), ("far", FAR_MS)):
        waits = sorted(1000 * wait for wait in found[where])
        p99 = waits[len(waits) * 99 // 100]
        print(f"{where}: {len(waits)} moves heard of, p50 "
              f"{waits[len(waits) // 2]:.1f} ms, p99 {p99:.1f} ms, worst "
              f"{waits[-1]:.1f} ms")
        tally.check(f"{where}: p99 is at most {factor * bound_ms} ms",
                    p99 <= factor * bound_ms, f"{p99:.1f} ms")
        tally.check(f"{where}: every waiter is woken",
                    waits[-1] < factor * 1000 * LEFT_BEHIND_SECONDS,
                    f"{waits[-1]:.1f} ms")


def test_the_daemon_ends_well(tally, daemons):
    for number, daemon in enumerate(daemons, 1):
        tally.end_well(daemon, f"daemon {number}")
