/*
 * gang_expected_error.c - which error the contract has for an action.
 *
 * The checks follow the documents (the rulebook and api/README.md), in the
 * order that they promise, and use only the table and the actor's own view.
 * No function of the rules is called to decide, so that a fault in the rules
 * cannot hide here too.
 */
#include "gang_expected_error.h"

bool view_has_challenge(const struct gang_view *view, unsigned challenge)
{
	return view->setup.challenges >> challenge & 1;
}

/* A seat becomes free: its player leaves, or is removed. */
static enum err leave_error(const struct table *table,
                            const struct gang_view *view,
                            const struct action *action)
{
	unsigned seat = action->args[LEAVE_SEAT];
	bool lobby = table->status == STATUS_LOBBY;
	bool owes =
		lobby ? seat == table->host && table->seats >= GANG_PLAYERS_MIN
		      : view->waiting_for >> seat & 1;

	if (seat < 1 || seat > table->seats || view->setup.vacant >> seat & 1)
		return ERR_NO_SUCH_SEAT;
	if (action->seat != seat && action->seat != table->host &&
	    !(owes && action->args[LEAVE_ABSENT]))
		return ERR_NOT_HOST;
	return lobby && table->seats == 1 ? ERR_NOT_ALLOWED_NOW : ERR_OK;
}

static enum err table_error(const struct table *table,
                            const struct gang_view *view,
                            const struct action *action)
{
	bool over = table->status == STATUS_WON || table->status == STATUS_LOST;

	if (action->verb == VERB_LEAVE)
		return leave_error(table, view, action);
	if (action->verb == VERB_JOIN) {
		if (over)
			return ERR_GAME_OVER;
		return table->seats == table->seats_max && !view->setup.vacant
		               ? ERR_GAME_FULL
		               : ERR_OK;
	}
	if (action->verb == VERB_REMATCH) {
		if (table->status == STATUS_LOBBY)
			return ERR_GAME_NOT_STARTED;
		if (!over)
			return ERR_NOT_ALLOWED_NOW;
		return table->has_rematch ? ERR_ALREADY_USED : ERR_OK;
	}
	if (action->seat != table->host)
		return ERR_NOT_HOST;
	if (table->status != STATUS_LOBBY)
		return ERR_ALREADY_STARTED;
	return table->seats < GANG_PLAYERS_MIN ? ERR_NOT_ALLOWED_NOW : ERR_OK;
}

/* --- chips ---------------------------------------------------------------- */

/* Where a chip that is listed lies; 0 is the centre. */
static unsigned seat_of_chip(const struct gang_view *view, unsigned color,
                             unsigned stars)
{
	unsigned at = 0;

	while (view->chips[at].color != color)
		at++;
	return view->chips[at + stars - 1].seat;
}

static bool is_skipped(const struct gang_view *view, unsigned color)
{
	return (color == COLOR_WHITE &&
	        view_has_challenge(view, CHALLENGE_QUICK_ACCESS)) ||
	       (color == COLOR_ORANGE &&
	        view_has_challenge(view, CHALLENGE_HASTY_GETAWAY));
}

bool chip_is_stuck(const struct gang_view *view, unsigned color, unsigned stars)
{
	if (color == COLOR_RED || !seat_of_chip(view, color, stars))
		return false;
	return (stars == 1 &&
	        view_has_challenge(view, CHALLENGE_NOISE_SENSORS)) ||
	       (stars == view->players &&
	        view_has_challenge(view, CHALLENGE_VENTILATION_SHAFT));
}

/* One of the actor's own in that colour is stuck. */
static bool holds_stuck(const struct gang_view *view, unsigned color)
{
	for (unsigned stars = 1; stars <= view->players; stars++) {
		if (seat_of_chip(view, color, stars) == view->seat &&
		    chip_is_stuck(view, color, stars))
			return true;
	}
	return false;
}

static enum err chip_error(const struct gang_view *view,
                           const struct action *action)
{
	unsigned color = action->args[ARG_COLOR];
	unsigned stars = action->args[ARG_STARS];
	unsigned from = action->args[ARG_FROM];

	if (view->phase == PHASE_OVER)
		return ERR_HEIST_OVER;
	if (stars > view->players)
		return ERR_NO_SUCH_CHIP;
	if (color + 1 < view->round || view->phase == PHASE_ANSWERING ||
	    is_skipped(view, color))
		return ERR_ROUND_OVER;
	if (color + 1 > view->round)
		return ERR_NOT_ALLOWED_NOW;
	if (view->phase == PHASE_CHOOSING)
		return ERR_CHOICE_DUE;

	unsigned seat = seat_of_chip(view, color, stars);
	if (action->verb == VERB_RETURN) {
		if (seat != action->seat)
			return ERR_CHIP_NOT_HELD;
		return chip_is_stuck(view, color, stars) ? ERR_CHIP_LOCKED
		                                         : ERR_OK;
	}
	if (seat == action->seat)
		return ERR_CHIP_ALREADY_HELD;
	if (from != CHIP_FROM_ANYWHERE && from != seat)
		return ERR_CHIP_MOVED;
	if (chip_is_stuck(view, color, stars) || holds_stuck(view, color))
		return ERR_CHIP_LOCKED;
	return ERR_OK;
}

/* --- the end of a round --------------------------------------------------- */

