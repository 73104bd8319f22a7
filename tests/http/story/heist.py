"""How the actors of a table of The Gang play on, in one line of a story.

    round white A1 B2 C3     chips are taken in this order, and the last one
                             ends the round
    heist right|wrong        the rest of a heist, or a new one if it is over

The order of the red chips comes from the service's own evaluation of every
hand; that it knows poker is shown elsewhere.  Choices are the first option,
answers are true.
"""
from .expect import ABSENT, find, find_number, find_text
from .faults import Failed, Fault, TryAgain
from .text import Cursor

STEPS_MAX = 12


def take(play, actor, color, stars, expected=None):
    return play.ask(actor, "POST", f"/chips/{color}/{stars}/take", None,
                    expected)


def play_round(play, line):
    cursor, last = Cursor(line), None
    color = cursor.word()
    while not cursor.end():
        word = cursor.word()
        last = take(play, play.actor(word[:-1]), color, word[-1], "200")
    if not last:
        raise Fault("a round of no chips")
    # By then there is another color, or the showdown.
    if find_text(last.json, ".heist.color") == color and \
            find_text(last.json, ".heist.phase") in ("chips", "choosing"):
        raise Failed(f"the {color} round has not ended", last)


# --- a heist -----------------------------------------------------------------

def find_places(play, seats):
    """How strong the hands are, 1 for the weakest; equal ones share one."""
    view = play.ask(seats[0], "GET", "")
    board = find(view.json, ".heist.community_cards")
    body = {"hands": [board + actor.cards for actor in seats]}
    answer = play.ask(None, "POST", "/v1/rules/evaluations", body,
                      "200")
    return find(answer.json, ".results[*].place")


def take_red(play, seats, right):
    """The red chips, by the strength of the hands or against it."""
    places = find_places(play, seats)
    # The weakest hand first; of equal ones the one at the lower seat.
    order = sorted(range(len(seats)), key=lambda seat: places[seat])
    if not right:
        order.reverse()
    stars = {seat: number for number, seat in enumerate(order, 1)}
    for seat, actor in enumerate(seats):
        taken = take(play, actor, "red", stars[seat])
        if taken.code != "chip_already_held":
            play.expect(taken, "200")
    if not right and len(set(places)) == 1:
        raise TryAgain("the hands tie, so no order is wrong")


def take_chips(play, seats, color):
    """Each actor without a chip of this round takes the lowest free one."""
    for actor in seats:
        chips = find(play.ask(actor, "GET", "").json, ".heist.chips")
        holders = {chip["stars"]: chip["seat"] for chip in chips
                   if chip["color"] == color}
        if actor.seat not in holders.values():
            free = min(stars for stars, seat in holders.items()
                       if seat is None)
            take(play, actor, color, free, "200")


def confirm_round(play, seats):
    """All confirm the round, where that is needed to end it."""
    view = play.ask(seats[0], "GET", "")
    if find_text(view.json, ".round_end") == "confirmed":
        for actor in seats:
            play.ask(actor, "POST", "/round/confirmations", None, "200")


def make_choice(play, actor):
    """If the actor owes a private choice, choose the first option."""
    due = find(play.ask(actor, "GET", "").json, ".you.choice_due")
    if due is ABSENT or due is None:
        return
    card = find_text(due, ".options[0]")
    body = {"card": card} if card else {"looked": True}
    play.ask(actor, "POST", "/choices", body, "200")


def answer(play, seats, question):
    """Answer truly about the hand with the highest red chip."""
    code = find_text(question, ".code")
    about = seats[find_number(question, ".about_seat") - 1]
    view = play.ask(about, "GET", "")
    truth = about.cards[0][0] if code == "retina_scan" else \
        find_text(view.json, ".you.ranking")
    body = {"question": code, "value": truth}
    for actor in seats:
        if actor is not about:
            play.ask(actor, "POST", "/showdown/answers", body, "200")


def play_heist(play, line):
    seats, cursor = play.seats(), Cursor(line)
    right = cursor.take("right")
    if not right and not cursor.take("wrong"):
        raise Fault("expected heist right, or heist wrong")
    view = play.ask(seats[0], "GET", "", expected='200 .status == "playing"')
    if find_text(view.json, ".heist.phase") == "over":
        play.ask(seats[0], "POST", "/heists", expected="201")
    for _ in range(STEPS_MAX):
        view = play.ask(seats[0], "GET", "")
        phase = find_text(view.json, ".heist.phase")
        color = find_text(view.json, ".heist.color")
        if phase == "over":
            break
        if phase == "answering":
            for question in find(view.json, ".heist.showdown.questions"):
                answer(play, seats, question)
        elif phase == "choosing":
            for actor in seats:
                make_choice(play, actor)
        else:
            if color == "red":
                take_red(play, seats, right)
            else:
                take_chips(play, seats, color)
            confirm_round(play, seats)
    outcome = "succeeded" if right else "failed"
    play.expect(view, f'.heist.showdown.outcome == "{outcome}"')
