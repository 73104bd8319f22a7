"""The lobby, page by page, while games come and go.

Public and private games are created, joined, started, left and deleted while
readers go through all pages by their "Link", again and again.  Each pass shows
every game that waits all the while, and no game twice; the newest come first;
and every listed game is public, waits for players, and fits the query.
"""
import http.client
import re
import threading

STAYING = 120
COMING = 60  # games that come and go meanwhile
LINK = re.compile(r'^<(/v1/games\?[^>]*)>; rel="next"$')
MODES = ("basic", "advanced", "professional", "master_thief")
MEMBERS = {"id", "ruleset", "mode", "round_end", "host", "seats", "free_seats",
           "spectators", "created_at"}

# The readers' queries, and whether a listed game fits each.
QUESTIONS = (
    ("limit=7", lambda game: True),
    ("", lambda game: True),
    ("limit=100", lambda game: True),
    ("limit=5&mode=advanced", lambda game: game["mode"] == "advanced"),
    ("free_seats=4&limit=11&ruleset=the_gang",
     lambda game: game["free_seats"] >= 4),
)


def make(client, number, **options):
    return client.post("/v1/games", dict({
        "name": f"host {number}", "visibility": "public", "seats": 6,
        "mode": MODES[number % len(MODES)]}, **options)).json


class Bustle(threading.Thread):
    """Games that are created and started, left or deleted."""

    def __init__(self, daemon):
        super().__init__()
        self.client = daemon.client()
        self.secret = set()
        self.fault = None

    def once(self, number):
        client, fate = self.client, number % 4
        client.token = None
        if fate == 0:
            hidden = make(client, number, visibility="private",
                          spectators=True)
            self.secret.add(hidden["game"]["id"])
            return
        made = make(client, number, seats=3)
        path = "/v1/games/" + made["game"]["id"]
        if fate == 1:
            for name in "BC":
                client.post(path + "/players", {"name": name})
            return
        client.token = made["token"]
        client.ask("DELETE", path + ("/players/1" if fate == 2 else ""))

    def run(self):
        try:
            for number in range(COMING):
                self.once(number)
        except (OSError, http.client.HTTPException, KeyError) as error:
            self.fault = repr(error)


class Reader(threading.Thread):
    """Reads all pages, and compares them with the games that must be there."""

    def __init__(self, daemon, question, staying, bustle):
        super().__init__()
        self.client = daemon.client()
        self.query, self.fits = question
        self.bustle, self.secret = bustle, bustle.secret
        self.staying = {game["id"] for game in staying if self.fits(game)}
        self.pages = 0
        self.faults = []

    def listed(self):
        """The games of all pages."""
        path = "/v1/games" + ("?" + self.query if self.query else "")
        games = []
        while path:
            answer = self.client.get(path)
            if answer.status != 200:
                raise OSError(f"{path}: {answer.status} {answer.body[:200]}")
            games += answer.json["games"]
            self.pages += 1
            link = answer.header("Link")
            path = LINK.match(link).group(1) if link else None
        return games

    def faults_of(self, games):
        ids = [game["id"] for game in games]
        if len(set(ids)) < len(ids):
            yield "a game is listed twice"
        if ids != sorted(ids, reverse=True):
            yield "they are in another order"
        if self.staying - set(ids):
            yield f"{len(self.staying - set(ids))} are missing"
        if self.secret & set(ids):
            yield "a private game is listed"
        for game in games:
            if set(game) != MEMBERS or not self.fits(game) or \
                    not 1 <= game["free_seats"] < game["seats"]:
                yield f"{game} is listed"

    def run(self):
        try:
            while self.bustle.is_alive() and not self.faults:
                self.faults += self.faults_of(self.listed())
        except (OSError, http.client.HTTPException, AttributeError) as error:
            self.faults.append(repr(error))


def sizes(client):
    """The number of games of a page, by its limit."""
    return [len(client.get("/v1/games" + query).json["games"])
            for query in ("", "?limit=1", "?limit=100")]


def test_pages(tally, daemon):
    client = daemon.client()
    staying = []
    for number in range(STAYING):
        made = make(client, number, spectators=number % 3 == 0)
        game = made["game"]
        for other in range(number % 4):
            client.post(f"/v1/games/{game['id']}/players",
                        {"name": f"player {other}"})
        staying.append({"id": game["id"], "mode": game["mode"],
                        "free_seats": 5 - number % 4})
    tally.check("pages are as long as requested", sizes(client) ==
                [50, 1, 100], sizes(client))
    bustle = Bustle(daemon)
    readers = [Reader(daemon, question, staying, bustle)
               for question in QUESTIONS]
    for thread in [bustle, *readers]:
        thread.start()
    for thread in [bustle, *readers]:
        thread.join()
    for reader in readers:
        tally.check(f"{len(reader.staying)} games or more on "
                    f"{reader.pages} pages of {reader.query or 'all'}",
                    not reader.faults and reader.staying, reader.faults[:3])
    tally.check(f"{COMING} games came and went", not bustle.fault and
                bustle.secret, bustle.fault)
    left = Reader(daemon, QUESTIONS[0], staying, bustle).listed()
    tally.check("only the games that stay are left",
                {game["id"] for game in left}
                == {game["id"] for game in staying}, len(left))


def test_the_daemon_ends_well(tally, daemon):
    tally.end_well(daemon)
