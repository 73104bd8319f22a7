"""Streams of events, read block by block.

An event that a story reads must follow the one before it by one version, and a
view must follow the last event that it counts.  Events are checked as a page of
events that has them, and a view as the answer to GET, by the same expectations.
A stream has no other lines.
"""
import json
import re

from . import checks
from .faults import Failed, Fault
from .play import PARKED_SECONDS, WAIT_SECONDS
from .text import Cursor, to_bytes, to_text

OPENED = ('200 header content-type == "text/event-stream"'
          ' header cache-control == "no-store"'
          ' header vary has "Accept" header vary has "Authorization"'
          " header x-request-id exists header etag absent")
EVENT = re.compile(r"id: (\d+)\ndata: ([^\n]*)")
VIEW = re.compile(r"event: view\nid: (\d+)\ndata: ([^\n]*)")


class Stream:
    """The stream that an exchange asks for; it replaces the actor's."""

    def __init__(self, play, exchange):
        self.play, self.exchange = play, exchange
        self.at = 0     # how much of its answer was read
        self.heard = 0  # the version of the last event
        if not exchange.actor:
            raise Fault("only actors have streams")
        exchange.sent.setdefault("accept", "text/event-stream")
        play.send(exchange)
        exchange.before = None  # others may change the game meanwhile
        if self.wait() is None:
            self.fail("it is no stream" if exchange.done
                      else "no stream begins")
        play.expect(exchange, OPENED)
        self.expect_block("retry: 2000")
        if exchange.actor.stream:
            exchange.actor.stream.hang_up()
        exchange.actor.stream = self

    def hang_up(self):
        self.play.client.forget(self.exchange)
        self.exchange.actor.stream = None

    def fail(self, why):
        raise Failed(why, self.exchange)

    # --- blocks of lines -----------------------------------------------------

    def wait(self, seconds=WAIT_SECONDS):
        """The next block; None at the end, or if no block comes."""
        answer = self.exchange.answer
        while (end := answer.find(b"\n\n", self.at)) < 0:
            if self.exchange.done or not self.play.client.wait(
                    self.exchange, seconds, len(answer) + 1):
                return None
        return to_text(answer[self.at:end])

    def skip(self, block):
        """Go past a block; its bytes."""
        start = self.at
        self.at += len(to_bytes(block)) + 2
        return self.exchange.answer[start:self.at]

    def expect_block(self, expected):
        block = self.wait()
        if block != expected:
            self.fail(f'expected "{expected}", not {block or "nothing"}')
        self.skip(block)

    # --- events --------------------------------------------------------------

    def answer(self, target, text):
        """An answer made of what the stream had, to be checked like others."""
        page = self.play.request(self.exchange.actor, "GET", target)
        page.fields = self.exchange.fields
        page.answer = to_bytes(text)
        page.finish(self.exchange.status)
        page.json = json.loads(text)
        return page

    def take(self, pattern, block, kind):
        """The version and the data of a block, which is of that version."""
        found = pattern.fullmatch(block)
        if not found:
            self.fail(f"no {kind}: {block}")
        version = int(found[1])
        if json.loads(found[2]).get("version") != version:
            self.fail(f"the id is not the version: {block}")
        return version, found[2]

    def take_events(self, count):
        """The next events, as a page."""
        events, start = [], self.at
        for number in range(count):
            block = self.wait()
            if block is None:
                self.fail(f"{number} of {count} events were heard")
            version, event = self.take(EVENT, block, "event")
            if self.heard and version != self.heard + 1:
                self.fail(f"after version {self.heard} comes {version}")
            self.heard = version
            events.append(event)
            self.skip(block)
        page = self.answer(self.exchange.target,
                           '{"events":[%s]}' % ",".join(events))
        self.play.server.log(page, self.exchange.answer[start:self.at])
        checks.after(self.play, page)
        return page

    def sees(self, line):
        """The view that is the next thing in the stream, as the line says."""
        block = self.wait()
        if block is None or not block.startswith("event: view\n"):
            self.fail(f"expected a view, not {block or 'nothing'}")
        version, text = self.take(VIEW, block, "view")
        if self.heard not in (0, version):
            self.fail(f"after version {self.heard} comes the view of "
                      f"{version}")
        self.heard = version
        view = self.answer(self.exchange.target.partition("/events")[0], text)
        self.play.server.log(self.exchange, self.skip(block))
        checks.after(self.play, view)
        self.play.expect(view, line)
        return view

    def hears(self, line):
        """Check the words after "hears"; returns the page of events, or None."""
        cursor = Cursor(line)
        if cursor.take("nothing"):
            block = self.wait(PARKED_SECONDS)
            if block is not None or self.exchange.done:
                self.fail(f"expected nothing, not {block or 'the end'}")
        elif cursor.take("the end"):
            self.hear_end()
        elif cursor.take("closed"):
            reason = json.dumps(cursor.word() or None)
            self.expect_block('event: closed\ndata: {"reason":%s}' % reason)
            self.hear_end()
        else:
            count = int(cursor.word()) if cursor.next.isdigit() else 1
            page = self.take_events(count)
            if cursor.next == "{":
                self.play.expect(page, ".events has " + cursor.json())
            self.play.expect(page, cursor.rest)
            return page
        return None

    def hear_end(self):
        """All that was sent has been heard, and the answer is whole."""
        if not self.play.client.wait(self.exchange, WAIT_SECONDS):
            self.fail("it does not end")
        left = to_text(self.exchange.answer[self.at:])
        if self.exchange.status != 200 or left:
            self.fail(f"expected the end, not {left}")


def stream_of(actor):
    if not actor.stream:
        raise Fault(f"{actor.name} has no stream")
    return actor.stream
