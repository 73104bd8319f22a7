"""Players of Famiglia who know no rule: they do what legal_actions offers."""

STEPS = ("refill", "accountant", "brute", "take", "pass")
FAMILIES = {"accountant": "a", "brute": "b"}  # whose ability it is


def value_of(form, random):
    """A value of one of the forms that "choose" may have."""
    if form["form"] == "range":
        return random.randint(form["least"], form["most"])
    if form["form"] == "some_of":
        return random.sample(form["options"],
                             random.randint(form["least"], form["most"]))
    return random.choice(form["options"])


def body_of(entry, random):
    """The body of an entry, with what is left to choose chosen."""
    return {**entry["body"], **{name: value_of(form, random) for name, form
                                in (entry["choose"] or {}).items()}}


def toward(actions, wanted, random):
    """An action of the wanted kind, or one toward it; None if neither is legal.

    An ability needs a card of its family, of rank 1 or more; a refill needs a
    street without zeros.
    """
    def distance(entry):
        card = (entry["body"] or {}).get("card", "")
        if entry["action"] == wanted:
            return 0
        if entry["action"] == "take":
            if card[0] == FAMILIES.get(wanted):
                return 1 if card[1] > "0" else 2
            return 3 if card[1] == "0" else 5
        return {"refill": 4, "pass": 6}.get(entry["action"], 7)

    actions = [entry for entry in actions if entry["action"] in STEPS]
    random.shuffle(actions)
    return min(actions, key=distance, default=None)
