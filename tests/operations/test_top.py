"""Gangctl top shows what the service does.

A real daemon shows that the metrics are those that the command looks for;
servers with planted metrics show sums, rates, the order of routes, and that each
statement of a move counts.  Daemons
and databases that are away, or accept connections and say nothing, are named.
In a terminal of its own the command refreshes, and ends by q and by SIGINT.
"""
import concurrent.futures
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
import loopback
import metrics_client
import pytest

pytestmark = pytest.mark.waiting
DAEMON = {"GANGD_METRICS_LISTEN": "127.0.0.1:0", "GANGD_LOOPS": "1"}

SOON = 20  # seconds; much less than anything times out
DURATION = "gangd_http_request_duration_seconds"
QUERIES = os.path.join(os.path.dirname(__file__), "..", "..", "internal", "store",
                       "query.def")


class Planted(loopback.Handler):
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
        self.answer(200, body)

    @staticmethod
    def route(path, count, seconds):
        labels = f'{{method="GET",route="{path}"}}'
        return (f"{DURATION}_sum{labels} {seconds}",
                f"{DURATION}_count{labels} {count}")


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


def test_real_daemon(tally, build, daemon):
    address = metrics_client.address_in("".join(daemon.lines))
    client = daemon.client()  # a second connection, next to the mover's
    client.get("/livez")
    table = gangd.Table(daemon)
    is_over = threading.Event()

    def move():
        """The host takes one chip after the other."""
        host = daemon.client(table.tokens[0])
        while not is_over.is_set():
            for chip in "123":
                answer = host.post(f"{table.path}/chips/white/{chip}/take")
                assert answer.status == 200, answer.body
                time.sleep(0.02)
        host.close()

    mover = threading.Thread(target=move)
    mover.start()
    done = top(build, "--once", GANGD_METRICS_LISTEN="%s:%d" % address)
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


@pytest.fixture(scope="module")
def planted(build, database):
    """The address of planted metrics."""
    server = loopback.Server(Planted)
    yield server.address
    server.shutdown()


def test_two_daemons(tally, build, planted):
    done = top(build, "--once", "--daemons", planted + "," + planted)
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


def test_moves(tally, build, database):
    """The moves of each server are committed by a different statement."""
    with open(QUERIES, encoding="utf-8") as table:
        statements = re.findall(r"^QUERY\((commit_\w+),", table.read(), re.M)
    servers = [loopback.Server(type("Other", (Planted,), {"statement": name}))
               for name in statements]
    with concurrent.futures.ThreadPoolExecutor() as at_once:
        shown = list(at_once.map(lambda server: lines_of(top(
            build, "--once", "--daemons", server.address)), servers))
    for server, name, lines in zip(servers, statements, shown):
        moves = float(lines["moves a second"])
        tally.check(f"moves by {name} are counted, without its conflicts",
                    0 < moves <= 51, lines)
        server.shutdown()


def test_away(tally, build, planted):
    silent = Silent()
    url = "postgresql://gangd@%s/gangd?sslmode=disable" % silent.address
    for what, words, settings, text in (
            ("a daemon is away", planted + ",127.0.0.1:1", {},
             "daemon 127.0.0.1:1: does not answer"),
            ("a daemon says nothing", silent.address + "," + planted, {},
             f"daemon {silent.address}: does not answer"),
            ("the database is away", planted,
             {"GANGD_DATABASE_URL": "postgresql://gangd@127.0.0.1:1/gangd"},
             "database:         does not answer: "),
            ("the database says nothing", planted, {"GANGD_DATABASE_URL": url},
             "database:         does not answer: ")):
        done = top(build, "--once", "--daemons", words, **settings)
        tally.check(what, done.returncode == 2 and text in done.stdout and
                    "waiters:          5\n" in done.stdout,
                    (done.stdout, done.stderr))


def test_refusals(tally, build, planted):
    for what, words, text in (
            ("no address", ("--once",), "GANGD_METRICS_LISTEN"),
            ("an empty address", ("--once", "--daemons", "a:1,,b:1"),
             "the daemons are"),
            ("an unknown word", ("--twice",), "--once"),
            ("no value", ("--daemons",), "--once"),
            ("no terminal", ("--daemons", planted), "terminal")):
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


def test_terminal(tally, build, planted):
    for what, end in (("q", lambda it: os.write(it.fd, b"q")),
                      ("SIGINT", lambda it: os.kill(it.pid, signal.SIGINT))):
        terminal = Terminal(build, planted)
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


