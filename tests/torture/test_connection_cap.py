"""More clients than the cap on connections.

All loops share one cap.  When it is reached, a new connection ends the one that
has been idle longest; waiters and streams keep their connections.
"""
import concurrent.futures
import select
import socket
import time

import gangd
import measure
import pytest

pytestmark = pytest.mark.waiting

LOOPS = "4"
CONNECTIONS = 40
HELD = 10  # of these, as many that wait as streams
CROWD = 300
OF_BOTS = 2    # connections to the database, in addition to those of the loops
SOON = 5       # seconds; much less than anything times out
PAUSE = 0.005
ARRIVING = 1.2  # a request that takes longer counts as idle

LIVES = b"GET /livez HTTP/1.1\r\nHost: gangd\r\n\r\n"
# libmicrohttpd has no room for this extension of a chunk, and stops reading.
STUCK = (b"POST /v1/games HTTP/1.1\r\nHost: gangd\r\nContent-Type: "
         b"application/json\r\nTransfer-Encoding: chunked\r\n\r\nc;"
         + b"x" * 16384)


def connect(daemon, *pieces):
    client = socket.create_connection(daemon.address, SOON)
    for piece in pieces:
        client.sendall(piece)
    return client


def hears(client):
    """The next bytes; b"" is an end."""
    try:
        return client.recv(65536)
    except ConnectionError:
        return b""


def is_served(client, request=LIVES):
    try:
        client.sendall(request)
    except ConnectionError:
        return False
    return hears(client).startswith(b"HTTP/1.1 200 ")


def has_ended(client, seconds=0.0):
    """Has the daemon closed the connection, without sending a byte?"""
    ready, _, _ = select.select([client], [], [], seconds)
    return bool(ready) and hears(client) == b""


def count_ended(clients, wanted):
    """Which connections have ended, once this many should have."""
    deadline = time.monotonic() + SOON
    ended = [False] * len(clients)
    while sum(ended) < wanted and time.monotonic() < deadline:
        ended = [was or has_ended(client)
                 for was, client in zip(ended, clients)]
        time.sleep(0.01)
    time.sleep(0.1)
    return [was or has_ended(client) for was, client in zip(ended, clients)]


def is_served_again(client):
    """Is it served?  It is then idle clearly longer than the next one."""
    served = is_served(client)
    time.sleep(PAUSE)
    return served


def serve_one_by_one(daemon, count):
    """Idle connections, of which the first has been idle longest."""
    clients = []
    for _ in range(count):
        clients.append(connect(daemon))
        if not is_served(clients[-1]):
            raise SystemExit("a client is not served")
        time.sleep(PAUSE)
    return clients


def close(*groups):
    for group in groups:
        for client in group:
            client.close()


def lives(daemon):
    client = connect(daemon)
    try:
        return is_served(client)
    except OSError:
        return False
    finally:
        client.close()


def lives_for_many(daemon):
    """Is one of many clients served, at its second try if not at once?  On a busy
    machine so many others may come before its request that its connection, which is
    idle until then, is ended."""
    return lives(daemon) or lives(daemon)


def await_files(daemon, count):
    """Wait until the daemon has this many files open."""
    gangd.wait_for(lambda: measure.open_files(daemon) == count, SOON)


