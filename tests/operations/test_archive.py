"""The archive of the database (gangd-archive), without its units.

Any moment since the oldest base backup can be restored: a game of before the moment is
there, a later one is not.  The drill replays games and plays one.  A moment that cannot be
restored is refused before anything is made.  The repository, which may be on another
host, has no clear text.  A segment that waits is seen by "age", the metrics and gangctl
check.
"""
import datetime
import json
import os
import pathlib
import re
import subprocess
import time

import archives
import authority
import gangd
import loopback
import pytest

pytestmark = pytest.mark.waiting

ROOT = pathlib.Path(__file__).resolve().parents[2]
NAME = "Zebedee"


def now(server):
    return server.sql("SET timezone = 'UTC'", "SELECT clock_timestamp()")


@pytest.fixture(scope="module")
def archive(database, build):
    with archives.run(build) as archive:
        yield archive


def games_of(server):
    return set(server.sql("SELECT game_id FROM gangd.game").split())


def test_a_backup_is_made(tally, archive):
    status, said = archive.run("drill")
    tally.check("without a backup there is no drill", status == 1 and
                "has no backup" in said, said)
    archive.pgbackrest("stanza-create")
    begun = int(time.time())
    status, said = archive.run("backup")
    tally.check("a base backup is made, a full one", status == 0 and
                "full: " in said, said)
    metrics = archive.metrics()
    tally.check("its metrics are left", begun <= int(metrics[
        "gangd_basebackup_timestamp_seconds"]) <= time.time() and int(
            metrics["gangd_basebackup_bytes"]) > 1000000, metrics)
    status, said = archive.run("backup")
    tally.check("the next one has the difference", status == 0 and
                "diff: " in said, said)
    status, said = archive.run("backup", WEEK_DAYS="-1")
    tally.check("after a week it is a full one", status == 0 and
                "full: " in said, said)


def expired(archive, days):
    """The base backups that would expire after that many days."""
    said = subprocess.run(archive.server.as_owner(
        "faketime", f"+{days} days", "pgbackrest", f"--config={archive.conf}",
        "--stanza=gangd", "--log-level-console=info", "--dry-run", "expire"),
        check=True, text=True, stdout=subprocess.PIPE).stdout
    return set(re.findall(r"expire .*?(\d{8}-\d{6}F[\w-]*)", said))


def test_two_weeks_are_kept(tally, archive):
    fulls = sorted(path.name for path in (
        archive.repository / "backup/gangd").iterdir()
                   if re.fullmatch(r"\d{8}-\d{6}F", path.name))
    tally.check("there are two full backups", len(fulls) == 2, fulls)
    tally.check("for two weeks none expires", not expired(archive, 13))
    tally.check("then all does that was before the newest full one that is older",
                fulls[0] in expired(archive, 15) and
                fulls[1] not in expired(archive, 15), expired(archive, 15))


def test_moment(tally, archive, build):
    daemon = gangd.Daemon(build)
    daemon.wait_ready()
    before = daemon.client().post("/v1/games", {"name": NAME, "seats": 3}).json
    time.sleep(0.01)
    archive.moment = now(archive.server)
    time.sleep(0.01)
    after = gangd.Table(daemon)
    tally.end_well(daemon)
    target, said = archive.recovered("--to", archive.moment)
    tally.check("it says to which moment it came", re.search(
        r"the moment 20.*\nthe last commit: 20", said), said)
    tally.check("meanwhile the server serves what it has",
                after.id in games_of(archive.server))
    status, said = archive.run("promote", target)
    tally.check("while it runs, the archive gets no second history",
                status == 1 and "stop it first" in said, said)
    archive.server.stop()
    archive.put(target)
    games = games_of(archive.server)
    tally.check("a game of before the moment is restored",
                before["game"]["id"] in games, games)
    tally.check("a later one is not", after.id not in games, games)
    daemon = gangd.Daemon(build)
    daemon.wait_ready()
    tally.check("players go on with their tokens", daemon.client(
        before["token"]).get("/v1/games/" + before["game"][
            "id"]).status == 200)
    tally.end_well(daemon)
    # The moment was a wrong one: what came after it is in the archive.
    target, said = archive.recovered("--to", "latest", "--timeline", "1")
    archive.server.stop()
    archive.put(target)
    games = games_of(archive.server)
    tally.check("the history of before has both",
                {before["game"]["id"], after.id} <= games, games)


def test_encrypted(tally, archive):
    def have_name(folder):
        return subprocess.run(["grep", "-rlaF", NAME, folder], check=False,
                              text=True, stdout=subprocess.PIPE).stdout.split()

    tally.check("the server's log has the name in clear text", have_name(
        archive.server.folder + "/data/pg_wal"))
    found = have_name(archive.repository)
    tally.check("the repository has not", not found, found)


