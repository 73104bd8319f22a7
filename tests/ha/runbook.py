"""The commands of deploy/README.md, "Fail over", as an operator runs them.

A block of the document has a name, in a comment before it: "<!-- ha: NAME -->".  It
runs unchanged, as root, on one of the hosts or where the daemons are.  Only the
files it names are those of this cluster (deploy/ha/cluster.py), and the node to copy
anew is the one that needs it.
"""
import os
import re
import subprocess
import threading
import time

import cluster
import faults
import gangd
import guide
from host import HERE, write
from process import ask, wait_for

HEALTHY = 3
SECONDS = 180        # for one block
UNENCRYPTED = {"tls", "sslmode"}
WHOLE_SECONDS = 180
NEWS_SECONDS = 5


class Operator:
    """Runs blocks; what they print is in .said."""

    def __init__(self, site):
        self.site = site
        self.folder = os.path.join(site.folder, "operator")
        os.makedirs(self.folder, 0o700)
        self.said = ""
        self.write("patroni_env.conf", "".join(
            f"{name}={value}\n" for name, value in site.passwords.items()))
        self.write("gangctl.env",
                   f'GANGD_MIGRATE_URL="{site.url("gangd_migrate")}"\n')
        self.write("gangd.env",
                   f'GANGD_DATABASE_URL="{site.url("gangd_app")}"\n')
        for host in site.hosts:
            self.write("etcd-" + host.name, "".join(
                f"{name}={value}\n" for name, value in host.etcd.more[
                    "env"].items() if name.startswith("ETCD_")))

    def write(self, name, text):
        write(os.path.join(self.folder, name), text)

    def files(self, host):
        """The files that the document names, and ours."""
        return {"/etc/patroni/config.yml": host.config,
                "/etc/patroni_env.conf": self.folder + "/patroni_env.conf",
                "/etc/default/etcd": self.folder + "/etcd-" + host.name,
                "/etc/gangd/": self.folder + "/"}

    def run(self, name, host=None, document=guide.DOCUMENT, **words):
        """Run a block on a host, or where the daemons are; is its status 0?"""
        text = guide.block("ha", name, document)
        for word, ours in (self.files(host or self.site.hosts[0]) |
                           words).items():
            text = text.replace(word, ours)
        under = []
        if host:
            under = ["nsenter", f"--net=/run/netns/{host.name}", "--"]
        place = host or self.site.hosts[0]
        done = subprocess.run(
            [*under, "bash", "-eu", "-o", "pipefail", "-c", text], text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, timeout=SECONDS, check=False,
            cwd="/", env={"LC_ALL": "C.UTF-8", "HOME": self.folder,
                          "PGHOST": place.socket,
                          "PGPORT": str(cluster.PORTS["PG_PORT"]),
                          "PATH": os.path.realpath(os.path.dirname(
                              self.site.gangctl)) + ":" +
                          gangd.STAND_INS + ":" + os.environ["PATH"]})
        self.said = done.stdout
        return done.returncode == 0


class Witness(threading.Thread):
    """A player of a game, who reads and moves, and has a stream open."""

    def __init__(self, front):
        super().__init__(daemon=True)
        self.table = gangd.Table(front)
        self.front = front
        self.seen = set()         # status, code, is there a Retry-After
        self.stopped = threading.Event()
        self.client = front.client(self.table.tokens[0], timeout=60)
        self.stream = front.client(self.table.tokens[0], timeout=60).open(
            self.table.path + "/events", {"Accept": "text/event-stream"})
        self.ended = threading.Event()
        self.heard = time.monotonic()
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        try:
            while self.stream.read1(65536):
                self.heard = time.monotonic()
        except (OSError, gangd.http.client.HTTPException):
            pass
        self.ended.set()

    def run(self):
        number = 0
        while not self.stopped.wait(0.1):
            # Under one key until there is an outcome: then it is made once.
            key = {"Idempotency-Key": f"the-witness-asks-{number:012}"}
            try:
                for answer in (
                        self.client.get(self.table.path),
                        self.client.post(
                            f"{self.table.path}/chips/white/"
                            f"{number % 3 + 1}/take", headers=key)):
                    self.seen.add((answer.status, answer.code,
                                   bool(answer.header("Retry-After"))))
                number += answer.status < 500
            except (OSError, gangd.http.client.HTTPException):
                self.seen.add((None, None, False))

    def has_news(self):
        """The stream has ended, or it goes on and tells of a new move."""
        begun = time.monotonic()
        while not self.ended.wait(0.1) and self.heard < begun:
            if time.monotonic() - begun > NEWS_SECONDS:
                return False
        return True

    def end(self):
        self.stopped.set()
        self.join()
        return self.seen


