"""Many clients at one game's chips.

Six clients, each a process, move chips of one game as fast as they can, some
for the same seat; game after game until there were ACTIONS actions.  Then the
same with two daemons on one database.  Each answer is compared with the log
(checker.py), and the log with the rules (gangctl replay).  Before that the
checker itself is tested, with histories that were falsified.

ACTIONS in the environment is how many actions are sent.
"""
import copy
import itertools
import multiprocessing
import os

import checker
import game_log
import gangd
import pytest
from player import Player

CLIENTS = 6
ACTIONS = 3000
ACTIONS_OF_CLIENT = 1000  # of one game at most
PLAYERS = (4, 5, 6)       # of a game, one after the other
LOOPS = "4"


# --- a game ------------------------------------------------------------------

def play(task):
    address, path, token, seat, players, seed = task
    return Player(address, path, token, seat, players, seed).play(
        ACTIONS_OF_CLIENT)


class Game:
    """One played game: the requests, and its log."""

    def __init__(self, daemons, pool, players, seed):
        self.table = gangd.Table(daemons[0], players)
        self.start = len(game_log.read_log(daemons[0], self.table))
        tasks = [(daemon.address, self.table.path,
                  self.table.tokens[number % players], number % players + 1,
                  players, seed * CLIENTS + number)
                 for number, daemon in zip(range(CLIENTS),
                                           itertools.cycle(daemons))]
        self.history = sum(pool.map(play, tasks, 1), [])
        self.log = game_log.read_log(daemons[-1], self.table)

    def actions(self):
        return sum(asked.verb != "look" for asked in self.history)

    def faults(self):
        return checker.check(self.log, self.history, self.start)


# --- the test of the checker -------------------------------------------------

