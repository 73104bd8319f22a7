#!/usr/bin/python3
"""test_minute.py BUILD - who waits for a game waits for a minute at most.

That is longer than any deadline of a connection, which is as good as before
when the minute is over.  It does nothing but wait, so it may run beside what
looks at the time.

To be run under deploy/local/with-cluster.sh.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "harness"))
import crowd
import gangd

DAY_SECONDS = 86400


def check_minute(tally, daemon):
    table = gangd.Table(daemon)
    token = table.tokens[0]
    etag = daemon.client(token).get(table.path).header("ETag")
    waiter = crowd.Waiter(daemon.address)
    waiter.ask(table, token, etag, DAY_SECONDS)
    told = crowd.collect([waiter], 65)
    tally.check("a minute is waited, and no more",
                [t.status for t in told] == [304] and
                60 <= told[0].seconds < 61, told)
    waiter.ask(table, token, '"other"', 5)
    told = crowd.collect([waiter], 5)
    tally.check("and the connection is as good as before",
                [t.status for t in told] == [200], told)
    waiter.close()


def main(build):
    tally = gangd.Tally()
    gangd.migrate(build)
    daemon = gangd.Daemon(build)
    daemon.wait_ready()
    check_minute(tally, daemon)
    tally.end_well(daemon)
    tally.end()


if __name__ == "__main__":
    main(sys.argv[1])
