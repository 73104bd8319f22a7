"""A reader goes while the daemon is too busy to wake it: its stream ends all the same.

The stream is paused, since its client reads nothing, and its turn has come.  But the
database does not answer, and so many statements wait for it that no waiter is woken.
The client goes meanwhile.
"""
import os
import signal
import socket
import time

import crowd
import gangd
import metrics_client
import pytest
import streams
from test_event_streams import long_game

pytestmark = pytest.mark.waiting

CALLERS = 3800   # more than the statements with which waiters are still woken
BUSY_SECONDS = 5 # until the requests of all callers have ended
DAEMON = {"GANGD_LOOPS": "1", "GANGD_BOTS": "off",
          "GANGD_METRICS_LISTEN": "127.0.0.1:0",
          "GANGD_DATABASE_TIMEOUT_MS": "2000"}
BACKENDS = """SELECT string_agg(pid::text, ' ') FROM pg_stat_activity
    WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"""


def signal_all(processes, number):
    for process in processes:
        os.kill(process, number)


def test_a_reader_goes_while_the_daemon_is_busy(tally, daemon):
    crowd.allow_files(2 * CALLERS)
    metrics = metrics_client.Metrics("\n".join(daemon.lines))

    def count_streams():
        return metrics.values()["gangd_waiters", ("kind", "stream")]

    table = long_game(daemon)
    reader = streams.Reader(table.path, table.tokens[1])
    reader.open(daemon.address, buffer=2048)
    gangd.wait_for(count_streams, otherwise="the stream")
    time.sleep(0.5)  # until what the client does not read fills all buffers
    callers = [socket.create_connection(daemon.address)
               for _ in range(CALLERS)]
    request = (f"GET {table.path} HTTP/1.1\r\nHost: gangd\r\nAuthorization: "
               f"Bearer {table.tokens[0]}\r\n\r\n").encode()
    backends = [int(process) for process in
                gangd.psql(BACKENDS, url=gangd.superuser()).split()]
    signal_all(backends, signal.SIGSTOP)
    try:
        for caller in callers:
            caller.sendall(request)
        time.sleep(0.5)
        tally.check("the stream waits meanwhile", count_streams() == 1)
        reader.cut()
        time.sleep(0.2)
    finally:
        signal_all(backends, signal.SIGCONT)
    tally.check("the stream of a reader who left ends",
                gangd.wait_for(lambda: not count_streams(), BUSY_SECONDS))
    for caller in callers:
        caller.close()
    tally.end_well(daemon)
