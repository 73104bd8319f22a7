"""Gangd-push does its work by a role that sees no card.

The role is that of deploy/systemd/push-role.sql.  The webhook is a server here, which
takes every second message; a subscription is forgotten as gangd-push does it.
"""
import os
import re
import subprocess
import tempfile

import gangd
import loopback
import pytest

pytestmark = pytest.mark.waiting

ROOT = os.path.join(os.path.dirname(__file__), "..", "..")
PATIENCE_S = 60


def url_of(role):
    return re.sub(r"user=\S+", "user=" + role, os.environ["GANGD_DATABASE_URL"])


def ask(statement):
    return subprocess.run(["psql", "-X", "-q", "-At", url_of("gangd_push"), "-c",
                           statement], text=True, capture_output=True, check=False)


class Handler(loopback.Handler):
    count = 0

    def do_POST(self):
        self.body()
        Handler.count += 1
        self.answer(204 if Handler.count % 2 == 0 else 503)


def check_sending(tally, build, batch):
    """A message that fails once, and is then taken, by both ways to take."""
    gangd.psql("""UPDATE gangd.notification SET due_at = now(), attempts = 0,
        is_replay = true""")
    server = loopback.Server(Handler)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "secrets")
        with open(path, "w", encoding="ascii") as file:
            os.fchmod(file.fileno(), 0o600)
            file.write("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n")
        environment = dict(
            os.environ, GANGD_DATABASE_URL=url_of("gangd_push"), GANGD_BATCH=batch,
            GANGD_PUSH_DELAY_MS="0", GANGD_WEBHOOK_SECRETS_FILE=path,
            GANGD_WEBHOOK_URL=f"http://127.0.0.1:{server.server_port}/")
        environment.pop("GANGD_MIGRATE_URL")
        push = subprocess.Popen([build + "/bin/gangd-push"], env=environment,
                                stderr=subprocess.PIPE, text=True)
        settled = gangd.wait_for(lambda: gangd.psql(
            "SELECT count(*) FROM gangd.notification WHERE due_at IS NULL "
            "AND attempts = 1") == "1")
        push.terminate()
        log = push.communicate(timeout=PATIENCE_S)[1]
        tally.check(f"gangd-push sends by its own role, with GANGD_BATCH={batch}",
                    settled and push.returncode == 0, log)
    server.shutdown()


def check_forgetting(tally, table):
    gangd.psql(f"""INSERT INTO gangd.push_subscription
        (game_id, token_hash, endpoint_hash, sealed)
        SELECT game_id, token_hash, decode(repeat('01', 32), 'hex'), 'x'
        FROM gangd.seat WHERE game_id = '{table.id}' AND seat = 2;
        SELECT gangd.mark_push_seats('{table.id}')""")
    done = ask(f"SELECT gangd.unsubscribe('{table.id}', NULL, "
               "ARRAY[decode(repeat('01', 32), 'hex')]) IS NOT NULL")
    tally.check("it forgets what is gone", done.stdout == "t\n" and gangd.psql(
        "SELECT count(*) FROM gangd.push_subscription") == "0" and gangd.psql(
        f"SELECT push_seats FROM gangd.game WHERE game_id = '{table.id}'") == "2",
        done)


def check_limits(tally, table):
    """Each is refused for want of a privilege, and nothing else."""
    for statement in (
            "SELECT state FROM gangd.game", "SELECT invite_code FROM gangd.game",
            "SELECT avatar FROM gangd.seat", "SELECT private_data FROM gangd.event",
            "SELECT public_data FROM gangd.event", "SELECT * FROM gangd.invitation",
            "UPDATE gangd.game SET version = version + 1",
            "UPDATE gangd.seat SET token_hash = token_hash",
            "UPDATE gangd.notification SET target = target",
            "INSERT INTO gangd.notification (game_id, version, seat, target, code) "
            f"VALUES ('{table.id}', 99, 1, decode(repeat('00', 32), 'hex'), 1)",
            "INSERT INTO gangd.push_subscription SELECT * FROM gangd.push_subscription",
            f"DELETE FROM gangd.game WHERE game_id = '{table.id}'",
            f"SELECT gangd.delete_game('{table.id}', 1)",
            "CREATE TABLE gangd.mine (x int)"):
        done = ask(statement)
        tally.check(f"its role may not: {statement[:50]}", done.returncode != 0 and
                    "permission denied" in done.stderr, done)


@pytest.fixture(scope="module")
def role(database):
    """The role of gangd-push; the script may be run again."""
    for _ in range(2):
        subprocess.run(["psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-f",
                        ROOT + "/deploy/systemd/push-role.sql", url_of("postgres")],
                       check=True)


@pytest.fixture(scope="module")
def daemon(build, role):
    daemon = gangd.Daemon(build, GANGD_WEBHOOK_URL="http://127.0.0.1/")
    daemon.wait_ready()
    return daemon


@pytest.fixture(scope="module")
def table(daemon):
    return gangd.Table(daemon, 3, client_reference="account 7")


@pytest.mark.parametrize("batch", ["32", "0"])
def test_sending(tally, build, table, batch):
    check_sending(tally, build, batch)


def test_forgetting(tally, table):
    check_forgetting(tally, table)


def test_limits(tally, table):
    check_limits(tally, table)


def test_the_daemon_ends_well(tally, daemon):
    tally.end_well(daemon)
