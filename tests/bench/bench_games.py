"""Games to measure with.  Making one takes several requests, so one is made as
players make it, and copied in the database: with the hashes of its tokens, the
copies have the same ones.
"""
import hashlib
import sys
import uuid

import gangd

GAMES = 1024
# The games of moves: enough that no game has two moves under way.  A lap
# takes half a second, or longer; each connection has eight games at least.
MOVED_GAMES = 4096
MOVED_GAMES_EACH = 8
TRIES = 3

COPY_ROWS = """
INSERT INTO gangd.{table}
SELECT (jsonb_populate_record(row, jsonb_build_object('game_id', {id}))).*
FROM gangd.{table} AS row, generate_series({first}, {last}) AS n
WHERE row.game_id = '{source}'
"""


# As the service makes ids: the first 48 bits grow with the time, and most of the
# others are random.
ID = """('0189' || lpad(to_hex(n), 8, '0') || '7' || substr(md5(n::text), 1, 3) ||
    '9' || substr(md5(n::text), 4, 15))::uuid"""


def copy_rows(source, form, first, count):
    """Copy a game; the id of a copy is an SQL expression with its number n."""
    for table in ("game", "seat"):
        gangd.psql(COPY_ROWS.format(
            table=table, source=source, first=first, last=first + count - 1,
            id=form))


class Copy:
    def __init__(self, number, tokens):
        digits = hashlib.md5(str(number).encode()).hexdigest()
        self.id = str(uuid.UUID(
            f"0189{number:08x}7{digits[:3]}9{digits[3:18]}"))
        self.path = "/v1/games/" + self.id
        self.tokens = tokens


class Maker:
    """Makes games of this many players, which have begun."""

    next = 0  # the number of the next copy of any

    def __init__(self, daemon, players=3):
        for _ in range(TRIES):
            try:
                self.table = gangd.Table(daemon, players)
                break
            except OSError as error:  # a disk may stall for long
                print(error, file=sys.stderr)
        else:
            raise SystemExit("no game can be made")

    def make(self, count):
        first = Maker.next
        Maker.next += count
        copy_rows(self.table.id, ID, first, count)
        return [Copy(number, self.table.tokens)
                for number in range(first, first + count)]
