"""Brings certain cards into play, which no setting of the daemon does.

A game's state is read from the database, changed by a program that has the
rules (arrange.c), and written again, with the events of the heist's deal.  The
log does not lead to such a game any more.
"""
import re
import subprocess

from . import gang
from .faults import Fault


def change(play, command):
    """Have the newest game arranged, by a command of arrange.c."""
    game = play.game
    found = play.database.ask(
        "SELECT max(ruleset || ' ' || encode(state, 'hex'))"
        f" FROM gangd.game WHERE game_id = '{game.id}'")
    if not found:
        raise Fault(f"{game.id} is no game any more")
    done = subprocess.run([play.server.arrange, *found.split(),
                           *command.split()],
                          stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise Fault(done.stdout.strip() or "arrange fails")
    state, *events = done.stdout.split("\n")[:-1]
    play.database.ask("BEGIN; " + "; ".join(
        [f"UPDATE gangd.game SET state = '\\x{state}', revision = revision + 1"
         f" WHERE game_id = '{game.id}'", *changed(play, game, events),
         "COMMIT", "SELECT 1"]))
    play.server.note_arranged(game.id)
    play.rows = {}
    gang.learn_anew(play, game)


def changed(play, game, events):
    """Statements that write the events of the heist's deal again.  events has
    the heist's number, and the payloads of each event."""
    if not events:
        return
    heist, *payloads = events
    count, first = play.database.ask(
        "SELECT count(*), min(version) FROM gangd.event"
        f" WHERE game_id = '{game.id}' AND heist = {heist}").split("|")
    if int(count) != len(payloads):
        raise Fault(f"{game.id} has gone on already")
    for version, line in enumerate(payloads, int(first)):
        for name, payload in zip(("public", "private"), line.split(" ")):
            if payload:
                yield (f"UPDATE gangd.event SET {name}_data = '\\x{payload}'"
                       f" WHERE game_id = '{game.id}'"
                       f" AND version = {version}")


def deal(play, line):
    """deal A=AhKd B.display=b1a: the program knows actors by their seats."""
    change(play, "deal " + re.sub(
        r"(?<!\S)[A-Z]\w*(?=[=.])",
        lambda name: str(play.actor(name[0]).seat), line))
