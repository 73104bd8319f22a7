"""A proxy that cuts connections to PostgreSQL at a chosen message.

It listens on a unix socket of its own, and reads the messages of the protocol
in both directions.
"""
import collections
import os
import shutil
import socket
import struct
import tempfile
import threading
import time
import typing

SOCKET = ".s.PGSQL.5432"
FRONT, BACK = "front", "back"       # whose message it is
WHERE = ("before", "middle", "after")
CONNECT = "connect"                 # until the statements are prepared


class Step(typing.NamedTuple):
    """Where to cut: at a message of a phase, and how."""
    phase: str    # CONNECT, or the name of a prepared statement
    side: str     # FRONT or BACK
    number: int   # which message of the phase on this side, from 0
    where: str    # before it, in its middle, after it
    how: str      # close both ways; half: this way only; stall: send nothing more

    def __str__(self):
        return " ".join(map(str, self))


class Link:
    """One connection through the proxy."""

    def __init__(self, proxy, daemon):
        self.proxy = proxy
        self.sockets = {FRONT: daemon,
                        BACK: socket.socket(socket.AF_UNIX)}
        self.phase = {FRONT: CONNECT, BACK: CONNECT}
        self.number = {FRONT: -1, BACK: -1}
        self.readies = 0                    # of the server, while connecting
        self.syncs = 0
        self.asked = collections.deque()    # statements to be answered
        self.silent = {FRONT: False, BACK: False}
        self.begun = False                  # the start packet was seen

    def run(self):
        try:
            self.sockets[BACK].connect(self.proxy.target)
        except OSError:
            self.cut()
            return
        back = threading.Thread(target=self.pump, args=(BACK, FRONT),
                                daemon=True)
        back.start()
        self.pump(FRONT, BACK)
        back.join()
        for each in self.sockets.values():
            each.close()
        self.proxy.forget(self)

    def cut(self):
        for each in self.sockets.values():
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def pump(self, side, other):
        waiting = b""
        try:
            while True:
                got = self.sockets[side].recv(65536)
                if not got:
                    break
                waiting = self.pass_on(side, other, waiting + got)
        except OSError:
            pass
        self.cut()

    def pass_on(self, side, other, waiting):
        """Send whole messages on; the remaining bytes."""
        while True:
            size = self.size(side, waiting)
            if not size or len(waiting) < size:
                return waiting
            message, waiting = waiting[:size], waiting[size:]
            self.count(side, message)
            step = self.proxy.take_step(self.phase[side], side,
                                        self.number[side])
            if step:
                self.carry_out(step, message, other)
            elif not self.silent[side]:
                self.sockets[other].sendall(message)
            self.count_end(side, message)

    # --- which message it is -------------------------------------------------

    def size(self, side, waiting):
        """The size of the first message; 0 while it is not known."""
        if len(waiting) < 5:
            return 0
        if side == FRONT and not self.begun:
            return struct.unpack("!i", waiting[:4])[0]
        return 1 + struct.unpack("!i", waiting[1:5])[0]

    def count(self, side, message):
        self.begun = True
        kind = message[:1]
        if side == FRONT and self.phase[side] != CONNECT and kind == b"B":
            name = message[5:].split(b"\0")[1].decode()
            self.asked.append(name)
            self.enter(side, name)
        if side == BACK and self.phase[side] != CONNECT and kind == b"2" and \
                self.asked:
            self.enter(side, self.asked.popleft())
        self.number[side] += 1

    def count_end(self, side, message):
        """The phase of connecting ends with the second sync, after the look
        for a pooler, and its answer."""
        if self.phase[side] != CONNECT:
            return
        kind = message[:1]
        self.syncs += side == FRONT and kind == b"S"
        self.readies += side == BACK and kind == b"Z"
        if (side == FRONT and self.syncs == 2) or self.readies == 3:
            # Some connections begin with one more: the fewest are in all of them.
            count = self.number[side] + 1
            self.proxy.messages[side] = min(
                self.proxy.messages[side] or count, count)
            self.enter(side, "ready")

    def enter(self, side, phase):
        self.phase[side], self.number[side] = phase, -1

    # --- cutting -------------------------------------------------------------

    def carry_out(self, step, message, other):
        part = {"before": 0, "middle": len(message) // 2,
                "after": len(message)}[step.where]
        self.sockets[other].sendall(message[:part])
        if step.how == "close":
            self.cut()
        elif step.how == "half":
            self.silent[step.side] = True
            self.sockets[other].shutdown(socket.SHUT_WR)
        else:
            self.silent = {FRONT: True, BACK: True}
        self.proxy.done_at = time.monotonic()
        self.proxy.done.set()


class Proxy:
    """Listens in a folder of its own, for libpq's "host=FOLDER"."""

    def __init__(self, folder):
        self.target = os.path.join(folder, SOCKET)
        self.folder = tempfile.mkdtemp(prefix="gangd-proxy.", dir="/tmp")
        self.lock = threading.Lock()
        self.links = set()
        self.step = None
        self.done = threading.Event()      # the step was carried out,
        self.done_at = 0.0                 # and when
        self.messages = {FRONT: 0, BACK: 0}  # of connecting
        self.listening = socket.socket(socket.AF_UNIX)
        self.listening.bind(os.path.join(self.folder, SOCKET))
        self.listening.listen(64)
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                daemon, _ = self.listening.accept()
            except OSError:
                return
            link = Link(self, daemon)
            with self.lock:
                self.links.add(link)
            threading.Thread(target=link.run, daemon=True).start()

    def forget(self, link):
        with self.lock:
            self.links.discard(link)

    def arm(self, step):
        """Cut the next connection that gets to this place."""
        with self.lock:
            self.done.clear()
            self.step = step

    def take_step(self, *place):
        """The armed step if this is its place; disarms it."""
        with self.lock:
            if not self.step or self.step[:3] != place:
                return None
            step, self.step = self.step, None
            return step

    def cut_all(self):
        with self.lock:
            links = list(self.links)
        for link in links:
            link.cut()

    def close(self):
        self.listening.shutdown(socket.SHUT_RDWR)
        self.listening.close()
        self.cut_all()
        shutil.rmtree(self.folder)
