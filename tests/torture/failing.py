"""The daemon whose allocations, or random bytes, fail at a test's command.

For test_out_of_memory.py and test_no_randomness.py; failing.c is the other
side.
"""
import mmap
import os
import struct
import sys
import tempfile
import time

sys.path.append(os.path.join(os.path.dirname(__file__), "../harness"))
from gangd import Daemon, READY_SECONDS  # noqa: E402

# The sorts of failure: allocations by base/memory.c, by libraries; getrandom().
OURS, LIBRARIES, CHANCE = 1, 2, 4
ALL = 1 << 40
OUT_OF_MEMORY = 71  # the exit status, see base/memory.h

WORDS = struct.Struct("<qqqq")


class Control:
    """The shared memory that a daemon reads before it allocates."""

    def __init__(self):
        self.file = tempfile.NamedTemporaryFile(prefix="gangd-failing-")
        self.file.write(bytes(WORDS.size))
        self.file.flush()
        self.words = mmap.mmap(self.file.fileno(), WORDS.size)

    @property
    def path(self):
        return self.file.name

    def arm(self, what, skipped=0, lasting=1):
        WORDS.pack_into(self.words, 0, 0, skipped, lasting, 0)
        WORDS.pack_into(self.words, 0, what, skipped, lasting, 0)

    def disarm(self):
        """Let nothing fail any more; how many calls have failed."""
        failed = WORDS.unpack_from(self.words)[3]
        WORDS.pack_into(self.words, 0, 0, 0, 0, 0)
        return failed


APPLICATION = "failing"  # the name of its sessions


def settings(control, connections=1):
    """One loop, few connections, and nothing that begins by itself, so that each
    run counts the same."""
    return {"GANGD_FAILING": control.path, "GANGD_LOOPS": "1",
            "PGAPPNAME": APPLICATION,
            "GANGD_BOTS": "off",
            "GANGD_DATABASE_CONNECTIONS": str(connections),
            "GANGD_LISTEN": "127.0.0.1:0"}


def program(build):
    return build + "/tests/torture/gangd_failing"


def start(build, control, connections=1):
    """A daemon that is connected to the database, and has had no request yet."""
    daemon = Daemon(build, program(build), **settings(control, connections))
    begun = time.monotonic()
    while not any("database_connected" in line for line in daemon.lines):
        if time.monotonic() - begun > READY_SECONDS:
            raise SystemExit("no database:\n" + "".join(daemon.lines))
        time.sleep(0.001)
    return daemon
