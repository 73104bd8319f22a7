"""PostgreSQL servers of a test's own, besides the cluster of with-cluster.sh.

The test starts each server as its own child, so that it ends with the test.
PostgreSQL does not run as root: the owner of the cluster's folder runs it.
"""
import os
import pwd
import shutil
import signal
import subprocess
import time

import gangd
import loopback

CLUSTER = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                       "..", "..", "deploy", "local", "cluster.sh")
WAIT_SECONDS = 30


def cluster_sh(word):
    return subprocess.run([CLUSTER, word], check=True, text=True,
                          stdout=subprocess.PIPE).stdout.strip()


OWNER, BIN = cluster_sh("owner"), cluster_sh("programs") + "/"


def cluster_folder():
    """The folder of the cluster that with-cluster.sh made."""
    url = os.environ["GANGD_DATABASE_URL"]
    return os.path.dirname(url.split("host=")[1].split()[0])


class Server:
    """A server whose data are in FOLDER/data; its socket is in FOLDER/socket,
    its port on 127.0.0.1 too.  It survives a crash of the machine only if it is
    durable, which costs a flush to disk for each commit."""

    def __init__(self, folder, durable=False):
        self.folder, self.durable = folder, durable
        [self.port] = loopback.free_ports(1)
        self.process = None

    def as_owner(self, *command):
        if os.getuid() != 0:
            return list(command)
        # It becomes the command, which therefore gets the test's signals.
        return ["setpriv", "--reuid", OWNER, "--regid",
                str(pwd.getpwnam(OWNER).pw_gid), "--init-groups", "--",
                *command]

    def give(self, path, mode):
        """Give a file to the owner."""
        if os.getuid() == 0:
            shutil.chown(path, OWNER)
        os.chmod(path, mode)

    @property
    def socket(self):
        return self.folder + "/socket"

    def url(self, user, **options):
        """A connection string by the socket."""
        words = dict({"host": self.socket, "port": self.port, "user": user,
                      "dbname": "gangd"}, **options)
        return " ".join(f"{key}={value}" for key, value in words.items())

    def start(self):
        """Start it, and wait until it lets clients in."""
        os.makedirs(self.socket, exist_ok=True)
        self.give(self.socket, 0o700)
        with open(self.folder + "/log", "a", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                self.as_owner(
                    BIN + "postgres", "-D", self.folder + "/data",
                    "-p", str(self.port),
                    "-c", "fsync=" + ("on" if self.durable else "off"),
                    "-c", "listen_addresses=127.0.0.1",
                    "-c", "unix_socket_directories=" + self.socket),
                stdout=log, stderr=log, cwd="/")
        deadline = time.monotonic() + WAIT_SECONDS
        while subprocess.run([BIN + "pg_isready", "-q", "-h", self.socket,
                              "-p", str(self.port)]).returncode != 0:
            if time.monotonic() > deadline or \
                    self.process.poll() is not None:
                with open(self.folder + "/log", encoding="utf-8") as log:
                    raise SystemExit("no server:\n" + log.read()[-2000:])
            time.sleep(0.02)

    def stop(self, number=signal.SIGINT):
        """End it as pg_ctl's mode fast does, or by another signal."""
        if self.process and self.process.poll() is None:
            self.process.send_signal(number)
            self.process.wait(WAIT_SECONDS)

    def sql(self, *statements, database="gangd"):
        """Run statements as the superuser; what they say."""
        command = ["psql", "-X", "-q", "-At", "-v", "ON_ERROR_STOP=1",
                   self.url("postgres", dbname=database)]
        for statement in statements:
            command += ["-c", statement]
        return subprocess.run(command, check=True, text=True,
                              stdout=subprocess.PIPE).stdout.strip()

    def wait_for(self, query):
        """Wait until a query says "t"."""
        gangd.wait_for(lambda: self.sql(query) == "t", WAIT_SECONDS, query)

    def write(self, name, text):
        """Write a file of the data folder."""
        path = f"{self.folder}/data/{name}"
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        self.give(path, 0o600)

    def reload(self):
        """Read the configuration again; later connections have it."""
        before = self.sql("SELECT pg_conf_load_time()", "SELECT pg_sleep(0.01)",
                          "SELECT pg_reload_conf()").split("\n")[0]
        self.wait_for(f"SELECT pg_conf_load_time() > '{before}'")


    def follow(self, primary):
        """Copy the primary, and be its only standby, for which its commits wait from
        now on."""
        shutil.rmtree(self.folder + "/data", ignore_errors=True)
        subprocess.run(self.as_owner(
            BIN + "pg_basebackup", "-h", primary.socket, "-p",
            str(primary.port), "-U", "postgres", "-D", self.folder + "/data", "-R",
            "-X", "stream", "-c", "fast", "--no-sync"), check=True, cwd="/")
        self.start()
        primary.sql("ALTER SYSTEM SET synchronous_standby_names = '*'",
                    "ALTER SYSTEM SET synchronous_commit = 'remote_apply'")
        primary.reload()
        primary.wait_for("SELECT count(*) = 1 FROM pg_stat_replication"
                         " WHERE sync_state = 'sync'")

    def promote(self):
        self.sql("SELECT pg_promote()")
        self.wait_for("SELECT NOT pg_is_in_recovery()")

    def signal_all(self, number):
        """Signal a server that runs, and all its processes."""
        if not self.process or self.process.poll() is not None:
            return
        pid = self.process.pid
        os.kill(pid, signal.SIGSTOP)  # it starts no other process meanwhile
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            children = file.read().split()
        for each in [*children, pid]:
            try:
                os.kill(int(each), number)
            except ProcessLookupError:
                pass


def take_over(durable=False):
    """The cluster of with-cluster.sh, as a server of this test."""
    folder = cluster_folder()
    subprocess.run([CLUSTER, "stop", folder], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return Server(folder, durable)


def make_standby(primary):
    """A standby of the primary, which it follows from now on."""
    folder = primary.folder + "/standby"
    os.mkdir(folder)
    standby = Server(folder, primary.durable)
    standby.give(folder, 0o700)
    standby.follow(primary)
    return standby


def url_of(user, *some):
    """A connection string that finds the primary among some servers."""
    hosts = ",".join(server.socket for server in some)
    ports = ",".join(str(server.port) for server in some)
    return f"host={hosts} port={ports} user={user} dbname=gangd" \
        " target_session_attrs=read-write"
