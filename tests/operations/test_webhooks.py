"""The operator's webhook receives what happens to its players.

A receiver in Python checks the signature by its own HMAC.  tests/push has Web Push,
hostile endpoints and kills, for which it needs Node.
"""
import base64
import hashlib
import hmac
import json
import os
import subprocess
import tempfile
import time

import gangd
import loopback
import pytest

pytestmark = pytest.mark.waiting

SECRETS = [base64.b64encode(os.urandom(32)).decode() for _ in range(2)]
PATIENCE_S = 60


class Receiver(loopback.Server):
    """Keeps what is signed well; answers with the first of the statuses, if any."""

    def __init__(self):
        self.good, self.bad, self.statuses = [], [], []
        super().__init__(Handler)

    def wait(self, count):
        gangd.wait_for(lambda: len(self.good) >= count, PATIENCE_S)
        return self.good[:]


class Handler(loopback.Handler):
    def do_POST(self):
        body = self.body()
        name, at = self.headers["webhook-id"], self.headers["webhook-timestamp"]
        signed = f"{name}.{at}.".encode() + body
        expected = " ".join("v1," + base64.b64encode(hmac.digest(
            base64.b64decode(secret), signed, hashlib.sha256)).decode()
            for secret in SECRETS)
        if self.headers["webhook-signature"] != expected or \
                abs(time.time() - int(at)) > 60:
            self.server.bad.append(dict(self.headers))
        status = self.server.statuses.pop(0) if self.server.statuses else 204
        if status == 204:
            self.server.good.append((name, json.loads(body)))
        self.answer(status)


def rows():
    return int(gangd.psql("SELECT count(*) FROM gangd.notification"))


def start_push(build, folder, receiver):
    path = os.path.join(folder, "secrets")
    with open(path, "w", encoding="ascii") as file:
        os.fchmod(file.fileno(), 0o600)
        file.write(f"# older\nwhsec_{SECRETS[0]}\n{SECRETS[1]}\n")
    environment = dict(
        os.environ, GANGD_PUSH_DELAY_MS="0", GANGD_WEBHOOK_SECRETS_FILE=path,
        GANGD_WEBHOOK_URL=f"http://127.0.0.1:{receiver.server_port}/hook")
    environment.pop("GANGD_MIGRATE_URL")
    return subprocess.Popen([build + "/bin/gangd-push"], env=environment,
                            stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("settings, word", [
    ({}, "GANGD_VAPID_FILE"),
    ({"GANGD_WEBHOOK_URL": "ftp://x"}, "GANGD_WEBHOOK_URL"),
    ({"GANGD_WEBHOOK_URL": "https://x"}, "GANGD_WEBHOOK_SECRETS_FILE"),
    ({"GANGD_WEBHOOK_URL": "https://x", "GANGD_WEBHOOK_SECRETS_FILE": "/none"},
     "/none"),
    ({"GANGD_WEBHOOK_URL": "https://x", "GANGD_PUSH_PRIVATE": "x"},
     "GANGD_PUSH_PRIVATE")])
def test_gangd_push_refuses_settings_with_the_way_out(build, database, settings,
                                                      word):
    done = subprocess.run([build + "/bin/gangd-push"], text=True, check=False,
                          env=dict(os.environ, **settings), capture_output=True)
    assert done.returncode == 1
    assert word in done.stderr


@pytest.mark.parametrize("key", [
    "x", gangd.VAPID_KEY[:-4], gangd.VAPID_KEY[:-2] + "AA"])
def test_gangd_refuses_a_key_that_no_browser_would_accept(build, database, key):
    done = subprocess.run(
        [build + "/bin/gangd"], text=True, check=False, capture_output=True,
        env=dict(os.environ, GANGD_VAPID_PUBLIC_KEY=key), timeout=PATIENCE_S)
    assert done.returncode == 1
    assert "GANGD_VAPID_PUBLIC_KEY" in done.stderr


def test_without_a_webhook_nothing_is_written(tally, build, database):
    daemon = gangd.Daemon(build)
    daemon.wait_ready()
    gangd.Table(daemon, 3, client_reference="account 7")
    tally.check("a daemon without a webhook writes nothing for it", rows() == 0)
    tally.end_well(daemon)


def test_the_webhook_hears_of_a_start(tally, build, database):
    daemon = gangd.Daemon(build, GANGD_WEBHOOK_URL="http://127.0.0.1/")
    daemon.wait_ready()
    gangd.Table(daemon, 3)
    tally.check("a game without subscriptions writes no notification", rows() == 0)
    table = gangd.Table(daemon, 3, client_reference="account 7")
    tally.check("the start of another one writes a row for the one who does",
                rows() == 1)
    # The host was here just now, and counts as watching: look away.
    gangd.psql("UPDATE gangd.notification SET is_replay = true")
    receiver = Receiver()
    receiver.statuses = [503, 500]
    with tempfile.TemporaryDirectory() as folder:
        push = start_push(build, folder, receiver)
        came = receiver.wait(1)
        tally.check("what fails is sent again until it is taken", len(came) == 1 and
                    not receiver.statuses, came)
        name, payload = came[0]
        tally.check("it says what happened to whom", payload["type"] == "game_started"
                    and payload["data"] == {
                        "game": table.id, "version": payload["data"]["version"],
                        "seat": 1, "rematch": None, "ruleset": "the_gang",
                        "mode": "basic", "name": "A", "host": "A",
                        "client_reference": "account 7"},
                    payload)
        gangd.psql("UPDATE gangd.notification SET due_at = now()")
        again = receiver.wait(2)
        tally.check("under the same id each time", [one[0] for one in again] ==
                    [name, name], again)
        tally.check("every try was signed", not receiver.bad, receiver.bad)
        push.terminate()
        log = push.communicate(timeout=PATIENCE_S)[1]
        tally.check("gangd-push ends well", push.returncode == 0, log)
        tally.check("its log has neither URL, secret nor reference", not [
            word for word in ("/hook", "account", *SECRETS) if word in log], log)
    receiver.shutdown()
    tally.end_well(daemon)
