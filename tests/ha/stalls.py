"""A disk stalls now and then, for long, under full load.

It is the disk of one host at a time, mostly the primary's: PostgreSQL and etcd, which
share it, write nothing for three seconds, and neither does Patroni's log.  Nobody
needs a failover then: the promotions are counted in Patroni's history.
"""
import os
import random
import statistics
import subprocess
import sys
import time

import faults
from process import wait_for

APART_SECONDS = (15, 45)  # between two stalls
PRIMARY_SHARE = 0.7
REAL_SECONDS = 2          # of no moves, if the primary's disk really stalls
WHOLE_SECONDS = 180


def longest_gap(shared, seconds):
    """The longest time without an acknowledged move within that time."""
    begun = since = time.monotonic()
    gap, moves = 0.0, shared.moves.value
    while time.monotonic() - begun < seconds:
        time.sleep(0.02)
        now = time.monotonic()
        if shared.moves.value != moves:
            moves, since = shared.moves.value, now
        gap = max(gap, now - since)
    return gap


def busy_loops(count):
    return [subprocess.Popen([sys.executable, "-c", "while True: pass"])
            for _ in range(count)]


def run(tally, cluster, shared, _front, _game, seconds):
    """Do it for this many seconds, and judge it."""
    busy = busy_loops(int(os.environ.get("BUSY", "0")))
    promotions, primary = len(cluster.history()), cluster.primary()
    begun, gaps, others = time.monotonic(), [], 0
    try:
        while time.monotonic() - begun < seconds:
            time.sleep(random.uniform(*APART_SECONDS))
            leads = random.random() < PRIMARY_SHARE
            host = faults.primary_of(cluster) if leads else random.choice(
                [host for host in cluster.hosts if host is not primary])
            stall = host.stall_disk(faults.STALL_SECONDS)
            gap = longest_gap(shared, 2 * faults.STALL_SECONDS)
            stall.wait()
            if leads:
                gaps.append(gap)
            else:
                others += 1
            print(f"{time.monotonic() - begun:6.0f} s: the disk of {host.name} "
                  f"stalled, no moves for {gap:.1f} s; "
                  f"{len(cluster.history()) - promotions} promotions",
                  flush=True)
        wait_for("all is whole again", cluster.is_whole, WHOLE_SECONDS)
    finally:
        for each in busy:
            each.kill()
            each.wait()
    print(f"{len(gaps)} stalls at the primary, without moves for "
          f"{statistics.median(gaps):.1f} s (median), {max(gaps):.1f} s at "
          f"most; {others} at others", flush=True)
    tally.check("the stalls are real",
                statistics.median(gaps) >= REAL_SECONDS, gaps)
    tally.check(f"no failover in {seconds} s",
                len(cluster.history()) == promotions and
                cluster.primary() is primary, cluster.history())
