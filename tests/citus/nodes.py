#!/usr/bin/python3
"""A Citus cluster on this machine: a coordinator and workers, each a PostgreSQL on a
port of its own, set up by the blocks of deploy/citus/README.md as they stand there.

nodes.py stop|start - stop, or start, all nodes of the cluster that the environment names.
"""
import os
import pathlib
import pwd
import re
import shutil
import signal
import socket
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "harness"))

import guide  # noqa: E402

FOLDER = ROOT / "deploy" / "citus"
DEFAULT = "/usr/lib/postgresql/15/bin"
NEEDS = """make test-citus needs the extension citus, 13.2 or newer, in a PostgreSQL of
15 or newer: neither Debian nor npm has it.  Build it from its sources
(github.com/citusdata/citus, "./configure --without-libcurl PG_CONFIG=...; make;
make install"), and say which PostgreSQL has it, unless it is {default}:
    make test-citus CITUS=/usr/lib/postgresql/15/bin"""


def programs():
    """The folder of the programs of a PostgreSQL that has Citus."""
    folder = os.environ.get("CITUS") or DEFAULT
    pg_config = os.path.join(folder, "pg_config")
    if os.access(pg_config, os.X_OK):
        share = subprocess.run([pg_config, "--sharedir"], check=True, text=True,
                               stdout=subprocess.PIPE).stdout.strip()
        if os.path.exists(os.path.join(share, "extension", "citus.control")):
            return folder
    raise SystemExit(NEEDS.format(default=DEFAULT))


def scratch():
    """Where clusters go: in memory, if there is room for some."""
    try:
        return "/dev/shm" if shutil.disk_usage("/dev/shm").free > 2 << 30 else None
    except OSError:
        return None


def free_ports(count):
    """Ports that nobody uses."""
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


class Node:
    """One PostgreSQL."""

    def __init__(self, folder, name, port, bin_folder, owner):
        self.data, self.log = folder / name, folder / (name + ".log")
        self.name, self.port, self.bin, self.owner = name, port, bin_folder, owner
        self.address = f"127.0.0.1:{port}"

    def run(self, program, *arguments, **options):
        """Run a program of PostgreSQL as the owner of the data."""
        user = {"user": self.owner.pw_uid, "group": self.owner.pw_gid,
                "extra_groups": []} if os.geteuid() == 0 else {}
        environment = {**os.environ, "HOME": self.owner.pw_dir}
        return subprocess.run([f"{self.bin}/{program}", *arguments], check=True,
                              cwd="/", env=environment, **user, **options)

    def make(self):
        self.run("initdb", "-D", str(self.data), "--no-sync", "--encoding=UTF8",
                 "--locale=C", "--username=postgres", "--auth=trust",
                 stdout=subprocess.DEVNULL)
        text = "\n".join(path.read_text(encoding="utf-8") for path in (
            ROOT / "deploy" / "local" / "postgresql.conf",
            FOLDER / "postgresql.conf"))
        # A node that is killed keeps what it wrote: the machine goes on.
        text += f"""
listen_addresses = '127.0.0.1'
port = {self.port}
unix_socket_directories = ''
shared_buffers = 64MB
fsync = off
log_line_prefix = '%m [%p] %q%u@%a '
"""
        with open(self.data / "postgresql.conf", "a", encoding="utf-8") as file:
            file.write(text)

    def start(self):
        self.run("pg_ctl", "start", "-s", "-w", "-D", str(self.data), "-l",
                 str(self.log), stdin=subprocess.DEVNULL)

    def stop(self):
        if (self.data / "postmaster.pid").exists():
            self.run("pg_ctl", "stop", "-s", "-w", "-m", "immediate", "-D",
                     str(self.data))

    def processes(self):
        """The numbers of the node's processes, the first one first."""
        first = (self.data / "postmaster.pid").read_text().split()[0]
        children = pathlib.Path(f"/proc/{first}/task/{first}/children")
        return [int(pid) for pid in [first, *children.read_text().split()]]

    def signal(self, number):
        """Send a signal to all processes at once, as a machine would get it."""
        for pid in self.processes():
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass

    def kill(self):
        """As if the machine lost its power; start() brings it back."""
        self.signal(signal.SIGKILL)
        time.sleep(0.2)
        (self.data / "postmaster.pid").unlink()

    def environment(self):
        """What psql connects by, as the superuser."""
        return {"PGHOST": "127.0.0.1", "PGPORT": str(self.port),
                "PGUSER": "postgres"}

    def ask(self, sql, database="gangd", role="postgres"):
        return subprocess.run(
            [f"{self.bin}/psql", "-X", "-q", "-At", "-v", "ON_ERROR_STOP=1", "-d",
             database, "-c", sql], check=True, text=True, stdout=subprocess.PIPE,
            env={**os.environ, **self.environment(), "PGUSER": role}).stdout.strip()


    def set(self, name, value):
        """Set a parameter, and wait until sessions have it."""
        self.ask(f"ALTER SYSTEM SET {name} = '{value}'")
        self.ask("SELECT pg_reload_conf()")
        time.sleep(0.5)


