"""The database restarts while it is busy.

Six clients play at one table as fast as they can (player.py).  Again and again
the server is stopped (fast or immediate) or killed, and started anew; it is set
as for real use, since commits must be durable.  No acknowledged move may be
lost, or committed twice or by half, and soon after each return of the server
every client is served again.
"""
import os
import signal
import subprocess
import threading
import time

import checker
import game_log
import gangd
from player import Asked, Player
import pytest

pytestmark = pytest.mark.waiting

HERE = os.path.dirname(os.path.abspath(__file__))

CLUSTER = os.path.join(HERE, "..", "..", "deploy", "local", "cluster.sh")
CLIENTS = 6
GAMES = 16             # on most machines more than they will have ended
RESTARTS = 12
BUSY_SECONDS = 0.4     # between two restarts
RECOVER_SECONDS = 3
GIVE_UP_SECONDS = 20
STOP_SECONDS = 20
# The signals of pg_ctl's modes fast and immediate, and a crash.
SIGNALS = (signal.SIGINT, signal.SIGQUIT, signal.SIGKILL)


def is_alive(pid):
    """A zombie counts as dead: its parent may reap it much later."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            return file.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


class Server:
    """The cluster that with-cluster.sh made."""

    def __init__(self):
        url = os.environ["GANGD_DATABASE_URL"]
        self.folder = os.path.dirname(url.split("host=")[1].split()[0])
        self.start()  # as with-cluster.sh started it, it forgets

    def start(self):
        """Start the server; the time from which on it serves."""
        subprocess.run([CLUSTER, "start", self.folder], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return time.monotonic()

    def stop(self, number):
        with open(self.folder + "/data/postmaster.pid",
                  encoding="ascii") as file:
            pid = int(file.readline())
        os.kill(pid, number)
        gangd.wait_for(lambda: not is_alive(pid), STOP_SECONDS, "the server stops")


class Client(threading.Thread):
    """Plays one game after the other; all clients at the same tables.  When all
    are over it goes on to look at the last one."""

    def __init__(self, address, tables, number, stop):
        super().__init__(daemon=True)
        self.players = [Player(address, table.path, table.tokens[number],
                               number + 1, CLIENTS, number)
                        for table in tables]
        self.stop = stop
        self.served_at = 0.0

    def run(self):
        for player in self.players:
            while not player.ended and not self.stop.is_set():
                self.ask(player, player.move())
        while not self.stop.is_set():
            self.ask(player, Asked(player.seat, "look"))
        for player in self.players:
            player.wire.close()

    def ask(self, player, asked):
        player.ask(asked)
        if asked.status in checker.GONE:
            time.sleep(0.02)
        else:
            self.served_at = asked.answered

    def served_after(self, moment):
        """Seconds from the moment to the next answer other than 503."""
        while self.served_at < moment:
            if time.monotonic() > moment + GIVE_UP_SECONDS:
                raise SystemExit("a client is never served again")
            time.sleep(0.005)
        return self.served_at - moment


class Play:
    """The games in play, while the server stops and returns."""

    def __init__(self, daemon, server):
        self.tables = [gangd.Table(daemon, CLIENTS) for _ in range(GAMES)]
        self.starts = [game_log.version(table) for table in self.tables]
        stop = threading.Event()
        self.clients = [Client(daemon.address, self.tables, number, stop)
                        for number in range(CLIENTS)]
        for client in self.clients:
            client.start()
        self.slowest = 0.0
        for number in range(RESTARTS):
            time.sleep(BUSY_SECONDS)
            server.stop(SIGNALS[number % len(SIGNALS)])
            moment = server.start()
            self.slowest = max(self.slowest, *(
                client.served_after(moment) for client in self.clients))
        time.sleep(BUSY_SECONDS)
        stop.set()
        for client in self.clients:
            client.join()

    def history(self, number):
        return sum((client.players[number].history
                    for client in self.clients), [])

    def faults(self, daemon):
        for number, table in enumerate(self.tables):
            log = game_log.read_log(daemon, table)
            yield from checker.check(log, self.history(number),
                                     self.starts[number], lossy=True)
            if game_log.version(table) != len(log):
                yield f"game {number + 1} has another version than its log"


def judge(tally, build, play, daemon):
    asked = sum((play.history(number) for number in range(GAMES)), [])
    kept = sum(each.is_done and each.verb != "look" for each in asked)
    lost = sum(each.status in checker.GONE for each in asked)
    faults = list(play.faults(daemon))
    print(f"{RESTARTS} restarts; {len(asked)} requests, {kept} moves "
          f"acknowledged, {lost} requests without an outcome; served again "
          f"after {play.slowest:.2f} s at the most")
    tally.check("moves were made, and some requests failed",
                kept > RESTARTS and lost > RESTARTS)
    tally.check("every request was answered",
                all(each.status for each in asked))
    tally.check("each 503 has the code store_unavailable",
                all(each.code == "store_unavailable" for each in asked
                    if each.status == 503))
    tally.check(f"all clients were served again within {RECOVER_SECONDS} s",
                play.slowest <= RECOVER_SECONDS, play.slowest)
    tally.check("the log explains every answer, and nothing in it was done "
                "twice", not faults, "\n".join(faults[:5]))
    game_log.check_replays(tally, build,
                           [table.id for table in play.tables])


@pytest.fixture(scope="module")
def server(database):
    return Server()


def test_judge(tally, build, server, daemon):
    judge(tally, build, Play(daemon, server), daemon)


def test_the_daemon_ends_well(tally, daemon):
    tally.end_well(daemon)
