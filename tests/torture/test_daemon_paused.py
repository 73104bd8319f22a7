"""A daemon that does not run for a while.

Players move as fast as they can while the daemon is stopped (SIGSTOP) and
continued, as by a host that has no processor for it.  The pause is longer than
the deadlines of a statement and of a request.  The daemon carries out the
requests that it had begun, and refuses no request for the lost time.
"""
import os
import signal
import threading
import time

import gangd
import pytest

pytestmark = pytest.mark.waiting
DAEMON = {"GANGD_LOOPS": "2"}

PLAYERS = 12
STOPS = (1.2, 1.2, 2.5)  # seconds; a statement has 0.9, a request twice that
BETWEEN = 0.3


class Mover(threading.Thread):
    def __init__(self, daemon):
        super().__init__(daemon=True)
        self.table = gangd.Table(daemon)
        self.client = daemon.client(self.table.tokens[0])
        self.stopping = threading.Event()
        self.statuses = {}
        self.slowest = 0

    def run(self):
        moves = 0
        while not self.stopping.is_set():
            verb = "return" if moves % 2 else "take"
            begun = time.monotonic()
            answer = self.client.post(
                f"{self.table.path}/chips/white/1/{verb}")
            self.slowest = max(self.slowest, time.monotonic() - begun)
            self.statuses[answer.status] = \
                self.statuses.get(answer.status, 0) + 1
            # Repeat a refused move: its chip has not moved.
            moves += answer.status == 200


def test_daemon_paused(tally, daemon):
    movers = [Mover(daemon) for _ in range(PLAYERS)]
    for mover in movers:
        mover.start()
    time.sleep(BETWEEN)
    for seconds in STOPS:
        os.kill(daemon.pid, signal.SIGSTOP)
        time.sleep(seconds)
        os.kill(daemon.pid, signal.SIGCONT)
        time.sleep(BETWEEN)
    for mover in movers:
        mover.stopping.set()
    for mover in movers:
        mover.join()
    statuses = {}
    for mover in movers:
        for status, count in mover.statuses.items():
            statuses[status] = statuses.get(status, 0) + count
    slowest = max(mover.slowest for mover in movers)
    tally.check("some moves took as long as the daemon was stopped",
                slowest > max(STOPS) - BETWEEN, slowest)
    tally.check("no move is refused for the pause", list(statuses) == [200] and
                statuses[200] > 10 * PLAYERS, statuses)
    tally.end_well(daemon)
