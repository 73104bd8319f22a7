"""No notification is lost while processes are killed.

Two gangd-push deliver NOTIFICATIONS of them to the webhook, RATE a second, while one
of the two is killed KILLS times and the receiver half as often.  Every one must come;
one that comes twice has the same id and body.  Before the kills a stretch without them
is timed, from the commit to the receiver.

With PUSH_RATE, PUSH_KILLS and PUSH_NOTIFICATIONS it is as long as one likes.
"""
import datetime
import os
import tempfile
import threading
import time

import gangd
from gangd import wait_for
import pytest
import workbench

pytestmark = pytest.mark.timed

RATE = int(os.environ.get("PUSH_RATE", "200"))
KILLS = int(os.environ.get("PUSH_KILLS", "2"))
NOTIFICATIONS = int(os.environ.get("PUSH_NOTIFICATIONS", "1000"))
TIMED = max(RATE * 2, 400)
STEP_S = 0.1
LATE_S = 2 * int(os.environ.get("SLOWNESS", "1"))


class Commits(threading.Thread):
    """Writes notifications at a steady rate, as commits do."""

    def __init__(self, game, first, count):
        super().__init__()
        self.game, self.first, self.count = game, first, count
        self.ended = False

    def run(self):
        sql = gangd.Sql()
        each = max(1, int(RATE * STEP_S))
        due = time.monotonic()
        for version in range(self.first, self.first + self.count, each):
            last = min(version + each, self.first + self.count) - 1
            sql.do(f"""INSERT INTO gangd.notification
                (game_id, version, seat, target, code)
                SELECT '{self.game}', v, 1, decode(repeat('00', 32), 'hex'), 12
                FROM generate_series({version}, {last}) AS v""")
            due += STEP_S
            time.sleep(max(0, due - time.monotonic()))
        sql.close()
        self.ended = True


def late_s(one):
    """Seconds from the commit to the receiver."""
    at = datetime.datetime.fromisoformat(
        one["payload"]["timestamp"].replace("Z", "+00:00"))
    return one["at"] / 1000 - at.timestamp()


def good(receiver):
    """The messages that the webhook accepted, by version."""
    found = {}
    for one in receiver.received("webhook"):
        if one["status"] == 204:
            found.setdefault(one["payload"]["data"]["version"], []).append(one)
    return found


def check_time(tally, game, receiver):
    commits = Commits(game, 1000, TIMED)
    commits.start()
    commits.join()
    wait_for(lambda: len(good(receiver)) == TIMED)
    times = sorted(late_s(one) for ones in good(receiver).values() for one in ones)
    tally.check(f"all come once at {RATE} a second", len(times) == TIMED, len(times))
    p50, p99 = times[len(times) // 2], times[len(times) * 99 // 100]
    print(f"from commit to receiver: 50 % {p50:.3f} s, 99 % {p99:.3f} s")
    tally.check(f"99 % within {LATE_S} seconds", p99 < LATE_S, p99)


def check_kills(tally, build, settings, game, receiver, pushes):
    first = 1000 + TIMED
    commits = Commits(game, first, NOTIFICATIONS)
    commits.start()
    pause = NOTIFICATIONS / RATE / (KILLS + 1)
    for number in range(KILLS):
        time.sleep(pause)
        pushes[number % 2].kill()
        pushes[number % 2] = workbench.Push(build, settings)
        if number % 2:
            receiver.kill()
            time.sleep(min(pause, 0.5))
            receiver.start()
    commits.join()
    wanted = set(range(first, first + NOTIFICATIONS))
    wait_for(lambda: wanted <= set(good(receiver)), 180)
    found = {version: ones for version, ones in good(receiver).items()
             if version in wanted}
    tally.check(f"of {NOTIFICATIONS} none is lost over {KILLS} kills of gangd-push and "
                f"{KILLS // 2} of the receiver", set(found) == wanted,
                len(wanted - set(found)))
    twice = [ones for ones in found.values() if len(ones) > 1]
    print(f"{len(twice)} came more than once")
    tally.check("what comes twice has the same id and body", all(
        one["id"] == ones[0]["id"] and one["payload"] == ones[0]["payload"]
        for ones in twice for one in ones))
    ids = {ones[0]["id"] for ones in found.values()}
    tally.check("each has an id of its own", len(ids) == len(found))
    tally.check("all are settled", wait_for(lambda: gangd.psql(
        "SELECT count(*) FROM gangd.notification WHERE due_at IS NOT NULL") == "0"))


def test_kills(tally, build, database):
    workbench.look_away()
    with tempfile.TemporaryDirectory() as folder:
        receiver = workbench.Receiver(workbench.install(build, tally), folder)
        settings = receiver.settings()
        daemon = gangd.Daemon(build)
        daemon.wait_ready()
        game = gangd.Table(daemon, 3).id
        daemon.stop()
        pushes = [workbench.Push(build, settings) for _ in range(2)]
        check_time(tally, game, receiver)
        check_kills(tally, build, settings, game, receiver, pushes)
        for push in pushes:
            push.end_well(tally)
        bad = receiver.received("bad")
        tally.check("all that came could be read", not bad, bad)
        receiver.kill()
