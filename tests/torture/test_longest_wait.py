"""A waiter waits for a minute at most.

A minute is longer than any deadline of a connection; the connection serves
requests again afterwards.  Meanwhile a client with a stream loses its network
without a word: its player must not count as present for as long.  The player of a
silent stream does.  The test only waits, so it may run while other tests measure time.
"""
import contextlib
import datetime
import time

import crowd
import gangd
import lose_network
import pytest

pytestmark = pytest.mark.quiet

DAY_SECONDS = 86400
LOST_SECONDS = 80      # a comment that no client reads, half a minute, and more
UNHEARD_SECONDS = 25   # since then
NOTED_SECONDS = 75     # a silent stream is noted each minute, in steps of ten seconds


def is_connected(daemon, port):
    """Does the daemon still have a connection from there?"""
    ours, theirs = (f":{number:04X}" for number in (daemon.address[1], port))
    with open("/proc/net/tcp", encoding="ascii") as file:
        return any(words[1].endswith(ours) and words[2].endswith(theirs)
                   for words in map(str.split, file))


def unseen_seconds(daemon, table):
    """How long ago the second player was last seen."""
    asking = daemon.client(table.tokens[0])
    players = asking.get(table.path + "/players").json["players"]
    asking.close()
    seen = datetime.datetime.fromisoformat(
        players[1]["last_seen_at"].replace("Z", "+00:00"))
    return (datetime.datetime.now(datetime.timezone.utc) - seen).total_seconds()


@contextlib.contextmanager
def silent(tally, daemon):
    """A player whose stream has nothing to say, and who was last seen an hour ago."""
    table = gangd.Table(daemon)
    client = daemon.client(table.tokens[1])
    stream = client.open(table.path + "/events", {"Accept": "text/event-stream"})
    stream.readline()
    time.sleep(2)  # until the request itself is noted
    gangd.psql("UPDATE gangd.seat SET last_seen = last_seen - interval '1 hour' "
               f"WHERE game_id = '{table.id}'", url=gangd.superuser())
    before = unseen_seconds(daemon, table)
    yield
    unseen = unseen_seconds(daemon, table)
    tally.check("the player of a silent stream is seen once a minute",
                before > 3600 - NOTED_SECONDS and unseen < NOTED_SECONDS,
                (before, unseen))
    client.close()


@contextlib.contextmanager
def lost(tally, daemon):
    """Lose a player; the daemon must have noticed at the end."""
    table = gangd.Table(daemon)
    phone = daemon.client(table.tokens[1])
    # http.client forgets the socket of an answer with "Connection: close".
    phone.connection.connect()
    sock = phone.connection.sock
    stream = phone.open(table.path + "/events",
                        {"Accept": "text/event-stream"})
    stream.readline()
    lose_network.of(sock)
    port = sock.getsockname()[1]
    begun = time.monotonic()
    was_connected = is_connected(daemon, port)
    yield
    time.sleep(max(0, begun + LOST_SECONDS - time.monotonic()))
    unseen = unseen_seconds(daemon, table)
    tally.check("the lost client was connected", was_connected)
    tally.check("the lost client's player is not seen any more",
                unseen >= UNHEARD_SECONDS, unseen)
    tally.check("the lost client's connection is closed",
                not is_connected(daemon, port))
    phone.close()


def check_minute(tally, daemon):
    table = gangd.Table(daemon)
    token = table.tokens[0]
    etag = daemon.client(token).get(table.path).header("ETag")
    waiter = crowd.Waiter(daemon.address)
    waiter.ask(table, token, etag, DAY_SECONDS)
    told = crowd.collect([waiter], 65)
    tally.check("a waiter waits for a minute at most",
                [t.status for t in told] == [304] and
                60 <= told[0].seconds < 61, told)
    waiter.ask(table, token, '"other"', 5)
    told = crowd.collect([waiter], 5)
    tally.check("the connection serves another request afterwards",
                [t.status for t in told] == [200], told)
    waiter.close()


def test_longest_wait(tally, daemon):
    with lost(tally, daemon), silent(tally, daemon):
        check_minute(tally, daemon)
    tally.end_well(daemon)
