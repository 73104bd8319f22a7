"""New cards, and games that were stored before them.

eleventh.py follows the recipes of internal/games/gang/rules/NEW_CARDS.md for an
eleventh challenge and an eleventh specialist, in a copy of the sources.  The suites that
concern cards pass there.  Its programs play on the games that the unchanged ones have
stored, in every mode and of every state, and the unchanged ones read them again.
"""
import glob
import os
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
import gangd
import pytest
from test_third_game import changed

MODES = ("basic", "advanced", "professional", "master_thief")
# How many moves a game has had when its daemon is replaced; None: it is over.
STAGES = (0, 3, 17, 40, None)
MOVES_MAX = 1000
DAEMON = {"GANGD_TABLE": "off"}
# A seed with which the simulation meets all that it counts.
SIMULATION = {"GANG_SEED": "1"}
# In the order of a seat's duties; all others are left out.
DUTIES = ("vote", "choose", "answer", "take_chip", "confirm_round", "next_heist")
# All seats give these, to both questions; a seat is not offered what it has said.
ANSWERS = ("2", "high_card")
CARDS = 10


def choose(view):
    """The action of a seat that the game waits for: it takes its own number of
    stars, and agrees to all else."""
    seat = view["you"]["seat"]
    if view["heist"]["waiting_for"] and \
            seat not in view["heist"]["waiting_for"]:
        return None
    entries = [entry for entry in view["you"]["legal_actions"]
               if entry["action"] in DUTIES and
               (entry["action"] != "take_chip" or
                entry["href"].endswith(f"/{seat}/take")) and
               (entry["action"] != "answer" or
                entry["choose"]["value"]["options"][0] in ANSWERS) and
               (entry["body"] or {}).get("agree", True)]
    return min(entries, key=lambda entry: DUTIES.index(entry["action"]),
               default=None)


def body_of(entry):
    """With the first of the values that are left to choose: so answers agree."""
    return {**(entry["body"] or {}), **{
        name: form["options"][:form["least"]] if form["form"] == "some_of" else
        form.get("options", [form.get("least")])[0]
        for name, form in (entry["choose"] or {}).items()}}


class Players:
    """Those of one table, at any daemon."""

    def __init__(self, table):
        self.path, self.tokens = table.path, table.tokens

    def views(self, daemon):
        return [daemon.client(token).get(self.path) for token in self.tokens]

    def move(self, daemon):
        """A move of the first player who has one; False if no player has one."""
        for token in self.tokens:
            client = daemon.client(token)
            view = client.get(self.path).json
            entry = choose(view) if view["status"] == "playing" else None
            if entry:
                answer = client.post(entry["href"], body_of(entry))
                if answer.status not in (200, 201):
                    raise OSError(f"{entry}: {answer.body}")
                return True
        return False

    def play(self, daemon, moves):
        for _ in range(MOVES_MAX if moves is None else moves):
            if not self.move(daemon):
                return


@pytest.fixture(scope="module")
def built(build):
    """The folder of what is built with the new cards."""
    return changed(build, "eleventh")


@pytest.fixture(scope="module")
def new(built, database):
    new = gangd.Daemon(built, GANGD_TABLE="off")
    new.wait_ready()
    return new


def test_suites(tally, built):
    """Those that the Makefile has linked in the copy."""
    tree = os.path.dirname(built)
    suites = [path for kind in ("unit", "sim")
              for path in sorted(glob.glob(f"{built}/tests/{kind}/test_*"))
              if os.access(path, os.X_OK)]
    for suite in suites:
        done = subprocess.run([os.path.abspath(suite)], cwd=tree, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False,
                              env={**os.environ, **SIMULATION}, errors="replace")
        tally.check(f"{os.path.basename(suite)} passes with eleven cards",
                    done.returncode == 0, done.stdout[-600:])
    done = subprocess.run(
        [os.path.join(HERE, "../contract/contract.py"), "--repo", tree,
         "--program", built + "/bin/gangd"], stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, check=False)
    tally.check("the contract has the new cards", done.returncode == 0, done.stdout)
    tally.check("there were suites", len(suites) >= 8, suites)


