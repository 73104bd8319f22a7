"""Programs that print their checks.

They print "ok NAME" or "FAILED NAME" for each check, with details on the lines below
one that failed, and at the end "N passed, N failed".
"""
import contextlib
import os
import re
import signal
import subprocess
import threading

CHECK = re.compile(r"(ok|FAILED)(?: +|: +)(.*?)(?: \(\d+ ms\))?$")
SUM = re.compile(r"(\d+) passed, (\d+) failed")
SHOWN_LINES = 60


class Printed:
    """The output of a program: its checks as (name, good, detail), in their order."""

    def __init__(self):
        self.checks, self.last = [], []
        self.passed = self.failed = self.status = 0

    def read(self, line):
        self.last = [*self.last[-SHOWN_LINES + 1:], line]
        total, check = SUM.match(line), CHECK.match(line)
        if total:
            self.passed, self.failed = int(total[1]), int(total[2])
        elif check:
            self.checks.append([check[2], check[1] == "ok", line])
        elif self.checks and not self.checks[-1][1]:
            if self.checks[-1][2].count("\n") < SHOWN_LINES:
                self.checks[-1][2] += line

    def end(self, status):
        """Add the checks that were only counted, and what went wrong otherwise."""
        self.status = status
        last = "".join(self.last)
        good = sum(check[1] for check in self.checks)
        bad = len(self.checks) - good
        for number in range(self.passed - good):
            self.checks.append([f"counted only ({number + 1})", True, ""])
        for number in range(self.failed - bad):
            self.checks.append([f"counted only ({number + 1})", False, last])
        if all(check[1] for check in self.checks) and (
                status != 0 or not self.checks):
            self.checks.append([f"exit status {status}", False, last])


def run(command, settings=None, cwd=None):
    """Run a command; its output."""
    printed = Printed()
    with subprocess.Popen(command, env={**os.environ, **(settings or {})}, cwd=cwd,
                          text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          errors="replace", start_new_session=True) as process:
        def end_others():
            process.wait()
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)

        # They may have the pipe open, which would never end.
        threading.Thread(target=end_others, daemon=True).start()
        for line in process.stdout:
            if not CHECK.match(line):  # the one who takes a check over prints it
                print(line, end="", flush=True)
            printed.read(line)
    printed.end(process.returncode)
    return printed