class Held:
    """Streams and waiters: connections that are not idle."""

    def __init__(self, daemon, count):
        game = gangd.Table(daemon, spectators=True)
        view = daemon.client().get(game.path)
        wait = (f"GET {game.path} HTTP/1.1\r\nHost: gangd\r\n"
                f"If-None-Match: {view.header('ETag')}\r\n"
                "Prefer: wait=30\r\n\r\n").encode()
        stream = (f"GET {game.path}/events HTTP/1.1\r\nHost: gangd\r\n"
                  "Accept: text/event-stream\r\n\r\n").encode()
        self.game = game
        self.waiting = [connect(daemon, wait) for _ in range(count // 2)]
        self.streams = [connect(daemon, stream) for _ in range(count // 2)]
        for client in self.streams:
            client.recv(65536)
        time.sleep(0.2)  # until those that wait do

    def goes_on(self, daemon):
        """Does each receive a move?"""
        for client in self.streams:
            client.setblocking(False)
            while True:  # signs of life, and events not read yet
                try:
                    client.recv(65536)
                except BlockingIOError:
                    break
            client.settimeout(SOON)
        moved = daemon.client(self.game.tokens[0]).post(
            self.game.path + "/chips/white/1/take")
        return moved.status == 200 and all(
            hears(client) for client in self.waiting + self.streams)

    def close(self):
        close(self.waiting, self.streams)


def check_few(tally, build):
    """As many connections as loops, which they reach at random."""
    daemon = gangd.Daemon(build, GANGD_LOOPS=LOOPS, GANGD_CONNECTIONS=LOOPS)
    daemon.wait_ready()
    await_files(daemon, 0)
    clients = serve_one_by_one(daemon, int(LOOPS))
    tally.check("with four loops and four connections all four are served",
                all(map(is_served_again, clients)))
    clients += serve_one_by_one(daemon, 1)
    ended = count_ended(clients, 1)
    tally.check("one connection more ends the one that was idle longest",
                ended == [True] + [False] * int(LOOPS), ended)
    close(clients)
    tally.end_well(daemon, "a daemon with few connections")


def check_order(tally, daemon, own_files):
    most = CONNECTIONS - HELD
    held = Held(daemon, HELD)
    await_files(daemon, own_files + HELD)
    idle = serve_one_by_one(daemon, most)
    tally.check("as many connections as the cap are served at a time", not any(
        map(has_ended, idle)))
    tally.check("each of them is served again",
                all(map(is_served_again, idle)))
    more = serve_one_by_one(daemon, 10)
    ended = count_ended(idle, 10)
    tally.check("each further connection ends the one that is idle longest",
                ended == [True] * 10 + [False] * (most - 10), ended)
    close(more, idle)
    await_files(daemon, own_files + HELD)

    silent = [connect(daemon) for _ in range(most)]
    await_files(daemon, own_files + CONNECTIONS)
    more = serve_one_by_one(daemon, most)
    tally.check("a connection without a request is idle",
                all(count_ended(silent, most)))
    close(silent, more)
    await_files(daemon, own_files + HELD)
    halves = [connect(daemon, STUCK if i % 2 else LIVES[:-2])
              for i in range(most)]
    await_files(daemon, own_files + CONNECTIONS)
    time.sleep(ARRIVING)
    more = serve_one_by_one(daemon, most)
    tally.check("a connection with half a request is idle",
                all(count_ended(halves, most)))
    tally.check("waiters and streams keep their connections",
                held.goes_on(daemon))
    held.close()
    close(halves, more)
    await_files(daemon, own_files)


def is_ended_at_once(daemon):
    client = connect(daemon, LIVES)
    try:
        return has_ended(client, SOON)
    finally:
        client.close()


def check_full(tally, daemon, own_files):
    held = Held(daemon, CONNECTIONS)
    tally.check("if all are waiters or streams, a new connection is ended at "
                "once",
                all(is_ended_at_once(daemon) for _ in range(10)))
    held.streams.pop().close()
    await_files(daemon, own_files + CONNECTIONS - 1)
    tally.check("when a stream has gone, a new connection is served",
                lives(daemon))
    held.waiting.pop().close()
    await_files(daemon, own_files + CONNECTIONS - 2)
    tally.check("the waiters and streams go on", held.goes_on(daemon))
    held.close()
    await_files(daemon, own_files)


def check_crowd(tally, daemon):
    """A crowd that holds its connections, and other clients."""
    crowd = [connect(daemon) for _ in range(CROWD)]
    ended = count_ended(crowd, CROWD - CONNECTIONS)
    tally.check("a crowd gets as many connections as the cap",
                ended.count(False) == CONNECTIONS, ended.count(False))
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        served = list(pool.map(lambda _: lives_for_many(daemon),
                               range(CROWD)))
    tally.check("others are served while a crowd is connected", all(served),
                served.count(False))
    close(crowd)
    tally.check("others are served when the crowd has gone",
                all(lives(daemon) for _ in range(20)))


def database_connections():
    return int(gangd.psql("SELECT count(*) FROM pg_stat_activity WHERE usename"
                          " = 'gangd_app'"))


def check_database(tally, build):
    """The setting bounds the connections of all loops to the database."""
    for loops, asked, bots, wanted in (
            ("4", "16", "on", 16 + OF_BOTS), ("3", "7", "on", 7 + OF_BOTS),
            ("4", "2", "on", 4 + OF_BOTS), ("4", "2", "off", 4)):
        daemon = gangd.Daemon(build, GANGD_LOOPS=loops, GANGD_BOTS=bots,
                              GANGD_DATABASE_CONNECTIONS=asked)
        daemon.wait_ready()
        gangd.wait_for(lambda: database_connections() >= wanted, SOON)
        time.sleep(0.2)
        found = database_connections()
        tally.check(f"{loops} loops, and bots {bots}, have {wanted} "
                    "connections to the database",
                    found == wanted, found)
        daemon.stop()


@pytest.fixture(autouse=True)
def without_a_balancer(monkeypatch):
    monkeypatch.setenv("GANGD_DRAIN_MS", "0")  # of each daemon


def test_few(tally, build, database):
    check_few(tally, build)


def test_connection_cap(tally, build, database):
    daemon = gangd.Daemon(build, GANGD_LOOPS=LOOPS,
                          GANGD_CONNECTIONS=str(CONNECTIONS),
                          GANGD_DATABASE_CONNECTIONS=LOOPS)
    daemon.wait_ready()
    time.sleep(0.3)
    begun = time.monotonic()
    own_files = measure.open_files(daemon)
    check_order(tally, daemon, own_files)
    check_full(tally, daemon, own_files)
    check_crowd(tally, daemon)
    tally.end_well(daemon)
    full = [line for line in daemon.lines if "connections_full" in line]
    tally.check("the log reports refused connections by their number",
                any("not_logged" in line for line in full) and
                len(full) <= int(LOOPS) * (time.monotonic() - begun + 1), full)


def test_database(tally, build, database):
    check_database(tally, build)
