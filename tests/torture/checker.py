"""Compares the answers that clients got with the log of their game.

The log is one serial order of moves.  The checker plays it again by the rules
of the contract (its own, not the daemon's), and each answer must fit it:

- every group of events is one whole move that was legal at its place, and
  after every event each chip is in one place and each seat has one at most;
- a success is one move of the log, its own, and its view is the state after
  it; two successes are two moves, and If-Match named the state before;
- a refusal is right for some state of the game between request and answer;
- a request that was answered before another was sent comes before it;
- a move of the log without a success belongs to a request whose outcome its
  client does not know (no answer, or 503), and only where that may happen.
"""
import bisect
import typing

from player import COLORS

VAULTS = ALARMS = 3  # of the basic mode
GONE = (None, 503)   # statuses without an outcome


class Fault(Exception):
    pass


def insist(good, text):
    if not good:
        raise Fault(text)


class State(typing.NamedTuple):
    """A game between two events; holders by colour, 0 is the centre."""
    version: int = 0
    players: int = 0
    status: str = "lobby"
    heist: int = 0
    round: int = 0
    over: bool = False
    gold: int = 0
    red: int = 0
    holders: tuple = ()

    @property
    def board(self):
        """The same as player.board_of()."""
        chips = tuple((COLORS[color], stars + 1, seat or None)
                      for color, row in enumerate(self.holders)
                      for stars, seat in enumerate(row))
        return (self.version, self.status, self.heist, self.over,
                COLORS[self.round - 1], chips)


# --- what an event does to a state -------------------------------------------

def give(state, color, stars, seat):
    insist(color == COLORS[state.round - 1], "a chip of another round")
    row = list(state.holders[-1])
    row[stars - 1] = seat
    held = [holder for holder in row if holder]
    insist(len(row) == state.players and len(held) == len(set(held)),
           "a seat has two chips")
    return state._replace(holders=state.holders[:-1] + (tuple(row),))


def chip_taken(state, seat, data):
    holder = state.holders[-1][data["stars"] - 1]
    insist((holder or "center") == data["from"], "taken from elsewhere")
    insist(holder != seat, "taken by its holder")
    return give(state, data["color"], data["stars"], seat)


def chip_returned(state, seat, data):
    insist(state.holders[-1][data["stars"] - 1] == seat,
           "returned by another than its holder")
    return give(state, data["color"], data["stars"], 0)


def round_ended(state, seat, data):
    insist(all(state.holders[-1]) and data["round"] == state.round,
           "a round ends too early")
    return state


def round_started(state, seat, data):
    insist(data["round"] == state.round + 1 and
           data["color"] == COLORS[state.round], "a round in its wrong place")
    return state._replace(round=state.round + 1,
                          holders=state.holders + ((0,) * state.players,))


def heist_started(state, seat, data):
    insist(data["number"] == state.heist + 1, "a heist in its wrong place")
    return state._replace(heist=data["number"], round=0, over=False,
                          holders=())


def hand_revealed(state, seat, data):
    insist(state.holders[-1][data["stars"] - 1] == seat,
           "a hand of another star")
    return state


def heist_ended(state, seat, data):
    good = data["outcome"] == "succeeded"
    state = state._replace(over=True, gold=state.gold + good,
                           red=state.red + (not good))
    insist((data["vaults"], data["alarms"]) == (state.gold, state.red),
           "vaults and alarms are not counted right")
    return state


def game_started(state, seat, data):
    return state._replace(players=data["players"], status="playing")


def game_ended(state, seat, data):
    status = "won" if state.gold == VAULTS else "lost"
    insist(data["status"] == status, "ended otherwise than it went")
    return state._replace(status=status)


def nothing(state, seat, data):
    return state


EFFECTS = {"player_joined": nothing, "cards_dealt": nothing} | {
    effect.__name__: effect for effect in (
        chip_taken, chip_returned, round_ended, round_started, heist_started,
        hand_revealed, heist_ended, game_started, game_ended)}


def apply(state, event):
    insist(event["version"] == state.version + 1, "a hole in the log")
    after = EFFECTS[event["type"]](state, event["seat"], event["data"])
    return after._replace(version=event["version"])


