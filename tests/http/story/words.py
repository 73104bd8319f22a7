"""Carries out the lines of a story.

Block is a run of lines; "for", "until" and "together" run theirs with a Block of
their own.  The first word of a line chooses a statement; any other line is a
request, a stream, or a further expectation of the last answer.
"""
import re
import subprocess
import time
import zlib

from . import arrange, checks, expect, follow, heist
from .faults import Failed, Fault
from .listen import Stream, stream_of
from .play import PARKED_SECONDS, WAIT_SECONDS
from .text import Cursor, fill, to_bytes

AWAIT_SECONDS = 20
UNTIL_MAX = 40
BLOCKS = {"for", "until", "together"}
TOKEN_DIGITS = ("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                "abcdefghijklmnopqrstuvwxyz")


# --- who speaks --------------------------------------------------------------

def base_62(number, count):
    digits = ""
    for _ in range(count):
        number, digit = divmod(number, 62)
        digits = TOKEN_DIGITS[digit] + digits
    return digits


def strange_token(random):
    """A valid token that no player has; auth/token.h describes its parts."""
    digits = base_62(random.getrandbits(256), 43)
    return f"gang_{digits}{base_62(zlib.crc32(digits.encode()), 6)}"


def request_of(play, who, method, path):
    """A request with the token of the actor that the story names."""
    if who == "nobody":
        return play.request(None, method, path)
    if who == "stranger":
        return play.request(None, method, path, strange_token(play.random))
    actor = play.actor(who.removesuffix("'"))
    if not path.startswith("/v1/"):
        path = play.below(actor, path)
    if not who.endswith("'"):
        return play.request(actor, method, path)
    token = play.value(actor.name + ".token")
    other = "y" if token[20] == "x" else "x"
    return play.request(None, method, path, token[:20] + other + token[21:])


# --- requests ----------------------------------------------------------------

def take_fields(exchange, cursor):
    """with NAME: VALUE, any number of them."""
    while cursor.take("with"):
        name, _, value = cursor.until(" with ", " -> ").partition(":")
        exchange.sent.pop(name.lower(), None)
        if value.strip():
            exchange.sent[name.lower()] = value.strip()


def take_path(cursor):
    return cursor.string() if cursor.next == '"' else cursor.word()


def take_request(play, cursor):
    """WHO METHOD PATH [BODY] [with ...], not sent yet."""
    who, method, path = cursor.word(), cursor.word(), take_path(cursor)
    exchange = request_of(play, who, method, path)
    if cursor.next in ("{", "["):
        exchange.set_body(cursor.json())
    elif cursor.take("body"):
        exchange.set_body(cursor.string())
    take_fields(exchange, cursor)
    return exchange


def take_arrow(cursor):
    if not cursor.end() and not cursor.take("->"):
        raise Fault("expected -> here: " + cursor.rest)


def do_request(play, line):
    """A request and what is expected; "WHO ->" is the answer of a parked
    one."""
    cursor = Cursor(line)
    who = cursor.word()
    if cursor.take("->"):
        exchange = play.actor(who).parked
        if not exchange:
            raise Fault(f"{who} waits for nothing")
        play.actor(who).parked = None
        play.receive(exchange)
        play.expect(exchange, cursor.rest)
        return exchange
    cursor = Cursor(line)
    exchange = take_request(play, cursor)
    take_arrow(cursor)
    play.send(exchange)
    if exchange.actor and cursor.take("parked"):
        exchange.before = None  # others may have changed the game by then
        if play.client.wait(exchange, PARKED_SECONDS):
            raise Failed("expected no answer yet", exchange)
        exchange.actor.parked = exchange
        return exchange
    play.receive(exchange)
    if cursor.end() and exchange.status >= 300:
        raise Failed("expected success", exchange)
    play.expect(exchange, cursor.rest)
    return exchange


def do_streams(play, who, line):
    """WHO streams PATH [with ...] [-> EXPECTATIONS]"""
    cursor = Cursor(line)
    exchange = request_of(play, who, "GET", take_path(cursor))
    take_fields(exchange, cursor)
    take_arrow(cursor)
    Stream(play, exchange)
    play.expect(exchange, cursor.rest)
    return exchange


def do_line(play, block, line):
    """A request, or what becomes of a stream."""
    cursor = Cursor(line)
    who = cursor.word()
    if cursor.take("streams"):
        block.last = do_streams(play, who, cursor.rest)
    elif cursor.take("hears"):
        block.last = stream_of(play.actor(who)).hears(cursor.rest)
    elif cursor.take("sees"):
        block.last = stream_of(play.actor(who)).sees(cursor.rest)
    elif cursor.take("hangs up"):
        stream_of(play.actor(who)).hang_up()
    else:
        block.last = do_request(play, line)


def do_raw(play, block, line):
    """raw "BYTES" -> ..., or -> library ... where libmicrohttpd answers"""
    cursor = Cursor(line)
    data = cursor.string()
    method, target, *_ = [word if re.fullmatch("[!-~]*", word) else "?"
                          for word in re.split("[ \r\n]", data + "  ")]
    exchange = play.request(None, method, target)
    if not cursor.take("->"):
        raise Fault('expected raw "..." -> EXPECTATIONS')
    # DEBIAN_12: libmicrohttpd 1.0 refuses more by itself than 0.9 does.
    exchange.by_library = cursor.take("refused") or cursor.take("library")
    play.client.raw(exchange, to_bytes(data), WAIT_SECONDS)
    block.last = exchange
    play.expect(exchange, cursor.rest)
    if not exchange.by_library:
        checks.after(play, exchange)


def do_within(play, block, line):
    """within MS REQUEST: it is answered that soon"""
    cursor = Cursor(line)
    limit = float(cursor.word())
    block.last = do_request(play, cursor.rest)
    took = block.last.seconds * 1000
    if took > limit:
        raise Failed(f"it took {took:.0f} ms", block.last)


def do_await(play, block, line):
    """await REQUEST -> STATUS ...: again and again until it is so"""
    until = time.monotonic() + AWAIT_SECONDS
    while time.monotonic() < until:
        cursor = Cursor(line)
        exchange = take_request(play, cursor)
        take_arrow(cursor)
        play.send(exchange)
        if play.client.wait(exchange, WAIT_SECONDS) and \
                cursor.word() == str(exchange.status):
            break
        time.sleep(0.1)
    block.last = do_request(play, line)


# --- tables ------------------------------------------------------------------

def do_lobby(play, block, line):
    """lobby A B C [with {...}]: A creates a game, the others join"""
    cursor = Cursor(line)
    host, *names = cursor.until("with {").split()
    more = cursor.rest[1:] if cursor.take("with") else "}"
    comma = "" if more == "}" else ","
    block.last = play.ask(play.actor(host), "POST", "/v1/games",
                          f'{{"name":"{host}"{comma}{more}', "201")
    for name in names:
        block.last = play.ask(
            play.actor(name), "POST",
            f"/v1/invitations/{play.game.code}/players",
            f'{{"name":"{name}"}}', "201")


def do_table(play, block, line):
    """table A B C [with {...}]: and A starts, if the last seat did not"""
    do_lobby(play, block, line)
    if expect.holds(block.last, '.game.status == "lobby"'):
        host = play.actor(Cursor(line).word())
        block.last = play.ask(host, "POST", "/start", None, "200")


# --- blocks ------------------------------------------------------------------

class Block:
    """Lines that are carried out one by one."""

    def __init__(self, play, lines, last=None):
        self.play = play
        self.lines = lines  # each with its number in the file
        self.at = 0
        self.last = last    # what further expectations are about

    def run(self):
        play = self.play
        while self.at < len(self.lines):
            play.line, line = self.lines[self.at]
            play.text = line
            self.at += 1
            word = line.split(None, 1)[0]
            # The words of "for" have variables that get their values later.
            if word != "for":
                line = play.text = fill(line, play.value)
            if word in STATEMENTS:
                STATEMENTS[word](play, self, line[len(word):].lstrip())
            elif word.startswith(".") or word in ("header", "body", "keep"):
                if not self.last:
                    raise Fault("nothing was asked before")
                play.expect(self.last, line)
            else:
                do_line(play, self, line)

    def take_lines(self):
        """The lines of the block that begins here; goes past its end."""
        depth, start = 0, self.at
        for at in range(start, len(self.lines)):
            word = self.lines[at][1].split(None, 1)[0]
            depth += (word in BLOCKS) - (word == "end")
            if depth < 0:
                self.at = at + 1
                return self.lines[start:at]
        raise Fault("the block has no end")

    def run_lines(self, lines):
        Block(self.play, lines, self.last).run()


def cell_text(play, cell):
    """A cell in quotes is a string with its escapes; any other is itself."""
    cell = fill(cell, play.value)
    cursor = Cursor(cell)
    if cursor.next != '"':
        return cell
    text = cursor.string()
    return text if cursor.end() else cell


def do_for(play, block, line):
    """for $NAME in WORD...   or   for $NAME... before rows "| cell | cell":
    the lines to the end, once for each"""
    lines, cursor, names = block.take_lines(), Cursor(line), []
    while not cursor.end() and not cursor.take("in"):
        names.append(cursor.word().removeprefix("$"))
    if not names:
        raise Fault("for which $name?")
    rows = [[word] for word in cursor.rest.split()]
    while lines and lines[0][1].startswith("|"):
        row = lines.pop(0)[1]
        rows.append([cell.strip() for cell in f"{row[1:]} ".split(" | ")])
    for row in rows:
        play.variables.update(
            zip(names, [cell_text(play, cell) for cell in row]))
        block.run_lines(lines)


def do_until(play, block, line):
    """until WHO EXPECTATION: the lines to the end, until WHO's view is so"""
    lines, at, cursor = block.take_lines(), play.line, Cursor(line)
    actor = play.actor(cursor.word())
    for _ in range(UNTIL_MAX):
        if expect.holds(play.ask(actor, "GET", ""), cursor.rest):
            return
        block.run_lines(lines)
        play.line = at
    raise Failed("it never comes to that")


def expect_each(exchanges, line):
    """Each answer must be one of those that are expected, each once."""
    left = [f"{exchange.status} {exchange.code}".strip()
            for exchange in exchanges]
    for expected in line.split(","):
        if expected.strip() not in left:
            raise Failed(f"no answer is {expected.strip()}; left are {left}",
                         exchanges[0])
        left.remove(expected.strip())


def do_together(play, block, _line):
    """together ... end -> STATUS [CODE], ...: the requests are sent at once,
    and no move can be committed until all of them wait"""
    exchanges = []
    for play.line, line in block.take_lines():
        exchange = take_request(play, Cursor(fill(line, play.value)))
        if not exchanges:
            play.database.hold(play.game.id)
        play.send(exchange)
        exchange.before = None  # the others change the game meanwhile
        exchanges.append(exchange)
    for _ in range(50):
        if play.database.waiting() >= len(exchanges):
            break
        play.client.wait(exchanges[0], 0.01)
    play.database.release()
    # Await all answers before the runner reads the game.
    for exchange in exchanges:
        play.client.wait(exchange, WAIT_SECONDS)
    for exchange in exchanges:
        play.receive(exchange)
    block.last = exchanges[-1]
    play.line, line = block.lines[block.at - 1]
    play.text = fill(line, play.value)
    cursor = Cursor(play.text)
    if cursor.take("end") and cursor.take("->"):
        expect_each(exchanges, cursor.rest)


# --- the rest ----------------------------------------------------------------

def do_operator(play, _block, line):
    """operator ...: run the server's operator with these words"""
    play.rows = {}
    done = subprocess.run(f"{play.server.operator} {line}", shell=True,
                          check=False)
    if done.returncode:
        raise Failed(f"the operator failed with status {done.returncode}")


def do_elsewhere(play, _block, _line):
    """elsewhere: from here on the other daemon is asked"""
    play.elsewhere = True


STATEMENTS = {
    "table": do_table,
    "lobby": do_lobby,
    "raw": do_raw,
    "within": do_within,
    "await": do_await,
    "for": do_for,
    "until": do_until,
    "together": do_together,
    "round": lambda play, _, line: heist.play_round(play, line),
    "heist": lambda play, _, line: heist.play_heist(play, line),
    "follow": lambda play, *_: follow.follow_legal(play),
    "hold": lambda play, *_: play.database.hold(play.game.id),
    "release": lambda play, *_: play.database.release(),
    "operator": do_operator,
    "next": lambda play, _, line: arrange.change(play, "next " + line),
    "active": lambda play, _, line: arrange.change(play, "active " + line),
    "deal": lambda play, _, line: arrange.deal(play, line),
    "elsewhere": do_elsewhere,
}


def run_lines(play, lines):
    """Carry out the lines of a story."""
    try:
        Block(play, lines).run()
    finally:
        play.database.release()
        play.client.forget()
