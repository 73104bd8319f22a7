"""The checks of every answer, whatever a story expects.

Before a request the game's row and the number of its events are read from the
database, and compared after a refusal.
"""
import re

from . import famiglia, gang
from .expect import find_text
from .faults import Failed

GAME = re.compile(r"/v1/games/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"
                  r"(?=[/?]|$)")
# The header fields that a status brings with it.
FIELDS = {304: ("etag", "cache-control", "vary"),
          401: ("www-authenticate",), 405: ("allow",), 415: ("accept",),
          503: ("retry-after",)}
# These routes create things that no GET returns, so there is no location.
WITHOUT_LOCATION = ("/stream_tickets", "/transfers")


def fail(exchange, why):
    raise Failed(why, exchange)


def before(play, exchange):
    """Before a request is sent."""
    found = GAME.match(exchange.target)
    exchange.before = play.row(found[1]) if found else None
    play.rows = {}


def check_row(play, exchange):
    was = exchange.before
    if not was or exchange.status >= 500:
        return
    row = play.row(GAME.match(exchange.target)[1])
    if row and row.version != row.events:
        fail(exchange, f"version {row.version}, but {row.events} events")
    if exchange.status < 400 and exchange.method != "GET":
        return
    if not row or (row.identity, row.events) != (was.identity, was.events):
        now = f"row {row.identity}, {row.events} events" if row else "no row"
        fail(exchange, f"it changed the game: row {was.identity}, "
             f"{was.events} events before; {now} now")


def check_fields(play, exchange):
    fields = exchange.fields
    if exchange.status == 201 and "location" not in fields and \
            not exchange.target.endswith(WITHOUT_LOCATION):
        fail(exchange, "location is missing")
    for field in (*FIELDS.get(exchange.status, ()), "x-request-id"):
        if field not in fields:
            fail(exchange, f"{field} is missing")
    if find_text(exchange.json, ".token"):
        play.expect(exchange, 'header cache-control == "no-store"')


def check_tokens(play, exchange):
    """An answer holds no token of another player."""
    for other in play.actors.values():
        if other is not exchange.actor and other.token and \
                other.token in exchange.text:
            fail(exchange, f"{other.name}'s token is in it")


def check_problem(play, exchange):
    play.expect(exchange,
                'header content-type == "application/problem+json" '
                'header cache-control == "no-store" '
                ".title exists .detail exists .instance exists "
                f'.status == {exchange.status} '
                f'.type == "/problems/{exchange.code}"')


def after(play, exchange):
    """When the answer is there."""
    gang.follow_game(play, exchange)
    check_fields(play, exchange)
    check_tokens(play, exchange)
    gang.check(play, exchange)
    famiglia.check(exchange)
    if exchange.status >= 400 and exchange.method != "HEAD":
        check_problem(play, exchange)
    check_row(play, exchange)
