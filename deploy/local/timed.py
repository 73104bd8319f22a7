#!/usr/bin/python3
"""timed.py FILE COMMAND... - run a command, and write what it cost.

FILE gets the seconds it took and the seconds of processor time, those of all
its descendants, a PostgreSQL server that has detached itself among them.  The
exit status is that of the command.
"""
import ctypes
import os
import resource
import signal
import subprocess
import sys
import time

PR_SET_CHILD_SUBREAPER = 36  # of Linux: orphans below become our children


def main(path, *command):
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
    begun = time.monotonic()
    child = subprocess.Popen(command)
    signal.signal(signal.SIGTERM, lambda *_: os.kill(child.pid, signal.SIGTERM))
    ended = status = 0
    while ended != child.pid:
        ended, status = os.wait()
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass  # nobody is left
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(path, "w", encoding="ascii") as file:
        print(f"{time.monotonic() - begun:.0f} "
              f"{used.ru_utime + used.ru_stime:.0f}", file=file)
    status = os.waitstatus_to_exitcode(status)
    return 128 - status if status < 0 else status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
