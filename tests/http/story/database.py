"""The runner's own access to the database, by psql.

Some stories stop the database: a psql whose connection is lost ends, and the
next question starts another one.
"""
import collections
import subprocess

# A game's row, as far as a refusal must not change it (identity), whether the
# game was started, and what the events of The Gang say of cards: how many heists
# were dealt, how often pocket cards came or went at all, and the seats whose
# hands lie open.  Numbers are those of table/event.def and gang/gang_event.def.
Row = collections.namedtuple(
    "Row", "identity version events started heists moved revealed")
ROW = """PREPARE row AS SELECT (
    SELECT concat_ws('|', g.xmin || ' ' || g.ctid, g.version, count(*),
        count(*) FILTER (WHERE type = 4),
        count(*) FILTER (WHERE type = 33 AND ruleset = 1),
        count(*) FILTER (WHERE type IN (33, 41, 46, 47, 48) AND ruleset = 1),
        coalesce(string_agg(seat::text, '')
            FILTER (WHERE type = 38 AND ruleset = 1 AND heist = (
                SELECT max(heist) FROM gangd.event WHERE game_id = $1)), ''))
    FROM gangd.game AS g JOIN gangd.event AS e USING (game_id)
    WHERE game_id = $1 GROUP BY g.xmin, g.ctid, g.version);
"""


class DatabaseError(Exception):
    """A statement failed, or the database is away."""


class Psql:
    """A psql that keeps running; prepare is what each one is sent first."""

    def __init__(self, url, prepare=""):
        self.url, self.prepare = url, prepare
        self.process = None

    def start(self):
        self.process = subprocess.Popen(
            ["psql", "-X", "-q", "-At", "-v", "ON_ERROR_STOP=1", self.url],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)
        self.process.stdin.write(self.prepare)

    def ask(self, statement):
        """The one line that a statement, which needs no semicolon, yields.
        It is asked twice, should the connection have been lost before."""
        error = ""
        for _ in range(2):
            try:
                if not self.process:
                    self.start()
                self.process.stdin.write(statement + ";\n")
                self.process.stdin.flush()
                line = self.process.stdout.readline()
                if line:
                    return line.rstrip("\n")
            except BrokenPipeError:
                pass
            error = self.close()
        raise DatabaseError(f"{statement}: {error}")

    def close(self):
        """End the psql; what it said of errors."""
        process, self.process = self.process, None
        return process.communicate()[1].strip() if process else ""


class Database:
    def __init__(self, url):
        self.looks = Psql(url, ROW)
        self.ask = self.looks.ask
        self.holds = Psql(url)
        self.is_holding = False

    def row(self, game_id):
        """A game's row; None without the game or without a database."""
        try:
            found = self.ask(f"EXECUTE row('{game_id}')")
        except DatabaseError:
            return None
        if not found:
            return None
        identity, *numbers, revealed = found.split("|")
        return Row(identity, *map(int, numbers), revealed)

    def hold(self, game_id):
        """Let no move of a game be committed until release()."""
        self.is_holding = True
        self.holds.ask("BEGIN; SELECT count(*) FROM (SELECT FROM gangd.game"
                       f" WHERE game_id = '{game_id}' FOR UPDATE) AS held")

    def release(self):
        if self.is_holding:
            self.is_holding = False
            self.holds.ask("ROLLBACK; SELECT 1")

    def waiting(self):
        """How many statements wait for a lock."""
        return int(self.ask("SELECT count(*) FROM pg_locks"
                            " WHERE NOT granted"))

    def close(self):
        self.looks.close()
        self.holds.close()
