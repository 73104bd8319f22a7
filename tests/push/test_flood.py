"""A table that makes all the notifications it can delays no other.

A host with four friends of five subscriptions each, at a push service that does not
answer, removes a player, seats another one and deals again, for SECONDS.  Meanwhile and
afterwards a player at another table is notified, at another push service and by the
webhook.
Then nothing happens for some seconds: the rows that wait must cost nothing.
"""
import os
import tempfile
import threading
import time

import gangd
from gangd import wait_for
import pytest
import workbench

pytestmark = pytest.mark.waiting

SECONDS = int(os.environ.get("FLOOD_SECONDS", "15"))
QUIET_S = 8
LATE_S = 2 * int(os.environ.get("SLOWNESS", "1"))
ROWS_MOST = 5 * 6 * 9  # targets, seats, codes


class Flood(threading.Thread):
    """The changes of the table, which each make many rows."""

    def __init__(self, daemon, receiver):
        super().__init__()
        self.table = gangd.Table(daemon, 6)
        self.client = daemon.client(self.table.tokens[0])
        self.guest = daemon.client()
        self.changes = self.rows_most = 0
        for token in self.table.tokens[1:5]:
            client = daemon.client(token)
            for number in range(5):
                client.ask("PUT", self.table.path + "/push", receiver.subscription(
                    f"flood{number}", "slow", host=f"h{number}.slow.localhost"))
            client.close()

    def ask(self, client, method, path, body=None):
        answer = client.ask(method, path, body)
        if answer.status >= 300:
            raise OSError(f"{method} {path}: {answer.status} {answer.body}")
        self.changes += 1

    def run(self):
        table, end = self.table, time.monotonic() + SECONDS
        while time.monotonic() < end:
            self.ask(self.client, "DELETE", table.path + "/players/6")
            code = self.client.get(table.path + "/invitation").json["invite_code"]
            self.ask(self.guest, "POST", f"/v1/invitations/{code}/players",
                     {"name": "F"})
            self.ask(self.client, "POST", table.path + "/heists")

    def rows(self):
        count = int(gangd.psql("SELECT count(*) FROM gangd.notification WHERE due_at "
                               f"IS NOT NULL AND game_id = '{self.table.id}'"))
        self.rows_most = max(count, self.rows_most)
        return count


class Bystander:
    """A player who is notified again and again, and how late."""

    def __init__(self, daemon, receiver):
        self.receiver, self.late = receiver, {"push": [], "webhook": []}
        self.table = gangd.Table(daemon, 3)
        self.clients = [daemon.client(token) for token in self.table.tokens]
        self.clients[1].ask("PUT", self.table.path + "/push",
                            receiver.subscription("bystander"))

    def came(self, kind, since_ms):
        return [one["at"] for one in self.receiver.received(kind)
                if one["at"] >= since_ms and
                self.table.id in str(one["payload"])]

    def tell(self):
        """Take the chip of the player, which notifies them."""
        take = self.table.path + "/chips/white/1/take"
        self.clients[1].post(take)
        since_ms = time.time() * 1000
        self.clients[0].post(take)
        for kind, late in self.late.items():
            wait_for(lambda kind=kind: self.came(kind, since_ms))
            came = self.came(kind, since_ms)
            late.append((came[0] - since_ms) / 1000 if came else workbench.PATIENCE)


def written():
    """Updates of rows of notifications, and the bytes of WAL."""
    return [int(each) for each in gangd.psql(
        "SELECT n_tup_upd, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint "
        "FROM pg_stat_all_tables WHERE relid = 'gangd.notification'::regclass"
    ).split("|")]


def test_flood(tally, build, database):
    workbench.look_away()
    with tempfile.TemporaryDirectory() as folder:
        receiver = workbench.Receiver(workbench.install(build, tally), folder)
        settings = receiver.settings()
        daemon = gangd.Daemon(build, **settings)
        daemon.wait_ready()
        flood = Flood(daemon, receiver)
        bystander = Bystander(daemon, receiver)
        push = workbench.Push(build, settings)
        bystander.tell()
        bystander.late = {"push": [], "webhook": []}
        before = written()
        flood.start()
        while flood.is_alive() or len(bystander.late["push"]) < 20:
            bystander.tell()
            waiting = flood.rows()
        flood.join()
        time.sleep(2)  # the server's statistics lag
        after = written()
        time.sleep(QUIET_S)
        quiet = [now - then for now, then in zip(written(), after)]
        for kind, late in bystander.late.items():
            late.sort()
            p95 = late[len(late) * 95 // 100]
            tally.check(f"a bystander is told by {kind} within {LATE_S} s (95 %)",
                        p95 < LATE_S, late)
            print(f"{kind}: {len(late)} times, 50 % {late[len(late) // 2]:.2f} s, "
                  f"95 % {p95:.2f} s, most {late[-1]:.2f} s")
        print(f"{flood.changes} changes, at most {flood.rows_most} rows waited, "
              f"{waiting} at the end; {after[0] - before[0]} updates of rows, "
              f"{(after[1] - before[1]) / 1e6:.1f} MB of WAL; then in {QUIET_S} s "
              f"{quiet[0]} updates, {quiet[1] / 1e6:.2f} MB")
        tally.check("the table has made what it can", flood.changes > 10 * SECONDS,
                    flood.changes)
        tally.check(f"a table has {ROWS_MOST} rows at most", flood.rows_most <= ROWS_MOST,
                    flood.rows_most)
        # One for each request that begins, and one that ends it.
        tally.check("rows that wait are not written", quiet[0] <= 20 * QUIET_S and
                    quiet[1] < QUIET_S * 1e6, quiet)
        push.end_well(tally)
        tally.end_well(daemon)
        receiver.kill()
