"""Tables of bots: their cost for the moves of people, who play elsewhere.

Idle tables are those of a person and two bots whose bots have moved: they wait for
the person.  At the others only bots play, at the pace of people.  Both are copies of
one game, made before each run and deleted after it.
"""
import time

import gangd
from contention import await_count
from figures import ROUNDS, median, span
from bench_games import Maker, copy_rows

TABLES = 500
MOVED_TABLES = 16384  # of people: no lap is shorter than a stall
FORM = "('01890000-0000-7000-a000-' || lpad(to_hex(n), 12, '0'))::uuid"
OURS = "game_id::text LIKE '01890000-0000-7000-a000-%'"
# Rematches of these tables are games of bots too.
DELETE = """SELECT count(gangd.delete_game(game_id, version)) FROM gangd.game
    WHERE bots > 0 AND game_id NOT IN ('{idle}', '{playing}')"""
LEFT = """SELECT count(*) FROM gangd.game
    WHERE bots > 0 AND game_id NOT IN ('{idle}', '{playing}')"""
PATIENCE_SECONDS = 30


class Sources:
    """The games that are copied: with a person, whom it waits for; and without."""

    def __init__(self, daemon):
        client = daemon.client()
        made = [client.post("/v1/games", {
            "name": "Ada", "bots": 2, "start": True, "spectators": True}).json
            for _ in range(2)]
        self.idle, self.playing = [each["game"]["id"] for each in made]
        client.token = made[1]["token"]
        answer = client.post(f"/v1/games/{self.playing}/bots",
                             {"instead_of_me": True})
        client.close()
        if answer.status != 201:
            raise SystemExit(f"no bot: {answer.status} {answer.body}")
        await_count("SELECT count(*) FROM gangd.game WHERE bot_due_at IS NULL "
                    f"AND game_id = '{self.idle}'", 1)
        # It does not play on; its copies do, when they are due.
        gangd.psql("UPDATE gangd.game SET bot_due_at = NULL, version = version + 1 "
                   f"WHERE game_id = '{self.playing}'")

    def copy(self, source):
        copy_rows(source, FORM, Maker.next, TABLES)
        Maker.next += TABLES

    def clear(self):
        """A table that moves meanwhile is deleted the next time."""
        end = time.monotonic() + PATIENCE_SECONDS
        names = {"idle": self.idle, "playing": self.playing}
        while int(gangd.psql(LEFT.format(**names))):
            if time.monotonic() > end:
                raise SystemExit("the tables of bots are not deleted")
            gangd.psql(DELETE.format(**names))


def versions():
    return int(gangd.psql(
        f"SELECT coalesce(sum(version), 0) FROM gangd.game WHERE {OURS}"))


def await_first_move():
    """They think before it, and a busy machine is late."""
    first, end = versions(), time.monotonic() + PATIENCE_SECONDS
    while versions() == first:
        if time.monotonic() > end:
            raise SystemExit("the bots do not play")
        time.sleep(0.1)


class Run:
    """The figures of the moves of people, and how much the bots did meanwhile."""

    def __init__(self, bench, sources, kind):
        if kind != "none":
            sources.copy(getattr(sources, kind))
        if kind == "playing":
            gangd.psql("UPDATE gangd.game SET bot_due_at = now(), "
                       f"updated_at = now() WHERE {OURS}")
        bench.write_games(bench.maker.make(MOVED_TABLES))
        if kind == "playing":
            await_first_move()
        before, begun = versions(), time.monotonic()
        run = bench.ask("move.lua", 64)
        events, seconds = versions() - before, time.monotonic() - begun
        if (events > 0) != (kind == "playing"):
            raise SystemExit(f"{kind}: {events} events of bots")
        self.rate, self.p99_ms = run["rate"], run["p99_us"] / 1000
        self.events = events / seconds
        sources.clear()


def measure(bench, table):
    sources = Sources(bench.daemon)
    runs = {kind: [] for kind in ("none", "idle", "playing")}
    for number in range(ROUNDS):
        # A later run finds a larger database and a fuller log.
        kinds = list(runs)
        for kind in kinds[number % 3:] + kinds[:number % 3]:
            runs[kind].append(Run(bench, sources, kind))
    rates = {kind: [run.rate for run in runs[kind]] for kind in runs}
    table.compare(f"moves / s of people, {TABLES} idle tables of bots / none",
                  rates["idle"], rates["none"], ">= 0.98", unit=" / s")
    table.compare(f"moves / s of people, {TABLES} tables of bots play / none",
                  rates["playing"], rates["none"], unit=" / s")
    for kind in ("idle", "playing"):
        table.compare(f"p99 of a move of people, the same ({kind}) / none",
                      [run.p99_ms for run in runs[kind]],
                      [run.p99_ms for run in runs["none"]], None, "{:.1f}",
                      " ms")
    events = [run.events for run in runs["playing"]]
    table.add(f"events / s of bots at {TABLES} tables, during these moves",
              span(events), "", None, median(events))
