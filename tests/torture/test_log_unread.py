"""Nobody reads the daemon's log.

The pipe of the log is full then.  Players must not notice, nor must the stop of
the daemon.  The metrics say how many lines were lost so far, and once the log is
read again, it says so too.

No client can fill the log.  Each loop logs one request a second of each of
these kinds, and the number of the others: requests refused by a quota, or
before their token is read; OPTIONS; probes; requests that libmicrohttpd refuses
by itself; and connections beyond the cap.
"""
import json
import os
import socket
import subprocess
import sys
import time

import gangd
import metrics_client
import pytest

pytestmark = pytest.mark.waiting

REQUESTS = 3000   # of some 150 bytes of log each: several pipes full
REFUSED = 3000
LOST = "gangd_log_lines_lost_total"
PAGE = "/problems/invalid"  # which costs no database
KINDS = 200  # of each kind of request that clients can send without limit
STOP_SECONDS = 10


def start(build, **settings):
    environment = dict(os.environ, GANGD_LISTEN="127.0.0.1:0", **settings)
    process = subprocess.Popen([build + "/bin/gangd"], env=environment,
                               stderr=subprocess.PIPE)
    read = b""
    while not (found := gangd.LISTENING.search(read.decode())) or \
            not read.endswith(b"\n"):
        piece = os.read(process.stderr.fileno(), 4096)
        if not piece:
            sys.exit("the daemon does not start:\n" + read.decode())
        read += piece
    return process, (found.group(1), int(found.group(2))), read.decode()


def entries(text):
    return [json.loads(line) for line in text.decode().splitlines()]


def test_unread(tally, build, database):
    process, address, log = start(build, GANGD_METRICS_LISTEN="127.0.0.1:0")
    metrics = metrics_client.Metrics(log)
    before = metrics.value(LOST)
    clients = [gangd.Client(address, timeout=10) for _ in range(4)]
    begun = time.monotonic()
    statuses = {clients[i % 4].get(PAGE).status for i in range(REQUESTS)}
    tally.check("a daemon whose log is unread answers",
                statuses == {200}, statuses)
    counted = metrics.value(LOST)
    process.terminate()
    time.sleep(0.5)  # before the last of the log can be written
    left = b""
    while piece := os.read(process.stderr.fileno(), 65536):
        left += piece
    status = process.wait(STOP_SECONDS)
    tally.check("a daemon whose log is unread ends well", status == 0, status)
    seconds = time.monotonic() - begun
    lines = entries(left)
    lost = sum(line["lines"] for line in lines if line["event"] == "log_lost")
    kept = sum(line["event"] == "request" for line in lines)
    print(f"{REQUESTS} requests in {seconds:.1f} s: {kept} lines were kept, "
          f"{lost} lost")
    tally.check("the log says how many lines were lost", lost > 0)
    tally.check("the number of lost lines is right",
                REQUESTS <= kept + lost <= REQUESTS + 10, (kept, lost))
    tally.check("the metrics have counted them", before == 0 and
                0 < lost - 10 <= counted <= lost, (before, counted, lost))


def test_refused(tally, build, database):
    daemon = gangd.Daemon(build, GANGD_QUOTAS="on", GANGD_QUOTA_ADDRESS="10")
    client = daemon.client()
    begun = time.monotonic()
    refused = sum(client.get("/v1/games").status == 429
                  for _ in range(REFUSED))
    seconds = time.monotonic() - begun
    daemon.wait_ready()
    time.sleep(1.1)
    more = [daemon.client().get("/v1/games").status for _ in range(20)]
    tally.end_well(daemon)
    lines = [line for line in entries("".join(daemon.lines).encode())
             if line.get("code") == "rate_limited"]
    told = len(lines) + sum(line.get("not_logged", 0) for line in lines)
    tally.check("few refused requests are logged one by one",
                1 <= len(lines) <= 4 * (seconds + 3), len(lines))
    tally.check("the log counts the other refused requests", refused <= told <=
                refused + more.count(429), (refused, told))


