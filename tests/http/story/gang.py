"""The stories' knowledge of The Gang: hidden cards, and moves that may be illegal.

Whenever the database shows that pocket cards were dealt or moved, every actor's
hand is read again: answers may name only cards that their reader has held or
seen.
"""
from .expect import ABSENT, find, find_number, find_text
from .faults import Failed

PLAIN = ("/heists", "/start", "/rematch", "/round/confirmations")
WITH_BODY = ("/specialist/proposals", "/specialist/votes", "/choices",
             "/showdown/answers")
RANKS, SUITS = "23456789TJQKA", "cdhs"
COLORS = ("white", "yellow", "orange", "red")


# --- pocket cards ------------------------------------------------------------

def learn_hands(play, game):
    """Read the hand of each actor at a game."""
    play.learning = True
    actors = [actor for actor in play.actors.values() if actor.game is game]
    for actor in actors:
        actor.cards = []
    for actor in actors:
        if actor.is_gone:
            continue
        view = play.ask(actor, "GET", "", expected="200")
        actor.cards = find(view.json, ".you.pocket_cards")
        if actor.cards is ABSENT or len(actor.cards) not in (2, 3):
            raise Failed("two or three pocket cards are dealt", view)
        actor.known.update(actor.cards)
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
    row = play.row(game.id)
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
        raise Failed(f"seat {seat} never had {card}", exchange)
    actor.known.add(card)


def present_part(game, exchange):
    """The part of an answer that is about the present heist; "" if no part is,
    or if earlier heists, whose cards are known, cannot be distinguished."""
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


def check(play, exchange):
    """An answer names no card that its reader does not know."""
    check_shown(play, exchange)
    reader = exchange.actor
    for other in play.actors.values():
        if other is reader or not other.game or other.revealed or \
                other.game.id not in exchange.target:
            continue
        part = present_part(other.game, exchange)
        known = reader.known if reader and reader.game is other.game else ()
        for card in other.cards:
            if card not in known and f'"{card}"' in part:
                raise Failed(f'{other.name}\'s card "{card}" is in it',
                             exchange)


# --- moves at random ---------------------------------------------------------

def random_body(random, path):
    seat, rank = random.randint(1, 6), random.choice(RANKS)
    if path == "/specialist/votes":
        return {"agree": random.random() < 0.5}
    if path == "/choices":
        return {"card": rank + random.choice(SUITS)} if random.randrange(3) \
            else {"looked": True}
    if path == "/showdown/answers":
        return random.choice((
            {"question": "retina_scan", "value": rank},
            {"question": "fingerprint_scan", "value": "pair"}))
    return random.choice(({"seat": seat, "value": rank}, {"seat": seat},
                          {"seat": seat, "target_seat": random.randint(1, 6)}))


def attempt(random, _view):
    """A path and a body, or None, for any move."""
    what = random.randrange(13)
    if what < 4:
        return PLAIN[what], None
    if what < 8:
        path = WITH_BODY[what - 4]
        return path, random_body(random, path)
    chip = f"/chips/{random.choice(COLORS)}/{random.randint(1, 6)}"
    if random.random() < 0.5:
        return chip + "/return", None
    return chip + "/take", {"from": random.randrange(7) or "center"}
