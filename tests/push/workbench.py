"""A receiver of notifications (receiver.js), and gangd-push, to be tested."""
import json
import os
import subprocess
import time

import document as documents
import gangd
import loopback
import metrics_client
import pytest
import workshop

HERE = os.path.dirname(os.path.abspath(__file__))
PATIENCE = 60


def install(build, tally):
    """The packages of the receiver, and its files, in a folder of the build."""
    folder = os.path.join(build, "push")
    os.makedirs(folder, exist_ok=True)
    for name in ("package.json", "package-lock.json", ".npmrc", "receiver.js"):
        with open(os.path.join(HERE, name), "rb") as file:
            data = file.read()
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)
    if not workshop.Workshop(folder, tally).install():
        pytest.fail("the receiver cannot be installed")
    return os.path.join(folder, "receiver.js")


class Receiver:
    """The webhook and the push service, in a process that can be killed."""

    def __init__(self, script, folder):
        self.script, self.folder = script, folder
        self.webhook_port, self.push_port = loopback.free_ports(2)
        self.cert = os.path.join(folder, "cert.pem")
        self.process = None
        self.offset, self.seen = 0, []
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
             "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
             "/CN=localhost", "-addext",
             "subjectAltName=DNS:localhost,DNS:*.slow.localhost,IP:127.0.0.1",
             "-keyout", os.path.join(folder, "key.pem"), "-out", self.cert],
            check=True, stderr=subprocess.DEVNULL)
        self.start()
        with open(os.path.join(folder, "keys.json"), encoding="utf-8") as file:
            self.keys = json.load(file)

    def start(self):
        self.process = subprocess.Popen(
            ["node", self.script, self.folder, str(self.webhook_port),
             str(self.push_port)], stdout=subprocess.PIPE, text=True)
        assert self.process.stdout.readline() == "ready\n"

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def received(self, kind=None):
        """All that came so far, or what is of a kind."""
        try:
            with open(os.path.join(self.folder, "received.jsonl"),
                      encoding="utf-8") as file:
                file.seek(self.offset)
                for line in file:
                    if not line.endswith("\n"):
                        break
                    self.offset += len(line.encode())
                    self.seen.append(json.loads(line))
        except FileNotFoundError:
            pass
        return [one for one in self.seen if kind in (None, one["kind"])]

    def subscription(self, name, how="ok", host="localhost", port=None):
        return {"endpoint": f"https://{host}:{port or self.push_port}/{name}/{how}",
                "expirationTime": None,
                "keys": {"p256dh": self.keys["p256dh"],
                         "auth": self.keys["auth"]}}

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, 0o600)
        return path

    def settings(self):
        """Those of gangd and of gangd-push, so that both use this receiver."""
        hosts = ",".join(f"{host}:{self.push_port}"
                         for host in ("localhost", "*.slow.localhost", "127.0.0.1"))
        return {
            "GANGD_VAPID_PUBLIC_KEY": self.keys["vapid"]["publicKey"],
            "GANGD_VAPID_FILE": self.write("vapid",
                                           self.keys["vapid"]["privateKey"]),
            "GANGD_PUSH_CONTACT": "mailto:operator@gang.example",
            "GANGD_PUSH_HOSTS": hosts,
            "GANGD_PUSH_PRIVATE": "127.0.0.1",
            "GANGD_PUSH_CA_FILE": self.cert,
            "GANGD_PUSH_DELAY_MS": "0",
            "GANGD_WEBHOOK_URL":
                f"http://127.0.0.1:{self.webhook_port}/hooks/gang",
            "GANGD_WEBHOOK_SECRETS_FILE": self.write(
                "secrets", self.keys["secret"] + "\n" + self.keys["older"] + "\n"),
        }


class Push:
    """A gangd-push; its log is in .lines."""

    def __init__(self, build, settings, **more):
        environment = dict(os.environ, **{**settings, **more})
        environment.pop("GANGD_MIGRATE_URL", None)
        self.log = os.path.join(os.path.dirname(settings["GANGD_PUSH_CA_FILE"]),
                                f"push-{time.monotonic_ns()}.log")
        with open(self.log, "w", encoding="utf-8") as file:
            self.process = subprocess.Popen([build + "/bin/gangd-push"],
                                            env=environment, stderr=file)
        gangd.wait_for(lambda: "push_started" in self.text() or
                 self.process.poll() is not None)

    def text(self):
        with open(self.log, encoding="utf-8") as file:
            return file.read()

    def metrics(self):
        """Its metrics, if it was started with GANGD_PUSH_METRICS_LISTEN."""
        return metrics_client.Metrics(self.text())

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        self.process.terminate()
        return self.process.wait(PATIENCE)

    def end_well(self, tally, name="gangd-push"):
        status = self.stop()
        tally.check(name + " ends well", status == 0, status)
        faults = [line for line in self.text().splitlines()
                  if gangd.FAULTS.search(line)]
        tally.check(name + " logs no fault of its own", not faults, faults)


class Contract:
    """The document's schemas of the webhook."""

    def __init__(self):
        document = documents.load(os.path.join(HERE, "../.."))
        hook = document.resolve(document.raw["webhooks"]["notification"]["post"])
        media = hook["requestBody"]["content"]["application/json"]
        self.body = documents.compiled(media["schema"])
        self.fields = {each["name"]: documents.compiled(each["schema"])
                       for each in hook["parameters"] if each["required"]}

    def faults(self, sent):
        """Those of a request that the receiver noted: what the document lacks is one
        too."""
        fields = sent["fields"]
        if fields.get("content-type") != "application/json":
            yield f"the content type is {fields.get('content-type')}"
        for name in fields:
            if name.startswith("webhook-") and name not in self.fields:
                yield f"the document has no {name}"
        for name, validator in self.fields.items():
            value = fields.get(name, "")
            yield from (f"{name}: {fault}" for fault in documents.faults_in(
                validator, int(value) if value.isdigit() else value))
        yield from documents.faults_in(self.body, sent["payload"])


def look_away():
    """From now on all players count as not watching, whatever they ask."""
    gangd.psql("""SET ROLE gangd_owner;
        CREATE FUNCTION gangd.look_away() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN NEW.last_seen := now() - interval ''1 day''; NEW.seen_version := 0;
        RETURN NEW; END';
        CREATE TRIGGER look_away BEFORE INSERT OR UPDATE ON gangd.seat
        FOR EACH ROW EXECUTE FUNCTION gangd.look_away()""")


def look_again():
    gangd.psql("""SET ROLE gangd_owner;
        DROP FUNCTION gangd.look_away() CASCADE""")