def of(game, number, wanted):
    """This many wanted answers, from the middle of the game on."""
    found = [asked for asked in sorted(game.history, key=lambda a: a.sent)
             if wanted(asked)]
    return found[len(found) // 2:][:number]


def is_take(asked):
    return asked.is_done and asked.verb == "take"


def forget_in_log(game):
    """The log lacks an acknowledged move."""
    gone = of(game, 1, is_take)[0].version
    first = max(e["version"] for e in game.log
                if e["first"] and e["version"] <= gone)
    game.log = [e for e in game.log if not first <= e["version"] <= gone]
    for number, event in enumerate(game.log):
        event["version"] = number + 1


def forget_last(game):
    """The log lacks its end."""
    last = max(e["version"] for e in game.log if e["first"])
    game.log = game.log[:last - 1]


def forget_answer(game):
    """The log has a move without a request."""
    game.history.remove(of(game, 1, is_take)[0])


def twice_in_log(game):
    """The log has a move twice."""
    returned = of(game, 1, lambda a: a.is_done and a.verb == "return")[0]
    event = copy.deepcopy(game.log[returned.version - 1])
    game.log.insert(returned.version, event)
    for number, event in enumerate(game.log):
        event["version"] = number + 1


def twice_answered(game):
    """Two clients got success for the same move."""
    game.history.append(copy.deepcopy(of(game, 1, is_take)[0]))


def swap_answers(game):
    """Two clients were given each other's answer."""
    one = of(game, 1, is_take)[0]
    other = of(game, 1, lambda a: is_take(a) and (a.seat, a.stars) !=
               (one.seat, one.stars))[0]
    one.version, other.version = other.version, one.version
    one.board, other.board = other.board, one.board


def swap_times(game):
    """The early answer belongs to the late request: no order explains it."""
    one = of(game, 1, is_take)[0]
    other = max((a for a in game.history if is_take(a)),
                key=lambda a: a.sent)
    one.sent, other.sent = other.sent, one.sent
    one.answered, other.answered = other.answered, one.answered


def stale_look(game):
    """A client gets an older view than before."""
    first = of(game, 1, lambda a: a.verb == "look")[0]
    last = max((a for a in game.history if a.verb == "look"),
               key=lambda a: a.sent)
    last.version, last.board = first.version, first.board


def refuse_wrongly(game):
    """A committed move is reported as refused."""
    game.history.append(copy.deepcopy(of(game, 1, is_take)[0]))
    asked = game.history[-1]
    asked.status, asked.code = 409, "game_over"


def refuse_late(game):
    """A refusal fits only a state of long before."""
    color = [e["data"]["color"] for e in game.log
             if e["type"] == "round_started"][-1]
    refused = of(game, 1, lambda a: a.code == "chip_already_held" and
                 a.color != color)[0]
    refused.sent = refused.answered = max(a.answered for a in game.history)


def mismatch(game):
    """412, although the named version did not change."""
    asked = copy.deepcopy(max(game.history, key=lambda a: a.sent))
    asked.sent = asked.answered = max(a.answered for a in game.history) + 1
    asked.status, asked.code = 412, "version_mismatch"
    asked.verb, asked.color, asked.stars = "take", checker.COLORS[0], 1
    asked.if_match = len(game.log)
    game.history.append(asked)


def pass_over_match(game):
    """The log has the move at another version than If-Match named."""
    of(game, 1, is_take)[0].if_match = game.start - 1


def show_wrongly(game):
    """A view shows a chip where it is not."""
    asked = of(game, 1, is_take)[0]
    color, stars, seat = asked.board[5][-1]
    chip = (color, stars, None if seat else 1)
    asked.board = asked.board[:5] + (asked.board[5][:-1] + (chip,),)


def fail(game):
    """A 500."""
    of(game, 1, lambda a: a.status == 409)[0].status = 500


def no_answer(game):
    """A request without an answer."""
    of(game, 1, lambda a: a.status == 409)[0].status = None


def conjure(game):
    """A success takes a chip from where it was not."""
    data = [e["data"] for e in game.log if e["type"] == "chip_taken"][-1]
    data["from"] = "center" if data["from"] != "center" else 1


MEDDLING = (forget_in_log, forget_last, forget_answer, twice_in_log,
            twice_answered, swap_answers, swap_times, stale_look,
            refuse_wrongly, refuse_late, mismatch, pass_over_match,
            show_wrongly, fail, no_answer, conjure)


def try_checker(tally, game):
    for meddle in MEDDLING:
        other = copy.copy(game)
        other.log = copy.deepcopy(game.log)
        other.history = copy.deepcopy(game.history)
        meddle(other)
        tally.check(f"the checker finds out: {meddle.__doc__}",
                    other.faults())


# --- the series --------------------------------------------------------------

def hammer(tally, build, pool, name, daemons):
    """Play games until there were ACTIONS actions; the longest game.

    If no game of these has ended, some more follow.
    """
    # Read here, since --also singly takes it out of the environment.
    actions = int(os.environ.get("ACTIONS", ACTIONS))
    games, faults, done, answers, ended = [], [], 0, {}, 0
    while done < actions or (not ended and done < 4 * actions):
        game = Game(daemons, pool, PLAYERS[len(games) % len(PLAYERS)],
                    len(games))
        games.append(game)
        done += game.actions()
        for asked in game.history:
            key = asked.code or asked.status
            answers[key] = answers.get(key, 0) + 1
        faults += game.faults()
        ended += game.log[-1]["type"] == "game_ended"
    rounds = sum(event["type"] == "round_started"
                 for game in games for event in game.log)
    print(f"{name}: {done} actions in {len(games)} games, of which {ended} "
          f"ended, and {rounds} rounds:", answers)
    tally.check(f"{name}: each request is answered, none with a 5xx",
                not any(asked.status is None or asked.status >= 500
                        for game in games for asked in game.history))
    tally.check(f"{name}: the log is one order that explains every answer",
                not faults, "\n".join(faults[:5]))
    tally.check(f"{name}: rounds and whole games were played",
                rounds > 4 * len(games) and ended > 0)
    game_log.check_replays(tally, build, [game.table.id for game in games])
    return max(games, key=lambda game: len(game.history))


@pytest.fixture(scope="module")
def pool():
    pool = multiprocessing.Pool(CLIENTS)
    yield pool
    pool.close()
    pool.join()


@pytest.fixture(scope="module")
def daemons(pool, build, database):
    # A long timeout: test_db_disconnect.py shows the deadlines.
    daemons = [gangd.Daemon(build, GANGD_LOOPS=LOOPS,
                            GANGD_DATABASE_TIMEOUT_MS="5000")
               for _ in range(2)]
    for daemon in daemons:
        daemon.wait_ready()
    return daemons


def test_one_daemon(tally, build, pool, daemons):
    game = hammer(tally, build, pool, "one daemon", daemons[:1])
    try_checker(tally, game)


def test_two_daemons(tally, build, pool, daemons):
    hammer(tally, build, pool, "two daemons", daemons)


def test_the_daemons_end_well(tally, daemons):
    for daemon in daemons:
        tally.end_well(daemon)
