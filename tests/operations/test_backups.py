"""The nightly backup, without its unit.

An erased name is in no backup any more after the 16 days that the runbook says,
when the backups succeed; a backup that fails deletes no other, and leaves no part of
itself.  A run's samples are published for node_exporter, as systemd would have it
done, and nothing else that is in the file.  The guide's commands for a database
elsewhere dump and restore it, without the role gangd_push and with it.
"""
import os
import pathlib
import re
import subprocess
import tempfile
import time

import gangd
import guide
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
NAME = "Zebedee"
DAY = 24 * 3600
DAYS_SAID = 16  # deploy/README.md, "Erase a person"


class Backups:
    """A folder of backups in which a day can pass at once."""

    def __init__(self, folder):
        self.folder, self.run = folder / "dumps", folder / "run"
        self.folder.mkdir()
        self.run.mkdir()
        self.nights = 0

    def make(self, **changes):
        """One run of the script; its exit status."""
        url = re.sub(r"user=\S+", "user=postgres",
                     os.environ["GANGD_MIGRATE_URL"])
        environment = dict(os.environ, FOLDER=str(self.folder), DATABASE=url,
                           RUNTIME_DIRECTORY=str(self.run))
        environment.update(changes)
        return subprocess.run([ROOT / "deploy/one-server/backup.sh"],
                              env=environment, check=False,
                              stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL).returncode

    def pass_a_day(self):
        """Each dump gets a day older, and a name of its own."""
        self.nights += 1
        for path in sorted(self.folder.iterdir()):
            stat = path.stat()
            os.utime(path, (stat.st_atime - DAY, stat.st_mtime - DAY))
            if re.fullmatch(r"gangd-\d{8}T\d{6}Z.dump", path.name):
                path.rename(self.folder / f"gangd-night-{self.nights}.dump")

    def with_name(self):
        """The dumps that have the name."""
        return [path.name for path in self.folder.iterdir() if NAME in
                subprocess.run(["pg_restore", "-f", "-", path], check=True,
                               text=True, stdout=subprocess.PIPE).stdout]

    def names(self):
        return sorted(path.name for path in self.folder.iterdir())


def check_erased(tally, build, backups):
    daemon = gangd.Daemon(build)
    daemon.wait_ready()
    made = daemon.client().post("/v1/games", {"name": NAME, "seats": 3}).json
    tally.check("a backup is made", backups.make() == 0)
    tally.check("it has the player's name", len(backups.with_name()) == 1,
                backups.names())
    erased = gangd.gangctl(build, "erase", "--token", typed=made["token"])
    tally.check("the player is erased", erased.returncode == 0, erased)
    had = []
    for _ in range(DAYS_SAID):
        backups.pass_a_day()
        if backups.make() != 0:
            raise SystemExit("a backup fails")
        had.append(bool(backups.with_name()))
    tally.check("the old backup still has the name after 14 days", all(
        had[:14]), had)
    tally.check(f"no backup has it after {DAYS_SAID}", not had[-1], had)
    tally.check("the backups of two weeks are kept",
                14 <= len(backups.names()) <= 16, backups.names())
    tally.end_well(daemon)


def check_failure(tally, backups):
    for _ in range(40):
        backups.pass_a_day()
    before = backups.names()
    status = backups.make(DATABASE="host=/nonexistent")
    tally.check("a backup that fails deletes none, and leaves no part",
                status != 0 and backups.names() == before and before,
                (status, before, backups.names()))


