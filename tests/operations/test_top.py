"""Gangctl top shows what the service does.

A real daemon shows that the metrics are those that the command looks for;
servers with planted metrics show sums, rates, the order of routes, and that each
statement of a move counts.  Daemons
and databases that are away, or accept connections and say nothing, are named.
In a terminal of its own the command refreshes, and ends by q and by SIGINT.
"""
import concurrent.futures
import http.server
import os
import pty
import re
import select
import signal
import socket
import subprocess
import threading
import time

import gangd
import pytest

pytestmark = pytest.mark.waiting

ADDRESS = re.compile(r'"event":"metrics_listening".*"address":"([^"]+)"')
SOON = 20  # seconds; much less than anything times out
DURATION = "gangd_http_request_duration_seconds"
QUERIES = os.path.join(os.path.dirname(__file__), "..", "..", "internal", "store",
                       "query.def")


class Planted(http.server.BaseHTTPRequestHandler):
    """Metrics of a daemon that commits 50 moves an ask, and has conflicts."""

    asked = 0
    statement = "commit_move"

    def do_GET(self):
        type(self).asked += 1
        moves = 1000 + 50 * self.asked
        labels = f'statement="{self.statement}",result='
        body = "\n".join([
            "# HELP gangd_waiters no sample 7",
            f'gangd_statements_total{{{labels}"ok"}} {moves}',
            f'gangd_statements_total{{{labels}"conflict"}} {9 * moves}',
            'gangd_statements_total{statement="load",result="ok"} 123456',
            'gangd_waiters{kind="request"} 5', 'gangd_waiters{kind="stream"} 3',
            "gangd_http_connections 11", "gangd_http_connections_max 999",
            *self.route("/fast", 10, 0.01), *self.route("/slow", 2, 1),
            *self.route("/middle", 4, 0.4), *self.route("/never", 0, 0),
            "gangd_waiters", "gangd_waiters{", 'gangd_waiters{kind="',
            "gangd_http_connections many", "x" * 3000, ""]).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    @staticmethod
    def route(path, count, seconds):
        labels = f'{{method="GET",route="{path}"}}'
        return (f"{DURATION}_sum{labels} {seconds}",
                f"{DURATION}_count{labels} {count}")

    def log_message(self, *args):
        pass


class Silent:
    """A server that accepts connections and never answers."""

    def __init__(self):
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=50)
        self.address = "127.0.0.1:%d" % self.socket.getsockname()[1]


def top(build, *words, **settings):
    return subprocess.run([build + "/bin/gangctl", "top", *words], text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False,
                          env=dict(os.environ, **settings))


def lines_of(done):
    return dict(re.findall(r"^([a-z ]+): +(\S.*)$", done.stdout, re.M))


def check_real(tally, build):
    daemon = gangd.Daemon(build, GANGD_METRICS_LISTEN="127.0.0.1:0",
                          GANGD_LOOPS="1")
    daemon.wait_ready()
    address = next(match for match in map(ADDRESS.search, daemon.lines)
                   if match)[1]
    client = daemon.client()
    made = client.ask("POST", "/v1/games", {"name": "Ada", "seats": 3}).json
    for name in ("Bea", "Cleo"):
        joined = client.ask(
            "POST", f"/v1/invitations/{made['invite_code']}/players",
            {"name": name})
        assert joined.status == 201, joined.body
    is_over = threading.Event()

    def move():
        """The host takes one chip after the other."""
        host = daemon.client(made["token"])
        path = f"/v1/games/{made['game']['id']}/chips/white/"
        while not is_over.is_set():
            for chip in "123":
                answer = host.ask("POST", path + chip + "/take")
                assert answer.status == 200, answer.body
                time.sleep(0.02)
        host.close()

    mover = threading.Thread(target=move)
    mover.start()
    done = top(build, "--once", GANGD_METRICS_LISTEN=address)
    is_over.set()
    mover.join()
    shown = lines_of(done)
    tally.check("a daemon and a database are shown", done.returncode == 0 and
                shown["daemons"] == "1 of 1 answer" and
                shown["games"].startswith("0 lobby, 1 playing") and
                re.fullmatch(r"\d+ MB, \d+ of \d+ connections",
                             shown["database"]), (done.stdout, done.stderr))
    tally.check("routes are named", "chips/{color}" in done.stdout and
                " POST /v1/games\n" in done.stdout, done.stdout)
    tally.check("moves are counted", float(shown["moves a second"]) >= 1,
                shown)
    tally.check("connections are counted", int(shown["connections"]) >= 2,
                shown)
    client.close()
    tally.end_well(daemon)