def test_refusals(tally, archive):
    target = str(archive.folder / "refused")
    year = datetime.date.today().year
    for to, text in (
            (f"{year + 1}-01-01 00:00:00+00", "is in the future"),
            ("2020-01-01 00:00:00+00", "before the end of the oldest"),
            (f"{year}-01-01 00:00:00", "no time with its zone"),
            ("yesterday", "no time with its zone"),
            ("2026-02-30 10:00:00Z", "no time with its zone"),
            ("", "no moment")):
        status, said = archive.run("recover", "--to", to, target)
        tally.check(f"\"{to}\": {text}", status == 1 and text in said and
                    not os.path.exists(target), said)
    for words, text in ((("recover", "--to", "latest", str(archive.folder)),
                         "is there already"),
                        (("recover", "--to", "latest"), "lacks its folder"),
                        (("drill", "--timeline", "x"), "expected: a number")):
        status, said = archive.run(*words)
        tally.check(f"{words[0]}: {text}", status == 1 and text in said, said)
    status, said = archive.run("drill", CONF="/nonexistent/archive.conf")
    tally.check("without settings nothing is done", status == 1 and
                "is missing" in said, said)
    moved = archive.repository.with_name("away")
    archive.repository.rename(moved)
    status, said = archive.run("drill")
    moved.rename(archive.repository)
    tally.check("a repository that is away is no empty one", status == 1 and
                "repository" in said, said)


def test_drill(tally, archive, build):
    status, said = archive.run("drill", "--to", archive.moment)
    tally.check("the drill restores a moment and plays a game", status == 0 and
                re.search(r"a game was played: \d+ chips, and it is (won|lost)",
                          said) and "1 games are replayed" in said, said)
    daemon = gangd.Daemon(build)
    daemon.wait_ready()
    table = gangd.Table(daemon)
    daemon.client(table.tokens[0]).post(table.path + "/chips/white/1/take")
    tally.end_well(daemon)
    games = games_of(archive.server)
    archive.server.sql(f"UPDATE gangd.event SET seat = 3 WHERE game_id = "
                       f"'{table.id}' AND seat = 1 AND version > 3")
    status, said = archive.run("drill", "--to", "latest")
    tally.check("it fails if a log does not lead to the stored state",
                status == 1 and "a game's log" in said, said)
    archive.server.sql(f"DELETE FROM gangd.game WHERE game_id = '{table.id}'")
    tally.check("a drill leaves the server's games alone", games_of(
        archive.server) == games - {table.id})


def archiver(build):
    """The result of gangctl check."""
    done = gangd.gangctl(build, "check", "--json")
    return next(check for check in json.loads(done.stdout)["checks"]
                if check["name"] == "archiver")


def test_age(tally, archive, build):
    server = archive.server
    server.sql("SELECT pg_switch_wal()")
    server.wait_for("SELECT count(*) = 0 FROM pg_ls_archive_statusdir() "
                    "WHERE name LIKE '%.ready'")
    status, said = archive.run("age")
    tally.check("nothing waits", (status, said) == (0, "0\n"), said)
    result = archiver(build)
    tally.check("gangctl check reports it", result["level"] == "ok", result)
    moved = archive.repository.with_name("away")
    archive.repository.rename(moved)
    server.sql("SELECT pg_current_xact_id()", "SELECT pg_switch_wal()")
    time.sleep(2)
    status, said = archive.run("age")
    age = int(time.time()) - int(
        archive.metrics()["gangd_archive_timestamp_seconds"])
    tally.check("a segment waits", status == 0 and 1 <= int(said) <= 20, said)
    tally.check("the metric has its age", 1 <= age <= 20, age)
    server.wait_for("SELECT failed_count > 0 FROM pg_stat_archiver")
    result = archiver(build)
    tally.check("gangctl check finds it", result["level"] == "fail", result)
    moved.rename(archive.repository)
    # After three failures the server waits for a minute, or for a segment.
    server.sql("SELECT pg_current_xact_id()", "SELECT pg_switch_wal()")
    server.wait_for("SELECT count(*) = 0 FROM pg_ls_archive_statusdir() "
                    "WHERE name LIKE '%.ready'")
    tally.check("when it is archived, all is well",
                archiver(build)["level"] == "ok" and
                archive.run("age") == (0, "0\n"))
    (archive.run_folder / "metrics").unlink()
    status, said = archive.run("age", CONF="/nonexistent")
    tally.check("a failed look leaves no metric", status == 1 and
                not (archive.run_folder / "metrics").exists(), said)