static enum err confirm_error(const struct gang_view *view)
{
	if (!view->setup.confirms)
		return ERR_ROUND_ENDS_AT_ONCE;
	if (view->phase == PHASE_OVER)
		return ERR_HEIST_OVER;
	if (view->phase == PHASE_ANSWERING)
		return ERR_ROUND_OVER;
	if (view->phase == PHASE_CHOOSING)
		return ERR_CHOICE_DUE;
	for (unsigned stars = 1; stars <= view->players; stars++) {
		if (!seat_of_chip(view, view->round - 1U, stars))
			return ERR_CHIPS_NOT_HELD;
	}
	return view->confirmed >> view->seat & 1 ? ERR_ALREADY_CONFIRMED
	                                         : ERR_OK;
}

/* --- specialists ---------------------------------------------------------- */

bool specialist_is_proposed(unsigned specialist)
{
	switch (specialist) {
	case 0:
	case SPECIALIST_INVESTOR:
	case SPECIALIST_COORDINATOR:
	case SPECIALIST_MATH_WHIZ:
	case SPECIALIST_CON_ARTIST:
		return false;
	}
	return true;
}

static bool is_fitting(const struct gang_view *view,
                       const struct action *action)
{
	unsigned seat = action->args[ARG_SEAT];
	unsigned target = action->args[ARG_TARGET];
	unsigned value = action->args[ARG_VALUE];
	bool two = view->setup.specialist == SPECIALIST_INFORMANT;
	bool asks = view->setup.specialist == SPECIALIST_MASTERMIND;

	if (seat < 1 || seat > view->players || asks != (value > 0))
		return false;
	return two ? target >= 1 && target <= view->players && target != seat
	           : target == 0;
}

static enum err propose_error(const struct gang_view *view,
                              const struct action *action)
{
	if (view->phase == PHASE_OVER)
		return ERR_HEIST_OVER;
	if (view->phase == PHASE_ANSWERING ||
	    !specialist_is_proposed(view->setup.specialist))
		return ERR_NOT_ALLOWED_NOW;
	if (view->ability_state == ABILITY_PROPOSED)
		return ERR_PROPOSAL_OPEN;
	if (view->ability_state == ABILITY_CHOOSING)
		return ERR_CHOICE_DUE;
	if (view->ability_state == ABILITY_USED)
		return ERR_ALREADY_USED;
	return is_fitting(view, action) ? ERR_OK : ERR_INVALID;
}

static enum err vote_error(const struct gang_view *view,
                           const struct action *action)
{
	if (view->phase == PHASE_OVER)
		return ERR_HEIST_OVER;
	if (view->ability_state != ABILITY_PROPOSED)
		return ERR_NO_PROPOSAL;
	return action->args[ARG_AGREES] &&
	                       view->proposal.agreed >> view->seat & 1
	               ? ERR_NOT_ALLOWED_NOW
	               : ERR_OK;
}

static enum err choose_error(const struct gang_view *view,
                             const struct action *action)
{
	unsigned card = action->args[ARG_CARD];
	const struct choice_view *choice = &view->choice;

	if (view->phase == PHASE_OVER)
		return ERR_HEIST_OVER;
	if (view->ability_state != ABILITY_CHOOSING)
		return ERR_NO_CHOICE_DUE;
	if (!choice->specialist)
		return ERR_NOT_YOUR_CHOICE;
	if (choice->specialist == SPECIALIST_CON_ARTIST)
		return card == CHOICE_LOOKED ? ERR_OK : ERR_INVALID;
	for (unsigned i = 0; i < choice->options_count; i++) {
		if (choice->options[i] == card)
			return ERR_OK;
	}
	return ERR_INVALID;
}

/* --- questions ------------------------------------------------------------ */

static enum err answer_error(const struct gang_view *view,
                             const struct action *action)
{
	const struct asked *asked = NULL;

	if (view->phase == PHASE_OVER)
		return ERR_HEIST_OVER;
	if (view->phase != PHASE_ANSWERING)
		return ERR_SHOWDOWN_NOT_REACHED;
	for (unsigned i = 0; i < view->showdown.asked_count; i++) {
		if (view->showdown.asked[i].challenge ==
		    action->args[ARG_QUESTION])
			asked = &view->showdown.asked[i];
	}
	if (!asked || asked->question.agreed)
		return ERR_NOT_ALLOWED_NOW;
	if (asked->about_seat == action->seat)
		return ERR_NOT_YOURS_TO_ANSWER;
	return asked->question.answers[action->seat - 1] ==
	                       action->args[ARG_ANSWER]
	               ? ERR_NOT_ALLOWED_NOW
	               : ERR_OK;
}

/* --- all ------------------------------------------------------------------ */

enum err gang_expected_error(const struct table *table,
                             const struct gang_view *view,
                             const struct action *action)
{
	if (action->verb < VERB_OF_RULESET)
		return table_error(table, view, action);
	if (table->status == STATUS_LOBBY)
		return ERR_GAME_NOT_STARTED;
	if (view->setup.vacant >> action->seat & 1)
		return ERR_NO_SUCH_SEAT;
	if (table->status != STATUS_PLAYING)
		return ERR_GAME_OVER;
	switch ((enum gang_verb)action->verb) {
	case VERB_TAKE:
	case VERB_RETURN:
		return chip_error(view, action);
	case VERB_NEXT_HEIST:
		break;
	case VERB_PROPOSE:
		return propose_error(view, action);
	case VERB_VOTE:
		return vote_error(view, action);
	case VERB_CHOOSE:
		return choose_error(view, action);
	case VERB_ANSWER:
		return answer_error(view, action);
	case VERB_CONFIRM_ROUND:
		return confirm_error(view);
	}
	return view->phase == PHASE_OVER ? ERR_OK : ERR_SHOWDOWN_NOT_REACHED;
}