def check_restored(tally, build, folder):
    """The commands of the guide for a database elsewhere."""
    etc = folder / "etc"
    etc.mkdir()
    (etc / "gangctl.env").write_text(
        f"GANGD_MIGRATE_URL=\"{os.environ['GANGD_MIGRATE_URL']}\"\n", "utf-8")
    words = dict(re.findall(r"(\w+)=(\S+)", os.environ["GANGD_MIGRATE_URL"]))
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith("GANGD_")}
    environment.update(
        PGHOST=words["host"], PGPORT=words["port"], PGUSER="postgres",
        PATH=f"{pathlib.Path(build).resolve()}/bin:{os.environ['PATH']}")

    def run(name):
        done = subprocess.run(
            ["bash", "-eu", "-c", guide.block("backup", name).replace(
                "/etc/gangd", str(etc)).replace(
                "/usr/lib/gangd", str(ROOT / "deploy/systemd")).replace(
                "/var/lib/prometheus/node-exporter", str(folder))],
            cwd=folder, env=environment, text=True, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        tally.check(f"the guide's {name} ends well", done.returncode == 0,
                    done.stdout)

    daemon = gangd.Daemon(build)
    daemon.wait_ready()
    table = gangd.Table(daemon)
    take = table.path + "/chips/white/{}/take"
    daemon.client(table.tokens[0]).post(take.format(1))
    run("dump")
    run("publish")
    published = re.fullmatch(r"gangd_backup_timestamp_seconds (\d+)\n", (
        folder / "gangd_backup.prom").read_text("ascii"))
    tally.check("the time of the dump is published", published and
                0 <= time.time() - int(published[1]) < 60, published)
    daemon.client(table.tokens[0]).post(take.format(2))
    tally.end_well(daemon)
    run("restore")
    daemon = gangd.Daemon(build)
    daemon.wait_ready()
    chips = daemon.client(table.tokens[0]).get(table.path).json["heist"][
        "chips"]
    tally.check("the game is what it was then", [
        chip["stars"] for chip in chips if chip["seat"] == 1] == [1], chips)
    tally.end_well(daemon)
    replayed = gangd.gangctl(build, "replay", table.id)
    tally.check("it can be replayed", replayed.returncode == 0,
                replayed.stdout)
    check_push_role(tally, run)


def check_planted(tally, run, superuser):
    """A dump with SQL that would use the rights of a superuser."""
    rise = ("BEGIN ALTER ROLE gangd_app SUPERUSER; RETURN true; "
            "EXCEPTION WHEN insufficient_privilege THEN RETURN true; END")
    for statement in (
            "SET ROLE gangd_owner; CREATE FUNCTION gangd.rise() RETURNS boolean "
            "LANGUAGE plpgsql AS 'BEGIN RETURN true; END'; "
            "CREATE TABLE gangd.planted (a integer CHECK (gangd.rise())); "
            "INSERT INTO gangd.planted VALUES (1); CREATE OR REPLACE FUNCTION "
            f"gangd.rise() RETURNS boolean LANGUAGE plpgsql AS '{rise}'",
            # It would be called in place of format(text, VARIADIC any).
            "SET ROLE gangd_owner; CREATE SCHEMA IF NOT EXISTS public; "
            "RESET ROLE; GRANT CREATE ON SCHEMA public TO gangd_owner; "
            "SET ROLE gangd_owner; CREATE FUNCTION public.format(text, "
            "regprocedure) RETURNS text LANGUAGE plpgsql AS "
            "'BEGIN ALTER ROLE gangd_app SUPERUSER; RETURN $1; END'"):
        gangd.psql(statement, url=superuser)
    run("dump")
    gangd.psql("DROP DATABASE gangd_before", url=re.sub(
        r"dbname=\S+", "dbname=postgres", superuser))
    run("restore")
    tally.check("the planted table is restored", gangd.psql(
        "SELECT to_regclass('gangd.planted') IS NOT NULL") == "t")
    tally.check("no SQL of the backup has had a superuser's rights", gangd.psql(
        "SELECT rolsuper FROM pg_roles WHERE rolname = 'gangd_app'") == "f")


def check_push_role(tally, run):
    """A backup that lacks a grant, as one of an earlier release does."""
    superuser = re.sub(r"user=\S+", "user=postgres",
                       os.environ["GANGD_MIGRATE_URL"])
    tally.check("no role is made that is not used", gangd.psql(
        "SELECT count(*) FROM pg_roles WHERE rolname = 'gangd_push'") == "0")
    subprocess.run(["psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-f",
                    ROOT / "deploy/systemd/push-role.sql", superuser],
                   check=True)
    gangd.psql("REVOKE DELETE ON gangd.push_subscription FROM gangd_push",
               url=superuser)
    run("dump")
    gangd.psql("DROP DATABASE gangd_before", url=re.sub(
        r"dbname=\S+", "dbname=postgres", superuser))
    run("restore")
    tally.check("gangd_push has its grants again", gangd.psql(
        "SELECT has_table_privilege('gangd_push', 'gangd.push_subscription', "
        "'DELETE')") == "t")
    check_planted(tally, run, superuser)
    guide.check_all_given(tally, __file__)


def check_published(tally, backups, folder):
    """As the unit does it: after each run, with the unit's result."""
    collector = folder / "collector"
    file = collector / "gangd_backup.prom"

    def publish(result):
        subprocess.run([ROOT / "deploy/systemd/publish.sh", "backup"],
                       check=True, env=dict(
                           os.environ, FOLDER=str(collector),
                           SERVICE_RESULT=result,
                           RUNTIME_DIRECTORY=str(backups.run)))
        return dict(re.findall(r"^([^#\s]+) (\d+)$", file.read_text("ascii"),
                               re.M)) if collector.is_dir() else None

    tally.check("without node_exporter nothing is published",
                publish("success") is None and not collector.exists())
    collector.mkdir()
    publish("exit-code")
    values = publish("exit-code")
    tally.check("failures are counted, also before the first backup",
                values == {"gangd_backup_failures_total": "2"}, values)
    begun = int(time.time())
    if backups.make() != 0:
        raise SystemExit("a backup fails")
    newest = max(backups.folder.iterdir(), key=lambda path:
                 path.stat().st_mtime)
    values = publish("success")
    tally.check("the newest backup is published", values == {
        "gangd_backup_timestamp_seconds": values.get(
            "gangd_backup_timestamp_seconds"),
        "gangd_backup_bytes": str(newest.stat().st_size),
        "gangd_backup_failures_total": "2"} and begun <= int(
            values["gangd_backup_timestamp_seconds"]) <= time.time(), values)
    tally.check("all users may read it", file.stat().st_mode & 0o777 == 0o644)
    listed = re.findall(r"^\| `(gangd_backup_\w+)`", (
        ROOT / "deploy/metrics/README.md").read_text("utf-8"), re.M)
    tally.check("the guide lists the same metrics", sorted(listed) ==
                sorted(values), listed)
    (backups.run / "metrics").unlink()
    tally.check("a failure changes nothing but its count", publish(
        "timeout") == dict(values, gangd_backup_failures_total="3"))
    secret = folder / "secret"
    secret.write_text("root:$6$hash:1\ngangd_backup_bytes 7 secret\n"
                      "gangd_backup_bytes{a=\"$6$\"} 1\nother_metric 1\n",
                      "ascii")
    (backups.run / "metrics").symlink_to(secret)
    publish("success")
    text = file.read_text("ascii")
    tally.check("a link of the unit's user publishes no secret",
                "$6" not in text and "secret" not in text and
                "other" not in text, text)
    tally.check("and no part of a file is left", [path.name for path in
                collector.iterdir()] == [file.name])


@pytest.fixture(scope="module")
def name(database):
    with tempfile.TemporaryDirectory(prefix='gangd-backups-') as name:
        yield name


@pytest.fixture(scope="module")
def folder(name):
    return pathlib.Path(name)


@pytest.fixture(scope="module")
def backups(folder):
    return Backups(folder)


def test_erased(tally, build, backups):
    check_erased(tally, build, backups)


def test_failure(tally, backups):
    check_failure(tally, backups)


def test_published(tally, folder, backups):
    check_published(tally, backups, folder)


def test_restored(tally, build, folder):
    check_restored(tally, build, folder)
