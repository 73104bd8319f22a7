"""The same SQL as the daemon's, for pgbench: in sessions with the daemon's
settings, on games of its own, which are copies of one.
"""
import os
import pathlib
import re
import subprocess

import gangd
import servers
from bench_games import GAMES, copy_rows
from figures import SECONDS

HERE = pathlib.Path(__file__).resolve().parent
PGBENCH = servers.BIN + "pgbench"
QUERIES = HERE.parents[1] / "sql" / "queries"
# The ids of these games, which pgbench can make of a number.
GAME_ID = "lpad(to_hex(%s), 32, '0')::uuid"
GAME_ID_MAX = "00000000-0000-0000-0000-0000ffffffff"
EVENT_COLUMNS = (("type", "smallint"), ("seat", "smallint"),
                 ("heist", "smallint"), ("color", "smallint"),
                 ("public_data", "bytea"), ("private_data", "bytea"),
                 ("replay_data", "bytea"))


def pgbench(script, clients, *more, length=("-T", str(SECONDS))):
    """Its rate and number, in sessions with the daemon's settings."""
    text = subprocess.run(
        [PGBENCH, "-n", "-M", "prepared", "-c", str(clients), "-j", "1",
         *length, "-f", str(script), *more,
         os.environ["GANGD_MIGRATE_URL"]],
        env=dict(os.environ, PGOPTIONS="-c enable_seqscan=off "
                 "-c plan_cache_mode=force_generic_plan "
                 "-c client_connection_check_interval=1s"),
        check=False, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT).stdout
    if "aborted" in text or " tps" not in text.replace("\n", " "):
        raise SystemExit("pgbench: " + text)
    return {"rate": float(re.search(r"tps = ([\d.]+)", text).group(1)),
            "requests": int(re.search(r"processed: (\d+)", text).group(1))}


def statement(path):
    text = path.read_text(encoding="ascii")
    return "\n".join(line for line in text.splitlines()
                     if not line.startswith("--"))


def write_load(bench, path):
    """Load a game at random."""
    script = bench.folder / path.name
    script.write_text(
        f"\\set n random(0, {GAMES - 1})\n" +
        statement(path).replace("$1", GAME_ID % ":n::integer")
        .replace("$2", "false").replace("$3", "NULL") + ";\n",
        encoding="ascii")
    return script


def write_commit(bench):
    """Commit a game's last move again and again: its events, its state.  Each
    client has a game of its own, so it knows the version."""
    game = bench.games[0]
    player = bench.daemon.client(game.tokens[0])
    for stars in (1, 2):
        player.post(f"{game.path}/chips/white/{stars}/take")
    arguments = gangd.psql(f"""
        SELECT concat_ws(', ', quote_literal(g.status),
            g.seats_max || '::smallint', g.seats_count || '::smallint',
            g.host || '::smallint', quote_literal(g.state) || '::bytea',
            e.types, e.seats, e.heists, e.colors, e.public_datas,
            e.private_datas, e.replay_datas, '{", ".join(["NULL"] * 4)}')
        FROM gangd.game AS g, LATERAL (
            SELECT {", ".join(f"quote_literal(array_agg({column} "
                              f"ORDER BY version)) || '::{kind}[]' AS {column}s"
                              for column, kind in EVENT_COLUMNS)}
            FROM gangd.event AS e
            WHERE e.game_id = g.game_id AND e.version > g.version - 2) AS e
        WHERE g.game_id = '{game.id}'""")
    version = gangd.psql("SELECT version FROM gangd.game "
                         f"WHERE game_id = '{game.id}'")
    script = bench.folder / "commit.sql"
    script.write_text(
        "SELECT gangd.commit_and_record(" + GAME_ID % ":client_id::integer" +
        f", :version::integer, {arguments});\n"
        "\\set version :version + 2\n", encoding="ascii")
    return script, int(version)


class Scripts:
    """The same SQL as the daemon's, as scripts for pgbench."""

    def __init__(self, bench, **more):
        self.load = write_load(bench, QUERIES / "load.sql")
        self.load_by_join = write_load(bench, HERE / "load_by_join.sql")
        self.commit, self.version = write_commit(bench)
        self.more = more
        copy_rows(bench.games[0].id, GAME_ID % "n", 0, GAMES)

    def run_loads(self):
        return pgbench(self.load, 8, **self.more)

    def run_loads_by_join(self):
        return pgbench(self.load_by_join, 8, **self.more)

    def run_commits(self):
        """All clients begin at the same version, without the events of the
        round before."""
        gangd.psql(f"UPDATE gangd.game SET version = {self.version} WHERE "
                   f"game_id < '{GAME_ID_MAX}' AND version > {self.version}")
        gangd.psql("DELETE FROM gangd.event WHERE game_id "
                   f"< '{GAME_ID_MAX}'")
        before = count_events()
        run = pgbench(self.commit, 32, "-D", f"version={self.version}",
                      **self.more)
        if count_events() - before != 2 * run["requests"]:
            raise SystemExit("pgbench's moves were not committed: "
                             f"{run['requests']}, "
                             f"{count_events() - before} events")
        return run


def count_events():
    return int(gangd.psql("SELECT count(*) FROM gangd.event "
                          f"WHERE game_id < '{GAME_ID_MAX}'"))
