"""What happens to a service in a day, while people play (soak.py, HOURS).

Pair is the service: two daemons behind HAProxy with deploy/ha/haproxy.cfg, and a
primary that commits to a synchronous standby.  Day makes the events of EVENTS in
turn, in ROUNDS rounds.  Faults says which trouble of people an event explains, and
until when: the rest are errors.

The daemons' clocks are those of libfaketime: their wall clock is that of the machine
and the difference in a file; the time that only grows stays the machine's.
"""
import asyncio
import collections
import email.utils
import glob
import os
import pathlib
import signal
import subprocess
import time

import balancer
import gangd
import guide
import loopback
import servers
from processor import Server, work_seconds

KEEP = 1 / 3             # of a round: games without a change for longer are purged
PURGE_DAYS = "1"         # the least that gangctl takes; such games are made as old
REPLAYED = 50            # of the games that a purge is about to delete
STOP_GRACE = 3           # seconds in which people see that a daemon has stopped
KILL_GRACE = 5           # that one was killed
FAIL_OVER_GRACE = 15     # that the primary was killed; seen: 2 s
BALANCER_SECONDS = 1.5   # until HAProxy has looked at each daemon again
JUMPS = (300, -300, 10800, -10800, 0)  # seconds from the machine's clock
JUMP_SECONDS = 30        # until it is seen; libfaketime reads its file once a second
JUMPED_SECONDS = 2       # that each lasts then
COLORS = {"rekey": "dark-violet", "restart": "dark-green", "kill": "red",
          "fail_over": "black", "rotate_logs": "blue", "purge": "orange",
          "clock": "brown"}  # of their lines in the picture
NOTHING = "0 games, 0 events and 0 texts "  # that gangctl rekey encrypted
ROTATED = 2              # old logs that are kept
FAKETIME = "/usr/lib/*/faketime/libfaketimeMT.so.1"
LOGROTATE = """%s {
    size 1
    rotate %d
    copytruncate
    missingok
    nocreate
    su root root
}
"""
# gangd-upgrade --restart of the guide, as it is with two daemons: the soak restarts
# them, one after the other, when it finds the file.
UPGRADE = """#!/bin/sh
: >'%(wanted)s'
while [ -e '%(wanted)s' ]; do sleep 0.05; done
"""


def read_faults(path):
    """The lines of a daemon's log that report faults of its own."""
    with open(path, encoding="utf-8", errors="replace") as file:
        return [line for line in file
                if '"level":"error"' in line or gangd.FAULTS.search(line)]


class Faults:
    """Which trouble of people is explained now; .seen counts it."""

    is_possible = True

    def __init__(self):
        self.present = {}   # the trouble that an event explains, by its name
        self.until = {}     # when it does no more; only of events that have ended
        self.begun = {}
        self.seen = collections.Counter()
        self.last = {}      # the seconds from an event's begin to its last trouble

    def begin(self, name, *troubles):
        self.until.pop(name, None)
        self.present[name], self.begun[name] = troubles, time.monotonic()

    def end(self, name, grace):
        self.until[name] = time.monotonic() + grace

    def explain(self, trouble):
        now = time.monotonic()
        for name, troubles in self.present.items():
            if trouble in troubles and now < self.until.get(name, now + 1):
                self.seen[name, trouble] += 1
                self.last[name] = max(self.last.get(name, 0),
                                      now - self.begun[name])
                return True
        return False


