"""Processor time of the service and of the database, and the service's memory."""
import os
import pathlib
import re

import gangd

TICKS = os.sysconf("SC_CLK_TCK")


def memory_kib(daemon):
    """The resident set of a daemon."""
    with open(f"/proc/{daemon.pid}/status", encoding="ascii") as file:
        return int(re.search(r"VmRSS:\s+(\d+)", file.read())[1])


def work_seconds(pid):
    """Seconds that the threads of a process have run, to the nanosecond; 0 of
    one that has ended."""
    try:
        return sum(int(path.read_text(encoding="ascii").split()[0])
                   for path in pathlib.Path(f"/proc/{pid}/task")
                   .glob("*/schedstat")) / 1e9
    except OSError:
        return 0


def stat_of(pid):
    """The fields of /proc/PID/stat from the state on; None if it has ended."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            return file.read().rsplit(")", 1)[1].split()
    except OSError:
        return None


class Server:
    """All processes of a PostgreSQL server: a worker that has ended counts, as
    its postmaster has waited for it, and so does a command of the archiver."""

    def __init__(self, postmaster=None):
        if not postmaster:
            session = gangd.Sql()
            backend = session.ask("SELECT pg_backend_pid()")
            postmaster = stat_of(backend)[1]
            session.close()
        self.postmaster = str(postmaster)

    def tree(self):
        """The server's processes."""
        children = [pid for pid in os.listdir("/proc") if pid.isdigit() and
                    (stat_of(pid) or [0, 0])[1] == self.postmaster]
        return [self.postmaster, *children]

    def seconds(self):
        """Seconds that they have run; 0 of a server that has ended."""
        tree = self.tree()
        ended = sum(int(ticks) for pid in tree
                    for ticks in (stat_of(pid) or [])[13:15])
        return ended / TICKS + sum(map(work_seconds, tree))
