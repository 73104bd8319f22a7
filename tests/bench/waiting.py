"""Waiters: what they cost, and how soon a move is reported to them.

They are connections of one process (harness/crowd.py).  Each waits with the
token of a seat and a tag; the seats of a game take turns.
"""
import time

import crowd
import gangd
from figures import ROUNDS, median, span
from processor import memory_kib, work_seconds

WAITERS = 10000
WAITED_GAMES = 2000
WATCHED_GAMES = 1000
AT_A_TIME = 250
CONNECTIONS = WAITERS * 5 // 4


def wait_for(games, waiters, first=0):
    """Let all waiters wait with the newest tag; a waiter's number, from the
    first one's on, gives its game first and then its seat."""
    for number, waiter in enumerate(waiters, first):
        game = games[number % len(games)]
        token = game.tokens[number // len(games) % len(game.tokens)]
        if number % AT_A_TIME == 0:
            crowd.are_waiting(waiters[:1], 0.02)
        waiter.ask(game, token, game.tags[token], 60)
    if not crowd.are_waiting(waiters, 1):
        raise SystemExit("they do not wait")


def read_tags(daemon, games):
    client = daemon.client()
    for game in games:
        game.tags = {}
        for client.token in game.tokens:
            game.tags[client.token] = client.get(game.path).header("ETag")
    client.close()


def wake(bench, game, waiters, number, poll):
    """Seconds from a move's answer to the answer of each waiter."""
    client = bench.daemon.client(game.tokens[0])
    verb = "return" if number % 2 else "take"
    answer = client.post(f"{game.path}/chips/white/1/{verb}")
    moved = time.monotonic()
    client.close()
    told = crowd.collect(waiters, 10, poll)
    if answer.status != 200 or len(told) != len(waiters) or \
            any(one.status != 200 for one in told):
        raise SystemExit("a waiter got no answer after a move")
    return [max(0.0, one.at - moved) for one in told]


def p99_ms(seconds):
    return 1000 * sorted(seconds)[len(seconds) * 99 // 100]


def measure_memory(bench, table):
    """The memory of waiters at a daemon of their own, since what is free in a
    process that has served would hide some of it.  Each looks at its game first, as
    people do, which makes libmicrohttpd touch its whole buffer."""
    crowd.allow_files(2 * WAITERS)
    daemon = gangd.Daemon(str(bench.folder.parent),
                          log=bench.folder / "waited.log",
                          GANGD_CONNECTIONS=str(CONNECTIONS))
    daemon.wait_ready()
    games = bench.games[:1]
    read_tags(daemon, games)
    begun = memory_kib(daemon)
    waiters = []
    while len(waiters) < WAITERS:
        some = [crowd.Waiter(daemon.address) for _ in range(AT_A_TIME)]
        for waiter in some:
            waiter.ask(games[0], games[0].tokens[0], '"none"', 1)
        if len(crowd.collect(some, 10)) < AT_A_TIME:
            raise SystemExit("a waiter got no view")
        wait_for(games, some, len(waiters))
        waiters += some
    each = (memory_kib(daemon) - begun) / WAITERS
    crowd.close_all(waiters)
    if daemon.stop():
        raise SystemExit("the daemon of the waiters failed")
    table.add("memory of a waiter", f"{each:.1f} KiB", "", "<= 20 KiB", each)


def measure(bench, table):
    """Waiters: all for one game, then five for each of many."""
    crowd.allow_files(2 * WAITERS)
    one = bench.games[:1]
    waiters = [crowd.Waiter(bench.daemon.address) for _ in range(WAITERS)]
    poll = crowd.watch(waiters)
    seconds = []
    for number in range(ROUNDS):
        read_tags(bench.daemon, one)
        wait_for(one, waiters)
        seconds.append(p99_ms(wake(bench, one[0], waiters, number, poll)))
    table.add(f"p99 of being woken, {WAITERS} wait for one game",
              span(seconds) + " ms", "", "<= 100 ms", median(seconds))

    games = bench.maker.make(WAITED_GAMES)
    read_tags(bench.daemon, games)
    wait_for(games, waiters)
    seconds = []
    for number, game in enumerate(games):
        seconds += wake(bench, game, waiters[number::WAITED_GAMES], 0, poll)
    table.add(f"p99 of being woken, {WAITERS} wait for {WAITED_GAMES} games",
              f"{p99_ms(seconds):.1f} ms", "", "<= 60 ms", p99_ms(seconds))
    for waiter in waiters:
        waiter.close()


def watch_games(daemons, games):
    """Open a waiter for each of these games at each daemon."""
    everybody = []
    for daemon in daemons:
        waiters = [crowd.Waiter(daemon.address) for _ in games]
        wait_for(games, waiters)
        everybody += waiters
    return everybody


def move(bench):
    """A run of moves, with the microseconds that the service takes for each."""
    bench.make_games("move.lua", 64)
    begun = work_seconds(bench.daemon.pid)
    run = bench.ask("move.lua", 64)
    run["us"] = (work_seconds(bench.daemon.pid) - begun) / run["requests"] * 1e6
    return run


def compare_moves(bench, begin, end):
    """Alternate runs of moves without and with the begun waiters."""
    without, with_them = [], []

    def run_with():
        begun = begin()
        with_them.append(move(bench))
        end(begun)

    def run_without():
        without.append(move(bench))

    for number in range(ROUNDS):
        # The second run finds a larger database and a fuller log.
        runs = [run_without, run_with]
        for run in runs if number % 2 == 0 else reversed(runs):
            run()
    return without, with_them


def measure_waited_for(bench, table):
    """Compare moves with and without waiters, at two daemons, for games that
    do not move: both daemons poll the versions of these games."""
    crowd.allow_files(2 * WAITERS)
    other = gangd.Daemon(str(bench.folder.parent),
                         log=bench.folder / "other.log")
    other.wait_ready()
    games = bench.maker.make(WATCHED_GAMES)
    read_tags(bench.daemon, games)
    without, waited_for = compare_moves(
        bench, lambda: watch_games([bench.daemon, other], games), crowd.close_all)
    if other.stop():
        raise SystemExit("the other daemon failed")
    table.compare(f"moves / s, {WATCHED_GAMES} other games waited for at two "
                  "daemons / none", [run["rate"] for run in waited_for],
                  [run["rate"] for run in without], ">= 0.95", unit=" / s")


def measure_idle(bench, table):
    """Compare the moves of others with and without waiters."""
    crowd.allow_files(2 * WAITERS)
    games = bench.maker.make(WAITED_GAMES)
    read_tags(bench.daemon, games)

    def begin():
        waiters = [crowd.Waiter(bench.daemon.address) for _ in range(WAITERS)]
        wait_for(games, waiters)
        return waiters

    without, idle = compare_moves(bench, begin, crowd.close_all)
    table.compare(f"p99 of a move, {WAITERS} wait / none",
                  [run["p99_us"] / 1000 for run in idle],
                  [run["p99_us"] / 1000 for run in without], "<= 2",
                  "{:.1f}", " ms")
    table.compare(f"CPU of the service for a move, {WAITERS} wait / none",
                  [run["us"] for run in idle],
                  [run["us"] for run in without], "<= 1.1", "{:.1f}", " us")
