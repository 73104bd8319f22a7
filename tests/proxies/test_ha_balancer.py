"""HAProxy with deploy/ha/haproxy.cfg, while a daemon drains.

HAProxy ends the requests of a server that is down.  Where a response has not begun, it
resets the stream of HTTP/2 with REFUSED_STREAM, which says that nothing was done; curl
and browsers then send the request again, even a POST.  So a daemon that drains must not
count as down: its moves would be made twice.

The daemons here are stand-ins that hold a move until the test lets it go.

A stream's blocks go through HAProxy without delay, also to clients without TLS.
"""
import contextlib
import os
import subprocess
import tempfile
import threading
import time

import balancer
import gangd
import loopback
import pytest

pytestmark = pytest.mark.waiting

SECONDS = 20       # ends a test that hangs
BLOCKS = 6         # of a stream
PAUSE_SECONDS = 0.3  # between them
DELAY_SECONDS = 0.1  # seen: 0.2 ms; 205 ms if HAProxy waits for more
AFTER_SECONDS = 1  # for which a move goes on after HAProxy has turned away


class StandIn(loopback.Server):
    """A daemon that answers a move when it is told to, and counts moves."""

    def __init__(self):
        self.moves = 0
        self.probes = 0
        self.is_ready = True
        self.may_answer = threading.Event()
        super().__init__(Answers)


class Answers(loopback.Handler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        if self.path == "/stream":
            self.stream()
            return
        if self.path != "/readyz":
            self.answer(200)
            return
        self.server.probes += 1
        self.answer(200 if self.server.is_ready else 503)

    def stream(self):
        """Blocks that say when they were sent."""
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for _ in range(BLOCKS):
            time.sleep(PAUSE_SECONDS)
            block = f"{time.monotonic():.6f}\n".encode()
            self.wfile.write(b"%x\r\n%s\r\n" % (len(block), block))
        self.wfile.write(b"0\r\n\r\n")

    def do_POST(self):
        self.server.moves += 1
        self.server.may_answer.wait(SECONDS)
        self.answer(200)

    def handle(self):
        try:
            super().handle()
        except ConnectionError:
            pass  # HAProxy ends connections as it likes


def move(port):
    return subprocess.Popen(
        ["curl", "-s", "--http2-prior-knowledge", "-m", str(SECONDS), "-X", "POST", "-o",
         os.devnull, "-w", "%{http_code}", f"http://127.0.0.1:{port}/move"],
        stdout=subprocess.PIPE, text=True)


def is_answered(port):
    return subprocess.run(
        ["curl", "-s", "--http2-prior-knowledge", "-m", "1", "-o", os.devnull, "-w",
         "%{http_code}", f"http://127.0.0.1:{port}/any"],
        stdout=subprocess.PIPE, text=True, check=False).stdout == "200"


def drain_under_a_move(tally, port, stand_ins):
    client = move(port)
    gangd.wait_for(lambda: any(each.moves for each in stand_ins), otherwise="the move reaches a daemon")
    busy = next(each for each in stand_ins if each.moves)
    other = next(each for each in stand_ins if not each.moves)
    busy.is_ready = False
    probes = busy.probes
    gangd.wait_for(lambda: busy.probes >= probes + 3, otherwise="HAProxy has seen that the daemon drains")
    time.sleep(AFTER_SECONDS)
    for each in stand_ins:
        each.may_answer.set()
    status, _ = client.communicate(timeout=SECONDS)
    tally.check("a move of a daemon that drains is answered", status == "200", status)
    tally.check("it is made once", (busy.moves, other.moves) == (1, 0),
                (busy.moves, other.moves))
    after = [move(port).communicate(timeout=SECONDS)[0] for _ in range(4)]
    tally.check("the next moves go to the other daemon",
                after == ["200"] * 4 and (busy.moves, other.moves) == (1, 4),
                (after, busy.moves, other.moves))
    busy.is_ready = True
    probes = busy.probes
    gangd.wait_for(lambda: busy.probes >= probes + 2, otherwise="HAProxy has seen that it is back")
    other.is_ready = False
    probes = other.probes
    gangd.wait_for(lambda: other.probes >= probes + 3, otherwise="the other one drains")
    status, _ = move(port).communicate(timeout=SECONDS)
    tally.check("a daemon that is back gets moves", status == "200" and busy.moves == 2,
                (status, busy.moves))
    busy.is_ready = False
    gangd.wait_for(lambda: not is_answered(port), otherwise="no daemon is left")
    status, _ = move(port).communicate(timeout=SECONDS)
    tally.check("without a daemon a move gets 503", status == "503", status)


@contextlib.contextmanager
def haproxy(stand_ins, options=""):
    """The port of a HAProxy before them."""
    [port] = loopback.free_ports(1)
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "log"), "w", encoding="utf-8") as said:
            process = subprocess.Popen(
                ["haproxy", "-db", "-f", balancer.fill(
                    folder, f"127.0.0.1:{port}{options}",
                    [each.server_port for each in stand_ins])], stdout=said,
                stderr=said)
        try:
            yield port
        finally:
            process.terminate()
            process.wait()


def test_ha_balancer(tally):
    stand_ins = [StandIn(), StandIn()]
    with haproxy(stand_ins, " proto h2") as port:
        gangd.wait_for(lambda: is_answered(port), otherwise="HAProxy serves")
        drain_under_a_move(tally, port, stand_ins)


def is_open(port):
    try:
        return gangd.Client(("127.0.0.1", port)).get("/any").status == 200
    except OSError:
        return False


def test_blocks_of_streams_are_not_delayed(tally):
    with haproxy([StandIn()]) as port:
        gangd.wait_for(lambda: is_open(port), otherwise="HAProxy serves")
        stream = gangd.Client(("127.0.0.1", port)).open("/stream")
        delays = []
        while line := stream.readline():
            delays.append(time.monotonic() - float(line))
    tally.check("all blocks came", len(delays) == BLOCKS, delays)
    # The end of the stream would bring the last one along.
    tally.check("and the fastest at once", min(delays[:-1]) < DELAY_SECONDS, delays)
