"""Whether a former primary still serves when another node is promoted.

A connection that is in use asks each node all the time which role it has.  A daemon
that has such a connection reads by it, so the former primary must have ended it before
another node can acknowledge a move.
"""
import subprocess
import threading
import time

import gangd

PAUSE_SECONDS = 0.05


class Handover:
    """From a fault of the primary on, until .end()."""

    def __init__(self, cluster, former):
        self.served = time.monotonic()   # the last answer of the former primary
        self.promoted = None             # the first one of another
        self.stopped = threading.Event()
        for host in cluster.hosts:
            # One of the sessions is to end: psql says so.
            sql = gangd.Sql(cluster.url("postgres", [host],
                                        target_session_attrs="any"),
                            subprocess.DEVNULL)
            threading.Thread(target=self.watch, daemon=True,
                             args=(sql, host is former)).start()

    def watch(self, sql, is_former):
        try:
            while not self.stopped.wait(PAUSE_SECONDS):
                leads = sql.ask("SELECT pg_is_in_recovery()") == "f"
                now = time.monotonic()
                if leads and is_former:
                    self.served = now
                elif leads and not self.promoted:
                    self.promoted = now
        except (RuntimeError, OSError):
            pass  # the session has ended
        finally:
            sql.process.kill()
            sql.process.wait()

    def end(self):
        """The seconds from the last answer to the promotion."""
        self.stopped.set()
        return (self.promoted or 0) - self.served
