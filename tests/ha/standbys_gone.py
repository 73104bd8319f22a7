"""Both standbys are gone for long: the effects on players and the primary.

PostgreSQL and Patroni are killed at the two hosts that are not the primary; their
etcd goes on, so that the primary keeps its lease.  Commits then wait for a standby.
The daemons have to go on reading, refuse changes, and leave no more sessions at the
primary than their settings say; and all has to go on by itself when standbys are
back.
"""
import collections
import signal
import time

import gangd
from process import send, wait_for

CONNECTIONS = 16 + 2   # of a daemon, with those of its bots
SETTLE_SECONDS = 5     # until the commits that were under way are given up
READ_P99 = 1.0         # on a busy machine; seen: 0.05 s
BACK_SECONDS = 90      # the standbys have to start; seen: 12 s


def take_standbys(cluster, primary):
    gone = [host for host in cluster.hosts if host is not primary]
    for host in gone:
        host.patroni.kill()
        send(host.postgres, signal.SIGKILL)
        wait_for("PostgreSQL is killed",
                 lambda: not host.postgres or
                 send(host.postgres, signal.SIGKILL), 10)
    return gone


class Watch:
    """Looks at the primary's sessions, and reads as a player and as a spectator."""

    def __init__(self, cluster, primary, front, game):
        self.sql = gangd.Sql(cluster.url("postgres", [primary]))
        self.reader = front.client(game.table.tokens[0])
        self.paths = (game.table.path, "/v1/games", "/readyz")
        self.most, self.statuses, self.times = 0, collections.Counter(), []
        self.versions = set()

    def look(self, has_settled):
        self.most = max(self.most, int(self.sql.ask(
            "SELECT count(*) FROM pg_stat_activity "
            "WHERE usename = 'gangd_app'")))
        for path in self.paths:
            begun = time.monotonic()
            answer = self.reader.get(path)
            self.times.append(time.monotonic() - begun)
            self.statuses[answer.status] += 1
            if has_settled and path == self.paths[0]:
                self.versions.add(answer.json.get("version"))

    @property
    def p99(self):
        return sorted(self.times)[len(self.times) * 99 // 100]


def run(tally, cluster, shared, front, game, seconds):
    """Do it for this many seconds, and judge it."""
    primary = cluster.primary()
    watch = Watch(cluster, primary, front, game)
    gone = take_standbys(cluster, primary)
    begun = time.monotonic()
    settled = None
    while time.monotonic() - begun < seconds:
        has_settled = time.monotonic() - begun > SETTLE_SECONDS
        if has_settled and settled is None:
            settled = shared.moves.value
        watch.look(has_settled)
        time.sleep(0.2)
    tally.check(f"no move is acknowledged in {seconds} s",
                shared.moves.value == settled)
    tally.check("none becomes visible", len(watch.versions) == 1,
                watch.versions)
    tally.check(f"{len(watch.times)} reads are answered",
                set(watch.statuses) == {200}, watch.statuses)
    tally.check(f"p99 of reads is at most {READ_P99} s ({watch.p99:.3f} s)",
                watch.p99 <= READ_P99)
    most = CONNECTIONS * len(cluster.daemons)
    tally.check(f"the primary has at most {most} sessions ({watch.most})",
                watch.most <= most)
    tally.check("the primary is still the same", cluster.primary() is primary)
    for host in gone:
        host.patroni.start()
    took = wait_for("moves are acknowledged again", lambda:
                    shared.moves.value > settled + 30, BACK_SECONDS)
    print(f"moves are made again {took:.1f} s after Patroni's start at the "
          "standbys", flush=True)
    wait_for("all is whole again", cluster.is_whole, 180)
