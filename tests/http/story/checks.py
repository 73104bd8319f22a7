"""The checks of every answer, whatever a story expects.

Before a request the game's row and the number of its events are read from the
database, and compared after a refusal.  Whenever the database shows that pocket
cards were dealt or moved, every actor's hand is read again: answers may name
only cards that their reader has held or seen.
"""
import json
import re

from .expect import ABSENT, find, find_number, find_text
from .faults import Failed

CARDS_MAX = 3  # in a hand of The Gang
GAME = re.compile(r"/v1/games/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"
                  r"(?=[/?]|$)")
# The header fields that a status brings with it.
FIELDS = {304: ("etag", "cache-control", "vary"),
          401: ("www-authenticate",), 405: ("allow",), 415: ("accept",),
          503: ("retry-after",)}
# What is created there cannot be asked for, so it has no location.
WITHOUT_LOCATION = ("/stream_tickets", "/transfers")
GANGSTER = re.compile(r'"[fmba][0-4][a-e]"')
GANGSTERS = 60


def fail(exchange, why):
    raise Failed(why, exchange)


# --- the game's row ----------------------------------------------------------

def look_up(play, game_id):
    """The game's row.  It is read once between two requests: play.rows holds
    it until the next one is sent, or the story changes the database."""
    if game_id not in play.rows:
        play.rows[game_id] = play.database.row(game_id)
    return play.rows[game_id]


def before(play, exchange):
    """Before a request is sent."""
    found = GAME.match(exchange.target)
    exchange.before = look_up(play, found[1]) if found else None
    play.rows = {}


def check_row(play, exchange):
    was = exchange.before
    if not was or exchange.status >= 500:
        return
    row = look_up(play, GAME.match(exchange.target)[1])
    if row and row.version != row.events:
        fail(exchange, f"version {row.version}, but {row.events} events")
    if exchange.status < 400 and exchange.method != "GET":
        return
    if not row or (row.identity, row.events) != (was.identity, was.events):
        now = f"row {row.identity}, {row.events} events" if row else "no row"
        fail(exchange, f"it changed the game: row {was.identity}, "
             f"{was.events} events before; {now} now")


# --- cards and tokens --------------------------------------------------------

def learn_hand(play, actor):
    view = play.ask(actor, "GET", "", expected="200")
    cards = find(view.json, ".you.pocket_cards")
    if not isinstance(cards, list) or not 2 <= len(cards) <= CARDS_MAX:
        fail(view, "two or three pocket cards are dealt")
    actor.cards = cards
    actor.known.update(cards)


def learn_hands(play, game):
    play.learning = True
    actors = [actor for actor in play.actors.values() if actor.game is game]
    for actor in actors:
        actor.cards = []
    for actor in actors:
        if not actor.is_gone:
            learn_hand(play, actor)
    play.learning = False


def learn_anew(play, game):
    """Read the hands of a game whose cards the runner has changed."""
    for actor in play.actors.values():
        if actor.game is game:
            actor.known = set()
    if game.heist:
        learn_hands(play, game)


def follow_game(play, exchange):
    """Follow the actor's game: who holds which cards, and whose lie open."""
    game = exchange.actor and exchange.actor.game
    if not game or play.learning or exchange.status >= 300:
        return
    row = look_up(play, game.id)
    if not row:
        return
    game.started = game.started or row.started > 0
    for actor in play.actors.values():
        if actor.game is game:
            actor.revealed = str(actor.seat) in row.revealed
            if row.heists > game.heist:
                actor.known = set()
    if row.moved != game.moved:
        game.heist, game.moved = row.heists, row.moved
        learn_hands(play, game)


def check_shown(play, exchange):
    """A card that a view shows its reader must be one that an Informant
    shows: of the seat that was announced, to whom was announced."""
    actor = exchange.actor
    card = find_text(exchange.json, ".you.shown_cards[0].card")
    if not actor or not actor.game or not card or \
            find_text(exchange.json, ".id") != actor.game.id:
        return
    seat = find_number(exchange.json, ".you.shown_cards[0].seat")
    play.expect(exchange, ".you.shown_cards count 1 .heist.announcements has "
                '{"code":"informant","seat":%d,"target_seat":%d}' %
                (seat, actor.seat))
    if not any(other.game is actor.game and other.seat == seat and
               card in other.known for other in play.actors.values()):
        fail(exchange, f"seat {seat} never had {card}")
    actor.known.add(card)


def present_part(game, exchange):
    """The part of an answer that is about the present heist; "" if none is,
    or if earlier heists, whose cards are known, cannot be told apart."""
    text, target = exchange.text, exchange.target
    if game.heist == 1:
        return text
    if exchange.method == "GET" and \
            ("/heists" in target or "/showdown" in target):
        return ""
    if "/events" not in target:
        return text
    return text[text.rfind('"heist_started"'):] \
        if '"heist_started"' in text else ""


def check_secrets(play, exchange):
    reader, text = exchange.actor, exchange.text
    for other in play.actors.values():
        if other is reader or not other.game:
            continue
        if other.token and other.token in text:
            fail(exchange, f"{other.name}'s token is in it")
        if other.revealed or other.game.id not in exchange.target:
            continue
        part = present_part(other.game, exchange)
        known = reader.known if reader and reader.game is other.game else ()
        for card in other.cards:
            if card not in known and f'"{card}"' in part:
                fail(exchange, f'{other.name}\'s card "{card}" is in it')


# --- Famiglia ----------------------------------------------------------------

def gangsters(view, *paths):
    """The cards that parts of a view name, with their quotation marks."""
    parts = [find(view, path) for path in paths]
    return GANGSTER.findall(json.dumps(
        [part for part in parts if part is not ABSENT]))


def check_gangsters(exchange):
    """A view names no hidden card, and accounts for all sixty."""
    view = exchange.json
    if not isinstance(view, dict):
        return
    if "table" not in view and "game" in view:
        view = view["game"]
    if not isinstance(find(view, ".table"), dict):
        return
    lying = gangsters(view, ".table.street", ".table.sides[0].display",
                      ".table.sides[1].display")
    hand = gangsters(view, ".you.hand")
    for card in {*lying, *hand}:
        if lying.count(card) + (card in hand) > 1:
            fail(exchange, f"{card} lies in two places")
    count = len(lying) + sum(find_number(view, path) for path in (
        ".table.sides[0].hand", ".table.sides[1].hand", ".table.draw_pile",
        ".table.discard_pile"))
    if count != GANGSTERS:
        fail(exchange, f"there are {count} cards")
    seen = {*lying, *hand, *gangsters(view, ".table.played", ".table.result")}
    for card in GANGSTER.findall(exchange.text):
        if card not in seen:
            fail(exchange, f"{card} is no card of this view")


# --- every answer ------------------------------------------------------------

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


def check_problem(play, exchange):
    play.expect(exchange,
                'header content-type == "application/problem+json" '
                'header cache-control == "no-store" '
                ".title exists .detail exists .instance exists "
                f'.status == {exchange.status} '
                f'.type == "/problems/{exchange.code}"')


def after(play, exchange):
    """When the answer is there."""
    follow_game(play, exchange)
    check_shown(play, exchange)
    check_fields(play, exchange)
    check_secrets(play, exchange)
    check_gangsters(exchange)
    if exchange.status >= 400 and exchange.method != "HEAD":
        check_problem(play, exchange)
    check_row(play, exchange)
