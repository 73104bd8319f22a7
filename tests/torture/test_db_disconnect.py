"""The database's connection is cut at every step.

Between a daemon and the database is a proxy that knows the protocol
(proxy.py).  It cuts before, in and after each message: of the start, of the
preparation of statements, of a load and of a move; both directions at once, one
direction only, or by falling silent.  Meanwhile two seats take a chip from each
other.

No acknowledged move may be lost, or committed twice or by half; if the daemon does
not know whether a move was committed, its answer says so; and the daemon serves again
soon.  ROUNDS in the environment is how often each step of a statement is cut.  With
one round the messages that prepare statements, which are alike, are cut at some
places only.
"""
import os
import queue
import threading
import time

import checker
import game_log
import gangd
from player import Asked, Player
from proxy import BACK, CONNECT, FRONT, WHERE, Proxy, Step
import pytest

pytestmark = pytest.mark.waiting

WORKERS = 4
# Two seconds on an idle machine; it runs while other jobs compute, and others
# that begin with many connections.
RECOVER_SECONDS = 10
MESSAGES = {FRONT: 4, BACK: 5}  # of a statement: Bind to Sync, and answers
SYNC = MESSAGES[FRONT] - 1
ROUNDS = int(os.environ.get("ROUNDS", "1"))
CUTS = 200 + 100 * ROUNDS  # at the least
STALL_EVERY = 12       # they take as long as the daemon's patience
AT_THE_ENDS = 12       # messages of the start that no other is like


def is_chosen(number, count):
    """Is this message of the start one to cut at?"""
    return ROUNDS > 1 or number < AT_THE_ENDS or \
        number >= count - AT_THE_ENDS or number % 6 == 0


def connect_steps(messages):
    places = [(side, number) for side in (FRONT, BACK)
              for number in range(messages[side])
              if is_chosen(number, messages[side])]
    for at, place in enumerate(places):
        for where in WHERE:
            yield Step(CONNECT, *place, where, "close")
        yield Step(CONNECT, *place, "middle", "half")
        if at % STALL_EVERY == 0:
            yield Step(CONNECT, *place, "middle", "stall")


def statement_steps():
    for name in ("load", "commit_move"):
        for side in (FRONT, BACK):
            for number in range(MESSAGES[side]):
                yield Step(name, side, number, "middle", "stall")
                for where in WHERE:
                    for how in ("close", "half") * ROUNDS:
                        yield Step(name, side, number, where, how)


def is_kept(step):
    """Is a move without an answer committed?  None: either may be."""
    loaded = step[:4] == ("load", BACK, MESSAGES[BACK] - 1, "after")
    if step.phase == CONNECT or loaded:
        return None
    if step.phase == "load":
        return False
    if step.side == BACK:
        return True  # the server answers when it has committed
    if step.number == SYNC and step.where == "after":
        return None
    return False


