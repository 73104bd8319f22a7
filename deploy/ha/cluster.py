"""Three hosts for PostgreSQL on one machine, two daemons, and a balancer.

Each host has a member of etcd, and Patroni with its PostgreSQL; they are set up by
the templates of this folder.  A host is an address of the loopback network, or,
with namespaces=True, a network namespace with an address of its own, so that its
cable can be pulled.  Namespaces are made in the caller's network namespace, which
test.sh makes for this alone.

Everything lies in one folder.  PostgreSQL, Patroni and etcd run as an unprivileged
user; if root starts them, as the owner of that folder.
"""
import json
import os
import pwd
import secrets
import shutil
import subprocess
import time

from host import HERE, Host, fill, write
from process import Process, ask, send, wait_for

PG_BIN = subprocess.run(
    [os.path.join(HERE, "..", "local", "cluster.sh"), "programs"], check=True,
    text=True, stdout=subprocess.PIPE).stdout.strip()
PORTS = {"PG_PORT": 5450, "REST_PORT": 8450, "ETCD_PORT": 2450,
         "PEER_PORT": 2451}
NAMES = ("db1", "db2", "db3")
PASSWORDS = ("PATRONI_SUPERUSER_PASSWORD", "PATRONI_REPLICATION_PASSWORD",
             "PATRONI_REWIND_PASSWORD", "PATRONI_RESTAPI_PASSWORD",
             "GANGD_APP_PASSWORD", "GANGD_MIGRATE_PASSWORD")
RUNS = ("running", "streaming")