class Pair:
    """Two daemons, HAProxy, a primary and its standby; see above."""

    def __init__(self, build, folder, pace):
        self.build, self.folder = build, pathlib.Path(folder).resolve()
        self.primary = self.standby = self.balancer = None
        self.daemons = []
        self.temporary = self.folder / "tmp"
        self.temporary.mkdir()
        self.start_servers(pace)
        self.etc = self.folder / "etc"
        self.etc.mkdir(0o700)
        (self.etc / "gangctl.env").write_text(
            f'GANGD_MIGRATE_URL="{os.environ["GANGD_MIGRATE_URL"]}"\n', "utf-8")
        self.key = 0
        self.keys = self.etc / "keys"
        self.keys.touch(0o600)
        self.add_key()
        os.environ["GANGD_KEY_FILE"] = str(self.keys)  # for gangctl
        *ports, port = loopback.free_ports(3)
        self.address = ("127.0.0.1", port)
        for number, own in enumerate(ports):
            self.clock_file(number).write_text("+0\n", "ascii")
            self.daemons.append(None)
            self.start_daemon(number, f"127.0.0.1:{own}", pace)
        self.start_balancer(ports)

    # --- the servers ---

    def start_servers(self, pace):
        self.primary = servers.take_over(durable=True)
        self.primary.start()
        # Autovacuum looks once a minute of the day that people play.
        self.primary.sql(
            "ALTER SYSTEM SET autovacuum_naptime = "
            f"{max(1, round(60 / pace))}", "SELECT pg_reload_conf()",
            database="postgres")
        self.standby = servers.make_standby(self.primary)
        both = (self.primary, self.standby)
        for name, user in (("GANGD_DATABASE_URL", "gangd_app"),
                           ("GANGD_MIGRATE_URL", "gangd_migrate")):
            os.environ[name] = servers.url_of(user, *both)
        gangd.migrate(self.build)

    def fail_over(self):
        """The primary dies, the standby takes over, and the dead one, its data copied
        anew, is the standby.  The seconds until the promotion, and until then."""
        begun = time.monotonic()
        self.primary.signal_all(signal.SIGKILL)
        self.primary.process.wait()
        self.primary, self.standby = self.standby, self.primary
        self.primary.promote()
        promoted = time.monotonic() - begun
        for path in (self.standby.socket, self.standby.folder + "/data"):
            subprocess.run(["rm", "-rf", path], check=True)
        self.standby.follow(self.primary)
        return promoted, time.monotonic() - begun

    # --- the daemons ---

    def log(self, number):
        return self.folder / f"daemon-{number + 1}.log"

    def clock_file(self, number):
        return self.folder / f"clock-{number + 1}"

    def start_daemon(self, number, listen=None, pace=None):
        if listen:
            [library] = glob.glob(FAKETIME)
            settings = {
                "GANGD_LISTEN": listen, "GANGD_TRUSTED_PROXIES": "127.0.0.1",
                "GANGD_KEY_FILE": str(self.keys), "GANGD_DRAIN_MS": "1500",
                "GANGD_BOT_PACE": str(round(100 / pace)),
                "TMPDIR": str(self.temporary), "LD_PRELOAD": library,
                "FAKETIME_TIMESTAMP_FILE": str(self.clock_file(number)),
                "FAKETIME_CACHE_DURATION": "1", "FAKETIME_DISABLE_SHM": "1",
                "FAKETIME_DONT_FAKE_MONOTONIC": "1",
                "DONT_FAKE_MONOTONIC": "1"}
        else:
            settings = self.daemons[number].settings
        daemon = gangd.Daemon(self.build, log=self.log(number), appends=True,
                              **settings)
        daemon.settings = settings
        self.daemons[number] = daemon
        daemon.wait_ready()

    def restart(self):
        """Stop and start each, one after the other, as the guide's upgrade does."""
        for number, daemon in enumerate(self.daemons):
            status = daemon.stop()
            if status != 0:
                raise SystemExit(f"a daemon ends with status {status}")
            self.start_daemon(number)
            time.sleep(BALANCER_SECONDS)

    def kill(self, number):
        self.daemons[number].process.kill()
        self.daemons[number].process.wait()
        self.start_daemon(number)

    def start_balancer(self, ports):
        with open(self.folder / "haproxy.log", "w", encoding="utf-8") as said:
            self.balancer = subprocess.Popen(
                ["haproxy", "-db", "-f", balancer.fill(
                    str(self.folder), "%s:%d" % self.address, ports)],
                stdout=said, stderr=said)
        gangd.wait_for(self.is_served, otherwise="HAProxy serves")

    def stop_balancer(self):
        """End HAProxy, which keeps some connections to the daemons."""
        self.balancer.terminate()
        self.balancer.wait()

    def is_served(self):
        try:
            return gangd.Client(self.address).get("/readyz").status == 200
        except OSError:
            return False

    # --- what an operator does ---

    def run_block(self, name, key=2):
        """Run a block of the guide for one server, whose new key has the number 2; its
        output."""
        tools = self.folder / "tools"
        tools.mkdir(exist_ok=True)
        upgrade = tools / "gangd-upgrade"
        upgrade.write_text(UPGRADE % {"wanted": self.folder / "restart"}, "ascii")
        upgrade.chmod(0o755)
        text = guide.block("one-server", name).replace(
            "/etc/gangd", str(self.etc)).replace("new-key 2", f"new-key {key}")
        programs = pathlib.Path(self.build, "bin").resolve()
        done = subprocess.run(
            ["bash", "-eu", "-o", "pipefail", "-c", text], text=True, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env=dict(os.environ, PATH=f"{tools}:{programs}:{os.environ['PATH']}"))
        if done.returncode:
            raise SystemExit(f"the guide's {name} fails: {done.stdout}")
        return done.stdout

    def restart_is_wanted(self):
        return (self.folder / "restart").exists()

    def restarted(self):
        (self.folder / "restart").unlink()

    def add_key(self):
        self.key += 1
        self.keys.write_text(gangd.gangctl(
            self.build, "new-key", str(self.key), check=True).stdout, "ascii")

    def rotate_key(self):
        """Replace the key of what is stored by the guide's blocks; what was encrypted
        anew, as gangctl says."""
        self.key += 1
        said = self.run_block("rotate-key", self.key)
        while not self.run_block("rekey").startswith(NOTHING):
            pass
        self.run_block("drop-key")
        return said.strip()

    def rotate_logs(self):
        """Rotate the logs of the daemons, as logrotate does each day."""
        config = self.folder / "logrotate.conf"
        config.write_text(LOGROTATE % (
            " ".join(str(self.log(number)) for number in range(2)), ROTATED),
            "ascii")
        config.chmod(0o600)
        subprocess.run(["logrotate", "-f", "-s", str(self.folder / "rotated"),
                        str(config)], check=True)

    def jump(self, number, seconds):
        """Put the wall clock of a daemon forward or back."""
        self.clock_file(number).write_text(f"{seconds:+d}\n", "ascii")

    def clock(self, number):
        """The seconds from the machine's clock to that of a daemon's answers."""
        date = self.daemons[number].client().get("/livez").header("Date")
        return email.utils.parsedate_to_datetime(date).timestamp() - time.time()

    def work(self):
        """Seconds that processes have worked: of the service, with HAProxy, and of
        the database."""
        return ({str(pid): work_seconds(pid) for pid in (
                    *(daemon.pid for daemon in self.daemons), self.balancer.pid)},
                {str(server.process.pid): Server(server.process.pid).seconds()
                 for server in (self.primary, self.standby)})

    def logs(self):
        """The daemons' logs, with those that were rotated."""
        return sorted(self.folder.glob("daemon-*.log*"))

    def end(self):
        for daemon in self.daemons:
            if daemon and daemon.process.poll() is None:
                daemon.process.kill()
                daemon.process.wait()
        if self.balancer:
            self.stop_balancer()
        for server in (self.primary, self.standby):
            if server:
                server.stop(signal.SIGQUIT)