class Cutter(threading.Thread):
    """A daemon behind a proxy, and a game whose moves are cut."""

    def __init__(self, build, steps):
        super().__init__(daemon=True)
        self.steps = steps
        url = os.environ["GANGD_DATABASE_URL"]
        folder = url.split("host=")[1].split()[0]
        self.proxy = Proxy(folder)
        self.daemon = gangd.Daemon(
            build, GANGD_LOOPS="1", GANGD_DATABASE_CONNECTIONS="1",
            GANGD_DATABASE_URL=url.replace(folder, self.proxy.folder))
        self.daemon.wait_ready()
        self.table = gangd.Table(self.daemon)
        self.start_version = game_log.version(self.table)
        self.history = []
        self.players = [Player(self.daemon.address, self.table.path, token,
                               seat + 1, 3, seat)
                        for seat, token in enumerate(self.table.tokens[:2])]
        for player in self.players:
            player.history = self.history
        self.cuts = self.lost = self.lost_kept = 0
        self.slowest = 0.0
        self.wrong = []

    def look(self):
        return self.players[0].ask(Asked(1, "look"))

    def look_until_served(self, since):
        while True:
            asked = self.look()
            if asked.is_done:
                self.slowest = max(self.slowest, asked.answered - since)
                return asked
            if time.monotonic() - since > 10 * RECOVER_SECONDS:
                raise TimeoutError("it does not serve again")
            time.sleep(0.005)

    def take(self):
        """The seat without the white chip with one star takes it."""
        player = self.players[self.players[0].board[5][0][2] == 1]
        return player.ask(Asked(player.seat, "take", "white", 1))

    def judge(self, step, taken, before, after):
        kept = after.version > before.version
        if taken.is_done:
            good = kept
        elif taken.status == 503 and taken.code == "store_unavailable":
            self.lost += 1
            self.lost_kept += kept
            good = is_kept(step) in (None, kept)
        else:
            good = False
        if not good:
            self.wrong.append(f"{step}: {'kept' if kept else 'not kept'}, "
                              f"told {taken}")

    def cut(self, step, before):
        """Carry out a step; the view after it."""
        if step.phase == "load":
            gangd.psql("UPDATE gangd.game SET revision = revision + 1 "
                       f"WHERE game_id = '{self.table.id}'")
        self.proxy.arm(step)
        if step.phase == CONNECT:
            self.proxy.cut_all()
        begun = time.monotonic()
        taken = self.take()
        if not self.proxy.done.wait(RECOVER_SECONDS):
            self.wrong.append(f"{step}: did not come about")
        else:
            self.cuts += 1
        if is_kept(step) is None:
            time.sleep(0.05)  # it may be on its way
        after = self.look_until_served(max(begun, self.proxy.done_at))
        self.judge(step, taken, before, after)
        return after

    def run(self):
        seen = self.look()
        try:
            while True:
                seen = self.cut(self.steps.get_nowait(), seen)
        except queue.Empty:
            pass
        except (OSError, TimeoutError) as error:
            self.wrong.append(repr(error))

    def finish(self, tally, name):
        """Compare the whole history with the log."""
        log = game_log.read_log(self.daemon, self.table)
        faults = checker.check(log, self.history, self.start_version,
                               lossy=True)
        tally.check(f"{name}: the log explains every answer, and nothing in "
                    "it was done twice", not faults, "\n".join(faults[:5]))
        tally.check(f"{name}: as many events as its version says",
                    game_log.version(self.table) == len(log))
        for player in self.players:
            player.wire.close()
        tally.end_well(self.daemon, f"{name}: the daemon")
        self.proxy.close()


def cut_everywhere(build):
    steps = queue.Queue()
    cutters = [Cutter(build, steps) for _ in range(WORKERS)]
    for step in connect_steps(cutters[0].proxy.messages):
        steps.put(step)
    for step in statement_steps():
        steps.put(step)
    for cutter in cutters:
        cutter.start()
    for cutter in cutters:
        cutter.join()
    return cutters


def test_db_disconnect(tally, build, database):
    cutters = cut_everywhere(build)
    cuts = sum(cutter.cuts for cutter in cutters)
    lost = sum(cutter.lost for cutter in cutters)
    kept = sum(cutter.lost_kept for cutter in cutters)
    slowest = max(cutter.slowest for cutter in cutters)
    wrong = sum((cutter.wrong for cutter in cutters), [])
    print(f"{cuts} cuts; {lost} moves without an answer, of which {kept} "
          f"were kept; served again after {slowest:.2f} s at the most")
    tally.check(f"there were at least {CUTS} cuts", cuts >= CUTS)
    tally.check("each move was answered, and each 503 is as documented",
                not wrong, "\n".join(wrong[:10]))
    tally.check("some unanswered moves were committed, and some were not",
                0 < kept < lost)
    tally.check(f"the daemon served again within {RECOVER_SECONDS} s",
                slowest <= RECOVER_SECONDS, slowest)
    game_log.check_replays(tally, build,
                           [cutter.table.id for cutter in cutters])
    for number, cutter in enumerate(cutters):
        cutter.finish(tally, f"game {number + 1}")
