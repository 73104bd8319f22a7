"""A daemon without random bytes deals no cards.

A daemon whose getrandom() fails is asked for changes that need random bytes: it
answers 500 and commits nothing, and does the same thing well when the kernel
gives random bytes again.
"""
import http.client

from failing import ALL, CHANCE, Control, program, settings
from gangd import Daemon, Sql, Table

COUNTS = """SELECT concat_ws(' ', (SELECT count(*) FROM gangd.game),
    (SELECT sum(version) FROM gangd.game), (SELECT count(*) FROM gangd.event),
    (SELECT count(*) FROM gangd.seat), (SELECT count(*) FROM gangd.invitation),
    (SELECT md5(string_agg(state, '' ORDER BY game_id)) FROM gangd.game))"""
CHIPS = [(color, seat) for color in ("white", "yellow", "orange", "red")
         for seat in range(3)]


class Case:
    """A daemon, a database, and requests that need random bytes."""

    def __init__(self, build, tally):
        self.tally = tally
        self.control = Control()
        self.daemon = Daemon(build, program(build), **settings(self.control))
        self.daemon.wait_ready()
        self.sql = Sql()
        self.counts = " ".join(COUNTS.split())

    def ask(self, path, token=None, body=None):
        client = self.daemon.client(token)
        try:
            return client.post(path, body)
        except (OSError, http.client.HTTPException):
            return None
        finally:
            client.close()

    def check(self, name, status, path, token=None, body=None):
        """Without random bytes, with one failing draw, and with all of them."""
        for lasting in (ALL, 1):
            before = self.sql.ask(self.counts)
            self.control.arm(CHANCE, 0, lasting)
            answer = self.ask(path, token, body)
            failed = self.control.disarm()
            told = answer and (answer.status, answer.code)
            self.tally.check(f"{name}: no seed, 500, nothing kept",
                             failed and told == (500, "internal") and
                             self.sql.ask(self.counts) == before, told)
        before = self.sql.ask(self.counts)
        answer = self.ask(path, token, body)
        self.tally.check(f"{name}: succeeds with a seed",
                         answer and answer.status == status and
                         self.sql.ask(self.counts) != before,
                         answer and answer.status)
        return answer


def play(case, table):
    """Take every chip of a heist."""
    for color, seat in CHIPS:
        answer = case.ask(f"{table.path}/chips/{color}/{seat + 1}/take",
                          table.tokens[seat])
        if answer.status != 200:
            raise SystemExit(f"no chip: {answer.body}")


def every_draw(case):
    """A new game draws several times; let each draw fail once."""
    for skipped in range(100):
        before = case.sql.ask(case.counts)
        case.control.arm(CHANCE, skipped)
        answer = case.ask("/v1/games", body={"name": "Ada"})
        if not case.control.disarm():
            return skipped, answer.status == 201
        if answer.status != 500 or case.sql.ask(case.counts) != before:
            return skipped, False
    return skipped, False


def test_no_randomness(tally, build, database):
    case = Case(build, tally)

    case.check("create", 201, "/v1/games", body={"name": "Ada", "seats": 3})
    draws, good = every_draw(case)
    tally.check(f"create: each of {draws} draws", good and draws > 1)

    lobby = Table(case.daemon, 4, start=False)
    for name in "BC":
        answer = case.check("join", 201, lobby.path + "/players",
                            body={"name": name, "invite_code": lobby.code})
        lobby.tokens.append(answer.json["token"])
    case.check("start", 200, lobby.path + "/start", lobby.tokens[0])
    table = Table(case.daemon, 3)
    play(case, table)
    case.check("the next heist", 201, table.path + "/heists", table.tokens[1])

    case.sql.close()
    tally.end_well(case.daemon)
