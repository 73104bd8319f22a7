#!/usr/bin/python3
"""crowd.py BUILD - more clients than there may be connections.

Those who are too many wait; when the others have gone, everybody is served
again.  Ends with "N passed, N failed".
"""
import http.client
import os
import re
import socket
import subprocess
import sys
import threading
import time

CONNECTIONS = 40
CROWD = 300


def start(build):
    environment = dict(os.environ, GANGD_LISTEN="127.0.0.1:0",
                       GANGD_DATABASE_URL="host=/nowhere",
                       GANGD_CONNECTIONS=str(CONNECTIONS))
    daemon = subprocess.Popen([build + "/bin/gangd"], env=environment,
                              stderr=subprocess.PIPE, text=True)
    for line in daemon.stderr:
        found = re.search(r'"address":"127.0.0.1:(\d+)"', line)
        if found:
            threading.Thread(target=daemon.stderr.read, daemon=True).start()
            return daemon, int(found.group(1))
    raise SystemExit("the daemon does not start")


def lives(port, seconds):
    connection = http.client.HTTPConnection("127.0.0.1", port,
                                            timeout=seconds)
    try:
        connection.request("GET", "/livez")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


def main():
    daemon, port = start(sys.argv[1])
    results = {"one is served": lives(port, 5)}
    crowd = [socket.create_connection(("127.0.0.1", port), timeout=5)
             for _ in range(CROWD)]
    time.sleep(0.5)
    results["one too many waits"] = not lives(port, 0.5)
    for client in crowd:
        client.close()
    results["then all are served"] = all(lives(port, 5) for _ in range(20))
    daemon.terminate()
    results["and it ends well"] = daemon.wait(20) == 0
    for name, good in results.items():
        if not good:
            print("FAILED", name)
    passed = sum(results.values())
    print(f"{passed} passed, {len(results) - passed} failed")
    sys.exit(passed < len(results))


main()
