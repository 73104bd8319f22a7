"""Players of Famiglia who know no rule: they do what legal_actions offers."""

STEPS = ("refill", "accountant", "brute", "take", "pass")
FAMILIES = {"accountant": "a", "brute": "b"}  # whose ability it is


def body_of(entry, random):
    """The body of an entry, with its choices made at random; or None."""
    body, choose = dict(entry["body"] or {}), entry["choose"] or {}
    if "count" in choose:
        count = random.randint(choose["count"]["min"], choose["count"]["max"])
        body["give"] = random.sample(choose["give"], count)
        body["take"] = random.sample(choose["take"], count)
    elif "target" in choose:
        target = random.choice(choose["target"])
        body.update(target=target["card"], by=random.randint(1, target["max"]))
    elif "pay" in choose:
        first = random.choice(choose["pay"]["cards"])
        others = choose["pay"]["cards"] + choose["pay"]["stand_ins"]
        others.remove(first)
        body["pay"] = [first, random.choice(others)]
        body["keep"] = random.choice(body["pay"])
    return body or None


def toward(actions, wanted, random):
    """An action of the wanted kind, or one toward it; None if there is none.

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
