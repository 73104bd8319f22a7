"""Slow clients do not keep metrics from others.

The listener takes sixteen connections.  As many clients send a byte of a header,
or of a body, every second, or read the metrics as slowly: each is ended when ten
seconds are over, and the metrics can be read again.  A client that reads has small
buffers and asks again and again, so that answers wait at the daemon.
"""
import socket
import time

import metrics_client
import pytest

pytestmark = pytest.mark.quiet

SLOW = 16
WHOLE_SECONDS = 10
# The machine is busy meanwhile.
MOST_SECONDS = 3 * WHOLE_SECONDS
DAEMON = {"GANGD_METRICS_LISTEN": "127.0.0.1:0"}

KINDS = {
    "a header": b"GET /metrics HTTP/1.1\r\nHost: a\r\nX: ",
    "a request line": b"GET /",
    "a body": b"POST /metrics HTTP/1.1\r\nHost: a\r\n"
              b"Content-Length: 1000\r\n\r\n",
    "nothing but empty lines": b"\r\n",
}
# Together more than the socket buffers take.
MANY_REQUESTS = 200 * b"GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n"
LITTLE_BUFFER = 1024


def scrape(address, seconds):
    with socket.create_connection(address, seconds) as plain:
        plain.settimeout(seconds)
        plain.sendall(b"GET /metrics HTTP/1.1\r\nHost: a\r\n"
                      b"Connection: close\r\n\r\n")
        try:
            return plain.recv(4096).startswith(b"HTTP/1.1 200")
        except (socket.timeout, ConnectionResetError):
            return False


def connect(address, reads):
    plain = socket.socket()
    plain.settimeout(5)
    if reads:
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, LITTLE_BUFFER)
    plain.connect(address)
    return plain


def check(tally, address, what, begin, go_on, reads=False):
    """Sixteen clients begin with these bytes, and go on every second."""
    slow = [connect(address, reads) for _ in range(SLOW)]
    for each in slow:
        each.sendall(begin)
    begun = time.monotonic()
    held = not scrape(address, 1)
    served = False
    while not served and time.monotonic() < begun + MOST_SECONDS:
        for each in slow:
            try:
                go_on(each)
            except (BrokenPipeError, ConnectionResetError):
                pass
        served = scrape(address, 1)
    took = time.monotonic() - begun
    tally.check(f"sixteen clients that slowly {what} are ended", held and
                served, f"held {held}, served {served} after {took:.1f} s")
    for each in slow:
        each.close()


@pytest.fixture(scope="module")
def address(daemon):
    client = metrics_client.of_daemon(daemon).client.connection
    return client.host, client.port


@pytest.mark.parametrize("kind", KINDS)
def test_slow_sender(tally, address, kind):
    check(tally, address, "send " + kind, KINDS[kind], lambda each: each.send(
        b"\n" if kind.endswith("lines") else b"x"))


def test_slow_reader(tally, address):
    check(tally, address, "read the metrics", MANY_REQUESTS,
          lambda each: each.recv(1), reads=True)


def test_the_daemon_ends_well(tally, daemon, address):
    tally.check("the metrics are served at last", scrape(address, 10))
    tally.end_well(daemon)
