"""Clients that know the three
forms of "choose", and one URL for all actions, play whole games of every kind at
random: not one answer is an error.

generic_client.c plays.  The test knows the forms of commands of each kind: no
others may occur, and these must have been sent: in few games those that hardly a
game lacks, in more also each rare form in some kind of game, in many all forms in
all kinds that have them.

  GENERIC_GAMES   of each kind, 3 by default; 40 are more, 200 are many
"""
import collections
import os
import random
import re
import resource
import subprocess
import time

from gangd import Daemon

GAMES = int(os.environ.get("GENERIC_GAMES", "3"))
MORE_GAMES = 40
MANY_GAMES = 200
CLIENTS = 2 * os.cpu_count()

# The forms of the commands: an action, the members that have a value, and those
# that are left to choose.
CHIPS = {"take_chip from", "next_heist", "rematch"}
CONFIRMED = CHIPS | {"confirm_round"}
SELDOM = {"return_chip", "start"}
ABILITIES = {"propose seat:one_of", "propose seat target_seat:one_of",
             "propose seat:one_of value:one_of", "vote agree:one_of",
             "choose card:one_of", "choose looked"}
QUESTIONS = {"answer question value:one_of"}
TURNS = {"refill card", "take card", "take card keep pay:one_of", "pass",
         "rematch"}
FAMILIES = {"accountant card give:some_of take:some_of",
            "brute card target:one_of by:range"}

# Kinds of games: the body that creates one, the fewest and the most players, the
# forms that every few games have, and those that more are needed for.
Kind = collections.namedtuple("Kind", "body least most common rare")
BODIES = {
    "basic": ('{"mode":"basic"}', SELDOM),
    "advanced": ('{"mode":"advanced","stacks":"shuffled"}',
                 SELDOM | ABILITIES | QUESTIONS),
    "professional": ('{"mode":"professional","stacks":"shuffled"}',
                     SELDOM | ABILITIES | QUESTIONS),
    "master_thief": ('{"mode":"master_thief","stacks":"shuffled"}',
                     SELDOM | QUESTIONS),
}
KINDS = {
    **{mode: Kind(body, 3, 6, CHIPS, rare)
       for mode, (body, rare) in BODIES.items()},
    **{mode + "_confirmed": Kind(body[:-1] + ',"round_end":"confirmed"}', 3, 6,
                                 CONFIRMED, rare)
       for mode, (body, rare) in BODIES.items()},
    "famiglia": Kind('{"ruleset":"famiglia"}', 2, 2, TURNS, FAMILIES),
}

PLAYED = re.compile(r"^(\w+) games (\d+) requests (\d+) actions (\d+) "
                    r"most (\d+)$")
SENT = re.compile(r"^(\w+) form (\d+): (.*)$")


class Play:
    """The counts of all clients in games of a kind."""

    def __init__(self):
        self.games = self.requests = self.actions = self.most = 0
        self.forms = collections.Counter()

    def add(self, games, requests, actions, most):
        self.games += games
        self.requests += requests
        self.actions += actions
        self.most = max(self.most, most)


def start_clients(program, port, seed, kinds):
    """Clients that share the games of each kind."""
    lines = "".join(f"{name} {GAMES} {kind.least} {kind.most} {kind.body}\n"
                    for name, kind in kinds.items())
    for number in range(CLIENTS):
        client = subprocess.Popen(
            [program, str(port), seed, str(number), str(CLIENTS)],
            text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        client.stdin.write(lines)
        client.stdin.close()
        yield client


def play(clients, kinds, tally):
    plays = {name: Play() for name in kinds}
    for client in clients:
        for line in client.stdout:
            played, sent = PLAYED.match(line), SENT.match(line)
            if played:
                plays[played[1]].add(*map(int, played.groups()[1:]))
            elif sent:
                plays[sent[1]].forms[sent[3]] += int(sent[2])
            else:
                print(line, end="")
        status = client.wait()
        tally.check("a client is never refused", status == 0, status)
    return plays


def check_forms(name, kind, done, tally):
    """All forms of a kind were sent, and no other."""
    wanted = kind.common | (kind.rare if GAMES >= MANY_GAMES else set())
    tally.check(f"{name}: {done.games} games are played to their ends, "
                f"{done.actions} actions (at most {done.most} in one), "
                f"{done.requests} requests", done.games == GAMES)
    missing = wanted - set(done.forms)
    tally.check(f"{name}: {len(wanted)} forms of commands were sent",
                not missing, missing)
    unknown = set(done.forms) - kind.common - kind.rare
    tally.check(f"{name}: and none that the test does not know", not unknown,
                unknown)
    for form, count in done.forms.most_common():
        print(f"       {count:8} {form}")


def check_rare(plays, kinds, tally):
    """Each form that few games have was sent in some kind of game."""
    rare = set().union(*(kind.rare for kind in kinds.values()))
    missing = rare.difference(*(done.forms for done in plays.values()))
    tally.check(f"{len(rare)} rare forms were sent too", not missing, missing)


def test_generic_client(tally, build, database):
    seed = os.environ.get("SEED") or str(random.randrange(1 << 30))
    kinds = {name: KINDS[name] for name in os.environ.get("KINDS", "").split() or KINDS}
    print("seed", seed)
    # A 503 would say that this machine is slow, which is not asked here.
    daemon = Daemon(build, keeps_requests=False,
                    GANGD_DATABASE_TIMEOUT_MS="60000")
    daemon.wait_ready()
    begun = time.monotonic()
    plays = play(list(start_clients(build + "/tests/sdk/generic_client",
                                    daemon.address[1], seed, kinds)),
                 kinds, tally)
    seconds = time.monotonic() - begun
    for name, kind in kinds.items():
        check_forms(name, kind, plays[name], tally)
    if GAMES >= MORE_GAMES:
        check_rare(plays, kinds, tally)
    requests = sum(done.requests for done in plays.values())
    tally.end_well(daemon)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{requests} requests, {requests / seconds:.0f} a second; "
          f"{used.ru_utime + used.ru_stime:.0f} s of a processor for clients "
          "and service")
