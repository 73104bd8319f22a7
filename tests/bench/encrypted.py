"""Encryption at rest compared with none: rates, and the processor time of service and
database.

Two daemons have one database, and are asked alternately, each for games of its own:
they are copied in the clear, and `gangctl rekey` encrypts those of the daemon that
has a key.  That leaves dead rows, which a game that was created encrypted does not
have, so they are removed before anything is measured.
"""
import os
import pathlib
import subprocess

import gangd
from against import ask_timed, by_turns, tell_work
from bench_games import GAMES, Maker
from processor import Server

CONNECTIONS = 64


class Side:
    def __init__(self, bench, daemon, rekey=lambda: None):
        self.bench, self.daemon, self.rekey = bench, daemon, rekey
        self.maker_daemon = bench.daemon
        self.server = Server()

    def run(self, script):
        bench = self.bench
        # The game to copy may have been encrypted by the other side's turn.
        bench.maker = Maker(self.maker_daemon)
        bench.games = bench.maker.make(GAMES)
        bench.make_games(script, CONNECTIONS)
        self.rekey()
        gangd.psql("VACUUM gangd.game, gangd.seat")
        bench.daemon = self.daemon
        try:
            return ask_timed(bench, self.server, script, CONNECTIONS)
        finally:
            bench.daemon = self.maker_daemon


def make_key(build, folder):
    path = folder / "keys"
    made = subprocess.run([build + "/bin/gangctl", "new-key", "1"], check=True,
                          stdout=subprocess.PIPE).stdout
    path.unlink(missing_ok=True)
    path.touch(mode=0o600)
    path.write_bytes(made)
    return str(path)


def measure(bench, table):
    build = str(pathlib.Path(bench.folder).parent)
    setting = {"GANGD_KEY_FILE": make_key(build, bench.folder)}
    daemon = gangd.Daemon(build, log=bench.folder / "encrypted.log", **setting)
    daemon.wait_ready()

    def rekey():
        subprocess.run([build + "/bin/gangctl", "rekey"], check=True,
                       stdout=subprocess.DEVNULL,
                       env=dict(os.environ, **setting))

    sides = Side(bench, daemon, rekey), Side(bench, bench.daemon)
    for script, name in (("get.lua", "a `GET` of a view"),
                         ("keyed.lua", "a move")):
        runs = by_turns(*sides, lambda side, script=script: side.run(script))
        tell_work(table, name + ", encrypted / in the clear", *runs, None)
        table.compare(f"{name}, a second, encrypted / in the clear",
                      *([run["rate"] for run in side] for side in runs),
                      ">= 0.95", unit=" / s")
    if daemon.stop():
        raise SystemExit("the daemon with a key failed")
