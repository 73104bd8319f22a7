"""A daemon to be tested, its clients, and a tally of passed and failed checks.

The fixtures of tests/conftest.py bring a cluster and a tally.  Programs that run by
hand (tests/ha, tests/bench) make a Tally themselves and end with tally.end().
"""
import http.client
import json
import os
import re
import subprocess
import sys
import threading
import time

# Programs that tests run in place of the system's, first in PATH.
STAND_INS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin")
READY_SECONDS = 30
STOP_SECONDS = 30
LISTENING = re.compile(r'"event":"listening".*"address":"([^":]+):(\d+)"')
# A point of P-256, for an operator of Web Push and a browser.
VAPID_KEY = ("BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS"
             "6TlzAC8wEqKK6PBru3jl7A8")
FAULTS = re.compile(r"Sanitizer|runtime error|Assertion|assertion")


class Tally:
    """Counts passed and failed checks, and prints them."""

    def __init__(self):
        self.passed = self.failed = 0

    def check(self, name, good, detail=""):
        if good:
            self.passed += 1
            print("ok    ", name, flush=True)
        else:
            self.failed += 1
            print("FAILED", name, detail, flush=True)
        return good

    def end_well(self, daemon, name="the daemon"):
        """Stop the daemon, and check that it ends without a fault."""
        status = daemon.stop()
        self.check(name + " ends well", status == 0, status)
        self.check(name + " logs no fault of its own",
                   not daemon.faults(), daemon.faults())

    def end(self):
        print(f"{self.passed} passed, {self.failed} failed", flush=True)
        sys.exit(self.failed > 0 or self.passed == 0)


def wait_for(state, seconds=60, otherwise=None):
    """Wait until state() is true; its last value.  When the time is over, the test
    ends with the words of otherwise, if there are some."""
    end = time.monotonic() + seconds
    while not (value := state()) and time.monotonic() < end:
        time.sleep(0.02)
    if not value and otherwise:
        raise SystemExit("it never came: " + otherwise)
    return value


def psql(sql, *arguments, url=None):
    """Run a statement, as the role that migrates if no other is named; its
    result as text."""
    command = ["psql", "-X", "-q", "-At", "-v", "ON_ERROR_STOP=1",
               url or os.environ["GANGD_MIGRATE_URL"], *arguments, "-c", sql]
    return subprocess.run(command, check=True, text=True,
                          stdout=subprocess.PIPE).stdout.strip()


def superuser():
    """The connection string of the cluster's superuser."""
    return re.sub(r"user=\S+", "user=postgres", os.environ["GANGD_MIGRATE_URL"])


