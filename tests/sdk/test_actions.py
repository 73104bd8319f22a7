"""POST .../actions answers as a move's own route.

Players of both rulesets make the moves that legal_actions lists.  Each one is
made twice from the same state: by its own route ("method", "href" and "body"),
then, when the game's row has been put back, by its "command".  Status, header
fields and body must be the same, but for their time and path, also when the same move is
repeated, which is mostly refused, and when it has a member too many.  Only where
new cards are dealt may the second view have others than the first.

A bot is seated by stories (tests/http/44-bots.story): its name is drawn, and by its
own route there is more in the answer than the view.

It plays until each action has been accepted and refused MOVES times.
"""
import os
import random
import re

import games
from gangd import Daemon, Sql, Table

HERE = os.path.dirname(os.path.abspath(__file__))

MOVES = 2
MOST_GAMES = 60
TABLES = [
    {"players": 3, "mode": "professional", "stacks": "shuffled",
     "round_end": "confirmed"},
    {"players": 2, "ruleset": "famiglia"},
]
# Actions that may deal cards, or create a game.
CHANCE = {"start", "next_heist", "rematch", "propose", "vote", "choose"}
SEATS_BOT = "seat_bot"
OWN_FIELDS = {"date", "x-request-id", "content-length"}


def codes():
    found = re.findall(r'^ACTION\("(\w+)"', games.read("action.def"), re.M)
    return [code for code in found if code != SEATS_BOT]


class Game:
    """A table whose row in the database can be put back."""

    def __init__(self, daemon, sql, columns, options, starts):
        options = dict(options)
        players = options.pop("players")
        self.table = Table(daemon, players, start=not starts, **options)
        if starts:
            self.sit_down(daemon, players)
        self.clients = [daemon.client(token) for token in self.table.tokens]
        self.sql, self.columns = sql, columns

    def sit_down(self, daemon, players):
        """As many as are needed, of more seats: the host has to start."""
        client = daemon.client()
        for name in "BC"[:players - 1]:
            answer = client.post(f"/v1/invitations/{self.table.code}/players",
                                 {"name": name})
            self.table.tokens.append(answer.json["token"])
        client.close()

    def save(self):
        self.sql.do("DELETE FROM saved; INSERT INTO saved "
                    "SELECT * FROM gangd.game "
                    f"WHERE game_id = '{self.table.id}'")

    def restore(self):
        self.sql.do(
            f"UPDATE gangd.game SET ({self.columns}) = "
            f"(SELECT {self.columns} FROM saved) "
            f"WHERE game_id = '{self.table.id}';"
            "DELETE FROM gangd.event WHERE game_id = "
            f"'{self.table.id}' AND version > (SELECT version FROM saved)")

    def twice(self, client, entry, members):
        """The answers to a move by its own route, and by its command."""
        self.save()
        own = client.ask(entry["method"], entry["href"],
                         {**entry["body"], **members})
        if own.status < 400:
            self.restore()
        return own, client.post(self.table.path + "/actions",
                                {**entry["command"], **members})

    def close(self):
        for client in self.clients:
            client.close()


def chosen(form):
    """A value of a form of "choose", often the first of several."""
    if form["form"] == "range":
        return random.randint(form["least"], form["most"])
    options = form["options"]
    if form["form"] == "one_of":
        return random.choice(options + options[:1] * 3)
    return random.sample(options, random.randint(form["least"], form["most"]))


def told_by(answer, path):
    """An answer without what two requests cannot have the same: the time, the
    path, and the list of members that may be in the body."""
    body = answer.body.replace(b'"instance":"%s"' % path.encode(),
                               b'"instance":""')
    body = re.sub(rb'"updated_at":"[^"]*"', b'"updated_at":""', body)
    body = re.sub(rb"(There is no such member here); [^\"]*", rb"\1", body)
    fields = [(name.lower(), re.sub(r"(\.\d+\.\d+)\.[0-9a-f]{10,}\.", r"\1.", value)
               if name.lower() == "etag" else value)
              for name, value in answer.headers
              if name.lower() not in OWN_FIELDS]
    return answer.status, fields, body


def shape(value):
    """The kinds of the members of JSON, except those that cards decide."""
    if isinstance(value, dict):
        return {name: shape(value[name]) for name in sorted(value)
                if name != "you"}
    return type(value).__name__


