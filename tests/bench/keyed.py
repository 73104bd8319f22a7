"""Moves with an Idempotency-Key, as frontends send them: what the key costs."""
from against import ask_timed, by_turns, tell_work
from processor import Server

CONNECTIONS = 64


def measure(bench, table):
    server = Server()

    def run(script):
        bench.make_games(script, CONNECTIONS)
        return ask_timed(bench, server, script, CONNECTIONS)

    runs = by_turns("keyed.lua", "move.lua", run)
    tell_work(table, "a move with an `Idempotency-Key` / without", *runs, None)
    table.compare("moves / s with an `Idempotency-Key` / without",
                  *([run["rate"] for run in side] for side in runs), unit=" / s")
