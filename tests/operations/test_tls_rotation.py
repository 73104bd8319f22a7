"""Certificates are replaced while players move.

Runs the commands of deploy/README.md, "The certificates between PostgreSQL and the
daemons", as they stand there; only the folders are those of the test.  A daemon
plays all the time, and loses no request.  After each step a new connection is made
with the new certificates; at the end with them alone.
"""
import os
import re
import shutil
import subprocess
import tempfile
import threading
import time

from authority import Authority
import gangd
import guide
import servers

NAME = "db.example"
WAIT_SECONDS = 30
ALL = 4 + 2  # connections of the daemon, and those of its bots
RULES = """
local all all trust
hostssl gangd gangd_app 127.0.0.1/32 cert
"""
OF_DAEMON = ("FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) "
             "WHERE usename = 'gangd_app'")


class Player(threading.Thread):
    """Reads and moves without a pause; .statuses counts the answers."""

    def __init__(self, daemon):
        super().__init__(daemon=True)
        table = gangd.Table(daemon)
        self.client = daemon.client(table.tokens[0])
        self.path = table.path
        self.statuses = {}
        self.stop = threading.Event()
        self.start()

    def run(self):
        while not self.stop.is_set():
            for method, path in (("GET", ""), ("POST", "/chips/white/1/take"),
                                 ("POST", "/chips/white/1/return")):
                status = self.client.ask(method, self.path + path).status
                self.statuses[status] = self.statuses.get(status, 0) + 1

    def end(self):
        self.stop.set()
        self.join()
        return self.statuses


