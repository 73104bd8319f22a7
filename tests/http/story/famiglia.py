"""The stories' knowledge of Famiglia: hidden gangsters, and moves that may be illegal.
"""
import json
import re

from .expect import ABSENT, find, find_number
from .faults import Failed

GANGSTER = re.compile(r'"[fmba][0-4][a-e]"')
GANGSTERS = 60
COPIES = (5, 4, 3, 2, 1)  # of a gangster of each rank


def gangsters(view, *paths):
    """The cards that parts of a view name, with their quotation marks."""
    parts = [find(view, path) for path in paths]
    return GANGSTER.findall(json.dumps(
        [part for part in parts if part is not ABSENT]))


def check(exchange):
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
            raise Failed(f"{card} lies in two places", exchange)
    count = len(lying) + sum(find_number(view, path) for path in (
        ".table.sides[0].hand", ".table.sides[1].hand", ".table.draw_pile",
        ".table.discard_pile"))
    if count != GANGSTERS:
        raise Failed(f"there are {count} cards", exchange)
    seen = {*lying, *hand, *gangsters(view, ".table.played", ".table.result")}
    for card in GANGSTER.findall(exchange.text):
        if card not in seen:
            raise Failed(f"{card} is no card of this view", exchange)


# --- moves at random ---------------------------------------------------------

def gangster(random, view):
    """A gangster that the view names, or any at all."""
    named = GANGSTER.findall(view)
    if named and random.randrange(4):
        return json.loads(random.choice(named))
    rank = random.randrange(5)
    return (random.choice("fmba") + str(rank) +
            "abcde"[random.randrange(COPIES[rank])])


def attempt(random, view):
    """A path and a body, or None, for any move; view is a text."""
    def some(count):
        return [gangster(random, view) for _ in range(count)]

    path = random.choice(("/turn/refill", "/turn/accountant", "/turn/brute",
                          "/turn/take", "/turn/take", "/rematch", "/start"))
    if not path.startswith("/turn"):
        return path, None
    body, count = {"card": gangster(random, view)}, random.randint(1, 3)
    if path == "/turn/accountant":
        body |= {"give": some(count), "take": some(count)}
    elif path == "/turn/brute":
        body |= {"target": gangster(random, view), "by": random.randrange(6)}
    elif path == "/turn/take" and random.randrange(3):
        pay = some(2)
        body |= {"pay": pay, "keep": pay[0]}
    return path, body
