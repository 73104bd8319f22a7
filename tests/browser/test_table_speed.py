#!/usr/bin/python3
"""test_table_speed.py BUILD - how fast the table is on a local daemon.

play/speed.js has three people at a table in a browser context each: a move must
show in the others' tabs within 100 ms (p95), a table must be drawn within 300 ms
by the fastest of five, and all that it loads must be smaller than 120 KB.  With
SLOWNESS=3 in the environment both take three times as long at most.
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../harness"))
from gangd import Daemon, Tally, fill_log, migrate
from players import furnish, run


def main(build):
    tally = Tally()
    migrate(build)
    fill_log()
    workshop = furnish(os.path.join(build, "table-speed"), tally)
    if workshop:
        daemon = Daemon(build)
        daemon.wait_ready()
        run(tally, workshop, "speed.js", "http://{}:{}".format(*daemon.address))
        tally.end_well(daemon)
    tally.end()


if __name__ == "__main__":
    main(sys.argv[1])
