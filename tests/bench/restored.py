"""How long it takes to back up and to restore a database of 1 GB: gangd-archive, into and
from a repository on the server's own disk, encrypted.

The games are copies of one with many events.  Moves come before and after the moment that
is restored, so that log is replayed.  The restore counts until the restored server has been
promoted and accepts connections.
"""
import os
import pathlib
import shutil
import subprocess
import time

import gangd
from archived import FILES, Archive
from bench_games import ID, Maker, copy_rows
from figures import SECONDS
import servers

BYTES = int(os.environ.get("RESTORED_BYTES", 1 << 30))
MOVES = 100
COPIES = 2000  # at a time


def fill(daemon, maker):
    """Copies with their events, until the database is large enough."""
    client = daemon.client(maker.table.tokens[0])
    for number in range(MOVES):
        client.post(f"{maker.table.path}/chips/white/{1 + number % 2}/take")
    columns = gangd.psql(
        "SELECT string_agg(quote_ident(attname), ', ') FROM pg_attribute "
        "WHERE attrelid = 'gangd.event'::regclass AND attnum > 0 "
        "AND NOT attisdropped AND attname <> 'game_id'")
    while int(gangd.psql("SELECT pg_database_size(current_database())")) < BYTES:
        first = Maker.next
        Maker.next += COPIES
        copy_rows(maker.table.id, ID, first, COPIES)
        gangd.psql(f"INSERT INTO gangd.event (game_id, {columns}) SELECT {ID}, "
                   f"{columns} FROM gangd.event, generate_series({first}, "
                   f"{Maker.next - 1}) AS n WHERE game_id = '{maker.table.id}'")


class Operator:
    def __init__(self, archive, build):
        self.environment = dict(os.environ, CONF=str(archive.conf), PATH=":".join(
            (str(pathlib.Path(build).resolve() / "bin"), os.environ["PATH"])))

    def run(self, *words):
        """The seconds that gangd-archive took."""
        begun = time.monotonic()
        subprocess.run([FILES / "archive.sh", *words], check=True,
                       env=self.environment, stdout=subprocess.DEVNULL)
        return time.monotonic() - begun


def measure(bench, table):
    build = str(pathlib.Path(bench.folder).parent)
    archive = Archive()
    archive.begin()
    archive.set(archive_command=f"pgbackrest --config={archive.conf} "
                "--stanza=gangd archive-push %p", wal_compression="lz4")
    bench.daemon.wait_ready()
    fill(bench.daemon, Maker(bench.daemon))
    size = int(gangd.psql("SELECT pg_database_size(current_database())"))
    archive.settle()
    operator = Operator(archive, build)
    backup = operator.run("backup")
    written = archive.wal_bytes()
    bench.wrk("move.lua", 64, SECONDS)
    moment = gangd.psql("SET timezone = 'UTC'; SELECT clock_timestamp()",
                        url=archive.url).splitlines()[-1]
    replayed = archive.wal_bytes() - written
    bench.wrk("move.lua", 64, 1)
    folder = archive.cluster + "/restored"
    restore = operator.run("recover", "--to", moment, folder)
    # Another server must not write to the archive meanwhile.
    if bench.daemon.stop():
        raise SystemExit("the daemon failed")
    archive.as_owner(servers.BIN + "pg_ctl", "-w", "-D",
                     archive.cluster + "/data", "-m", "fast", "stop")
    promote = operator.run("promote", folder)
    stored = sum(path.stat().st_size for path in
                 (archive.folder / "repository/backup").rglob("*")
                 if path.is_file())
    table.add(f"a full backup of {size >> 20} MiB",
              f"{backup:.0f} s, {stored >> 20} MiB in the repository")
    table.add(f"its restore to a moment, with {replayed >> 20} MiB of WAL to "
              "replay, while the server serves", f"{restore:.0f} s")
    table.add("promotion of what is restored, while it does not",
              f"{promote:.1f} s")
    shutil.rmtree(folder)
