#!/usr/bin/python3
"""test_log.py BUILD - nobody reads the daemon's log.

Its pipe is full then.  Players must not notice, nor whoever tells it to stop;
and once somebody reads it, it says how many lines were lost.

Who asks too often does not fill it: of what is refused then a line a second
is logged, which says how many are not.

To be run under deploy/local/with-cluster.sh.
"""
import json
import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "harness"))
import gangd

REQUESTS = 3000   # of some 150 bytes of log each: several pipes full
REFUSED = 3000
STOP_SECONDS = 10


def start(build, **settings):
    environment = dict(os.environ, GANGD_LISTEN="127.0.0.1:0", **settings)
    process = subprocess.Popen([build + "/bin/gangd"], env=environment,
                               stderr=subprocess.PIPE)
    read = b""
    while b"listening" not in read or not read.endswith(b"\n"):
        piece = os.read(process.stderr.fileno(), 4096)
        if not piece:
            sys.exit("the daemon does not start:\n" + read.decode())
        read += piece
    found = gangd.LISTENING.search(read.decode())
    return process, (found.group(1), int(found.group(2)))


def entries(text):
    return [json.loads(line) for line in text.decode().splitlines()]


def check_unread(tally, build):
    process, address = start(build)
    clients = [gangd.Client(address, timeout=10) for _ in range(4)]
    begun = time.monotonic()
    statuses = {clients[i % 4].get("/livez").status for i in range(REQUESTS)}
    tally.check("whose log nobody reads answers", statuses == {200}, statuses)
    process.terminate()
    time.sleep(0.5)  # before the last of the log can be written
    left = b""
    while piece := os.read(process.stderr.fileno(), 65536):
        left += piece
    status = process.wait(STOP_SECONDS)
    tally.check("and ends well", status == 0, status)
    seconds = time.monotonic() - begun
    lines = entries(left)
    lost = sum(line["lines"] for line in lines if line["event"] == "log_lost")
    kept = sum(line["event"] == "request" for line in lines)
    print(f"{REQUESTS} requests in {seconds:.1f} s: {kept} lines were kept, "
          f"{lost} lost")
    tally.check("it says how many lines it lost", lost > 0)
    tally.check("which are those that are not there",
                REQUESTS <= kept + lost <= REQUESTS + 10, (kept, lost))


def check_refused(tally, build):
    daemon = gangd.Daemon(build, GANGD_LIMITS="on", GANGD_LIMIT_ADDRESS="10")
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
    tally.check("of what is refused little is logged",
                1 <= len(lines) <= 4 * (seconds + 3), len(lines))
    tally.check("which tells of the rest", refused <= told <=
                refused + more.count(429), (refused, told))


def main():
    tally = gangd.Tally()
    gangd.migrate(sys.argv[1])
    check_unread(tally, sys.argv[1])
    check_refused(tally, sys.argv[1])
    tally.end()


if __name__ == "__main__":
    main()