# --- moves -------------------------------------------------------------------

class Move(typing.NamedTuple):
    """The move that caused a group of events, and the states around it."""
    verb: str
    seat: int
    color: str
    stars: int
    source: object
    before: State
    after: State

    def is_of(self, asked):
        if asked.verb != self.verb:
            return False
        if self.verb == "heist":
            return True
        return ((asked.seat, asked.color, asked.stars) ==
                (self.seat, self.color, self.stars) and
                asked.source in (None, self.source))


def consequences(state, event):
    """The events that must follow an event within its move."""
    kind = event["type"]
    if kind == "heist_started":
        return ["cards_dealt", "round_started"]
    if kind == "chip_taken" and all(state.holders[-1]):
        return ["round_ended"]
    if kind == "round_ended" and state.round < len(COLORS):
        return ["round_started"]
    if kind == "round_ended":
        return ["hand_revealed"] * state.players + ["heist_ended"]
    if kind == "heist_ended" and (state.gold == VAULTS or
                                  state.red == ALARMS):
        return ["game_ended"]
    return []


def check_first(before, group):
    """Check the first event of a move; its seat, and its chip event."""
    first, second = group[0], group[min(1, len(group) - 1)]
    insist(before.status == "playing", "a move in a game that is not played")
    if first["type"] == "heist_started":
        insist(before.over, "a heist before the last one was over")
        return ["heist_started"], first
    insist(not before.over, "a chip moves after the showdown")
    if first["type"] == "chip_returned" and len(group) > 1:
        insist(first["seat"] == second["seat"], "a move of two seats")
        return ["chip_returned", "chip_taken"], second
    insist(first["type"] in ("chip_taken", "chip_returned"),
           f"no move begins with {first['type']}")
    return [first["type"]], first


VERBS = {"heist_started": "heist", "chip_taken": "take",
         "chip_returned": "return"}


def read_move(before, group):
    """The move that caused a group of events; a Fault if no move could."""
    wanted, told = check_first(before, group)
    state = before
    for number, event in enumerate(group):
        insist(wanted[number:number + 1] == [event["type"]],
               f"{event['type']} does not follow")
        state = apply(state, event)
        if number + 1 == len(wanted):
            wanted += consequences(state, event)
    insist(len(wanted) == len(group), f"{wanted[-1]} is missing")
    data = told["data"]
    return Move(VERBS[told["type"]], told["seat"], data.get("color"),
                data.get("stars"), data.get("from"), before, state)


def read_log(log, start):
    """The state at the start, and the moves after it, by their version."""
    state = State()
    moves = {}
    at = 0
    while at < len(log):
        end = at + 1
        while end < len(log) and not log[end]["first"]:
            end += 1
        try:
            if state.version < start:
                for event in log[at:end]:
                    state = apply(state, event)
                begun = state
            else:
                move = read_move(state, log[at:end])
                state = move.after
                moves[state.version] = move
        except Fault as fault:
            raise Fault(f"version {log[at]['version']}: {fault}") from None
        at = end
    insist(begun.version == start, "the game did not start there")
    return begun, moves


# --- refusals ----------------------------------------------------------------

def refusal(state, asked):
    """The contract's code for this request in this state."""
    if asked.if_match not in (None, state.version):
        return "version_mismatch"
    if state.status != "playing":
        return "game_over"
    if asked.verb == "heist":
        return None if state.over else "showdown_not_reached"
    if state.over:
        return "heist_over"
    if asked.stars > state.players:
        return "no_such_chip"
    round_asked = COLORS.index(asked.color) + 1
    if round_asked != state.round:
        return "round_over" if round_asked < state.round else \
            "not_allowed_now"
    holder = state.holders[-1][asked.stars - 1]
    if asked.verb == "return":
        return None if holder == asked.seat else "chip_not_held"
    if holder == asked.seat:
        return "chip_already_held"
    if asked.source not in (None, holder or "center"):
        return "chip_moved"
    return None


# --- answers -----------------------------------------------------------------

