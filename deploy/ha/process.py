"""Programs that run during a test, and their answers over HTTP."""
import http.client
import os
import signal
import subprocess
import time

UP_SECONDS = 120
STOP_SECONDS = 30


def state_of(pid):
    """A letter; X for a process that is not there."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii",
                  errors="replace") as file:
            return file.read().rsplit(")", 1)[1].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return "X"


def send(pids, number):
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass


def ask(address, port, path, seconds=2):
    """Status and body of a GET; None and b"" when there is no answer."""
    connection = http.client.HTTPConnection(address, port, timeout=seconds)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read()
    except (OSError, http.client.HTTPException):
        return None, b""
    finally:
        connection.close()


def wait_for(what, condition, seconds=UP_SECONDS):
    """Wait until the condition holds; the seconds that it took."""
    begun = time.monotonic()
    while not condition():
        if time.monotonic() - begun > seconds:
            raise SystemExit(f"ha: {what}: not within {seconds} s")
        time.sleep(0.1)
    return time.monotonic() - begun


class Process:
    """A program with a log of its own, in a session of its own."""

    def __init__(self, command, log, **more):
        self.command, self.log, self.more = command, log, more
        self.popen = None

    def start(self):
        with open(self.log, "ab") as log:
            self.popen = subprocess.Popen(
                self.command, stdin=subprocess.DEVNULL, stdout=log,
                stderr=log, start_new_session=True, **self.more)

    @property
    def pids(self):
        """The processes of its group."""
        if not self.popen:
            return []
        group = str(self.popen.pid)
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/stat", encoding="ascii",
                          errors="replace") as file:
                    fields = file.read().rsplit(")", 1)[1].split()
            except (FileNotFoundError, ProcessLookupError):
                continue
            if fields[2] == group and fields[0] not in "ZX":
                found.append(int(pid))
        return found

    def kill(self):
        send(self.pids, signal.SIGKILL)
        if self.popen:
            self.popen.wait()

    def stop(self):
        if not self.popen:
            return
        self.popen.terminate()
        try:
            self.popen.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            pass
        self.kill()