class Site:
    """A server and the folder /etc/gangd of a daemon's machine."""

    def __init__(self, tally, build, folder):
        self.build, self.folder = build, folder
        self.tally = tally
        self.server = servers.take_over()
        self.data = self.server.folder + "/data"
        self.etc = folder + "/etc"
        os.mkdir(self.etc)
        self.old = self.authority("old")
        self.new = self.authority("new")
        self.count = 0

    def authority(self, name):
        os.mkdir(f"{self.folder}/{name}")
        return Authority(f"{self.folder}/{name}", name)

    def to_server(self, path, name):
        with open(path, encoding="utf-8") as file:
            self.server.write(name, file.read())

    def sign(self, authority, whose):
        """A new pair of the server or the daemon; its path without an end."""
        self.count += 1
        file = f"{whose}{self.count}"
        authority.sign(file, NAME if whose == "server" else "gangd_app")
        return authority.path("", file)[:-1]

    def bring(self, authority, whose, end=".new"):
        """A new pair, where the guide says that it has to be."""
        path = self.sign(authority, whose)
        for kind in ("crt", "key"):
            if whose == "server":
                self.to_server(f"{path}.{kind}", f"server.{kind}{end}")
            else:
                shutil.copy(f"{path}.{kind}", f"{self.etc}/app.{kind}{end}")
        return path + ".crt"

    def start(self):
        self.bring(self.old, "server", "")
        self.to_server(self.old.path("crt"), "ca.crt")
        self.bring(self.old, "app", "")
        shutil.copy(self.old.path("crt"), self.etc + "/ca.crt")
        self.server.write("pg_hba.conf", RULES)
        self.server.start()
        self.server.sql("ALTER SYSTEM SET ssl = on",
                        "ALTER SYSTEM SET ssl_ca_file = 'ca.crt'")
        self.server.reload()
        gangd.gangctl(self.build, "migrate", check=True,
                      GANGD_MIGRATE_URL=self.server.url("gangd_migrate"))

    def url(self, ca=None, pair=None):
        """As the guide has it; or with other files."""
        pair = pair or self.etc + "/app"
        return self.server.url(
            "gangd_app", host=NAME, hostaddr="127.0.0.1",
            sslmode="verify-full", sslrootcert=ca or self.etc + "/ca.crt",
            sslcert=pair + ".crt", sslkey=pair + ".key")

    def run(self, name):
        """A block of the guide: its exit status, and what it says."""
        text = guide.block("tls", name).replace("/etc/gangd", self.etc)
        done = subprocess.run(
            ["bash", "-eu", "-o", "pipefail", "-c", text], text=True,
            env=dict(os.environ, PGHOST=self.server.socket,
                     PGPORT=str(self.server.port), PGUSER="postgres",
                     PGDATABASE="gangd", HOST="127.0.0.1"),
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        # The test is root, and PostgreSQL's files are not.
        for file in os.listdir(self.data):
            if file.endswith((".crt", ".key")):
                self.server.give(f"{self.data}/{file}", 0o600)
        return done.returncode, done.stdout

    def paste(self, what, name):
        status, said = self.run(name)
        self.tally.check(what, status == 0, said)
        return said

    def connects(self, url):
        done = subprocess.run(["psql", "-X", "-Atc", "SELECT 1", url],
                              text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False)
        return done.stdout

    def serial(self, path):
        text = subprocess.run(["openssl", "x509", "-noout", "-serial", "-in",
                               path], check=True, text=True,
                              stdout=subprocess.PIPE).stdout
        return str(int(text.strip().split("=")[1], 16))

    def shows(self, path):
        """The server shows this certificate to a new client."""
        wanted = subprocess.run(
            ["openssl", "x509", "-noout", "-fingerprint", "-in", path],
            check=True, text=True, stdout=subprocess.PIPE).stdout
        deadline = time.monotonic() + WAIT_SECONDS
        while time.monotonic() < deadline:
            shown = subprocess.run(
                f"openssl s_client -starttls postgres -connect 127.0.0.1:"
                f"{self.server.port} </dev/null 2>/dev/null | "
                "openssl x509 -noout -fingerprint", shell=True, text=True,
                stdout=subprocess.PIPE, check=False).stdout
            if shown == wanted:
                return True
            time.sleep(0.05)
        return False

    def new_daemon_uses(self, path):
        """A daemon that starts now plays, with this certificate."""
        daemon = gangd.Daemon(self.build, GANGD_DATABASE_URL=self.url(),
                              GANGD_DRAIN_MS="0")
        daemon.wait_ready()
        gangd.Table(daemon)
        found = self.server.sql("SELECT count(*) > 0 " + OF_DAEMON +
                                f" AND client_serial = {self.serial(path)}")
        daemon.stop()
        return found == "t"


def check_server(site):
    path = site.bring(site.old, "server")
    site.paste("the server's certificate is replaced", "server")
    site.tally.check("new connections see it", site.shows(path))
    site.to_server(site.sign(site.old, "server") + ".crt", "server.crt.new")
    site.to_server(site.sign(site.old, "server") + ".key", "server.key.new")
    status, _ = site.run("server")
    site.tally.check("a key of another certificate is refused",
                     status != 0 and site.shows(path))
    foreign = site.sign(site.new, "server")
    site.to_server(foreign + ".crt", "server.crt.new")
    site.to_server(foreign + ".key", "server.key.new")
    status, said = site.run("server")
    site.tally.check("so is one that the daemons do not trust",
                     status != 0 and site.shows(path), said)


def check_daemon(site):
    path = site.bring(site.old, "app")
    site.paste("a daemon's certificate is replaced", "daemon")
    site.tally.check("the daemon's key stays its own", os.stat(
        site.etc + "/app.key").st_mode & 0o777 == 0o600)
    site.tally.check("a new daemon uses it", site.new_daemon_uses(
        site.etc + "/app.crt") and site.serial(path) ==
                     site.serial(site.etc + "/app.crt"))
    foreign = site.sign(site.new, "app")
    shutil.copy(foreign + ".crt", site.etc + "/app.crt.new")
    shutil.copy(foreign + ".key", site.etc + "/app.key.new")
    status, said = site.run("daemon")
    site.tally.check("one that the server does not trust is refused",
                     status != 0 and site.serial(path) ==
                     site.serial(site.etc + "/app.crt"), said)


def check_authority(site, daemon, player):
    # The earlier ones, to see that they are refused in the end.
    for kind in ("crt", "key"):
        shutil.copy(f"{site.etc}/app.{kind}", f"{site.folder}/before.{kind}")
        os.chmod(f"{site.folder}/before.{kind}", 0o600)
    site.to_server(site.new.path("crt"), "ca.crt.new")
    shutil.copy(site.new.path("crt"), site.etc + "/ca.crt.new")
    site.paste("the server trusts both authorities", "server-trusts-both")
    site.paste("the daemons trust both authorities", "daemon-trusts-both")
    shown = site.bring(site.new, "server")
    site.paste("the server gets a certificate of the new one", "server")
    site.tally.check("it is seen", site.shows(shown))
    used = site.bring(site.new, "app")
    site.paste("the daemon gets a certificate of the new one", "daemon")
    site.tally.check("a new daemon uses it", site.new_daemon_uses(used))
    said = site.paste("the old connections are told", "old")
    site.tally.check("some of the daemon's are old", re.search(
        r"CN=old\|[1-9]", said), said)
    statuses = player.end()
    site.tally.check("no request failed meanwhile", set(statuses) == {200} and
                     statuses[200] > 100, statuses)
    # In place of its restart, which ends all its connections too.
    site.server.sql("SELECT count(pg_terminate_backend(pid)) " + OF_DAEMON)
    deadline = time.monotonic() + WAIT_SECONDS
    while not re.fullmatch(rf".*CN=new\|{ALL}\n", said) and \
            time.monotonic() < deadline:
        daemon.client().get("/v1/games")
        said = site.run("old")[1]
    site.tally.check("a running daemon comes back with the new ones",
                     re.fullmatch(rf".*CN=new\|{ALL}\n", said), said)
    site.paste("the server forgets the old authority",
               "server-forgets-old")
    site.paste("the daemons forget it", "daemon-forgets-old")
    deadline = time.monotonic() + WAIT_SECONDS
    refused = site.connects(site.url(pair=site.folder + "/before"))
    while "alert" not in refused and time.monotonic() < deadline:
        time.sleep(0.05)
        refused = site.connects(site.url(pair=site.folder + "/before"))
    site.tally.check("an old certificate of the daemon is refused",
                     "unknown ca" in refused, refused)
    refused = site.connects(site.url(ca=site.old.path("crt")))
    site.tally.check("the server's new one is not of the old authority",
                     "certificate verify failed" in refused, refused)
    site.tally.check("a new daemon plays", site.new_daemon_uses(used))
    left = [file for folder in (site.etc, site.data)
            for file in os.listdir(folder) if file.endswith((".new", ".both"))]
    site.tally.check("no file is left over", not left, left)


def test_tls_rotation(tally, build, cluster):
    with tempfile.TemporaryDirectory() as folder:
        site = Site(tally, build, folder)
        try:
            site.start()
            daemon = gangd.Daemon(build, GANGD_DATABASE_URL=site.url(),
                                  GANGD_DRAIN_MS="0", GANGD_LOOPS="2",
                                  GANGD_DATABASE_CONNECTIONS="4",
                                  GANGD_BOT_CONNECTIONS="2")
            daemon.wait_ready()
            player = Player(daemon)
            check_server(site)
            check_daemon(site)
            check_authority(site, daemon, player)
            guide.check_all_given(tally, __file__)
            site.tally.end_well(daemon)
        finally:
            site.server.stop()
