"""Serve behind nginx, Caddy and HAProxy.

The files are those of deploy/one-server, the programs Debian's, on free ports,
with a certificate made here.  Behind each proxy two daemons serve one database,
as on a server that is being upgraded: while clients play, one is stopped and
started again.
"""
import gzip
import http.client
import itertools
import json
import os
import re
import select
import socket
import ssl
import subprocess
import tempfile
import threading
import time

import gangd
import loopback
import pytest

HERE = os.path.dirname(os.path.abspath(__file__))

HOST = "poker.example"
FILES = os.path.join(HERE, "..", "..", "deploy", "one-server")
SECONDS = 20       # ends a test that hangs
CLIENTS = 4
CREATIONS = 4      # games a minute of each address
EACH = 10          # answers of each client at every stage of an upgrade


def make_certificate(folder):
    names = [os.path.join(folder, name) for name in
             ("certificate.pem", "key.pem", "both.pem")]
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
         "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
         "/CN=" + HOST, "-addext", "subjectAltName=DNS:" + HOST,
         "-out", names[0], "-keyout", names[1]],
        check=True, stderr=subprocess.DEVNULL)
    with open(names[2], "w", encoding="utf-8") as both:
        for name in names[:2]:
            with open(name, encoding="utf-8") as part:
                both.write(part.read())
    return names


class Proxy:
    """A proxy in front of two daemons, with its files in a folder of its own."""

    PROGRAMS = {
        "nginx": ("nginx.conf", ["nginx", "-g", "daemon off;", "-c"]),
        "caddy": ("Caddyfile", ["caddy", "run", "--adapter", "caddyfile",
                                "--config"]),
        "haproxy": ("haproxy.cfg", ["haproxy", "-W", "-db", "-f"]),
    }

    def __init__(self, name, folder, certificate, daemons, ready=b"200"):
        self.ready = ready
        self.plain, self.port = loopback.free_ports(2)
        self.authority, key, both = certificate
        os.mkdir(folder)
        values = {
            "HOST": HOST, "HTTP_PORT": self.plain, "HTTPS_PORT": self.port,
            "DAEMON": "%s:%d" % daemons[0], "SPARE": "%s:%d" % daemons[1],
            "CERTIFICATE": self.authority, "KEY": key, "BOTH": both,
            "RUN": folder, "LOG": "stderr", "USER": "", "CONNECTIONS": 400, "FILES": 1000,
            "TLS": f"tls {self.authority} {key}",
        }
        template, command = self.PROGRAMS[name]
        with open(os.path.join(FILES, template), encoding="utf-8") as file:
            text = re.sub("@([A-Z_]+)@", lambda found: str(
                values[found.group(1)]), file.read())
        self.file = os.path.join(folder, template)
        with open(self.file, "w", encoding="utf-8") as file:
            file.write(text)
        self.log = os.path.join(folder, "said")
        with open(self.log, "w", encoding="utf-8") as said:
            self.process = subprocess.Popen(
                [*command, self.file], stdout=said, stderr=said,
                env=dict(os.environ, XDG_DATA_HOME=folder,
                         XDG_CONFIG_HOME=folder, HOME=folder))
        self.context = ssl.create_default_context(cafile=self.authority)
        self.context.set_alpn_protocols(["http/1.1"])
        gangd.wait_for(lambda: self.process.poll() is not None or self.is_ready(),
                 otherwise=name + " is ready")
        if self.process.poll() is not None:
            raise SystemExit(name + " does not start:\n" + self.said())

    def is_ready(self):
        return self.curl("/readyz", "-o", "/dev/null", "-w",
                         "%{http_code}").stdout == self.ready

    def said(self):
        with open(self.log, encoding="utf-8") as said:
            return said.read()

    def command(self, path, *more):
        return ["curl", "-s", "-m", str(SECONDS), "--cacert", self.authority,
                "--resolve", f"{HOST}:{self.port}:127.0.0.1", *more,
                f"https://{HOST}:{self.port}{path}"]

    def curl(self, path, *more):
        return subprocess.run(self.command(path, *more), check=False,
                              stdout=subprocess.PIPE)

    def begin(self, path, *more):
        return subprocess.Popen(self.command(path, *more),
                                stdout=subprocess.PIPE)

    def client(self, token):
        """A persistent connection over TLS."""
        client = gangd.Client(("127.0.0.1", self.port), token, SECONDS)
        client.connection = Connection(self)
        return client

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Connection(http.client.HTTPConnection):
    def __init__(self, proxy):
        super().__init__(HOST, proxy.port, timeout=SECONDS)
        self.proxy = proxy

    def connect(self):
        plain = socket.create_connection(("127.0.0.1", self.port), SECONDS)
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.sock = self.proxy.context.wrap_socket(plain, server_hostname=HOST)


