"""The tables of the sources of which each game has a part.

A game is a folder of internal/games, named by a row of rulesets.def.  The tables
of the service come first, as in the service's lists.
"""

import os
import re

REPO = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
ROOM = "internal/games"


def names(repo=REPO):
    """The folders of the games, in the order of lists."""
    with open(os.path.join(repo, ROOM, "rulesets.def"), encoding="utf-8") as file:
        return re.findall(r"^RULESET\((\w+)\)", file.read(), re.M)


def paths(name, repo=REPO):
    """The paths, from repo, of the files of this name that there are."""
    places = ["internal/service", "internal/push"]
    for game in names(repo):
        places += [f"{ROOM}/{game}", f"{ROOM}/{game}/rules"]
    found = [os.path.join(place, name) for place in places]
    return [path for path in found if os.path.exists(os.path.join(repo, path))]


def read(name, repo=REPO):
    """The text of all of them."""
    text = ""
    for path in paths(name, repo):
        with open(os.path.join(repo, path), encoding="utf-8") as file:
            text += file.read()
    return text
