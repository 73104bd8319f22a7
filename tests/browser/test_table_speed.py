"""How fast the table is on a local daemon.

play/speed.js has three people at a table in a browser context each: a move must
show in the others' tabs within 100 ms (p95), a table must be drawn within 300 ms
by the fastest of five, and all that it loads must be smaller than 120 KB.  With
SLOWNESS=3 in the environment both take three times as long at most.
"""
import os

from gangd import Daemon, fill_log
from players import furnish, run
import pytest

pytestmark = pytest.mark.timed


def test_table_speed(tally, build, database):
    fill_log()
    workshop = furnish(os.path.join(build, "table-speed"), tally)
    if workshop:
        daemon = Daemon(build)
        daemon.wait_ready()
        run(tally, workshop, "speed.js", daemon.url)
        tally.end_well(daemon)