class Cluster:
    """The coordinator, and workers.  The file "ports" in its folder lists them."""

    def __init__(self, folder, workers=2):
        self.folder = pathlib.Path(folder)
        self.bin = programs()
        self.owner = pwd.getpwnam("postgres") if os.geteuid() == 0 else \
            pwd.getpwuid(os.geteuid())
        self.nodes = []
        ports = self.folder / "ports"
        if ports.exists():
            for port in ports.read_text(encoding="ascii").split():
                self.add(int(port))
            return
        if os.geteuid() == 0:
            os.chown(folder, self.owner.pw_uid, self.owner.pw_gid)
        for port in free_ports(workers + 1):
            self.add(port)
        ports.write_text(" ".join(str(node.port) for node in self.nodes),
                         encoding="ascii")

    @property
    def coordinator(self):
        return self.nodes[0]

    @property
    def workers(self):
        return self.nodes[1:]

    def add(self, port):
        name = f"worker{len(self.nodes)}" if self.nodes else "coordinator"
        self.nodes.append(Node(self.folder, name, port, self.bin, self.owner))
        return self.nodes[-1]

    def block(self, name, node=None, **variables):
        """Run a block of the guide, at the coordinator or another node."""
        environment = {
            **os.environ, **(node or self.coordinator).environment(), **self.urls(),
            "COORDINATOR": self.coordinator.address,
            "WORKERS": " ".join(each.address for each in self.workers),
            "PATH": f"{self.bin}:{os.environ['PATH']}", **variables}
        done = subprocess.run(["bash", "-eu", "-o", "pipefail", "-c",
                               guide.block("citus", name)],
                              cwd=FOLDER, env=environment, text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode:
            raise SystemExit(f"deploy/citus/README.md, \"{name}\":\n{done.stdout}")
        return done.stdout

    def start(self):
        """Make all nodes one cluster, without a schema."""
        for node in self.nodes:
            node.make()
            node.start()
            self.block("node", node)
        self.block("cluster")

    def path(self, build):
        """PATH with the programs of a build, and of this PostgreSQL."""
        return f"{os.path.abspath(build)}/bin:{self.bin}:{os.environ['PATH']}"

    def migrate(self, build):
        """Make the schema, and spread it."""
        self.block("schema", PATH=self.path(build))

    def stop(self):
        """Stop all nodes of the folder, those that a test has added too."""
        for data in self.folder.glob("*/postmaster.pid"):
            Node(self.folder, data.parent.name, 0, self.bin, self.owner).stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def urls(self):
        place = f"host=127.0.0.1 port={self.coordinator.port}"
        return {"GANGD_DATABASE_URL": place + " user=gangd_app dbname=gangd",
                "GANGD_MIGRATE_URL": place + " user=gangd_migrate dbname=gangd"}

    def errors(self):
        """The lines of all logs that report an error."""
        found = []
        for node in self.nodes:
            if node.log.exists():
                found += [f"{node.name}: {line}" for line in node.log.read_text(
                    encoding="utf-8", errors="replace").splitlines()
                    if re.search(r"\b(WARNING|ERROR|FATAL|PANIC):", line)]
        return found


def reopen():
    """The cluster that the environment names."""
    return Cluster(os.environ["GANGD_CITUS"])


if __name__ == "__main__":
    for each in reopen().nodes:
        {"stop": each.stop, "start": each.start}[sys.argv[1]]()