def send_kinds(address):
    """Send this many requests of each kind that clients can send without limit."""
    lines = "Host: gangd\r\n\r\n"
    kept = {"refused": ["GET /wp-login.php HTTP/1.1\r\n" + lines,
                        "BREW / HTTP/1.1\r\n" + lines,
                        "DELETE /docs HTTP/1.1\r\n" + lines,
                        f"GET /{'x' * 3000} HTTP/1.1\r\n" + lines],
            "routine": ["OPTIONS /v1/games HTTP/1.1\r\n" + lines,
                        "GET /livez HTTP/1.1\r\n" + lines]}
    client = socket.create_connection(address, 10)
    for requests in kept.values():
        for i in range(KINDS):
            client.sendall(requests[i % len(requests)].encode())
            while not client.recv(65536):
                raise SystemExit("the daemon has closed the connection")
    client.close()
    # An unknown version, no HTTP at all, an invalid chunk,
    # and more header fields than it has memory for.
    unreadable = ["GET / HTTP/9.9\r\n" + lines, "GET /\r\n\r\n",
                  "\x16\x03\x01\x01\x05\x01\x01\x01\x01\x03\n",
                  "POST /v1/games HTTP/1.1\r\nHost: gangd\r\nContent-Type: "
                  "application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
                  "zz\r\n", "GET / HTTP/1.1\r\n" + "a:\r\n" * 1000 + lines]
    for i in range(KINDS):
        client = socket.create_connection(address, 10)
        client.sendall(unreadable[i % len(unreadable)].encode("latin-1"))
        try:
            while client.recv(65536):
                pass
        except ConnectionResetError:
            pass
        client.close()


def kind_of(line):
    """The kind of a line that may count several requests."""
    if line["event"] == "not_logged":
        return line["kind"]
    if line["event"] == "request_unreadable":
        return "unreadable"
    if line["event"] != "request":
        return None
    if line["method"] == "OPTIONS" or line["route"] in ("/livez", "/readyz"):
        return "routine"
    return "refused" if line["status"] >= 400 else None


def test_kinds(tally, build, database):
    process, address, _ = start(build, GANGD_LOOPS="1")
    begun = time.monotonic()
    # Some that leave no line: a client that says nothing, and one that goes
    # away in the middle of a word.
    silent = socket.create_connection(address, 10)
    with socket.create_connection(address, 10) as client:
        client.sendall(b"GE")
    send_kinds(address)
    process.terminate()
    seconds = time.monotonic() - begun
    lines = entries(process.stderr.read())
    process.wait(STOP_SECONDS)
    silent.close()
    for kind in ("refused", "routine", "unreadable"):
        found = [line for line in lines if kind_of(line) == kind]
        told = sum(line.get("not_logged", 0) + (line["event"] != "not_logged")
                   for line in found)
        tally.check(f"of {KINDS} {kind} requests few are logged",
                    1 <= len(found) <= seconds + 3, len(found))
        tally.check(f"all {kind} requests are counted in the log",
                    told == KINDS, (kind, told, found))
    tally.check("the log has libmicrohttpd's status of an unreadable request",
                any(line.get("status") for line in lines
                    if line["event"] == "request_unreadable"))


def test_debug(tally, build, database):
    daemon = gangd.Daemon(build, GANGD_LOG_LEVEL="debug")
    client = daemon.client()
    for _ in range(KINDS):
        client.get("/nowhere")
    daemon.stop()
    lines = entries("".join(daemon.lines).encode())
    tally.check("at the level debug each refused request is logged",
                KINDS == sum(line.get("code") == "no_such_route"
                             for line in lines))


def test_status(tally, build, database):
    """Each refusal by libmicrohttpd has one line in the log."""
    process, address, _ = start(build, GANGD_LOOPS="1")
    refused = {505: b"GET / HTTP/9.9\r\n\r\n", 400: b"GET /\r\n\r\n",
               0: b"\x16\x03\x01\x01\x05\x01\x01\x01\x01\x03\n"}
    for text in refused.values():
        with socket.create_connection(address, 10) as client:
            client.sendall(text)
            client.recv(65536)
        time.sleep(1.1)
    process.terminate()
    lines = entries(process.stderr.read())
    process.wait(STOP_SECONDS)
    statuses = [line["status"] for line in lines
                if line["event"] == "request_unreadable"]
    tally.check("each refusal by libmicrohttpd has a line in the log",
                statuses == list(refused), statuses)