def shape_of(answer):
    return (answer.status, [name for name, _ in answer.headers],
            shape(answer.json))


def is_like(action, own, told, paths):
    if told_by(own, paths[0]) == told_by(told, paths[1]):
        return True
    return action in CHANCE and own.status < 400 and \
        shape_of(own) == shape_of(told)


class Comparison:
    def __init__(self):
        self.accepted = dict.fromkeys(codes(), 0)
        self.refused = dict.fromkeys(codes(), 0)
        self.same = set()   # accepted, with the same bytes
        self.wrong = []

    def needs(self, action):
        return min(self.accepted[action], self.refused[action]) < MOVES

    def done(self):
        return not any(map(self.needs, self.accepted))

    def compare(self, game, client, entry, members):
        action = entry["action"]
        own, told = game.twice(client, entry, members)
        paths = entry["href"], game.table.path + "/actions"
        if not is_like(action, own, told, paths):
            self.wrong.append((action, told_by(own, paths[0]),
                               told_by(told, paths[1])))
        counts = self.accepted if told.status < 400 else self.refused
        counts[action] += 1
        if told.status < 400 and \
                told_by(own, paths[0]) == told_by(told, paths[1]):
            self.same.add(action)
        return told

    def move(self, game, client, entry):
        """Make a move, twice if that shows something new; its answer."""
        members = {name: chosen(form)
                   for name, form in (entry["choose"] or {}).items()}
        if not self.needs(entry["action"]):
            return client.post(game.table.path + "/actions",
                               {**entry["command"], **members})
        self.compare(game, client, entry, {**members, "x": 1})
        told = self.compare(game, client, entry, members)
        self.compare(game, client, entry, members)
        return told

    def pick(self, entries):
        """The entry that is needed most; or one that brings the game on."""
        needed = [each for each in entries if self.needs(each["action"])]
        if needed:
            return min(needed, key=lambda each: self.accepted[each["action"]])
        holds = any(each["action"] == "return_chip" for each in entries)
        good = [each for each in entries if each["action"] not in
                ("return_chip", "pass") and
                not (each["action"] == "take_chip" and
                     (holds or each["chip"]["holder"]))]
        return random.choice(good) if good else None

    def step(self, game):
        """Somebody moves; false when the game has led to another one."""
        views = []
        for client in random.sample(game.clients, len(game.clients)):
            view = client.get(game.table.path).json
            entries = [each for each in view["you"]["legal_actions"]
                       if each["action"] != SEATS_BOT]
            entry = self.pick(entries)
            if entry:
                self.move(game, client, entry)
                return entry["action"] != "rematch"
            views += [(client, entry) for entry in entries]
        if views:
            self.move(game, *random.choice(views))
        return bool(views)


def test_actions(tally, build, database):
    seed = os.environ.get("SEED") or str(random.randrange(1 << 30))
    print("seed", seed)
    random.seed(seed)
    daemon = Daemon(build)
    daemon.wait_ready()
    sql = Sql()
    sql.do("CREATE TEMP TABLE saved AS SELECT * FROM gangd.game LIMIT 0")
    columns = sql.ask(
        "SELECT string_agg(quote_ident(attname), ', ') FROM pg_attribute "
        "WHERE attrelid = 'gangd.game'::regclass AND attnum > 0 "
        "AND NOT attisdropped AND attgenerated = ''")
    comparison = Comparison()
    games = 0
    while not comparison.done() and games < MOST_GAMES:
        for number, options in enumerate(TABLES):
            starts = number == 0 and comparison.needs("start")
            options = {**options, **({"seats": 4} if starts else {})}
            game = Game(daemon, sql, columns, options, starts)
            while comparison.step(game):
                pass
            game.close()
            games += 1
    for action in comparison.accepted:
        counts = comparison.accepted[action], comparison.refused[action]
        tally.check(f"{action} was accepted {counts[0]} times and refused "
                    f"{counts[1]} times", min(counts) >= MOVES)
    tally.check("both ways have the same answers", not comparison.wrong,
                comparison.wrong[:1])
    missing = set(codes()) - CHANCE - comparison.same
    tally.check("of moves that deal no cards byte for byte", not missing,
                missing)
    print(games, "games")
    sql.close()
    tally.end_well(daemon)
