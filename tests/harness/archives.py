"""An archive of a test's own: the server of the test's cluster, with the settings that
operators get, and gangd-archive without its units.
"""
import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import servers

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILES = ROOT / "deploy/archive"


class Archive:
    """A server of the test with the settings that operators get."""

    def __init__(self, folder, build):
        self.folder, self.build = folder, build
        os.chmod(folder, 0o755)
        self.repository, self.run_folder = folder / "repository", folder / "run"
        for path in (self.repository, self.run_folder):
            path.mkdir()
        self.server = servers.take_over()
        self.server.give(self.repository, 0o700)
        self.server.give(self.run_folder, 0o700)
        self.conf = folder / "archive.conf"
        # Compressed text could not be found in the repository.
        text = (FILES / "archive.conf").read_text("utf-8")
        for old, new in (("/mnt/archive/gangd", str(self.repository)),
                         ("@PASSPHRASE@", "correct horse battery staple"),
                         ("@DATA@", self.server.folder + "/data"),
                         ("/run/postgresql", self.server.socket),
                         ("=5432", f"={self.server.port}"),
                         ("compress-type=zst", "compress-type=none")):
            assert old in text
            text = text.replace(old, new)
        # Another run of the tests must not wait for this one; and the user of the test
        # may not be the one of Debian's folders.
        text = text.replace("[gangd]", f"lock-path={self.run_folder}/lock\n"
                            f"spool-path={self.run_folder}/spool\n[gangd]")
        self.conf.write_text(text, "utf-8")
        self.server.give(self.conf, 0o600)
        settings = (FILES / "postgresql.conf").read_text("utf-8").replace(
            "/etc/gangd/archive.conf", str(self.conf))
        self.server.write("archive-settings.conf", settings)
        with open(self.server.folder + "/data/postgresql.conf", "a",
                  encoding="utf-8") as file:
            file.write("include 'archive-settings.conf'\n")
        self.server.start()

    def run(self, *words, **more):
        """gangd-archive, as root or the user of the test."""
        programs = str(pathlib.Path(self.build).resolve() / "bin")
        environment = os.environ | {
            "CONF": str(self.conf), "TMPDIR": "/tmp",
            "PATH": f"{programs}:{os.environ['PATH']}",
            "RUNTIME_DIRECTORY": str(self.run_folder)} | more
        for name in ("GANGD_DATABASE_URL", "GANGD_MIGRATE_URL"):
            environment.pop(name)
        done = subprocess.run([FILES / "archive.sh", *words], env=environment,
                              check=False, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        return done.returncode, done.stdout

    def pgbackrest(self, *words):
        subprocess.run(self.server.as_owner(
            "pgbackrest", f"--config={self.conf}", "--stanza=gangd", *words),
            check=True)

    def metrics(self):
        return dict(re.findall(r"^(gangd_\w+) (\d+)$", (
            self.run_folder / "metrics").read_text("ascii"), re.M))

    def connect(self):
        """The environment names the database."""
        for name, user in (("GANGD_DATABASE_URL", "gangd_app"),
                           ("GANGD_MIGRATE_URL", "gangd_migrate")):
            os.environ[name] = self.server.url(user)

    def recovered(self, *words):
        """The folder with the database of a moment; what the command said."""
        target = self.server.folder + "/restored"
        status, said = self.run("recover", *words, target)
        if status != 0:
            raise SystemExit(f"gangd-archive recover {words}: {said}")
        return target, said

    def put(self, target):
        """What is recovered takes the place of the data, of which nothing runs."""
        status, said = self.run("promote", target)
        if status != 0:
            raise SystemExit(f"gangd-archive promote: {said}")
        data = self.server.folder + "/data"
        shutil.rmtree(data, ignore_errors=True)
        os.rename(target, data)
        self.server.start()


@contextlib.contextmanager
def run(build):
    """The archive of the cluster that the environment names; it is empty."""
    with tempfile.TemporaryDirectory(prefix="gangd-archive-") as folder:
        archive = Archive(pathlib.Path(folder), build)
        try:
            archive.connect()
            yield archive
        finally:
            archive.server.stop()