def check_planted(tally, build, address):
    done = top(build, "--once", "--daemons", address + "," + address)
    shown = lines_of(done)
    tally.check("two daemons are added up", done.returncode == 0 and
                shown["waiters"] == "10" and shown["streams"] == "6" and
                shown["connections"] == "22", (done.stdout, done.stderr))
    # Each asked twice: 2 * 2 * 50 moves in a second and a little.
    moves = float(shown["moves a second"])
    tally.check("moves are those of a second", 50 < moves <= 201, moves)
    routes = re.findall(r"^ +([\d.]+) ms +(\d+) +GET (\S+)$", done.stdout,
                        re.M)
    tally.check("the slowest route is first", routes == [
        ("500.000", "4", "/slow"), ("100.000", "8", "/middle"),
        ("1.000", "20", "/fast")], done.stdout)


def check_moves(tally, build):
    """The moves of each server are committed by a different statement."""
    with open(QUERIES, encoding="utf-8") as table:
        statements = re.findall(r"^QUERY\((commit_\w+),", table.read(), re.M)
    servers = [plant(type("Other", (Planted,), {"statement": name}))
               for name in statements]
    with concurrent.futures.ThreadPoolExecutor() as at_once:
        shown = list(at_once.map(lambda server: lines_of(top(
            build, "--once", "--daemons", address_of(server))), servers))
    for server, name, lines in zip(servers, statements, shown):
        moves = float(lines["moves a second"])
        tally.check(f"moves by {name} are counted, without its conflicts",
                    0 < moves <= 51, lines)
        server.shutdown()


def check_away(tally, build, address):
    silent = Silent()
    url = "postgresql://gangd@%s/gangd?sslmode=disable" % silent.address
    for what, words, settings, text in (
            ("a daemon is away", address + ",127.0.0.1:1", {},
             "daemon 127.0.0.1:1: does not answer"),
            ("a daemon says nothing", silent.address + "," + address, {},
             f"daemon {silent.address}: does not answer"),
            ("the database is away", address,
             {"GANGD_DATABASE_URL": "postgresql://gangd@127.0.0.1:1/gangd"},
             "database:         does not answer: "),
            ("the database says nothing", address, {"GANGD_DATABASE_URL": url},
             "database:         does not answer: ")):
        done = top(build, "--once", "--daemons", words, **settings)
        tally.check(what, done.returncode == 2 and text in done.stdout and
                    "waiters:          5\n" in done.stdout,
                    (done.stdout, done.stderr))
    for what, words, text in (
            ("no address", ("--once",), "GANGD_METRICS_LISTEN"),
            ("an empty address", ("--once", "--daemons", "a:1,,b:1"),
             "the daemons are"),
            ("an unknown word", ("--twice",), "--once"),
            ("no value", ("--daemons",), "--once"),
            ("no terminal", ("--daemons", address), "terminal")):
        done = top(build, *words)
        tally.check(f"refused: {what}", done.returncode == 1 and
                    text in done.stderr and not done.stdout, done.stderr)


class Terminal:
    """The command in a terminal of its own."""

    def __init__(self, build, address):
        self.text = b""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execv(build + "/bin/gangctl", ["gangctl", "top", "--daemons",
                                              address])

    def read_until(self, found):
        end = time.monotonic() + SOON
        while not found(self.text) and time.monotonic() < end:
            if not select.select([self.fd], [], [], 1)[0]:
                continue
            try:
                self.text += os.read(self.fd, 65536)
            except OSError:  # the other side is closed
                break
        return found(self.text)

    def wait(self):
        self.read_until(lambda text: False)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def check_terminal(tally, build, address):
    for what, end in (("q", lambda it: os.write(it.fd, b"q")),
                      ("SIGINT", lambda it: os.kill(it.pid, signal.SIGINT))):
        terminal = Terminal(build, address)
        tally.check(f"it refreshes, {what}", terminal.read_until(
            lambda text: text.count(b"\033[H") >= 3), terminal.text)
        end(terminal)
        code = terminal.wait()
        tally.check(f"it ends by {what}, and sets the terminal back",
                    code == 0 and
                    terminal.text.endswith(b"\033[?25h\033[?1049l"),
                    (code, terminal.text[-200:]))
        tally.check(f"moves are shown, {what}", re.search(
            rb"moves a second: +[1-9]", terminal.text), terminal.text)


def plant(handler):
    """A server of planted metrics."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def address_of(server):
    return "127.0.0.1:%d" % server.server_address[1]


def test_top(tally, build, database):
    check_real(tally, build)
    planted = plant(Planted)
    address = address_of(planted)
    check_planted(tally, build, address)
    check_moves(tally, build)
    check_away(tally, build, address)
    check_terminal(tally, build, address)
    planted.shutdown()
