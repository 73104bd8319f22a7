"""Honest clients, whose requests are timed while hostile ones are at work.

Each is a process with one connection and a game of its own, where it reads the
view and moves chips alternately.  Times are collected by phase.
"""
import multiprocessing
import time

import gangd
import measure

CLIENTS = 3
THINK_SECONDS = 0.006
WARM_REQUESTS = 500
BEFORE_REQUESTS = 500
MEANWHILE_REQUESTS = 2000  # at the least
P99_MS = 100
# A sanitizer makes the daemon that much slower.
SANITIZED_FACTOR = 5
MOVES = (None, "take", None, "return")  # None is a look


def play(address, table, phase, done, times):
    """Play until the phase is negative; then hand over the times."""
    client = gangd.Client(address, table.tokens[0])
    chip = table.path + "/chips/white/1/"
    measured = []
    number = 0
    while True:
        now = phase.value
        if now < 0:
            break
        move = MOVES[number % len(MOVES)]
        begun = time.monotonic()
        try:
            answer = client.post(chip + move) if move else \
                client.get(table.path)
            wrong = None if answer.status == 200 else str(answer.status)
        except OSError as error:
            wrong = repr(error)
        measured.append((now, time.monotonic() - begun, wrong))
        number += 1
        with done.get_lock():
            done.value += 1
        time.sleep(THINK_SECONDS)
    times.put(measured)


class Clients:
    """"with" starts the clients; check() checks their answers and times."""

    def __init__(self, daemon, build):
        self.bound_ms = P99_MS
        if measure.is_sanitized(build):
            self.bound_ms *= SANITIZED_FACTOR
        self.phase = multiprocessing.Value("i", 0)
        self.done = multiprocessing.Value("i", 0)
        self.times = multiprocessing.Queue()
        self.names = ["warming up"]
        self.measured = []
        self.processes = [
            multiprocessing.Process(
                target=play, args=(daemon.address, gangd.Table(daemon),
                                   self.phase, self.done, self.times),
                daemon=True)
            for _ in range(CLIENTS)]

    def __enter__(self):
        for process in self.processes:
            process.start()
        return self

    def __exit__(self, *_):
        self.phase.value = -1
        for _ in self.processes:
            self.measured += self.times.get(timeout=60)
        for process in self.processes:
            process.join()

    def begin(self, name):
        """Begin a phase: later requests count for it."""
        self.names.append(name)
        self.done.value = 0
        self.phase.value += 1

    def await_requests(self, count):
        """Wait until this many requests of this phase were answered."""
        while self.done.value < count:
            if not all(process.is_alive() for process in self.processes):
                raise SystemExit("an honest client has ended")
            time.sleep(0.05)

    def p99_ms(self, name):
        """The p99 of a phase; prints the number and the spread of its times."""
        number = self.names.index(name)
        waits = sorted(1000 * wait for phase, wait, _ in self.measured
                       if phase == number)
        p99 = waits[len(waits) * 99 // 100]
        print(f"honest clients {name}: {len(waits)} requests, "
              f"p50 {waits[len(waits) // 2]:.1f} ms, p99 {p99:.1f} ms, "
              f"worst {waits[-1]:.1f} ms")
        return p99

    def check(self, tally):
        self.p99_ms("before")
        p99 = self.p99_ms("meanwhile")
        tally.check(f"honest clients' p99 is at most {self.bound_ms} ms",
                    p99 <= self.bound_ms, f"{p99:.1f} ms")
        wrong = [wrong for _, _, wrong in self.measured if wrong]
        tally.check("all requests of honest clients were served",
                    not wrong, wrong[:5])


def play_while(tally, build, attack, growth_kb, **settings):
    """A whole test: honest clients play before, during and after
    attack(tally, daemon), which may leave the daemon with this much more memory,
    and no other change."""
    daemon = gangd.Daemon(build, **settings)
    daemon.wait_ready()
    with Clients(daemon, build) as clients:
        clients.await_requests(WARM_REQUESTS)
        clients.begin("before")
        clients.await_requests(BEFORE_REQUESTS)
        before = measure.Left(daemon)
        clients.begin("meanwhile")
        attack(tally, daemon)
        clients.await_requests(MEANWHILE_REQUESTS)
        clients.begin("afterwards")
        before.check(tally, build, growth_kb)
    clients.check(tally)
    tally.end_well(daemon)
