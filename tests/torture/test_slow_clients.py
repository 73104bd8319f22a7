"""A thousand slow connections.

They are slow in the three ways of slowhttptest: they send a header byte by
byte, send a body byte by byte, or hardly read the answers; and some send
nothing.  One process holds them all, and opens each anew when the daemon closes
it, so that their number stays.  Meanwhile honest clients play (honest.py).
"""
import selectors
import socket
import time

import honest
import hostile
import measure
import pytest

pytestmark = pytest.mark.timed

SLOW = 1000
BYTE_SECONDS = 0.5  # between two bytes of a connection
ATTACK_SECONDS = 14
# A request has ten seconds to be whole; besides, the machine is busy, and
# under a sanitizer the daemon is slow.
WHOLE_SECONDS = 13
WHOLE_SECONDS_SANITIZED = 20
GROWTH_KB = 40 * 1024  # what memory may keep of a thousand at once

HEADER = hostile.get()[:-2]
BODY = hostile.post("Content-Length: 4000")
LARGE = hostile.get("/openapi.json") * 20


class Slow:
    """A connection that sends some bytes at once, then one at a time."""

    def __init__(self, attack, kind):
        self.attack, self.kind = attack, kind
        self.reads = kind == "slow to read"
        self.socket = None
        self.open()

    def open(self):
        self.socket = socket.socket()
        if self.reads:
            # The smallest buffer that the kernel allows: answers back up.
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
        self.socket.setblocking(False)
        self.socket.connect_ex(self.attack.address)
        self.opened = time.monotonic()
        self.due = self.opened + BYTE_SECONDS
        self.greeted = False
        events = selectors.EVENT_WRITE
        self.attack.selector.register(self.socket, events, self)

    def on_event(self, events):
        try:
            if events & selectors.EVENT_WRITE and not self.greeted:
                self.greeted = True
                self.socket.send(KINDS[self.kind].encode())
                # turn() reads the bytes of a slow reader.
                self.attack.selector.modify(
                    self.socket,
                    0 if self.reads else selectors.EVENT_READ, self)
            elif events & selectors.EVENT_READ:
                if not self.socket.recv(4096):
                    self.end()
        except BlockingIOError:
            pass
        except OSError:
            self.end()

    def turn(self, now):
        self.due = now + BYTE_SECONDS
        if not self.greeted or self.kind == "idle":
            return
        try:
            if self.reads:
                if not self.socket.recv(16):
                    self.end()
            else:
                self.socket.send(b"x")
        except BlockingIOError:
            pass
        except OSError:
            self.end()

    def end(self):
        self.attack.ended(self.kind, time.monotonic() - self.opened)
        self.close()
        self.open()

    def close(self):
        self.attack.selector.unregister(self.socket)
        self.socket.close()


KINDS = {
    "slow header": HEADER + "X-A: ", "slow body": BODY,
    "slow to read": LARGE, "idle": "",
}


class Selector(selectors.DefaultSelector):
    """A selector that can hold a socket without waiting for events."""

    def modify(self, fileobj, events, data=None):
        if events:
            return super().modify(fileobj, events, data)
        # The kernel still reports errors and the other side's end.
        self._selector.modify(fileobj.fileno(), 0)
        return None


class Attack:
    def __init__(self, address):
        self.address = address
        self.selector = Selector()
        self.lives = {kind: [] for kind in KINDS}
        self.slow = [Slow(self, kind) for _ in range(SLOW // len(KINDS))
                     for kind in KINDS]

    def ended(self, kind, seconds):
        self.lives[kind].append(seconds)

    def run(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for key, events in self.selector.select(0.05):
                key.data.on_event(events)
            now = time.monotonic()
            for slow in self.slow:
                if slow.due <= now:
                    slow.turn(now)

    def oldest(self, kind):
        """The age of the oldest connection of a kind."""
        now = time.monotonic()
        return max(now - slow.opened for slow in self.slow
                   if slow.kind == kind)

    def close(self):
        for slow in self.slow:
            slow.close()


def attack(tally, daemon, whole_seconds):
    crowd = Attack(daemon.address)
    crowd.run(ATTACK_SECONDS)
    print("connections of the daemon:", measure.open_files(daemon))
    tally.check("a thousand are connected",
                measure.open_files(daemon) >= SLOW * 9 // 10,
                measure.open_files(daemon))
    print(f"memory: {measure.memory_kb(daemon)} kB with all of them")
    for kind, lives in crowd.lives.items():
        print(f"{kind}: {len(lives)} were closed" +
              (f", after {min(lives):.1f} to {max(lives):.1f} s"
               if lives else ""))
    for kind in ("slow header", "slow body", "idle"):
        lives = crowd.lives[kind]
        tally.check(f"{kind}: none lives longer than its deadline",
                    lives and max(lives) < whole_seconds and
                    crowd.oldest(kind) < whole_seconds,
                    f"{lives[-5:]}, {crowd.oldest(kind):.1f} s")
    crowd.close()


def test_slow_clients(tally, build, database):
    seconds = WHOLE_SECONDS_SANITIZED if measure.is_sanitized(build) \
        else WHOLE_SECONDS
    honest.play_while(tally, build,
                      lambda tally, daemon: attack(tally, daemon, seconds),
                      GROWTH_KB)
