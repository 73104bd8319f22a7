"""The daemon behind PgBouncer.

Each row is a configuration of PgBouncer, and whether the daemon can be served by it.
Where it can, twelve players create games and move at once, and all succeed.  Where it
cannot, the daemon is never ready and its log says why, and so does gangctl check.
Then the pooler changes its mode under a daemon that plays: the daemon gets unready,
and comes back by itself when the pooler is set right.

PGBOUNCER names another program than Debian's.  Before 1.21 PgBouncer knows no
max_prepared_statements, so the rows with it are skipped.
"""
import os
import re
import subprocess
import tempfile
import threading
import time

import gangd
import loopback
import pytest
import servers

pytestmark = pytest.mark.waiting

PROGRAM = os.environ.get("PGBOUNCER", "/usr/sbin/pgbouncer")
CONNECTIONS = 6
PLAYERS = 12
MOVES = 40
READY_SECONDS = 20
STAYS_SECONDS = 4  # for which a daemon must not get ready
POOLED = {"max_prepared_statements": 200}

# The settings of the pooler, and whether it suits.
MODES = (
    ("session mode", {"pool_mode": "session"}, True),
    ("session mode, a pool that is too small for one more",
     {"pool_mode": "session", "default_pool_size": CONNECTIONS + 2}, True),
    ("transaction mode", {"pool_mode": "transaction"}, False),
    ("transaction mode, sessions in turn",
     {"pool_mode": "transaction", "server_round_robin": 1}, False),
    ("statement mode", {"pool_mode": "statement"}, False),
    ("transaction mode with prepared statements",
     {"pool_mode": "transaction", **POOLED}, True),
    ("transaction mode with prepared statements, sessions in turn",
     {"pool_mode": "transaction", "server_round_robin": 1, **POOLED}, True),
)