def bearer(token):
    return ["-H", "Authorization: Bearer " + token] if token else []


# --- fixtures ------------------------------------------------------------------

NAMES = os.environ.get("PROXIES", "").split() or list(Proxy.PROGRAMS)


def start(build, port):
    daemon = gangd.Daemon(build, GANGD_LISTEN=f"127.0.0.1:{port}",
                          GANGD_TRUSTED_PROXIES="127.0.0.1",
                          GANGD_QUOTAS="on", GANGD_QUOTA_TOKEN="0",
                          GANGD_QUOTA_GAME="0", GANGD_QUOTA_ADDRESS="0",
                          GANGD_QUOTA_CREATION=str(CREATIONS),
                          GANGD_CONNECTIONS_PER_ADDRESS="256")
    daemon.wait_ready()
    return daemon


@pytest.fixture(scope="module")
def daemons(build, database):
    return [start(build, port) for port in loopback.free_ports(2)]


@pytest.fixture(scope="module")
def certificate():
    with tempfile.TemporaryDirectory(prefix="gangd-proxies.") as folder:
        yield make_certificate(folder)


@pytest.fixture(scope="module", params=NAMES)
def name(request):
    return request.param


@pytest.fixture(scope="module")
def proxy(name, certificate, daemons):
    folder = os.path.join(os.path.dirname(certificate[0]), name)
    proxy = Proxy(name, folder, certificate, [daemon.address for daemon in daemons])
    yield proxy
    proxy.stop()
    print(proxy.said()[-3000:], flush=True)


@pytest.fixture(scope="module")
def table(proxy, daemons):
    return gangd.Table(daemons[0], spectators=True)


# --- a request, and its answer ------------------------------------------------

def test_prefix(tally, proxy, name):
    """A client's own X-Forwarded-Prefix reaches no daemon."""
    problem = proxy.curl("/v1/none", "-H", "X-Forwarded-Prefix: /evil")
    tally.check(f"{name}: a client chooses no prefix",
                b'"type":"/problems/no_such_route"' in problem.stdout,
                problem.stdout)


def test_tls(tally, proxy, table, name):
    view = proxy.curl(table.path, *bearer(table.tokens[0]))
    tally.check(f"{name}: a view over TLS", view.returncode == 0 and
                json.loads(view.stdout)["you"]["seat"] == 1, view)
    stranger = proxy.curl("/livez", "--cacert", "/etc/ssl/certs/"
                          "ca-certificates.crt", "-o", "/dev/null")
    tally.check(f"{name}: a client without the authority refuses it",
                stranger.returncode == 60, stranger)
    context = ssl.create_default_context(cafile=proxy.authority)
    context.set_alpn_protocols(["h2", "http/1.1"])
    with socket.create_connection(("127.0.0.1", proxy.port), SECONDS) as plain:
        with context.wrap_socket(plain, server_hostname=HOST) as encrypted:
            tally.check(f"{name}: ALPN offers h2",
                        encrypted.selected_alpn_protocol() == "h2",
                        encrypted.selected_alpn_protocol())
    version = proxy.curl("/livez", "-o", "/dev/null", "-w", "%{http_version}")
    tally.check(f"{name}: curl speaks HTTP/2", version.stdout == b"2", version)
    plain = subprocess.run(
        ["curl", "-s", "-m", str(SECONDS), "-o", "/dev/null", "-w",
         "%{http_code} %{redirect_url}", "-H", "Host: " + HOST,
         f"http://127.0.0.1:{proxy.plain}/docs"],
        check=False, stdout=subprocess.PIPE).stdout.decode()
    tally.check(f"{name}: plain HTTP leads to TLS",
                re.fullmatch(rf"308 https://{HOST}(:\d+)?/docs", plain), plain)


def test_compression(tally, proxy, table, name):
    def encoding(*more):
        answer = proxy.curl(table.path, "-i", "-H", "Accept-Encoding: gzip",
                            *more)
        head, _, body = answer.stdout.partition(b"\r\n\r\n")
        return b"content-encoding: gzip" in head.lower(), body
    packed, body = encoding()
    tally.check(f"{name}: a spectator's view is compressed", packed and
                json.loads(gzip.decompress(body))["id"] == table.id, body)
    packed, body = encoding(*bearer(table.tokens[0]))
    tally.check(f"{name}: a player's view is not, whose size would tell of "
                "cards", not packed and json.loads(body)["id"] == table.id,
                body)


