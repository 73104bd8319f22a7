"""The open files and the memory of a daemon."""
import os
import time

# The daemon notices within a second after its last answer that a client has gone.
SETTLE_SECONDS = 10


def open_files(daemon):
    return len(os.listdir(f"/proc/{daemon.pid}/fd"))


def memory_kb(daemon):
    with open(f"/proc/{daemon.pid}/status", encoding="ascii") as status:
        for line in status:
            if line.startswith("VmRSS:"):
                return int(line.split()[1])
    raise ValueError("no VmRSS")


def is_sanitized(build):
    with open(build + "/bin/gangd", "rb") as program:
        code = program.read()
    return b"__asan_init" in code or b"__tsan_init" in code


class Left:
    """The daemon's use before a load; check() compares its use afterwards."""

    def __init__(self, daemon):
        self.daemon = daemon
        self.files, self.kb = open_files(daemon), memory_kb(daemon)

    def check(self, tally, build, growth_kb):
        deadline = time.monotonic() + SETTLE_SECONDS
        while open_files(self.daemon) > self.files and \
                time.monotonic() < deadline:
            time.sleep(0.1)
        files, kb = open_files(self.daemon), memory_kb(self.daemon)
        tally.check("no connection is left", files <= self.files,
                    f"{self.files}, now {files}")
        print(f"memory: {self.kb} kB before, {kb} kB after")
        # A sanitizer keeps for a while what was freed.
        if not is_sanitized(build):
            tally.check(f"memory has grown by less than {growth_kb} kB",
                        kb - self.kb < growth_kb, f"{kb - self.kb} kB")
