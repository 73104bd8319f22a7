/*
 * A view is made in three steps: what everybody sees, what the seat alone sees,
 * and what the seat may do.  The last step asks gang_check() about every
 * possible action and keeps those that it allows, so the list of legal actions
 * cannot differ from what is accepted.
 */
#include "games/gang/rules/gang_view.h"

#include <assert.h>
#include <string.h>

#include "games/gang/rules/challenge.h"

/* --- seen by everybody ---------------------------------------------------- */

static void see_chips(const struct heist *heist, struct gang_view *view)
{
	for (unsigned color = 0; color < COLOR_COUNT; color++) {
		const struct chips *chips = &heist->chips[color];
		for (unsigned stars = 1; stars <= chips->count; stars++)
			view->chips[view->chips_count++] = (struct chip_view){
				.color = (uint8_t)color,
				.stars = (uint8_t)stars,
				.seat = (uint8_t)chips_holder(chips, stars),
				.locked = rounds_chip_is_locked(
					heist, (enum color)color, stars),
				.dark = rounds_chip_is_dark(
					heist, (enum color)color, stars),
			};
	}
}

static enum phase phase_of(const struct heist *heist)
{
	if (heist->outcome != OUTCOME_OPEN)
		return PHASE_OVER;
	if (heist_is_asking(heist))
		return PHASE_ANSWERING;
	return heist->ability.choosing ? PHASE_CHOOSING : PHASE_CHIPS;
}

static void see_ability(const struct ability *ability, struct gang_view *view)
{
	view->ability_state = ability->state;
	if (ability->state == ABILITY_PROPOSED)
		view->proposal = ability->proposal;
	view->announcements_count = ability->announcements_count;
	memcpy(view->announcements, ability->announcements,
	       sizeof(view->announcements));
}

static void see_heist(const struct heist *heist, struct gang_view *view)
{
	view->setup = heist->setup;
	view->phase = (uint8_t)phase_of(heist);
	view->outcome = heist->outcome;
	view->round = heist->round;
	view->community_count = heist->community_count;
	memcpy(view->community, heist->community, heist->community_count);
	see_chips(heist, view);
	see_ability(&heist->ability, view);
	if (view->phase == PHASE_CHIPS)
		view->confirmed = heist->confirmed;
	view->waiting_for = (uint8_t)rounds_waiting_for(heist);
	view->has_showdown = view->phase >= PHASE_ANSWERING &&
	                     heist->outcome != OUTCOME_ABANDONED;
	if (view->has_showdown)
		showdown_of_heist(heist, &view->showdown);
}

static void see_summaries(const struct gang *gang, struct gang_view *view)
{
	view->summaries_count = gang->ended_count;
	memcpy(view->summaries, gang->ended,
	       gang->ended_count * sizeof(gang->ended[0]));
	if (gang->heist.outcome == OUTCOME_SUCCEEDED ||
	    gang->heist.outcome == OUTCOME_FAILED)
		summary_of_heist(&gang->heist,
		                 &view->summaries[view->summaries_count++]);
}

/* --- seen by the viewer alone --------------------------------------------- */

static void see_own(const struct heist *heist, struct gang_view *view)
{
	const struct ability *ability = &heist->ability;
	unsigned at = view->seat - 1U;

	view->pocket = heist->pockets[at];
	view->hand = pocket_hand(&view->pocket, heist->community,
	                         heist->community_count);
	view->former = ability->former[at];
	if (ability->shown != CARD_NONE &&
	    ability->proposal.target == view->seat) {
		view->shown_by = ability->proposal.seat;
		view->shown = ability->shown;
	}
	if (ability->choosing >> view->seat & 1) {
		view->choice.specialist = ability->specialist;
		view->choice.options_count =
			(uint8_t)choice_options(heist, view->seat,
		                                view->choice.options);
	}
}

/* --- legal actions -------------------------------------------------------- */

/* Add an action to the view if it would succeed. */
static void offer(const struct gang *gang, struct gang_view *view,
                  unsigned verb, unsigned first, unsigned second,
                  unsigned third)
{
	struct action action = {
		.verb = (uint8_t)verb,
		.seat = view->seat,
		.args = { (uint8_t)first, (uint8_t)second, (uint8_t)third },
	};

	if (gang_check(gang, &action))
		return;
	assert(view->legal_count < LEGAL_MAX);
	view->legal[view->legal_count++] = action;
}

/* Only the chips of the present round can move. */
static void offer_chips(const struct gang *gang, struct gang_view *view)
{
	if (!view->round)
		return;
	unsigned color = view->round - 1U;
	const struct chips *chips = &gang->heist.chips[color];

	for (unsigned stars = 1; stars <= chips->count; stars++) {
		offer(gang, view, VERB_TAKE, color, stars,
		      chips_holder(chips, stars));
		offer(gang, view, VERB_RETURN, color, stars, 0);
	}
}