class Times:
    """The versions between which a request was answered, by the clock alone."""

    def __init__(self, history, start, moves):
        self.start, self.end = start, max(moves, default=start)
        known = [asked for asked in history if asked.is_done]
        known.sort(key=lambda asked: asked.answered)
        self.answered = [asked.answered for asked in known]
        self.newest = [start]
        for asked in known:
            self.newest.append(max(self.newest[-1], asked.version))
        known.sort(key=lambda asked: asked.sent, reverse=True)
        self.sent = [-asked.sent for asked in known]
        self.oldest = [self.end]
        for asked in known:
            move = moves.get(asked.version) if asked.verb != "look" else None
            version = move.before.version if move else asked.version
            self.oldest.append(min(self.oldest[-1], version))

    def window(self, asked):
        """The versions between which the answer must lie: the newest known
        when it was sent, and the oldest whose successor was sent later."""
        before = bisect.bisect_left(self.answered, asked.sent)
        after = bisect.bisect_left(self.sent, -asked.answered)
        return self.newest[before], self.oldest[after]


class Check:
    def __init__(self, log, history, start, lossy):
        self.history, self.lossy = history, lossy
        self.begun, self.moves = read_log(log, start)
        self.states = {self.begun.version: self.begun}
        self.states |= {version: move.after
                        for version, move in self.moves.items()}
        self.versions = sorted(self.states)
        self.times = Times(history, start, self.moves)
        self.claimed = set()

    def states_between(self, low, high):
        first = bisect.bisect_left(self.versions, low)
        last = bisect.bisect_right(self.versions, high)
        return [self.states[v] for v in self.versions[first:last]]

    def check_seen(self, asked):
        state = self.states.get(asked.version)
        insist(state, "a version within a move, or of none")
        insist(asked.board == state.board,
               f"the view is not the state, which is {state.board}")

    def check_move(self, asked):
        self.check_seen(asked)
        move = self.moves.get(asked.version)
        insist(move and move.is_of(asked), f"answered for another: {move}")
        insist(asked.version not in self.claimed, "answered for twice")
        self.claimed.add(asked.version)
        insist(asked.if_match in (None, move.before.version),
               "If-Match was passed over")
        low, high = self.times.window(asked)
        insist(low <= move.before.version and asked.version <= high,
               f"out of its time, {low} to {high}")

    def check_look(self, asked):
        self.check_seen(asked)
        low, high = self.times.window(asked)
        insist(low <= asked.version <= high,
               f"out of its time, {low} to {high}")

    def check_refusal(self, asked):
        low, high = self.times.window(asked)
        insist(any(refusal(state, asked) == asked.code
                   for state in self.states_between(low, high)),
               f"no state of {low} to {high} explains it")

    def check_answer(self, asked):
        if asked.status in GONE:
            insist(self.lossy, "no answer")
        elif not asked.is_done:
            insist(asked.status < 500, "a fault of the service")
            self.check_refusal(asked)
        elif asked.verb == "look":
            self.check_look(asked)
        else:
            self.check_move(asked)

    def check_unclaimed(self):
        """Each such move belongs to an earlier request without an outcome."""
        open_ends = [asked for asked in self.history
                     if asked.status in GONE and asked.verb != "look"]
        # The most specific first, since others may match more.
        open_ends.sort(key=lambda asked: (asked.if_match is None,
                                          asked.source is None))
        for version in sorted(set(self.moves) - self.claimed):
            move = self.moves[version]
            fitting = [asked for asked in open_ends if move.is_of(asked) and
                       asked.if_match in (None, move.before.version) and
                       self.times.window(asked)[0] <= move.before.version]
            insist(fitting, f"version {version}: no request explains {move}")
            open_ends.remove(fitting[0])

    def faults(self):
        found = []
        for asked in self.history:
            try:
                self.check_answer(asked)
            except Fault as fault:
                found.append(f"{fault}: {asked}")
        try:
            self.check_unclaimed()
        except Fault as fault:
            found.append(str(fault))
        return found


def check(log, history, start, lossy=False):
    """
    The faults, as texts.

    log: the events as GET .../events has them, with "first" where a move
    begins.  history: what all clients asked.  start: the version with which
    the game was started.  lossy: some answers may be missing.
    """
    try:
        return Check(log, history, start, lossy).faults()
    except Fault as fault:
        return [str(fault)]
