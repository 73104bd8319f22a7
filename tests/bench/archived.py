"""Archiving compared with none: the rate of moves, and the processor time of service,
database and pgBackRest for one.

The server archives always; alternately by gangd-archive's command, encrypted into a
repository on its own disk, and by one that does nothing.  A round ends when its last
segment is archived, so that its processor time has all that it caused.
"""
import os
import pathlib
import re
import shutil
import subprocess

import gangd
from against import by_turns, tell_work
from processor import Server, work_seconds
import servers

CONNECTIONS = 64
FILES = pathlib.Path(__file__).resolve().parents[2] / "deploy/archive"
SETTLE_SECONDS = 300


class Archive:
    """The repository, and the server's settings that use it."""

    def __init__(self):
        self.cluster = servers.cluster_folder()
        self.url = re.sub(r"user=\S+", "user=postgres",
                          os.environ["GANGD_MIGRATE_URL"])
        self.folder = pathlib.Path(self.cluster + "/archive")
        self.owned = servers.Server(self.cluster)
        for path in (self.folder, self.folder / "repository"):
            path.mkdir()
            self.owned.give(path, 0o700)
        self.conf = self.folder / "archive.conf"
        text = (FILES / "archive.conf").read_text("utf-8")
        for old, new in (("/mnt/archive/gangd", f"{self.folder}/repository"),
                         ("@PASSPHRASE@", "correct horse battery staple"),
                         ("@DATA@", self.cluster + "/data"),
                         ("/run/postgresql", self.cluster + "/socket")):
            text = text.replace(old, new)
        text = text.replace("[gangd]", f"lock-path={self.folder}/lock\n[gangd]")
        self.conf.write_text(text, "utf-8")
        self.owned.give(self.conf, 0o600)

    def as_owner(self, *command):
        subprocess.run(self.owned.as_owner(*command), check=True, cwd=self.cluster,
                       stdout=subprocess.DEVNULL)

    def set(self, **settings):
        for name, value in settings.items():
            gangd.psql(f"ALTER SYSTEM SET {name} = '{value}'", url=self.url)
        gangd.psql("SELECT pg_reload_conf()", url=self.url)

    def begin(self):
        self.set(archive_mode="on", archive_timeout="30s", archive_command="true")
        self.as_owner(servers.BIN + "pg_ctl", "-w", "-D", self.cluster + "/data",
                      "-l", self.cluster + "/log", "-m", "fast", "restart")
        self.as_owner("pgbackrest", f"--config={self.conf}", "--stanza=gangd",
                      "stanza-create")

    def settle(self):
        """Wait until all that was written is archived."""
        gangd.psql("SELECT pg_switch_wal()", url=self.url)
        gangd.wait_for(lambda: gangd.psql(
            "SELECT count(*) FROM pg_ls_archive_statusdir() "
            "WHERE name LIKE '%.ready'", url=self.url) == "0", SETTLE_SECONDS,
            "all is archived")

    def wal_bytes(self):
        return int(gangd.psql("SELECT pg_current_wal_lsn() - '0/0'",
                              url=self.url))


class Side:
    def __init__(self, bench, archive, **settings):
        self.bench, self.archive, self.settings = bench, archive, settings

    def run(self, script):
        bench, archive = self.bench, self.archive
        bench.make_games(script, CONNECTIONS)
        archive.set(**self.settings)
        # Each round writes whole pages to the WAL as often.
        gangd.psql("CHECKPOINT", url=archive.url)
        archive.settle()
        server = Server()

        def work():
            return work_seconds(bench.daemon.pid), server.seconds()

        begun, written = work(), archive.wal_bytes()
        run = bench.ask(script, CONNECTIONS)
        run["wal"] = (archive.wal_bytes() - written) / run["requests"]
        archive.settle()
        run["service_us"], run["database_us"] = (
            (after - before) / run["requests"] * 1e6
            for before, after in zip(begun, work()))
        run["us"] = run["service_us"] + run["database_us"]
        return run


def measure(bench, table):
    archive = Archive()
    archive.begin()
    bench.daemon.wait_ready()
    settings = dict(re.findall(r"^(\w+) = '?(.*?)'?$", (
        FILES / "postgresql.conf").read_text("utf-8"), re.M))
    del settings["archive_mode"]
    settings["archive_command"] = settings["archive_command"].replace(
        "/etc/gangd/archive.conf", str(archive.conf))
    sides = (Side(bench, archive, **settings),
             Side(bench, archive, archive_command="true",
                  wal_compression="off"))
    runs = by_turns(*sides, lambda side: side.run("move.lua"))
    wal = sum(run["wal"] for run in runs[0]) / len(runs[0])
    tell_work(table, f"a move, archived ({wal:.0f} bytes of WAL) / not", *runs,
              "<= 1.03")
    table.compare("moves / s, archived / not",
                  *([run["rate"] for run in side] for side in runs), ">= 0.97",
                  unit=" / s")
    shutil.rmtree(archive.folder)