static void offer_proposals(const struct gang *gang, struct gang_view *view)
{
	unsigned players = gang->players;
	unsigned values = gang_value_max(VALUE_RANK);

	if (!view->setup.specialist || view->ability_state != ABILITY_AVAILABLE)
		return;
	for (unsigned seat = 1; seat <= players; seat++) {
		offer(gang, view, VERB_PROPOSE, seat, 0, 0);
		for (unsigned target = 1; target <= players; target++)
			offer(gang, view, VERB_PROPOSE, seat, target, 0);
		for (unsigned value = 1; value <= values; value++)
			offer(gang, view, VERB_PROPOSE, seat, 0, value);
	}
}

static void offer_choices(const struct gang *gang, struct gang_view *view)
{
	const struct choice_view *choice = &view->choice;

	for (unsigned i = 0; i < choice->options_count; i++)
		offer(gang, view, VERB_CHOOSE, choice->options[i], 0, 0);
	offer(gang, view, VERB_CHOOSE, CHOICE_LOOKED, 0, 0);
}

static void offer_answers(const struct gang *gang, struct gang_view *view)
{
	const struct showdown *showdown = &view->showdown;

	for (unsigned i = 0; i < showdown->asked_count; i++) {
		unsigned asks = showdown->asked[i].challenge;
		unsigned values =
			gang_value_max(gang_challenge_get(asks)->asks);

		for (unsigned value = 1; value <= values; value++)
			offer(gang, view, VERB_ANSWER, asks, value, 0);
	}
}

static void see_legal(const struct gang *gang, struct gang_view *view)
{
	offer_chips(gang, view);
	offer_proposals(gang, view);
	offer(gang, view, VERB_VOTE, true, 0, 0);
	offer(gang, view, VERB_VOTE, false, 0, 0);
	offer_choices(gang, view);
	offer_answers(gang, view);
	offer(gang, view, VERB_CONFIRM_ROUND, 0, 0, 0);
	offer(gang, view, VERB_NEXT_HEIST, 0, 0, 0);
}

void gang_view(const void *state, unsigned seat, void *into)
{
	const struct gang *gang = state;
	struct gang_view *view = into;
	const struct mode *mode = gang_mode_get(gang->mode);

	assert(gang->players == 0 || seat <= gang->players);
	/* All but the legal actions, which are most of it and are counted. */
	memset(view, 0, offsetof(struct gang_view, legal));
	view->seat = (uint8_t)seat;
	view->mode = gang->mode;
	view->challenges_unseen =
		(uint8_t)stack_unseen(&gang->challenges, mode->challenges);
	view->specialists_unseen =
		(uint8_t)stack_unseen(&gang->specialists, mode->specialists);
	view->players = gang->players;
	if (gang->players == 0)
		return;
	view->vaults = gang->vaults;
	view->alarms = gang->alarms;
	see_heist(&gang->heist, view);
	see_summaries(gang, view);
	if (!seat)
		return;
	view->closed_deals = gang->closed_deals[seat - 1];
	see_own(&gang->heist, view);
	see_legal(gang, view);
}

/* --- reading a view ------------------------------------------------------- */

const struct summary *gang_view_summary(const struct gang_view *view,
                                        unsigned number)
{
	return number >= 1 && number <= view->summaries_count
	               ? &view->summaries[number - 1]
	               : NULL;
}

bool gang_view_showdown(const struct gang_view *view, struct showdown *showdown)
{
	const struct summary *last;

	if (view->has_showdown) {
		*showdown = view->showdown;
		return true;
	}
	if (!view->summaries_count)
		return false;
	last = &view->summaries[view->summaries_count - 1];
	summary_reveal(last, last->players, showdown);
	return true;
}

const struct pocket *gang_view_pocket(const struct gang_view *view,
                                      unsigned seat)
{
	assert(seat >= 1);

	if (seat == view->seat)
		return &view->pocket;
	for (unsigned i = 0; i < view->showdown.reveals_count; i++) {
		if (view->showdown.reveals[i].seat == seat)
			return &view->showdown.reveals[i].pocket;
	}
	return NULL;
}

enum sight gang_view_sight(const void *from, const struct event *event)
{
	const struct gang_view *view = from;

	return event->part <= view->closed_deals ? SIGHT_SPECTATOR : SIGHT_SEAT;
}

enum sight gang_view_sight_of_chip(const void *from, const struct event *event)
{
	const struct gang_view *view = from;

	if (event->part == view->setup.deal && view->phase != PHASE_OVER &&
	    event->subpart < view->round &&
	    challenges_hide_chips(view->setup.challenges))
		return SIGHT_NONE;
	return gang_view_sight(view, event);
}