class Hosts:
    """The repository on another host, as the guide says: each has pgBackRest's server,
    with a certificate.  Both are this machine."""

    def __init__(self, archive):
        self.archive = archive
        self.folder = archive.folder / "hosts"
        self.folder.mkdir()
        ports = loopback.free_ports(2)
        certificates = authority.Authority(self.folder, "authority")
        self.processes = []
        self.conf = {}
        names = ("database", "repository")
        for name in names:
            certificates.sign(name, "localhost")
        for path in (self.folder, *self.folder.iterdir()):
            archive.server.give(path, 0o700 if path.is_dir() else 0o600)
        for name, other, port, theirs in zip(names, names[::-1], ports,
                                             ports[::-1]):
            self.conf[name] = self.folder / f"{name}.conf"
            prefix = "pg1" if name == "repository" else "repo1"
            files = {f"{kind}-file": self.folder / file for kind, file in (
                ("ca", "authority.crt"), ("cert", name + ".crt"),
                ("key", name + ".key"))}
            more = {f"tls-server-{key}": value for key, value in files.items()}
            more |= {f"{prefix}-host-{key}": value
                     for key, value in files.items()}
            more |= {"tls-server-address": "127.0.0.1", "tls-server-port": port,
                     "tls-server-auth": "localhost=gangd",
                     f"{prefix}-host": "localhost",
                     f"{prefix}-host-type": "tls",
                     f"{prefix}-host-port": theirs,
                     f"{prefix}-host-config": self.folder / f"{other}.conf",
                     "lock-path": f"{archive.run_folder}/{name}-lock"}
            lines = archive.conf.read_text("utf-8").replace(
                str(archive.repository), str(self.folder / "repository-path"))
            lines = re.sub("^lock-path=.*\n", "", lines, flags=re.M)
            for key, value in more.items():
                group = "[gangd]" if key.startswith("pg1-") else "[global]"
                lines = lines.replace(group, f"{group}\n{key}={value}")
            self.conf[name].write_text(lines, "utf-8")
            archive.server.give(self.conf[name], 0o600)
        for name in names:
            with open(self.folder / f"{name}.log", "w", encoding="utf-8") as log:
                self.processes.append(subprocess.Popen(archive.server.as_owner(
                    "pgbackrest", f"--config={self.conf[name]}", "server"),
                    stdout=log, stderr=log, cwd="/"))

    def stop(self):
        for process in self.processes:
            process.terminate()
            process.wait()


def test_another_host(tally, archive):
    hosts = Hosts(archive)
    try:
        command = archive.server.sql("SHOW archive_command")
        here, there = map(str, (hosts.conf["database"], hosts.conf["repository"]))
        gangd.wait_for(lambda: subprocess.run(archive.server.as_owner(
            "pgbackrest", f"--config={there}", "--stanza=gangd",
            "stanza-create"), check=False).returncode == 0, 5, "stanza-create")
        archive.server.sql("ALTER SYSTEM SET archive_command = '" +
                           command.replace(str(archive.conf), here) + "'")
        archive.server.reload()
        status, said = archive.run("backup", CONF=there)
        tally.check("the repository's host makes a base backup", status == 0 and
                    "full: " in said, said)
        status, said = archive.run("backup", CONF=here)
        tally.check("the database's host does not", status == 1 and
                    "makes the base backups" in said, said)
        status, said = archive.run("drill", "--to", "latest", CONF=here)
        tally.check("it restores from there", status == 0 and
                    "a game was played" in said, said)
        tally.check("the files are there", list(
            (hosts.folder / "repository-path").rglob("*.backup")))
    finally:
        hosts.stop()
        archive.server.sql("ALTER SYSTEM RESET archive_command")
        archive.server.reload()


def test_published(tally, archive, folder):
    """As the units do it: what the guide lists, and nothing else."""
    published = set()
    for unit, command in (("archive", "age"), ("basebackup", "backup")):
        status, said = archive.run(command)
        tally.check(f"gangd-archive {command} ends well", status == 0, said)
        subprocess.run([ROOT / "deploy/systemd/publish.sh", unit], check=True,
                       env=dict(os.environ, FOLDER=str(folder),
                                SERVICE_RESULT="success",
                                RUNTIME_DIRECTORY=str(archive.run_folder)))
        published |= set(re.findall(r"^(gangd_\w+) \d+$", (
            pathlib.Path(folder) / f"gangd_{unit}.prom").read_text("ascii"),
            re.M))
    listed = set(re.findall(r"^\| `(gangd_(?:archive|basebackup)_\w+)`", (
        ROOT / "deploy/metrics/README.md").read_text("utf-8"), re.M))
    tally.check("the guide lists the metrics that are published",
                listed == published, listed ^ published)
