"""A host of the cluster, set up by the templates of this folder."""
import os
import re
import signal
import subprocess
import time

from process import Process, send, state_of, wait_for

HERE = os.path.dirname(os.path.abspath(__file__))
DISK_BYTES = 6 << 30  # most of it is a hole


def fill(name, values):
    """A template with its @NAMES@ replaced; each must have a value."""
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        text = file.read()
    # Comments may name what is to be filled in.
    return "".join(line if line.startswith("#") else
                   re.sub(r"@([A-Z_]+)@", lambda m: str(values[m[1]]), line)
                   for line in text.splitlines(True))


def write(path, text, mode=0o600, owner=None):
    with open(path, "w", encoding="utf-8",
              opener=lambda p, f: os.open(p, f, mode)) as file:
        file.write(text)
    if owner:
        os.chown(path, owner.pw_uid, owner.pw_gid)


class Host:
    """One of the three: etcd, Patroni and PostgreSQL."""

    def __init__(self, cluster, number, name):
        self.cluster, self.name = cluster, name
        self.address = cluster.address_of(number)
        self.folder = os.path.join(cluster.folder, name)
        self.data = os.path.join(self.folder, "data")
        self.socket = os.path.join(self.folder, "socket")
        self.link = f"veth-{name}"
        owner = cluster.owner
        os.makedirs(self.folder, exist_ok=True)
        if cluster.namespaces:
            self.make_disk()
        for folder in (self.folder, self.socket):
            os.makedirs(folder, 0o700, exist_ok=True)
            os.chmod(folder, 0o700)
            os.chown(folder, owner.pw_uid, owner.pw_gid)

    # --- its disk ------------------------------------------------------------

    def make_disk(self):
        """A file system of its own, in a file, so that it can stall."""
        image = self.folder + ".img"
        with open(image, "xb") as file:
            file.truncate(DISK_BYTES)
        subprocess.run(["mkfs.ext4", "-q", "-m", "0", image], check=True)
        subprocess.run(["mount", "-o", "loop", image, self.folder],
                       check=True)

    def stall_disk(self, seconds):
        """Nothing is written here for that long: neither by PostgreSQL nor by
        etcd, nor into a log.  Gives back the process that ends it."""
        return subprocess.Popen(
            ["sh", "-c", 'fsfreeze -f "$0" && sleep "$1"; fsfreeze -u "$0"',
             self.folder, str(seconds)], start_new_session=True)

    # --- its programs --------------------------------------------------------

    def set_up(self, values):
        values = values | {
            "NAME": self.name, "ADDRESS": self.address,
            "ETCD_DATA": os.path.join(self.folder, "etcd"),
            "PG_DATA": self.data, "SOCKET": self.socket,
            "PGPASS": os.path.join(self.folder, "pgpass")}
        self.config = os.path.join(self.folder, "patroni.yml")
        write(self.config, fill("patroni.yml", values), 0o600,
              self.cluster.owner)
        etcd = dict(line.split("=", 1)
                    for line in fill("etcd.env", values).splitlines()
                    if not line.startswith("#"))
        self.etcd = self.program("etcd", ["etcd"], etcd)
        self.patroni = self.program(
            "patroni", [os.path.join(self.cluster.folder, "patroni-lease.py"),
                        self.config], self.cluster.passwords)

    def program(self, name, command, more):
        under = []
        if self.cluster.namespaces:
            under = ["nsenter", f"--net=/run/netns/{self.name}", "--"]
        under += self.cluster.as_owner
        environment = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8",
                       "HOME": self.folder} | more
        return Process(under + command, os.path.join(self.folder, name +
                                                     ".log"),
                       env=environment, cwd=self.folder)

    # --- its processes -------------------------------------------------------

    @property
    def postgres(self):
        """PostgreSQL's processes: they work in the data folder."""
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                if os.readlink(f"/proc/{pid}/cwd") == self.data and \
                        state_of(pid) not in "ZX":
                    found.append(int(pid))
            except OSError:
                pass
        return found

    @property
    def postmaster(self):
        try:
            with open(os.path.join(self.data, "postmaster.pid"),
                      encoding="ascii") as file:
                pid = int(file.readline())
        except (FileNotFoundError, ValueError):
            return None
        return pid if pid in self.postgres else None

    def kill_node(self):
        """Kill all that runs here: Patroni first, or it would notice that
        PostgreSQL or etcd is gone."""
        self.patroni.kill()
        self.etcd.kill()
        send(self.postgres, signal.SIGKILL)
        # A process may have been in the middle of a fork.
        wait_for("PostgreSQL is killed",
                 lambda: not self.postgres or
                 send(self.postgres, signal.SIGKILL), 10)

    def start_node(self):
        self.etcd.start()
        self.patroni.start()

    @property
    def all_pids(self):
        return self.patroni.pids + self.etcd.pids + self.postgres

    def stop(self):
        send(self.all_pids, signal.SIGCONT)
        self.patroni.stop()
        postmaster = self.postmaster
        if postmaster:
            send([postmaster], signal.SIGQUIT)
            deadline = time.monotonic() + 10
            while self.postgres and time.monotonic() < deadline:
                time.sleep(0.1)
        send(self.postgres, signal.SIGKILL)

    # --- its network, in a namespace -----------------------------------------

    def in_namespace(self, *command):
        subprocess.run(["nsenter", f"--net=/run/netns/{self.name}", "--",
                        *command], check=True)

    def connect(self, bridge):
        def ip(*words):
            subprocess.run(["ip", *words], check=True)
        ip("netns", "add", self.name)
        ip("link", "add", self.link, "type", "veth", "peer", "name", "eth0",
           "netns", self.name)
        ip("link", "set", self.link, "master", bridge, "up")
        for words in (["addr", "add", self.address + "/24", "dev", "eth0"],
                      ["link", "set", "lo", "up"],
                      ["link", "set", "eth0", "up"]):
            self.in_namespace("ip", *words)

    def set_link(self, state):
        """Pull the cable ("down"), or put it in again ("up")."""
        subprocess.run(["ip", "link", "set", self.link, state], check=True)

    def set_blackhole(self, verb):
        """Lose what this and the other hosts send each other ("add"), or lose
        nothing more ("del"): no sender gets an error.  The daemons still reach
        this one."""
        others = [host for host in self.cluster.hosts if host is not self]
        # All that it sends at one moment: else one standby would be ahead.
        self.lose_packets(verb, others)
        for other in others:
            other.lose_packets(verb, [self])

    def lose_packets(self, verb, hosts):
        """A neighbour that does not exist gets what is sent to them."""
        words = {"add": "replace {} dev eth0 lladdr 02:00:00:00:00:99 "
                        "nud permanent", "del": "del {} dev eth0"}[verb]
        subprocess.run(
            ["nsenter", f"--net=/run/netns/{self.name}", "--", "ip", "-batch",
             "-"], check=True, text=True, input="".join(
                 f"neigh {words.format(host.address)}\n" for host in hosts))
