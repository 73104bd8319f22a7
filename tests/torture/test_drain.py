"""Stop a daemon that is busy, and see it end well.

Clients with persistent connections send requests and moves one after the other
while the daemon is stopped by SIGTERM.  It must end with status 0, and must
have answered every request that was sent on a connection which it had not
closed.  It may refuse connections, and close them after "Connection: close".

Waiters (long polls and streams) wait until the daemon no longer listens, and
receive moves meanwhile: so their clients do not ask again and again.
"""
import http.client
import threading
import time

import gangd
import pytest

pytestmark = pytest.mark.prompt

STOPS = 3
CLIENTS = 24
BUSY_SECONDS = 0.5


class Busy(threading.Thread):
    def __init__(self, daemon, table, number):
        super().__init__(daemon=True)
        self.service, self.path = daemon, table.path
        self.token = table.tokens[number % len(table.tokens)]
        self.cut = None
        self.answered = 0

    def ask(self, client, number):
        """Send a request; true if the connection stays open."""
        if number % 3:
            answer = client.get(self.path)
        else:
            chip = f"/chips/white/{1 + number % 2}/take"
            answer = client.post(self.path + chip)
        self.answered += 1
        return answer.header("Connection") != "close"

    def run(self):
        number = 0
        while True:
            client = self.service.client(self.token)
            asked = 0
            try:
                keeps = True
                while keeps:
                    number += 1
                    keeps = self.ask(client, number)
                    asked += 1
                client.close()
            except ConnectionRefusedError:
                return
            except (OSError, http.client.HTTPException) as error:
                # A connection of which nothing was answered yet may have
                # waited to be accepted when the listening ended.
                if asked:
                    self.cut = repr(error)
                return


def stop_once(tally, build, number):
    daemon = gangd.Daemon(build, GANGD_DRAIN_MS="200")
    daemon.wait_ready()
    table = gangd.Table(daemon)
    clients = [Busy(daemon, table, i) for i in range(CLIENTS)]
    for client in clients:
        client.start()
    time.sleep(BUSY_SECONDS)
    name = f"stop {number}: "
    tally.end_well(daemon, name + "the daemon")
    for client in clients:
        client.join(10)
    cut = [client.cut for client in clients if client.cut]
    answered = sum(client.answered for client in clients)
    tally.check(name + "no request is left without an answer", not cut, cut)
    tally.check(name + f"they were busy ({answered} answers)",
                answered >= CLIENTS)


class Waiting(threading.Thread):
    """Waits again after each answer, as long as the daemon listens."""

    def __init__(self, daemon, table):
        super().__init__(daemon=True)
        self.service, self.table = daemon, table
        self.statuses = []

    def run(self):
        tag = self.service.client(self.table.tokens[0]).get(
            self.table.path).header("ETag")
        while True:
            client = self.service.client(self.table.tokens[0])
            try:
                answer = client.get(self.table.path, headers={
                    "If-None-Match": tag, "Prefer": "wait=20"})
                client.close()
            except OSError:
                return
            self.statuses.append(answer.status)
            tag = answer.header("ETag") or tag


def wait_while_it_stops(tally, build):
    daemon = gangd.Daemon(build, GANGD_DRAIN_MS="1500")
    daemon.wait_ready()
    table = gangd.Table(daemon)
    waiting = Waiting(daemon, table)
    waiting.start()
    stream = daemon.client(table.tokens[1], timeout=20).open(
        table.path + "/events", {"Accept": "text/event-stream"})
    mover = daemon.client(table.tokens[2])
    time.sleep(BUSY_SECONDS)
    daemon.process.terminate()
    time.sleep(BUSY_SECONDS)
    late = daemon.client(table.tokens[1], timeout=20).open(
        table.path + "/events", {"Accept": "text/event-stream"})
    moved = mover.post(table.path + "/chips/white/1/take")
    texts = [stream.read().decode(), late.read().decode()]
    tally.end_well(daemon, "the daemon that others wait for")
    waiting.join(10)
    tally.check("a waiter gets a move, and is let go once",
                moved.status == 200 and waiting.statuses == [200, 304],
                waiting.statuses[:8])
    tally.check("streams hear of the move too, also a late one",
                all('"chip_taken"' in text for text in texts), texts)


def test_drain(tally, build, database):
    for number in range(1, STOPS + 1):
        stop_once(tally, build, number)


def test_wait_while_it_stops(tally, build, database):
    wait_while_it_stops(tally, build)
