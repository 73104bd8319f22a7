#!/usr/bin/python3
"""test_crowd.py BUILD - more clients than there may be connections.

Those who are too many wait; when the others have gone, everybody is served
again.  It takes no database.
"""
import os
import socket
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "harness"))
import gangd

CONNECTIONS = 40
CROWD = 300


def lives(daemon, seconds):
    client = daemon.client(timeout=seconds)
    try:
        return client.get("/livez").status == 200
    except OSError:
        return False
    finally:
        client.close()


def main():
    tally = gangd.Tally()
    daemon = gangd.Daemon(sys.argv[1], GANGD_DATABASE_URL="host=/nowhere",
                          GANGD_CONNECTIONS=str(CONNECTIONS))
    tally.check("one is served", lives(daemon, 5))
    crowd = [socket.create_connection(daemon.address, timeout=5)
             for _ in range(CROWD)]
    time.sleep(0.5)
    tally.check("one too many waits", not lives(daemon, 0.5))
    for client in crowd:
        client.close()
    tally.check("then all are served",
                all(lives(daemon, 5) for _ in range(20)))
    tally.end_well(daemon)
    tally.end()


if __name__ == "__main__":
    main()
