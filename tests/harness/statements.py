"""A proxy that disturbs the n-th statement of a program at PostgreSQL.

A statement is what ends with a Query or a Sync message; a program may send several
before it reads (a pipeline).  Each is counted on all connections together, from 1,
and passed on whole.  The n-th is disturbed in one of these ways:

  BEFORE   the connection is cut before the server gets it
  AFTER    the server carries it out, and the connection is cut before the answer
  REFUSED  the server gets a statement that fails in its place
"""
import os
import shutil
import socket
import struct
import tempfile
import threading

SOCKET = ".s.PGSQL.5432"
BEFORE, AFTER, REFUSED = "before", "after", "refused"
ERROR = b"""DO $$ BEGIN RAISE 'canceling statement due to statement timeout'
USING ERRCODE = 'query_canceled'; END $$"""
TERMINATE = b"X"


def message(kind, body):
    return kind + struct.pack("!i", len(body) + 4) + body


class Reader:
    """Reads messages; their type and all of their bytes."""

    def __init__(self, from_socket):
        self.socket = from_socket
        self.file = from_socket.makefile("rb")

    def bytes(self, size):
        got = self.file.read(size)
        if len(got) < size:
            raise OSError("the other side has closed")
        return got

    def startup(self):
        head = self.bytes(4)
        return head + self.bytes(struct.unpack("!i", head)[0] - 4)

    def next(self):
        head = self.bytes(5)
        return head[:1], head + self.bytes(
            struct.unpack("!i", head[1:])[0] - 4)


class Link:
    """One connection; a thread for each direction."""

    def __init__(self, proxy, client):
        self.proxy, self.client = proxy, client
        self.server = socket.socket(socket.AF_UNIX)
        self.server.connect(proxy.target)
        self.silent_after = None    # answers that the client still gets
        self.answers = 0
        self.sent = 0
        self.lock = threading.Lock()
        threading.Thread(target=self.forward, daemon=True).start()
        threading.Thread(target=self.back, daemon=True).start()

    def cut(self):
        for each in (self.client, self.server):
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def forward(self):
        try:
            reader = Reader(self.client)
            self.server.sendall(reader.startup())
            group = b""
            while True:
                kind, text = reader.next()
                group += text
                if kind in (b"Q", b"S"):
                    self.statement(group)
                    group = b""
                elif kind == TERMINATE:
                    self.server.sendall(group)
        except OSError:
            pass
        self.cut_unless_answered()

    def cut_unless_answered(self):
        with self.lock:
            if self.silent_after is None:
                self.cut()

    def statement(self, group):
        how = self.proxy.count()
        if how == BEFORE:
            self.cut()
            raise OSError("cut")
        if how == AFTER:
            with self.lock:
                self.silent_after = self.sent
        if how == REFUSED:
            group = message(b"Q", ERROR + b"\0")
        self.sent += 1
        self.server.sendall(group)

    def back(self):
        """Pass answers on.  The first ReadyForQuery ends the start of the session."""
        started = False
        reader = Reader(self.server)
        try:
            while True:
                kind, text = reader.next()
                if started and self.is_silent():
                    if kind == b"Z":
                        break
                    continue
                self.client.sendall(text)
                if kind == b"Z":
                    self.answers += started
                    started = True
        except OSError:
            pass
        self.cut()

    def is_silent(self):
        with self.lock:
            return self.silent_after is not None and \
                self.answers >= self.silent_after


class Proxy:
    """Listens in a folder of its own, for libpq's "host=FOLDER"."""

    def __init__(self, folder):
        self.target = os.path.join(folder, SOCKET)
        self.folder = tempfile.mkdtemp(prefix="gangd-proxy.", dir="/tmp")
        self.lock = threading.Lock()
        self.at, self.how, self.number = 0, None, 0
        self.listening = socket.socket(socket.AF_UNIX)
        self.listening.bind(os.path.join(self.folder, SOCKET))
        self.listening.listen(64)
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listening.accept()
            except OSError:
                return
            Link(self, client)

    def arm(self, at, how):
        """Count anew, and disturb the statement with this number; 0: no statement."""
        with self.lock:
            self.at, self.how, self.number = at, how, 0

    def count(self):
        """How to disturb the statement that has come; None: not at all."""
        with self.lock:
            self.number += 1
            return self.how if self.number == self.at else None

    def close(self):
        self.listening.close()
        shutil.rmtree(self.folder)
