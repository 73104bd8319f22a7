"""Players at their tables, played by several processes of open_loop.c.

A player moves once in THINK seconds, with an Idempotency-Key.  Every second seat of
a table listens to a stream with views, the others look half a second before each
move.  Requests share some connections, as behind a proxy; a stream has one of its
own.  A process has whole tables, and a limited number of descriptors.  They play for
THINK seconds, until each has moved, before anything is counted.
"""
import collections
import pathlib
import subprocess
import sys
import threading
import time

PROGRAM = pathlib.Path(sys.argv[1], "tests/bench/open_loop")
SEATS = 4
THINK = 4
CONNECTIONS = 500   # of all processes
STREAMS_EACH = 8000  # of a process, at most
HABITS = ("ms", "mg")
READY_SECONDS = 120
LINGER = 1  # how long open_loop keeps its streams open in the end

Play = collections.namedtuple(
    "Play", "moves looks events lates failed fault client_seconds")


def percentile(values, percent):
    return sorted(values)[len(values) * percent // 100] if values else 0


def lines_of(games, habits=HABITS):
    """Lines for open_loop: the seats of these games."""
    return [f"{game.path} {token} {habits[seat % len(habits)]}\n"
            for game in games for seat, token in enumerate(game.tokens)]


class Client:
    """One process: it opens its streams at once, and plays when goes is set."""

    def __init__(self, daemon, lines, connections, seconds, rush):
        self.process = subprocess.Popen(
            [PROGRAM, *map(str, daemon.address), "play", str(connections),
             str(seconds), str(1000 * THINK), str(int(1000 * rush))],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)
        self.out = self.err = ""
        self.thread = threading.Thread(target=self.talk, args=(lines,))
        self.ready, self.goes = threading.Event(), threading.Event()
        self.thread.start()

    def talk(self, lines):
        process = self.process
        try:
            process.stdin.write("".join(lines) + ".\n")
            process.stdin.flush()
            process.stdout.readline()
            self.ready.set()
            self.goes.wait()
        except BrokenPipeError:
            pass  # it says why on stderr
        self.ready.set()
        self.out, self.err = process.communicate()

    def fault(self):
        return self.err.strip() or \
            (f"a client ended with {self.process.returncode}"
             if self.process.returncode else "")


def divide(games, listeners):
    """Lists of lines for each process, by whole tables."""
    lists = [lines_of(games), lines_of(listeners, ("s",))]
    streams = sum(line.endswith("s\n") for lines in lists for line in lines)
    count = max(2, -(-streams // STREAMS_EACH))
    parts = [[] for _ in range(count)]
    for lines in lists:
        for table in range(len(lines) // SEATS):
            parts[table % count] += lines[SEATS * table:SEATS * (table + 1)]
    return [part for part in parts if part]


class Players:
    """Clients that hold their streams, and wait until they may play."""

    def __init__(self, daemon, games, seconds, rush=THINK, listeners=()):
        self.seconds = seconds
        parts = divide(games, listeners)
        self.clients = [Client(daemon, part, CONNECTIONS // len(parts),
                               seconds, rush) for part in parts]
        for client in self.clients:
            if not client.ready.wait(READY_SECONDS):
                client.process.kill()

    def end(self):
        """Let them end; they have only listened."""
        self.play(lambda: None, lambda: None)

    def play(self, begin, end):
        """Let them play, call begin when that counts and end when it is over, and
        return what they saw.  Their streams are still open then."""
        for client in self.clients:
            client.goes.set()
        time.sleep(THINK)
        begin()
        time.sleep(self.seconds + LINGER / 2)
        end()
        for client in self.clients:
            client.thread.join()
        times, lates, failed, used = collections.defaultdict(list), [], 0, 0
        for words in (line.split() for client in self.clients
                      for line in client.out.splitlines()):
            if words[0] == "processor":
                used += int(words[1]) / 1e6
            elif words[0] == "event":
                times["event"].append(int(words[1]) / 1000)
            else:
                failed += words[0] != "200"
                times[words[3]].append(int(words[1]) / 1000)
                lates.append(int(words[2]) / 1000)
        return Play(times["1"], times["0"], times["event"], lates, failed,
                    "; ".join(filter(None, (client.fault()
                                            for client in self.clients))),
                    used)