def test_addresses(tally, proxy, name):
    """The quota of an address is the client's, not the proxy's."""
    source = f"127.0.{20 + NAMES.index(name)}."

    def create(last, forwarded):
        return proxy.curl("/v1/games", "--interface", source + last, "--json",
                          '{"name":"A"}', "-o", "/dev/null", "-w",
                          "%{http_code}", "-H", "X-Forwarded-For: " + forwarded
                          ).stdout
    answers = [create("1", f"192.0.2.{i}, 127.0.0.1") for i in
               range(CREATIONS + 1)]
    tally.check(f"{name}: the quota counts the client's address, not one that "
                "it makes up", answers == [b"201"] * CREATIONS + [b"429"],
                answers)
    tally.check(f"{name}: another client has its own quota, also under an "
                "address that is made up", create("2", source + "1") == b"201")


def test_header_room(tally, proxy, table, name):
    """Cookies of other programs on the host, by HTTP/1.1 and HTTP/2."""
    client = proxy.client(table.tokens[0])
    chips, faults = itertools.cycle((1, 2, 3)), []

    def ask(method, path, fields, version=None):
        if version is None:
            answer = client.ask(method, path, headers=fields)
            return answer.status, answer.body
        response = proxy.curl(
            path, "-X", method, "--http" + version, "-w", "%{http_code}",
            *bearer(table.tokens[0]),
            *(part for key, value in fields.items()
              for part in ("-H", f"{key}: {value}"))).stdout
        return int(response[-3:] or 0), response[:-3]

    def check(fields, status, version=None):
        before = client.get(table.path).json["version"]
        for method, path, more in (
                ("GET", table.path, {}), ("GET", "/", {}),
                ("POST", f"{table.path}/chips/white/{next(chips)}/take", {}),
                ("POST", f"{table.path}/chips/white/{next(chips)}/take",
                 {"Idempotency-Key": os.urandom(16).hex()})):
            got, body = ask(method, path, dict(fields, **more), version)
            if got != status or (status == 431 and json.loads(body)["code"]
                                 != "headers_too_large"):
                faults.append((version, method, path, len(str(fields)), got,
                               body[:100]))
        after = client.get(table.path).json["version"]
        if (after > before) != (status == 200):
            faults.append(("version", before, after))

    for number, size in ((0, 0), (3, 1000), (20, 120), (47, 30), (180, 60),
                         (1, 4000), (1, 9000), (4, 3700), (15, 1000)):
        cookie = "; ".join(f"c{i}=".ljust(size, "v") for i in range(number))
        check({"Cookie": cookie}, 200)
        check({"Cookie": cookie}, 200, "2")
    check({f"X-{i}": "y" for i in range(70)}, 200)
    check({"Cookie": "a=".ljust(17000, "v")}, 431)
    check({"Cookie": "a=".ljust(24000, "v")}, 431)
    check({f"X-{i}": "y" for i in range(130)}, 431)
    tally.check(f"{name}: cookies of 16 KiB pass, and more are refused by the "
                "daemon", not faults, faults[:5])


# --- waiting ------------------------------------------------------------------

def read_until(stream, seen, pattern):
    """Read until the pattern is there; false if it does not come."""
    end = time.monotonic() + SECONDS
    while not re.search(pattern, seen):
        if not select.select([stream], [], [], end - time.monotonic())[0]:
            return False
        more = os.read(stream.fileno(), 65536)
        if not more:
            return False
        seen += more
    return True


def take(proxy, table, chip):
    return proxy.client(table.tokens[0]).post(
        f"{table.path}/chips/white/{chip}/take")


def test_streams(tally, proxy, table, name):
    for chip, token, whose in ((1, table.tokens[1], "a player's"),
                               (2, None, "a spectator's")):
        stream = proxy.begin(table.path + "/events?after=0", "-N",
                             "--compressed", "-H", "Accept: text/event-stream",
                             *bearer(token))
        seen = bytearray()
        is_open = read_until(stream.stdout, seen, rb"data: ")
        status = take(proxy, table, chip).status
        tally.check(f"{name}: {whose} stream has its first events before the "
                    "next one is sent", is_open and status == 200,
                    (status, seen))
        tally.check(f"{name}: {whose} stream has the next one", read_until(
            stream.stdout, seen, rb'"type":"chip_taken"[^\n]*"stars":%d' % chip), seen)
        stream.kill()
        stream.wait()