class Rehearsal:
    """An operator's work, while tables play."""

    def __init__(self, tally, site, front, await_moves):
        self.tally, self.site = tally, site
        self.front, self.await_moves = front, await_moves
        self.operator = Operator(site)

    def check(self, name, good):
        self.tally.check("the runbook: " + name, good, self.operator.said)

    def await_whole(self):
        self.await_moves()
        wait_for("all is whole again", self.site.is_whole, WHOLE_SECONDS)

    def look(self, host):
        """Does it show three nodes and members of etcd as expected?"""
        said = self.operator.run("look", host) and self.operator.said
        return said and said.count(" is healthy") == HEALTHY and all(
            len(re.findall(rf"\| {role} +\| (running|streaming) ", said)) == 1
            for role in ("Leader", "Sync Standby", "Replica"))

    def is_well(self):
        """The templates encrypt nothing, which gangctl check finds; else it
        must report nothing else."""
        self.operator.run("check")
        return set(re.findall(r"^  fail +(\w+):", self.operator.said,
                              re.M)) == UNENCRYPTED

    def switch_over(self):
        old = self.site.primary()
        self.check("it shows healthy hosts", self.look(old))
        self.check("a switchover", self.operator.run("switchover", old))
        self.await_whole()
        self.check("another node is the primary",
                   self.site.primary() not in (None, old))
        self.check("gangctl check finds nothing else to fix",
                   self.is_well())

    def change_times(self):
        """A cluster that an older release of this project has made."""
        self.site.patronictl("edit-config", "--force", "-s", "ttl=20", "-s",
                             "loop_wait=2", "-s", "retry_timeout=5", "-s",
                             "postgresql.use_slots=true")
        self.check("the times of an older cluster are changed",
                   self.operator.run("times", self.site.primary(),
                                     os.path.join(HERE, "README.md")))
        config = self.site.settings()
        self.check("they are those of the template", (
            config["ttl"], config["loop_wait"], config["retry_timeout"],
            config["postgresql"]["use_slots"]) == (8, 1, 2, False))

    def change_password(self):
        old = self.site.passwords["GANGD_APP_PASSWORD"]
        self.check("another password",
                   self.operator.run("password", self.site.primary()))
        new = self.operator.said.strip()
        self.check("it is printed", re.fullmatch("[0-9a-f]{32}", new) and
                   new != old)
        self.check("daemons go on meanwhile", all(
            ask(*daemon.address.split(":"), "/readyz")[0] == 200
            for daemon in self.site.daemons))
        self.check("the old one is refused", not self.logs_in(old))
        self.site.change_app_password(new)
        for daemon in self.site.daemons:
            daemon.stop()
            daemon.start()
            wait_for("the daemon is ready", self.site.is_whole,
                     WHOLE_SECONDS)
        self.check("the new one is used", self.logs_in(new))
        self.await_whole()

    def logs_in(self, password):
        return subprocess.run(
            ["psql", "-XqAt", "-c", "SELECT 1",
             self.site.url("gangd_app", passfile="/dev/null",
                           password=password)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            check=False).returncode == 0

    def fail_over(self):
        lost = self.site.primary()
        witness = Witness(self.front)
        witness.start()
        restore = faults.kill_node(lost)
        self.check("gangctl check fails while there is no primary",
                   not self.operator.run("check") and
                   "  fail  connect: " in self.operator.said)
        self.await_moves()
        has_news = witness.has_news()
        seen = witness.end()
        self.tally.check(
            "players get the answer, 503 with a time to wait, or a closed "
            "connection", {(200, None, False),
                           (503, "store_unavailable", True)} <= seen <=
            {(200, None, False), (503, "store_unavailable", True),
             (None, None, False)}, seen)
        self.tally.check("streams end, or go on", has_news)
        self.check("another node is the primary",
                   self.site.primary() not in (None, lost))
        self.check("gangctl check finds nothing else to fix",
                   self.is_well())
        restore()  # the host is switched on
        self.await_whole()
        self.check("the old primary is back", self.look(lost))
        self.check("it is copied anew", self.operator.run(
            "reinit", self.site.primary(), db1=lost.name))
        self.await_whole()
        self.check("it shows healthy hosts", self.look(lost))

    def run(self):
        begun = time.monotonic()
        self.change_times()
        self.switch_over()
        self.change_password()
        self.fail_over()
        guide.check_all_given(self.tally, __file__)
        print(f"         the runbook took {time.monotonic() - begun:.0f} s",
              flush=True)