class Cluster:
    """All of it.  daemons: how many; listen: the balancer's address."""

    def __init__(self, folder, build, listen, namespaces=False, daemons=2):
        self.folder = os.path.realpath(folder)
        self.namespaces = namespaces
        self.listen = listen
        self.owner = pwd.getpwuid(os.stat(folder).st_uid)
        if self.owner.pw_uid == 0:
            raise SystemExit("ha: the folder must belong to an unprivileged "
                             "user: PostgreSQL does not run as root")
        self.as_owner = []
        if os.geteuid() != self.owner.pw_uid:
            self.as_owner = ["setpriv", "--reuid", self.owner.pw_name,
                             "--regid", str(self.owner.pw_gid),
                             "--init-groups", "--"]
        self.make_passwords()
        if namespaces:
            self.make_bridge()
        self.hosts = [Host(self, number, name)
                      for number, name in enumerate(NAMES)]
        for name in ("bootstrap.sh", "patroni-lease.py"):
            shutil.copy(os.path.join(HERE, name), self.folder)
            os.chmod(os.path.join(self.folder, name), 0o755)
        values = PORTS | {
            "ETCD_HOSTS": self.etcd_hosts, "PG_BIN": PG_BIN,
            "MEMBERS": ",".join(
                f"{host.name}=http://{host.address}:{PORTS['PEER_PORT']}"
                for host in self.hosts),
            "NETWORK": "10.77.0.0/24" if namespaces else "127.0.0.0/8",
            "BOOTSTRAP": os.path.join(self.folder, "bootstrap.sh"),
            "SHARED_BUFFERS": "128MB"}
        for host in self.hosts:
            host.set_up(values)
            if namespaces:
                host.connect("gangd-ha")
        self.make_daemons(build, daemons)
        self.make_balancer()

    def address_of(self, number):
        return f"{'10.77.0' if self.namespaces else '127.0.77'}.{number + 1}"

    @property
    def etcd_hosts(self):
        return ",".join(f"{host.address}:{PORTS['ETCD_PORT']}"
                        for host in self.hosts)

    def make_bridge(self):
        for words in (["link", "set", "lo", "up"],
                      ["link", "add", "gangd-ha", "type", "bridge"],
                      ["addr", "add", "10.77.0.254/24", "dev", "gangd-ha"],
                      ["link", "set", "gangd-ha", "up"]):
            subprocess.run(["ip", *words], check=True)

    def make_passwords(self):
        path = os.path.join(self.folder, "passwords.json")
        if not os.path.exists(path):
            write(path, json.dumps({name: secrets.token_hex(16)
                                    for name in PASSWORDS}))
        with open(path, encoding="utf-8") as file:
            self.passwords = json.load(file)
        self.passwords["PATRONI_RESTAPI_USERNAME"] = "patroni"
        self.pgpass = os.path.join(self.folder, "pgpass")
        self.write_pgpass()

    def change_app_password(self, password):
        """From now on connections are opened with another password."""
        self.passwords["GANGD_APP_PASSWORD"] = password
        self.write_pgpass()

    def write_pgpass(self):
        write(self.pgpass, "".join(
            f"*:*:*:{user}:{self.passwords[name]}\n" for user, name in (
                ("gangd_app", "GANGD_APP_PASSWORD"),
                ("gangd_migrate", "GANGD_MIGRATE_PASSWORD"),
                ("postgres", "PATRONI_SUPERUSER_PASSWORD"))))

    def url(self, user, hosts=None, dbname="gangd", **more):
        hosts = hosts or self.hosts
        words = {"host": ",".join(host.address for host in hosts),
                 "port": PORTS["PG_PORT"], "user": user, "dbname": dbname,
                 "connect_timeout": 2, "tcp_user_timeout": 2000,
                 "target_session_attrs": "read-write",
                 "passfile": self.pgpass} | more
        return " ".join(f"{name}={value}" for name, value in words.items())

    def make_daemons(self, build, count):
        environment = {name: value for name, value in os.environ.items()
                       if name != "GANGD_MIGRATE_URL"}
        self.daemons = []
        for number in range(count):
            address = f"127.0.0.1:{18451 + number}"
            process = Process(
                [os.path.join(build, "bin", "gangd")],
                os.path.join(self.folder, f"gangd{number + 1}.log"),
                env=environment | {
                    "GANGD_LISTEN": address,
                    "GANGD_TRUSTED_PROXIES": "127.0.0.1",
                    "GANGD_DATABASE_URL": self.url("gangd_app")})
            process.address = address
            self.daemons.append(process)
        self.gangctl = os.path.join(build, "bin", "gangctl")

    def make_balancer(self):
        path = os.path.join(self.folder, "haproxy.cfg")
        shutil.copy(os.path.join(HERE, "unavailable.http"), self.folder)
        write(path, fill("haproxy.cfg", {
            "LISTEN": self.listen, "ERRORS": self.folder, "USER": "",
            "DAEMONS": "\n".join(
                f"    server gangd{number + 1} {daemon.address}"
                for number, daemon in enumerate(self.daemons))}))
        self.haproxy = Process(["haproxy", "-db", "-f", path],
                               os.path.join(self.folder, "haproxy.log"))

    # --- starting, stopping --------------------------------------------------

    def start(self):
        """Start all; the seconds until the balancer gives answers."""
        begun = time.monotonic()
        for host in self.hosts:
            host.etcd.start()
        wait_for("etcd has a leader", self.etcd_is_healthy)
        for host in self.hosts:
            host.patroni.start()
        wait_for("PostgreSQL has a primary and standbys", self.is_healthy)
        self.migrate()
        for process in (*self.daemons, self.haproxy):
            process.start()
        wait_for("the balancer serves", self.serves)
        return time.monotonic() - begun

    def migrate(self):
        environment = dict(os.environ,
                           GANGD_MIGRATE_URL=self.url("gangd_migrate"))
        subprocess.run([self.gangctl, "migrate"], check=True, env=environment,
                       stdout=subprocess.DEVNULL)

    def serves(self):
        host, port = self.listen.rsplit(":", 1)
        return ask(host, int(port), "/readyz")[0] == 200

    def stop(self):
        for process in (self.haproxy, *self.daemons):
            process.stop()
        # The standbys first: a primary does not stop before they have its WAL.
        for host in sorted(self.hosts, key=lambda host: host is self.primary()):
            host.stop()
        for host in self.hosts:
            host.etcd.stop()

    # --- what is the case ----------------------------------------------------

    def etcd_is_healthy(self):
        return all(b'"health":"true"' in
                   ask(host.address, PORTS["ETCD_PORT"], "/health")[1]
                   for host in self.hosts)

    def members(self):
        """Patroni's list of the members, from any host that answers."""
        for host in self.hosts:
            status, body = ask(host.address, PORTS["REST_PORT"], "/cluster")
            if status == 200:
                return json.loads(body)["members"]
        return []

    def ask_patroni(self, path):
        """The answer of any host."""
        for host in self.hosts:
            status, body = ask(host.address, PORTS["REST_PORT"], path)
            if status == 200:
                return json.loads(body)
        raise SystemExit(f"ha: no Patroni answers {path}")

    def history(self):
        """Patroni's list of the promotions."""
        return self.ask_patroni("/history")

    def settings(self):
        """Its dynamic configuration."""
        return self.ask_patroni("/config")

    def host_of(self, role):
        """The host with this role, or None."""
        for member in self.members():
            if member["role"] == role and member["state"] in RUNS:
                return next(host for host in self.hosts
                            if host.name == member["name"])
        return None

    def primary(self):
        return self.host_of("leader")

    def is_healthy(self):
        """Three nodes on one timeline, one of them the synchronous standby."""
        members = self.members()
        return sorted(member["role"] for member in members) == [
            "leader", "replica", "sync_standby"] and \
            all(member["state"] in RUNS for member in members) and \
            len({member.get("timeline") for member in members}) == 1 and \
            all(member.get("lag", 0) != "unknown" for member in members)

    def is_whole(self):
        """The cluster is as it was at the start."""
        return self.is_healthy() and self.etcd_is_healthy() and all(
            ask("127.0.0.1", int(daemon.address.rsplit(":", 1)[1]),
                "/readyz")[0] == 200 for daemon in self.daemons)

    signal = staticmethod(send)

    def patronictl(self, *words):
        """Run patronictl as the owner; its output."""
        return subprocess.run(
            [*self.as_owner, "patronictl", "-c", self.hosts[0].config, *words],
            check=True, text=True, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=self.folder, env=dict(os.environ, HOME=self.folder,
                                      LC_ALL="C.UTF-8", **self.passwords)
        ).stdout
