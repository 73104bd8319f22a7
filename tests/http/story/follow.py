"""Plays a game by legal_actions alone, at random.

In each step an actor does one of the listed actions, which must succeed, or
tries another one, which must be refused.  Actors who are waited for act most
often.  Of an entry it knows the contract alone: the forms that "choose" may
have.  The number of steps is bounded, so a game that cannot end fails.
"""
from . import famiglia, gang
from .expect import ABSENT, equal, find
from .faults import Failed

STEPS_MAX = 5000
RULESETS = {"the_gang": gang, "famiglia": famiglia}


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


# --- moves -------------------------------------------------------------------

def try_unlisted(play, view, legal):
    """A move that is not listed is refused."""
    ruleset = RULESETS[view.json["ruleset"]]
    path, body = ruleset.attempt(play.random, view.text)
    href = play.below(view.actor, path)
    if any(entry["href"] == href and allows(entry, body or {})
           for entry in legal):
        return
    refused = play.ask(view.actor, "POST", href, body)
    if refused.status < 400:
        raise Failed("it was not in legal_actions", refused)


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