class Sql:
    """A psql that keeps running, for queries with one line as result; each
    psql() costs 50 ms of a processor."""

    def __init__(self, url=None, stderr=None):
        self.process = subprocess.Popen(
            ["psql", "-X", "-q", "-At", "-v", "ON_ERROR_STOP=1",
             url or os.environ["GANGD_MIGRATE_URL"]], stderr=stderr,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, statement):
        self.process.stdin.write(statement + ";\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("psql fails: " + statement)
        return line.rstrip("\n")

    def do(self, statements):
        """Run statements without results, in one transaction."""
        self.ask("BEGIN;" + statements + ";COMMIT;\n\\echo done\n")

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def gangctl(build, *words, check=False, typed=None, **settings):
    """Run a command of gangctl with these settings, and text as its standard input;
    .stdout has all that it printed."""
    return subprocess.run([build + "/bin/gangctl", *words], check=check, text=True,
                          input=typed, env=dict(os.environ, **settings),
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def migrate(build):
    if "GANGD_CITUS" in os.environ:
        sys.path.append(os.path.join(os.path.dirname(STAND_INS), "..", "citus"))
        import nodes
        nodes.reopen().migrate(build)
    else:
        gangctl(build, "migrate", check=True)


def fill_log():
    """Give the server files of the write-ahead log to recycle, as one that has
    run for a while has.  A new server first fills each file with zeros, which
    delays every commit by 60 ms, every few seconds."""
    subprocess.run(["psql", "-X", "-q", "-o", "/dev/null", "-c", """
        SELECT pg_logical_emit_message(false, '', repeat('x', 16000000))
        FROM generate_series(1, 64)""", "-c", "CHECKPOINT", superuser()],
                   check=True)


class Daemon:
    """One gangd on a free port; settings are those of its environment.

    The lines that it logs are in .lines, or in the file named by log: reading
    them costs time that a measurement would see; appends keeps what is in it.  For millions of requests, do
    without the lines about them (keeps_requests).  under is the command that it
    runs under, as a list of words.
    """

    started = []

    def __init__(self, build, program=None, log=None, under=(),
                 keeps_requests=True, appends=False, **settings):
        environment = dict(os.environ, GANGD_LISTEN="127.0.0.1:0")
        environment.pop("GANGD_MIGRATE_URL", None)  # gangctl's alone
        environment.update(settings)
        self.lines = []
        self.address = None
        self.process = None
        Daemon.started.append(self)
        command = [*under, program or build + "/bin/gangd"]
        self.reader = None
        if log:
            with open(log, "a" if appends else "w", encoding="utf-8") as file:
                begin = file.tell()
                self.process = subprocess.Popen(command, env=environment,
                                                stderr=file)
            self.follow(log, begin)
        else:
            self.process = subprocess.Popen(
                command, env=environment, stderr=subprocess.PIPE, text=True,
                errors="replace")
            self.listen(self.process.stderr)
            # A daemon whose log nobody reads would wait.
            self.reader = threading.Thread(
                target=lambda: self.lines.extend(
                    line for line in self.process.stderr
                    if keeps_requests or '"event":"request"' not in line),
                daemon=True)
            self.reader.start()

    @classmethod
    def stop_all(cls):
        """End those that still run."""
        for daemon in cls.started:
            if daemon.process and daemon.process.poll() is None:
                daemon.process.kill()
                daemon.process.wait()
        cls.started.clear()

    def listen(self, lines):
        for line in lines:
            self.lines.append(line)
            found = LISTENING.search(line)
            if found:
                self.address = (found.group(1), int(found.group(2)))
                return
        self.process.kill()
        self.process.wait()
        raise SystemExit("the daemon does not start:\n" +
                         "".join(self.lines))

    def follow(self, log, begin):
        """Wait for the line of the log, from this place on, with the daemon's address."""
        for _ in range(READY_SECONDS * 100):
            with open(log, encoding="utf-8") as file:
                file.seek(begin)
                text = file.read()
            if LISTENING.search(text) or self.process.poll() is not None:
                break
            time.sleep(0.01)
        self.listen(text.splitlines(True))

    @property
    def pid(self):
        return self.process.pid

    @property
    def url(self):
        return "http://%s:%d" % self.address

    def client(self, token=None, timeout=10):
        return Client(self.address, token, timeout)

    def wait_ready(self, seconds=READY_SECONDS):
        """Wait until /readyz says 200; the seconds that it took."""
        begun = time.monotonic()
        while time.monotonic() - begun < seconds and \
                self.process.poll() is None:
            try:
                if self.client().get("/readyz").status == 200:
                    return time.monotonic() - begun
            except OSError:
                pass
            time.sleep(0.02)
        raise SystemExit("the daemon does not get ready:\n" +
                         "".join(self.lines[-20:]))

    def stop(self):
        """Stop the daemon; its exit status."""
        self.process.terminate()
        return self.wait()

    def wait(self, seconds=STOP_SECONDS):
        try:
            status = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return "it did not end"
        if self.reader:
            self.reader.join(10)
        return status

    def faults(self):
        """The lines of its log that report faults of its own."""
        return "".join(line for line in self.lines if FAULTS.search(line))


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def code(self):
        """The problem's code; None for a success."""
        return self.json.get("code") if self.status >= 400 else None

    def header(self, name):
        for key, value in self.headers:
            if key.lower() == name.lower():
                return value
        return None


class Client:
    """A persistent connection, opened anew when the daemon closed it."""

    def __init__(self, address, token=None, timeout=10):
        self.token = token
        self.connection = http.client.HTTPConnection(*address,
                                                     timeout=timeout)
        self.stream = None

    def fields(self, headers):
        fields = dict(headers or {})
        if self.token and "Authorization" not in fields:
            fields["Authorization"] = "Bearer " + self.token
        return fields

    def open(self, path, headers=None):
        """A stream: the answer as it comes, until close().  The service closes its
        connection, so http.client leaves the socket to the answer alone."""
        self.connection.request("GET", path, None, self.fields(headers))
        self.stream = self.connection.getresponse()
        return self.stream

    def ask(self, method, path, body=None, headers=None):
        fields = self.fields(headers)
        if body is not None and not isinstance(body, (str, bytes)):
            body = json.dumps(body)
            fields.setdefault("Content-Type", "application/json")
        try:
            self.connection.request(method, path, body, fields)
            answer = self.connection.getresponse()
            return Answer(answer.status, answer.getheaders(), answer.read())
        except (OSError, http.client.HTTPException):
            self.connection.close()
            raise

    def get(self, path, **more):
        return self.ask("GET", path, **more)

    def post(self, path, body=None, **more):
        return self.ask("POST", path, body, **more)

    def close(self):
        if self.stream:
            self.stream.close()
        self.connection.close()


class Table:
    """A game that was created, joined and started: its path and tokens."""

    def __init__(self, daemon, players=3, start=True, **options):
        maker = daemon.client()
        answer = maker.post("/v1/games",
                            dict({"name": "A", "seats": players}, **options))
        if answer.status != 201:
            raise OSError(f"no game: {answer.status} {answer.body}")
        made = answer.json
        self.id = made["game"]["id"]
        self.path = "/v1/games/" + self.id
        self.code = made["invite_code"]
        self.tokens = [made["token"]]
        # The game starts by itself when the last seat is taken.
        for name in "BCDEF"[:players - 1 if start else 0]:
            answer = maker.post(f"/v1/invitations/{self.code}/players",
                                {"name": name})
            if answer.status != 201:
                raise OSError(f"no seat: {answer.status} {answer.body}")
            self.tokens.append(answer.json["token"])
        maker.close()