def make_tables(daemon):
    """A table for each mode and stage, with both orders of the stacks."""
    for at, (mode, moves) in enumerate((mode, moves) for mode in MODES
                                       for moves in STAGES):
        table = gangd.Table(
            daemon, 3 + at % 4, mode=mode,
            **({"stacks": "shuffled"} if at % 2 and mode != "basic" else {}),
            **({"round_end": "confirmed"} if at % 3 == 0 else {}))
        players = Players(table)
        players.play(daemon, moves)
        yield mode, moves, players
    yield "basic", "in the lobby", Players(gangd.Table(daemon, 3, start=False))


def check_there(tally, daemon, what, players):
    answers = players.views(daemon)
    spectator = daemon.client(players.tokens[0]).get(players.path + "/events")
    tally.check(f"{what} is there", all(
        answer.status == 200 for answer in [*answers, spectator]),
        [answer.body[:300] for answer in answers if answer.status != 200])
    return answers[0].json


def check_kept(tally, old, new, tables):
    """Older games, at the new daemon, and then at the old one again."""
    for mode, moves, players in tables:
        what = f"{mode} after {'all' if moves is None else moves} moves"
        check_there(tally, new, what, players)
        players.play(new, 6)
        check_there(tally, old, what + ", moved on, at the older daemon", players)
    for mode, moves, players in tables:
        players.play(new, None)
        if moves != "in the lobby":
            view = check_there(tally, new, f"{mode}, played to its end", players)
            tally.check("it is over", view["status"] in ("won", "lost"), view)


def check_rematches(tally, new, tables):
    for mode, moves, players in tables:
        if moves != 0:
            continue
        answer = new.client(players.tokens[0]).post(players.path + "/rematch", {})
        players.path = "/v1/games/" + answer.json.get("id", "")
        view = check_there(tally, new, f"a rematch of {mode}", players)
        in_play = len(view["heist"]["challenges"])
        unseen = view["stacks"]["challenges"]
        tally.check("with the cards of before", unseen is None or
                    unseen["unseen"] + in_play <= CARDS, view["stacks"])
        players.play(new, None)
        view = check_there(tally, new, "and its end", players)
        tally.check("it is over, too", view["status"] in ("won", "lost"), view)


def test_bots(tally, built, database):
    for mode in MODES[1:]:
        done = gangd.gangctl(built, "bots", "--mode", mode, "--shuffled", "--games",
                             "20")
        tally.check(f"bots play {mode} with the new cards", done.returncode == 0,
                    done.stdout)


def test_new_games(tally, built, new):
    """A new table has all cards, and its log is decided again."""
    for mode in MODES[1:]:
        table = gangd.Table(new, 4, mode=mode, stacks="shuffled")
        players = Players(table)
        view = check_there(tally, new, f"a new game of {mode}", players)
        hidden = mode in ("professional", "master_thief")
        tally.check("with eleven challenges", view["stacks"]["challenges"]["unseen"] +
                    len(view["heist"]["challenges"]) == CARDS + (not hidden),
                    view["stacks"])
        players.play(new, None)
        check_there(tally, new, f"{mode}, at its end", players)
        done = gangd.gangctl(built, "replay", table.id)
        tally.check("gangctl replay decides it again", done.returncode == 0,
                    done.stdout)
    for part, code in (("challenges", "cold_feet"), ("specialists", "lookout")):
        rows = new.client().get(f"/v1/rules/{part}?lang=de").json[part]
        tally.check(f"the list of {part} has the new one", rows[-1]["code"] == code
                    and rows[-1]["number"] == CARDS + 1, rows[-1])


def test_older_games(tally, daemon, new):
    tables = list(make_tables(daemon))
    check_kept(tally, daemon, new, tables)
    check_rematches(tally, new, tables)


def test_the_daemons_end_well(tally, daemon, new):
    tally.end_well(daemon, "the older daemon")
    tally.end_well(new, "the newer daemon")
