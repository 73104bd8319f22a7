"""Plays a game by legal_actions alone, at random.

In each step an actor does one of the listed actions, which must succeed, or
tries another one, which must be refused.  Actors who are waited for act most
often.  Of an entry it knows the contract alone: the forms that "choose" may
have.  The number of steps is bounded, so a game that cannot end fails.
"""
import re

from .expect import ABSENT, equal, find, find_text
from .faults import Failed

STEPS_MAX = 5000
PLAIN = ("/heists", "/start", "/rematch", "/round/confirmations")
RANKS, SUITS = "23456789TJQKA", "cdhs"
COLORS = ("white", "yellow", "orange", "red")
GANGSTER = re.compile(r'"([fmba][0-4][a-e])"')
COPIES = (5, 4, 3, 2, 1)  # of a gangster of each rank


# --- an entry's choices ------------------------------------------------------

def value_of(random, form):
    """A value of a form.  Of one_of the first option often, so that players
    who have to agree do so some day."""
    if form["form"] == "range":
        return random.randint(form["least"], form["most"])
    options = form["options"]
    if form["form"] == "some_of":
        count = min(random.randint(form["least"], form["most"]), len(options))
        places = sorted(random.sample(range(len(options)), count))
        return [options[place] for place in places]
    return options[0] if random.randrange(4) else random.choice(options)


def choose_from(random, entry):
    """The two bodies of an entry, with its choices made: for the route of its
    "href", and for POST .../actions."""
    values = {name: value_of(random, form)
              for name, form in (entry.get("choose") or {}).items()}
    body = entry["body"]
    return (None if body is None else {**body, **values},
            {**entry["command"], **values})


def allows_value(form, value):
    if form["form"] == "range":
        return type(value) is int and form["least"] <= value <= form["most"]
    if form["form"] == "one_of":
        return any(equal(value, option) for option in form["options"])
    return isinstance(value, list) and \
        form["least"] <= len(value) <= form["most"] and \
        all(each in form["options"] for each in value) and \
        all(each not in value[:at] for at, each in enumerate(value))


def allows(entry, body):
    """True if an entry allows this body: the fixed members are as they are,
    and there are no others than those to choose."""
    fixed, choose = entry["body"] or {}, entry.get("choose") or {}
    return body.keys() == {*fixed, *choose} and \
        all(equal(value, body[name]) for name, value in fixed.items()) and \
        all(allows_value(form, body[name]) for name, form in choose.items())


# --- moves that may not be listed --------------------------------------------

def gang_body(random, path):
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


def gang_attempt(random):
    """A path and a body, or None, for any move of The Gang."""
    what = random.randrange(13)
    if what < 4:
        return PLAIN[what], None
    if what < 8:
        path = ("/specialist/proposals", "/specialist/votes", "/choices",
                "/showdown/answers")[what - 4]
        return path, gang_body(random, path)
    chip = f"/chips/{random.choice(COLORS)}/{random.randint(1, 6)}"
    if random.random() < 0.5:
        return chip + "/return", None
    return chip + "/take", {"from": random.randrange(7) or "center"}


def gangster(random, view):
    """A gangster that the view names, or any at all."""
    named = GANGSTER.findall(view)
    if named and random.randrange(4):
        return random.choice(named)
    rank = random.randrange(5)
    return (random.choice("fmba") + str(rank) +
            "abcde"[random.randrange(COPIES[rank])])


def famiglia_attempt(random, view):
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


def try_unlisted(play, view, legal):
    """A move that is not listed is refused."""
    is_famiglia = find_text(view.json, ".ruleset") == "famiglia"
    path, body = famiglia_attempt(play.random, view.text) if is_famiglia \
        else gang_attempt(play.random)
    href = play.below(view.actor, path)
    if any(entry["href"] == href and allows(entry, body or {})
           for entry in legal):
        return
    refused = play.ask(view.actor, "POST", href, body)
    if refused.status < 400:
        raise Failed("it was not in legal_actions", refused)


# --- moves that are listed ---------------------------------------------------

def draw_listed(random, legal):
    """Any of them; but rarely a pass, two of which end a game, and mostly the
    confirmation of a round, of which each moved chip needs all anew."""
    for entry in legal:
        if entry["action"] == "confirm_round" and random.randrange(8):
            return entry
    entry = random.choice(legal)
    while len(legal) > 1 and entry["action"] == "pass" and \
            random.randrange(8):
        entry = random.choice(legal)
    return entry


def do_listed(play, actor, legal):
    """One of the listed moves, by either of its URLs: it must succeed."""
    entry = draw_listed(play.random, legal)
    body, command = choose_from(play.random, entry)
    if play.random.random() < 0.5:
        done = play.ask(actor, "POST", "/actions", command)
    else:
        done = play.ask(actor, entry["method"], entry["href"], body)
    if done.status not in (200, 201):
        raise Failed("it was in legal_actions", done)


def is_eager(play, actor, view):
    """Whether the game waits for the actor; now and then another acts too."""
    waiting = find(view, ".heist.waiting_for")
    return waiting is ABSENT or not waiting or actor.seat in waiting or \
        play.random.randrange(4) == 0


def follow_legal(play):
    seats = play.seats()
    for _ in range(STEPS_MAX):
        actor = play.random.choice(seats)
        view = play.ask(actor, "GET", "",
                        expected="200 .you.legal_actions exists")
        legal = view.json["you"]["legal_actions"]
        if view.json["status"] != "playing":
            play.expect(view, '.you.legal_actions[*].action == ["rematch"]')
            return
        try_unlisted(play, view, legal)
        if legal and is_eager(play, actor, view.json):
            do_listed(play, actor, legal)
    raise Failed("the game does not end")
