"""Hostile clients, byte by byte.

Each row of hostile.py has a connection of its own, many at a time, while
honest clients play.  With WORD only the rows with it in their name run.  Then
some clients hide requests from a front (front.py) that they share with others.
"""
import concurrent.futures
import os

import front
import gangd
import honest
import hostile
import pytest
from wire import AWAIT, HALF, RESET, Wire

pytestmark = pytest.mark.timed

AT_ONCE = 8
# More than the ten seconds in which a request has to be whole.
ROW_SECONDS = 20
GROWTH_KB = 8192  # what memory may keep after all rows, for pools and caches

PROBE = hostile.get("/livez", "Connection: close", id="probe")


# --- a row -----------------------------------------------------------------------

def fill(piece, table):
    if not isinstance(piece, str):
        return piece
    for name, value in (("$game", table.path), ("$A", table.tokens[0]),
                        ("$B", table.tokens[1])):
        piece = piece.replace(name, value)
    return piece


def wants_table(pieces):
    return any(isinstance(piece, str) and
               any(name in piece for name in ("$game", "$A", "$B"))
               for piece in pieces)


def is_as(answer, expected):
    """Is it the "404 no_such_route #one" or "library 400" of a row?"""
    for word in expected.removeprefix(hostile.MAYBE).split():
        if word == "library":
            good = answer.is_library
        elif word[0] == "#":
            good = answer.id == word[1:]
        elif word.isdigit():
            good = answer.status == int(word)
        else:
            good = not answer.is_library and answer.code == word
        if not good:
            return False
    return True


def is_optional(expected):
    return expected.startswith(hostile.MAYBE)


def is_refused(wire, name, answers):
    """Has a strict libmicrohttpd refused what is refused by us otherwise?
    (DEBIAN_12: it does not exist.)"""
    before, last = answers[:-1], answers[-1]
    ours = last.startswith(("400", "414", "501", "413")) or \
        last.startswith("library 4") or name in hostile.REFUSED_IF_STRICT
    heard = wire.answers[len(before):]
    return (hostile.IS_STRICT and ours
            and (wire.ended or heard and heard[0].closes and wire.read_to_end())
            and len(wire.answers) >= len(before)
            and all(map(is_as, wire.answers, before))
            and (not heard or len(heard) == 1 and heard[0].is_library
                 and heard[0].closes and 400 <= heard[0].status < 500))


def without_consent(wire, pieces, answers):
    """libmicrohttpd 1.0 does not say 100 to a client that has sent its body."""
    if hostile.IS_STRICT and answers[:1] == ["100"] and AWAIT not in pieces \
            and wire.answers and wire.answers[0].status != 100:
        return answers[1:]
    return answers


def compare(wire, answers, after):
    """The fault of the answers, or None."""
    if not wire.answers and all(map(is_optional, answers)):
        return None
    heard = ", ".join(map(str, wire.answers)) or "no answer"
    for answer in wire.answers:
        if answer.fault():
            return f"{answer.fault()}: {answer}"
        if answer.id == "smuggled":
            return f"a hidden request was answered: {heard}"
    if len(wire.answers) != len(answers):
        return f"{len(answers)} answers wanted: {heard}"
    for answer, expected in zip(wire.answers, answers):
        if not is_as(answer, expected):
            return f"{expected} wanted: {heard}"
    if after == hostile.CLOSED and wire.answers and not wire.answered_last \
            and not wire.answers[-1].closes and wire.answers[-1].status != 100:
        return f"the last answer does not say that it closes: {heard}"
    return None


def ask_once_more(wire):
    """Send a request on the same connection; its answer's fault, or None."""
    before = len(wire.answers)
    wire.bare = False
    wire.send([PROBE])
    closed = wire.read_to_end()
    more = wire.answers[before:]
    if len(more) != 1 or more[0].status != 200 or more[0].id != "probe":
        return ("the next request is answered by "
                + (", ".join(map(str, more)) or "nothing"))
    if not closed or wire.read:
        return f"there is more on the connection: {wire.read[:80]!r}"
    return None


def run_row(daemon, name, pieces, answers, after):
    if isinstance(answers, str):
        answers = [answers]
    if wants_table(pieces):
        table = gangd.Table(daemon)
        pieces = [fill(piece, table) for piece in pieces]
    wire = Wire(daemon.address, ROW_SECONDS)
    wire.bare = str(pieces[0]).startswith("HEAD ")
    wire.answered_last = HALF in pieces
    try:
        wire.send(pieces)
        if RESET in pieces:
            return compare(wire, answers, after)
        if after == hostile.CLOSED:
            wire.read_to_end()
        while len(wire.answers) < len(answers) and wire.answer():
            answers = without_consent(wire, pieces, answers)
        if answers and is_refused(wire, name, answers):
            return None
        wrong = compare(wire, answers, after)
        if wrong:
            return wrong
        if after == hostile.CLOSED and not wire.ended:
            return "the connection stays open"
        return ask_once_more(wire) if after == hostile.OPEN else None
    finally:
        wire.close()


def run_rows(tally, daemon, word):
    rows = [row for row in hostile.rows() if word in row[0]]
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        running = [(name, pool.submit(run_row, daemon, name, *row))
                   for name, *row in rows]
        for name, future in running:
            try:
                wrong = future.result()
            except OSError as error:
                wrong = repr(error)
            tally.check(name, wrong is None, wrong)


# --- behind a front --------------------------------------------------------------

def ask_front(address, id, *, text=None, count=1):
    """The X-Request-Ids of the answers to this many requests."""
    wire = Wire(address, ROW_SECONDS)
    try:
        wire.send([text or hostile.get(id=id)])
        while len(wire.answers) < count and wire.answer():
            pass
        return [answer.id for answer in wire.answers]
    finally:
        wire.close()


def hide(daemon, name, text, count):
    """Send this by way of a front that others use afterwards; the fault that
    shows, or None."""
    shared = front.Front(daemon.address, front.LINE_ENDS[name])
    try:
        for i in range(3):
            asked = ask_front(shared.address, f"before{i}")
            if asked != [f"before{i}"]:
                return f"another client got {asked} before"
        if shared.connections != 1:
            return "the clients of the front share no connection"
        ask_front(shared.address, "one", text=text, count=count)
        for i in range(3):
            asked = ask_front(shared.address, f"after{i}")
            if asked != [f"after{i}"]:
                return f"another client got {asked} afterwards"
        # A refusal of libmicrohttpd has no id.
        if [ids for ids in shared.mistaken
                if ids[1] or not hostile.IS_STRICT]:
            return f"it took answers for others: {shared.mistaken}"
        return None
    finally:
        shared.close()


def run_fronts(tally, daemon, word):
    for line_end in front.LINE_ENDS:
        for name, text, count in hostile.behind_fronts():
            name = f"behind a front by {line_end}: {name}"
            if word not in name:
                continue
            wrong = hide(daemon, line_end, text, count)
            tally.check(name, wrong is None, wrong)


def attack(tally, daemon, word):
    run_rows(tally, daemon, word)
    run_fronts(tally, daemon, word)


def test_hostile(tally, build, database):
    word = os.environ.get("ROWS", "")
    honest.play_while(tally, build,
                      lambda tally, daemon: attack(tally, daemon, word),
                      GROWTH_KB, GANGD_CORS_ORIGINS="*")
