"""A story while it is played: its actors, games, variables and requests.

Actors are made when a line first names them.  They learn their token, seat and
game from answers, as a client would.  Every request passes before() and after()
of checks.py, which check what holds for all answers.
"""
import json
import random

from . import checks, expect
from .expect import find_number, find_text
from .faults import Failed, Fault
from .wire import Exchange

WAIT_SECONDS = 10      # for an answer
PARKED_SECONDS = 0.15  # an answer later than this is "parked"


class Game:
    """A game, and what the runner itself knows of it."""

    def __init__(self, game_id):
        self.id = game_id
        self.code = None      # to join by
        self.started = False  # who leaves does so from a seat that stays
        self.heist = 0        # the one whose cards the actors hold
        self.moved = 0        # how often cards were dealt, or moved after it


class Actor:
    def __init__(self, name):
        self.name = name
        self.token = None
        self.seat = 0
        self.game = None      # None: sits nowhere
        self.is_gone = False  # has left the game, or was removed
        self.cards = []
        self.known = set()    # cards seen in this heist
        self.revealed = False  # the cards lie on the table
        self.parked = None    # the exchange that is not answered yet
        self.stream = None


class Play:
    def __init__(self, story, server, choices):
        self.story, self.server = story, server
        self.client, self.database = server.client, server.database
        self.random = random.Random(choices)
        self.line, self.text = story.line, ""  # where it has come to
        self.elsewhere = False
        self.actors = {}
        self.games = []  # newest first
        self.variables = {}
        self.rows = {}   # those that were read, by the id of their game
        self.learning = False

    # --- names ---------------------------------------------------------------

    def actor(self, name):
        return self.actors.setdefault(name, Actor(name))

    @property
    def game(self):
        """The newest one."""
        if not self.games:
            raise Fault("there is no game yet")
        return self.games[0]

    def value(self, name):
        """The value of $NAME."""
        if name in self.variables:
            return self.variables[name]
        who, _, what = name.partition(".")
        actor = self.actors.get(who) or Actor(who)
        value = {"token": actor.token, "seat": str(actor.seat),
                 "game": actor.game and actor.game.id}.get(what)
        if value is None:
            raise Fault(f"nothing is known as ${name}")
        return value

    def seats(self):
        """The actors at the newest game; seat 1 is the first."""
        actors = sorted((actor for actor in self.actors.values()
                         if actor.game is self.game and not actor.is_gone),
                        key=lambda actor: actor.seat)
        for number, actor in enumerate(actors, 1):
            if actor.seat != number:
                raise Fault(f"nobody sits at seat {number}")
        if not actors:
            raise Fault("there is no table to play at")
        return actors

    def row(self, game_id):
        """The row of a game; None without the game.  It is read once between
        two requests: until the next one is sent, or the story changes the
        database by other means."""
        if game_id not in self.rows:
            self.rows[game_id] = self.database.row(game_id)
        return self.rows[game_id]

    # --- requests ------------------------------------------------------------

    def below(self, actor, path):
        """The target of a path below the actor's game."""
        if not actor.game:
            raise Fault(f"{actor.name} sits at no table")
        return f"/v1/games/{actor.game.id}{path}"

    def request(self, actor, method, target, token=None):
        """An exchange that is not sent yet, with the actor's token if no other
        is given."""
        exchange = Exchange(actor, method, target)
        exchange.elsewhere = self.elsewhere
        token = token or (actor and actor.token)
        if token:
            exchange.sent["authorization"] = "Bearer " + token
        return exchange

    def send(self, exchange):
        checks.before(self, exchange)
        exchange.leaving = self.leaving(exchange)
        self.client.send(exchange)

    def receive(self, exchange):
        """Wait for the answer, and check what holds for every answer."""
        if not self.client.wait(exchange, WAIT_SECONDS) or \
                not exchange.status:
            raise Failed("no answer came", exchange)
        self.sit_down(exchange)
        self.sit_down_again(exchange)
        self.stand_up(exchange)
        checks.after(self, exchange)

    def ask(self, actor, method, path, body=None, expected=None):
        """Ask for a path below the actor's game, or a whole one.  The body is
        text, or a value to be sent as JSON."""
        if not path.startswith("/v1/"):
            path = self.below(actor, path)
        exchange = self.request(actor, method, path)
        if body is not None:
            exchange.set_body(body if isinstance(body, str)
                              else json.dumps(body))
        self.send(exchange)
        self.receive(exchange)
        if expected:
            self.expect(exchange, expected)
        return exchange

    def expect(self, exchange, text):
        """Check expectations, and keep what they name in a variable."""
        expect.check_all(exchange, text, self.variables)

    # --- who sits where ------------------------------------------------------

    def find_game(self, game_id):
        for game in self.games:
            if game.id == game_id:
                return game
        self.games.insert(0, Game(game_id))
        return self.games[0]

    def sit_down(self, exchange):
        """An actor who gets a token sits at that game from now on."""
        actor, answer = exchange.actor, exchange.json
        token = find_text(answer, ".token")
        if not actor or exchange.status != 201 or not token:
            return
        actor.token = token
        game = self.find_game(find_text(answer, ".game.id"))
        if actor.game is game and not actor.is_gone:
            return  # a renewed token: the actor sits there already
        actor.seat = find_number(answer, ".seat")
        actor.game = game
        actor.cards, actor.known = [], set()
        actor.revealed = actor.is_gone = False
        self.take_over(actor)
        self.variables["game"] = game.id
        code = find_text(answer, ".invite_code")
        if code:
            game.code = self.variables["code"] = code

    def take_over(self, actor):
        """An actor who takes over a seat gets the cards that lay there."""
        for before in self.actors.values():
            if before.is_gone and before.game is actor.game and \
                    before.seat == actor.seat and before.cards:
                actor.cards, before.cards = before.cards, []

    def sit_down_again(self, exchange):
        """All who sat at a game sit at its rematch, as they did before."""
        before = exchange.actor and exchange.actor.game
        if not before or exchange.status != 201 or \
                find_text(exchange.json, ".rematch_of.id") != before.id:
            return
        game = self.find_game(find_text(exchange.json, ".id"))
        for actor in self.actors.values():
            if actor.game is before:
                actor.game = game
        self.variables["game"] = game.id

    def leaving(self, exchange):
        """The actor at the seat that a request is to free, if it is one."""
        if exchange.method != "DELETE":
            return None
        for actor in self.actors.values():
            if actor.game and not actor.is_gone and exchange.target == \
                    self.below(actor, f"/players/{actor.seat}"):
                return actor
        return None

    def stand_up(self, exchange):
        """An actor who has left keeps a token that is no longer valid; before
        the start the actors at higher seats close up."""
        leaving = exchange.leaving
        if not leaving or exchange.status != 204:
            return
        leaving.is_gone = True
        for actor in self.actors.values():
            if actor.game is leaving.game and not actor.is_gone and \
                    actor.seat > leaving.seat and not actor.game.started:
                actor.seat -= 1
