"""A player (player.py) who gives each request a key and retries it.

A player who gets no answer, or 503, asks the next daemon under the same key
until there is an outcome.  Now and then the player repeats a request that was
carried out; that must change nothing, and have the same status.
"""
import dataclasses
import random
import secrets
import time

import checker
from player import Asked, Player

# A prefix of all keys, by which a search finds them where they must not be.
PREFIX = "retrier-"
AGAIN = 0.05         # how much of what was done is asked for again
REMEMBERED = 8       # of the newest of these: as long as a key holds
PAUSE_SECONDS = 0.02
GIVE_UP_SECONDS = 60


@dataclasses.dataclass
class Keyed(Asked):
    key: str = None
    tries: int = 0
    fields: list = None       # what is sent with it each time
    again: "Keyed" = None     # what it is that is asked for once more


class Retrier(Player):
    """addresses() gives the present addresses of the daemons."""

    def __init__(self, addresses, path, token, seat, players, seed):
        super().__init__(None, path, token, seat, players, seed)
        self.addresses = addresses
        self.at = seed
        self.done = []

    def move_on(self):
        """Connect to the next daemon at its present address."""
        self.wire.close()
        addresses = self.addresses()
        self.at = (self.at + 1) % len(addresses)
        self.wire.address = addresses[self.at]

    def try_once(self, asked):
        method, path, body = self.request_of(asked)
        asked.tries += 1
        try:
            return self.wire.ask(method, path, asked.fields, body)
        except OSError:
            return None, None, None

    def insist(self, asked):
        """Ask until there is an outcome."""
        if not self.wire.address:
            self.move_on()
        deadline = time.monotonic() + GIVE_UP_SECONDS
        asked.sent = time.monotonic()
        while True:
            asked.status, fields, body = self.try_once(asked)
            if asked.status not in checker.GONE or \
                    time.monotonic() > deadline:
                break
            self.move_on()
            time.sleep(PAUSE_SECONDS * random.random())
        asked.answered = time.monotonic()
        if asked.status is not None:
            self.learn(asked, fields, body)
        self.history.append(asked)
        return asked

    def ask(self, asked):
        asked = Keyed(**vars(asked))
        asked.fields = ["Authorization: Bearer " + self.token]
        if asked.verb != "look":
            asked.key = PREFIX + secrets.token_urlsafe(16)
            asked.fields.append("Idempotency-Key: " + asked.key)
        if asked.if_match is not None:
            asked.fields.append("If-Match: " + self.etag)
        self.insist(asked)
        if asked.is_done and asked.key:
            self.done = self.done[1 - REMEMBERED:] + [asked]
            if self.random.random() < AGAIN:
                self.ask_again(self.random.choice(self.done))
        return asked

    def ask_again(self, done):
        self.insist(Keyed(done.seat, done.verb, done.color, done.stars,
                          done.source, done.if_match, key=done.key,
                          fields=done.fields, again=done))