class Day:
    """The events, in turn; .marks has when they began and ended, .faulty what
    went wrong."""

    EVENTS = ("rekey", "restart", "kill", "fail_over", "rotate_logs", "purge", "clock")
    BEGIN, END = 0.15, 0.95  # of the time

    def __init__(self, pair, faults, rounds, audit):
        self.pair, self.faults, self.rounds = pair, faults, rounds
        self.audit = audit     # of the ledger, before rows are purged
        self.marks, self.faulty, self.facts = [], [], collections.defaultdict(list)
        self.rows = []         # of each table, after each purge
        self.begun = time.monotonic()
        self.slot = self.keep = 0
        self.killed = 0

    def fail(self, text):
        self.faulty.append(text)
        print(text, flush=True)

    @staticmethod
    async def run_aside(function, *arguments):
        return await asyncio.get_running_loop().run_in_executor(
            None, function, *arguments)

    async def run(self, seconds):
        self.begun = time.monotonic()
        names = self.EVENTS * self.rounds
        self.slot = seconds * (self.END - self.BEGIN) / len(names)
        self.keep = KEEP * self.slot * len(self.EVENTS)
        for number, name in enumerate(names):
            due = self.begun + seconds * self.BEGIN + number * self.slot
            await asyncio.sleep(max(0, due - time.monotonic()))
            begin = time.monotonic()
            await getattr(self, name)()
            end = time.monotonic()
            self.marks.append((name, begin - self.begun, end - self.begun))
            self.facts[name].append(f"{end - begin:.1f} s")
            print(f"{begin - self.begun:6.0f} s: {name}, {end - begin:.1f} s",
                  flush=True)

    async def restart(self):
        """Nothing fails; streams end, and are opened again."""
        self.faults.begin("restart", "ended")
        await self.run_aside(self.pair.restart)
        self.faults.end("restart", STOP_GRACE)

    async def kill(self):
        self.faults.begin("kill", "ended", "broken", "cut", "refused")
        await self.run_aside(self.pair.kill, self.killed % 2)
        self.killed += 1
        self.faults.end("kill", KILL_GRACE)

    async def fail_over(self):
        self.faults.begin("fail_over", "ended", "broken", "cut", "refused")
        done = self.run_aside(self.pair.fail_over)
        self.faults.end("fail_over", FAIL_OVER_GRACE)
        promoted, whole = await done
        self.facts["promotion"].append(f"{promoted:.1f} s")
        self.facts["standby"].append(f"{whole:.1f} s")

    async def rekey(self):
        """Replace the key of what is stored; the guide's blocks ask for restarts."""
        work = asyncio.ensure_future(self.run_aside(self.pair.rotate_key))
        while not work.done():
            if self.pair.restart_is_wanted():
                await self.restart()
                self.pair.restarted()
            await asyncio.sleep(0.05)
        self.facts["rekeyed"].append(work.result())

    async def rotate_logs(self):
        paths = [self.pair.log(number) for number in range(2)]
        await self.run_aside(self.pair.rotate_logs)
        await asyncio.sleep(1)
        for path in paths:
            rotated = pathlib.Path(str(path) + ".1")
            size, older = path.stat().st_size, rotated.stat().st_size
            self.facts["log"].append(f"{older / 2 ** 20:.1f} MiB")
            if not 0 < size < older:
                self.fail(f"{path.name} has {size} bytes after its rotation, "
                          f"{older} before")
            # The next rotations delete it.
            for line in (await self.run_aside(read_faults, rotated))[:3]:
                self.fail(f"{path.name}: {line}")
        if len(self.pair.logs()) > 2 * (1 + ROTATED):
            self.fail(f"{len(self.pair.logs())} files of logs are left")

    async def clock(self):
        """One daemon's clock jumps as far forward as the other's back, and nothing
        fails: the other clock is the one that counts seconds."""
        for seconds in JUMPS:
            wanted = (seconds, -seconds)
            for number in range(2):
                self.pair.jump(number, wanted[number])
            for number in range(2):
                await self.run_aside(
                    gangd.wait_for, lambda number=number, wanted=wanted:
                    abs(self.pair.clock(number) - wanted[number]) < 3, JUMP_SECONDS,
                    "the other clock")
            await asyncio.sleep(JUMPED_SECONDS)

    async def purge(self):
        await self.audit()
        await self.run_aside(self.purge_now)

    def purge_now(self):
        """Purge games without a change for the time to be kept: make them as old as
        a purge requires, and run gangctl."""
        age = f"interval '{self.keep:.0f} seconds'"
        games = self.pair.primary.sql(
            f"SELECT game_id FROM gangd.game WHERE updated_at < now() - {age} "
            f"ORDER BY random() LIMIT {REPLAYED}").split()
        replayed = gangd.gangctl(self.pair.build, "replay", *games)
        if replayed.returncode or not games:
            self.fail(f"of {len(games)} games: {replayed.stdout[-500:]}")
        old = self.pair.primary.sql(f"""
            WITH old AS (UPDATE gangd.game
                SET updated_at = updated_at - interval '{PURGE_DAYS} day'
                WHERE updated_at < now() - {age} RETURNING 1),
            keys AS (UPDATE gangd.idempotency_key SET at = at - interval '1 day'
                WHERE at < now() - {age}),
            creations AS (UPDATE gangd.creation_key SET at = at - interval '1 day'
                WHERE at < now() - {age})
            SELECT count(*) FROM old""")
        done = gangd.gangctl(self.pair.build, "purge", PURGE_DAYS)
        left = self.pair.primary.sql(f"""
            SELECT (SELECT count(*) FROM gangd.game
                    WHERE updated_at < now() - interval '{PURGE_DAYS} day'),
                (SELECT count(*) FROM gangd.idempotency_key
                 WHERE at < now() - interval '1 day') +
                (SELECT count(*) FROM gangd.creation_key
                 WHERE at < now() - interval '1 day'),
                (SELECT count(DISTINCT game_id) FROM gangd.event
                 WHERE NOT EXISTS (SELECT FROM gangd.game
                                   WHERE game.game_id = event.game_id)),
                (SELECT count(*) FROM gangd.invitation
                 WHERE NOT EXISTS (SELECT FROM gangd.game
                                   WHERE game.game_id = invitation.game_id))""")
        self.facts["purged"].append(old)
        if done.returncode or left != "0|0|0|0" or int(old) == 0:
            self.fail(f"a purge of {old} games has left games, keys, games of "
                      f"events, codes: {left} {done.stdout}")
        self.rows.append(self.count_rows())

    def count_rows(self):
        tables = self.pair.primary.sql(
            "SELECT tablename FROM pg_tables WHERE schemaname = 'gangd' "
            "ORDER BY 1").split()
        counts = self.pair.primary.sql("SELECT " + ", ".join(
            f"(SELECT count(*) FROM gangd.{table})" for table in tables)).split("|")
        size = self.pair.primary.sql("SELECT pg_database_size('gangd')")
        return {**dict(zip(tables, map(int, counts))), "bytes": int(size)}
