"""Moves with notifications: the cost of the outbox.

Two seats of each game take a chip from each other alternately, so each move makes the
game wait for the seat that was robbed.  On one side these players have a
client_reference, so each commit writes a row for the operator's webhook, which is not
sent here, and deletes the earlier one; on the other side the players have no reference.
"""
import gangd
from against import ask_timed, by_turns, tell_work
from bench_games import MOVED_GAMES, Maker
from processor import Server

CONNECTIONS = 64


class Robbers(Maker):
    """Games in which the second seat holds the chip."""

    def __init__(self, daemon, is_told):
        more = {"client_reference": "account seven"} if is_told else {}
        client = daemon.client()
        made = client.post("/v1/games", {"name": "A", "seats": 3, **more}).json
        self.table = object.__new__(gangd.Table)
        self.table.id = made["game"]["id"]
        self.table.tokens = [made["token"]]
        for name in "BC":
            answer = client.post(f"/v1/invitations/{made['invite_code']}/players",
                                 {"name": name, **more})
            self.table.tokens.append(answer.json["token"])
        client.token = self.table.tokens[1]
        answer = client.post(f"/v1/games/{self.table.id}/chips/white/1/take")
        client.close()
        if answer.status != 200:
            raise SystemExit(f"no chip: {answer.status} {answer.body}")


def count_told():
    return int(gangd.psql("SELECT count(*) FROM gangd.notification"))


class Side:
    def __init__(self, bench, is_told):
        self.bench, self.is_told, self.server = bench, is_told, Server()

    def run(self):
        games = Robbers(self.bench.daemon, self.is_told).make(MOVED_GAMES)
        with open(self.bench.folder / "games", "w", encoding="ascii") as file:
            for seat in range(2):
                for game in games:
                    file.write(f"{game.path} {game.tokens[seat]}\n")
        before = count_told()
        run = ask_timed(self.bench, self.server, "rob.lua", CONNECTIONS)
        told = count_told() - before
        # A game keeps one row: a notification is out of date when that
        # seat has moved.
        least = min(run["requests"], MOVED_GAMES) if self.is_told else 0
        most = MOVED_GAMES if self.is_told else 0
        if not least <= told <= most:
            raise SystemExit(f"{told} rows after {run['requests']:.0f} moves")
        return run


def measure(bench, table):
    runs = by_turns(Side(bench, True), Side(bench, False), lambda side: side.run())
    tell_work(table, "a move with a notification / without", *runs, None)
    table.compare("moves / s with a notification / without",
                  *([run["rate"] for run in side] for side in runs), unit=" / s")