def test_waits(tally, proxy, table, name):
    client = proxy.client(table.tokens[2])
    tag = client.get(table.path).header("ETag")
    begun = time.monotonic()
    fields = {"If-None-Match": tag, "Prefer": "wait=1"}
    answer = client.get(table.path, headers=fields)
    tally.check(f"{name}: a long poll waits", answer.status == 304 and
                time.monotonic() - begun > 0.9, (answer.status, tag))
    answers = []
    fields["Prefer"] = "wait=20"
    waiter = threading.Thread(target=lambda: answers.append(
        client.get(table.path, headers=fields)), daemon=True)
    waiter.start()
    take(proxy, table, 3)
    waiter.join(SECONDS / 2)
    tally.check(f"{name}: a long poll is answered when somebody moves",
                [answer.status for answer in answers] == [200], answers)


# --- an upgrade ---------------------------------------------------------------

class Player(threading.Thread):
    """Reads and moves alternately, on one connection as long as it stays."""

    def __init__(self, proxy, table, number):
        super().__init__(daemon=True)
        self.proxy, self.path = proxy, table.path
        self.token = table.tokens[number % len(table.tokens)]
        self.answers, self.faults, self.done = 0, [], False

    def run(self):
        client = self.proxy.client(self.token)
        while not self.done:
            # A path for each: two players who take one chip back and forth.
            path = f"{self.path}/chips/white/{1 + self.answers % 3}/take"
            try:
                answer = client.post(path) if self.answers % 2 else \
                    client.get(self.path)
            except (OSError, http.client.HTTPException) as error:
                self.faults.append(repr(error))
                client = self.proxy.client(self.token)
                continue
            if answer.status not in (200, 409):
                self.faults.append((answer.status, answer.body[:200]))
            self.answers += 1


def test_upgrade(tally, build, proxy, daemons, name):
    """Stop the first daemon and start it again, while clients play."""
    table = gangd.Table(daemons[1])
    players = [Player(proxy, table, number) for number in range(CLIENTS)]

    def all_answered(what):
        before = [player.answers for player in players]
        gangd.wait_for(lambda: all(player.answers >= begun + EACH for player, begun
                             in zip(players, before)),
                 otherwise=f"{name}: answers {what}; "
                 f"{[player.faults[:2] for player in players]}")

    for player in players:
        player.start()
    all_answered("by both daemons")
    tally.end_well(daemons[0], f"{name}: a daemon that is stopped")
    before = len(daemons[1].lines)
    all_answered("by the spare daemon")
    served = len(daemons[1].lines) - before
    daemons[0] = start(build, daemons[0].address[1])
    gangd.wait_for(lambda: sum('"event":"request"' in line and "/readyz" not in line
                         for line in daemons[0].lines) > EACH,
             otherwise=f"{name}: requests at the new daemon")
    for player in players:
        player.done = True
    for player in players:
        player.join(SECONDS)
    faults = [fault for player in players for fault in player.faults]
    tally.check(f"{name}: the spare daemon serves meanwhile", served >= EACH,
                served)
    tally.check(f"{name}: no request fails while a daemon is replaced",
                not faults, faults[:5])


# --- nobody there -------------------------------------------------------------

def test_unavailable(tally, name, certificate):
    """A page of another origin can read what the proxy itself says."""
    folder = os.path.join(os.path.dirname(certificate[0]), name + "-alone")
    proxy = Proxy(name, folder, certificate,
                  [("127.0.0.1", port) for port in loopback.free_ports(2)], b"503")
    for method in ("GET", "POST"):
        answer = proxy.curl("/v1/games", "-i", "--http1.1", "-X", method, "-H",
                            "Origin: https://app.example")
        head, _, body = answer.stdout.decode().partition("\r\n\r\n")
        status, *lines = head.split("\r\n")
        sent = sorted(line.lower() for line in lines)
        wanted = ["access-control-allow-origin: *",
                  "access-control-expose-headers: retry-after",
                  "cache-control: no-store",
                  "content-type: application/problem+json", "retry-after: 1",
                  "strict-transport-security: max-age=31536000"]
        tally.check(f"{name}: without a daemon a {method} is a problem that "
                    "every page can read",
                    status.split()[1] == "503" and
                    [line for line in wanted if sent.count(line) == 1] == wanted
                    and json.loads(body)["code"] == "store_unavailable",
                    answer.stdout)
    proxy.stop()


def test_the_daemons_end_well(tally, daemons):
    for number, daemon in enumerate(daemons):
        tally.end_well(daemon, f"daemon {number}")