class Pooler:
    """PgBouncer before the cluster; it listens on a free port of 127.0.0.1."""

    def __init__(self, folder):
        self.folder = folder
        [self.port] = loopback.free_ports(1)
        self.server = servers.Server(folder)
        self.process = None
        os.chmod(folder, 0o755)

    def write(self, settings):
        url = os.environ["GANGD_DATABASE_URL"]
        host, port = (re.search(rf"\b{name}=(\S+)", url).group(1)
                      for name in ("host", "port"))
        # Versions that know it have it on unless they are told.
        if has_prepared_statements():
            settings = {"max_prepared_statements": 0, **settings}
        lines = [f"{name} = {value}" for name, value in settings.items()]
        with open(self.folder + "/ini", "w", encoding="utf-8") as file:
            file.write("\n".join((
                "[databases]", f"gangd = host={host} port={port}",
                "[pgbouncer]", "listen_addr = 127.0.0.1",
                f"listen_port = {self.port}", "unix_socket_dir =",
                "auth_type = trust", f"auth_file = {self.folder}/users",
                f"logfile = {self.folder}/log", *lines, "")))

    def start(self, settings):
        self.write(settings)
        open(self.folder + "/log", "a", encoding="utf-8").close()
        with open(self.folder + "/users", "w", encoding="utf-8") as file:
            file.write('"gangd_app" ""\n')
        for name in ("ini", "log", "users"):
            self.server.give(f"{self.folder}/{name}", 0o600)
        self.server.give(self.folder, 0o755)
        self.process = subprocess.Popen(
            self.server.as_owner(PROGRAM, "-q", self.folder + "/ini"),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/")
        deadline = time.monotonic() + READY_SECONDS
        while subprocess.run(
                [servers.BIN + "psql", "-XAtq", self.url("gangd_app"), "-c",
                 "SELECT 1"], stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL).returncode != 0:
            if time.monotonic() > deadline:
                raise SystemExit("no pooler")
            time.sleep(0.05)

    def url(self, user):
        return f"host=127.0.0.1 port={self.port} user={user} dbname=gangd " \
               "sslmode=disable"

    def stop(self):
        """At once: from 1.23 on SIGTERM waits for the clients to go."""
        if self.process:
            self.process.kill()
            self.process.wait()


def has_prepared_statements():
    said = subprocess.run([PROGRAM, "--version"], check=True, text=True,
                          stdout=subprocess.PIPE).stdout
    return tuple(map(int, re.search(r"(\d+)\.(\d+)", said).groups())) >= (1, 21)


class Scene:
    def __init__(self, build, folder):
        self.build = build
        self.pooler = Pooler(folder)

    def start(self):
        return gangd.Daemon(self.build, GANGD_DRAIN_MS="0", GANGD_LOOPS="1",
                            GANGD_BOTS="off",
                            GANGD_DATABASE_CONNECTIONS=str(CONNECTIONS),
                            GANGD_DATABASE_URL=self.pooler.url("gangd_app"))

    def said(self):
        return gangd.gangctl(self.build, "check", GANGD_DATABASE_URL=self.pooler.url(
            "gangd_app")).stdout


def ready(daemon):
    return daemon.client().get("/readyz").status == 200


def wait(daemon, wanted, seconds=READY_SECONDS):
    """True when it is ready, or is not, within the time."""
    return gangd.wait_for(lambda: ready(daemon) == wanted, seconds)


def play(daemon, statuses):
    table = gangd.Table(daemon)
    client = daemon.client(table.tokens[0])
    for number in range(MOVES):
        verb = ("take", "return")[number % 2]
        statuses.append(client.post(f"{table.path}/chips/white/1/{verb}").status)


def play_all(daemon):
    """All play at once; the statuses of their moves."""
    statuses = []
    threads = [threading.Thread(target=play, args=(daemon, statuses))
               for _ in range(PLAYERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return statuses


@pytest.fixture(scope="module")
def scene(build, database):
    with tempfile.TemporaryDirectory() as folder:
        yield Scene(build, folder)


@pytest.mark.parametrize("what, settings, suits", MODES,
                         ids=[mode[0] for mode in MODES])
def test_mode(tally, scene, what, settings, suits):
    if "max_prepared_statements" in settings and not has_prepared_statements():
        pytest.skip("this PgBouncer does not know max_prepared_statements")
    check = tally.check
    scene.pooler.start(settings)
    daemon = scene.start()
    try:
        said = scene.said()
        if suits:
            check(f"{what}: the daemon gets ready", wait(daemon, True),
                  "".join(daemon.lines))
            statuses = play_all(daemon)
            check(f"{what}: every move succeeds",
                  statuses == [200] * MOVES * PLAYERS,
                  f"{len(statuses)}: {set(statuses)}" + "".join(daemon.lines))
            check(f"{what}: gangctl check agrees", "ok    pooler: a pooler" in
                  said and "ok    statements: " in said, said)
            return
        check(f"{what}: the daemon does not get ready",
              not wait(daemon, True, STAYS_SECONDS), "".join(daemon.lines))
        lines = "".join(daemon.lines)
        check(f"{what}: the log says so, once", "pool_mode = session" in lines and
              lines.count("database_pooler_unfit") == 1, lines)
        check(f"{what}: gangctl check names the cause", "fail  pooler: " in said
              and "gangctl migrate" not in said, said)
    finally:
        daemon.stop()
        scene.pooler.stop()


def test_change(tally, scene):
    """The pooler starts anew in another mode while somebody plays."""
    check = tally.check
    scene.pooler.start({"pool_mode": "session"})
    daemon = scene.start()
    try:
        check("a daemon is ready in session mode", wait(daemon, True))
        scene.pooler.stop()
        scene.pooler.start({"pool_mode": "transaction"})
        check("in transaction mode it is not", wait(daemon, False),
              "".join(daemon.lines))
        time.sleep(STAYS_SECONDS)
        check("and stays so", not ready(daemon), "".join(daemon.lines))
        scene.pooler.stop()
        scene.pooler.start({"pool_mode": "session"})
        check("in session mode it is ready again, by itself",
              wait(daemon, True), "".join(daemon.lines))
        statuses = play_all(daemon)
        check("and every move succeeds", statuses == [200] * MOVES * PLAYERS,
              f"{len(statuses)}: {set(statuses)}")
    finally:
        daemon.stop()
        scene.pooler.stop()
