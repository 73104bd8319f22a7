#!/usr/bin/python3
"""with_citus.py COMMAND... - run a command with a Citus cluster of its own, as
deploy/local/with-cluster.sh does with a PostgreSQL.

GANGD_CITUS names the folder of the cluster for nodes.reopen().  The errors in the
nodes' logs are appended to the file that GANGD_CITUS_ERRORS names.
"""
import os
import signal
import subprocess
import sys
import tempfile

import nodes


def end(number, _frame):
    raise SystemExit(128 + number)


def main():
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        signal.signal(number, end)
    cluster = nodes.Cluster(tempfile.mkdtemp(prefix="gangd-citus.",
                                             dir=nodes.scratch()))
    command = None
    try:
        cluster.start()
        environment = {
            "GANGD_BATCH": "0", "GANGD_DATABASE_CONNECTIONS": "6",
            "GANGD_QUOTAS": "off", "GANGD_CONNECTIONS_PER_ADDRESS": "0",
            **os.environ, **cluster.urls(), "GANGD_CITUS": str(cluster.folder),
            "PATH": f"{cluster.bin}:{os.environ['PATH']}"}
        with subprocess.Popen(sys.argv[1:], env=environment,
                              start_new_session=True) as command:
            return command.wait()
    finally:
        if command and command.poll() is None:
            os.killpg(command.pid, signal.SIGTERM)
        errors = cluster.errors()
        if errors and "GANGD_CITUS_ERRORS" in os.environ:
            with open(os.environ["GANGD_CITUS_ERRORS"], "a",
                      encoding="utf-8") as file:
                file.write("".join(line + "\n" for line in errors))
        cluster.stop()


if __name__ == "__main__":
    sys.exit(main())
