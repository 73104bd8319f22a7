/*
 * The use of a specialist goes through the states of enum ability_state:
 * available, proposed, choosing, used.  A proposal becomes a use as soon as
 * every seat with a player agrees; one refusal withdraws it.  A use with
 * private choices stays in choosing until the last of them.  The row of the
 * specialist has its effects; this file knows only when to ask the row.
 */
#include "games/gang/rules/ability.h"

#include <assert.h>

#include "games/gang/rules/deal.h"
#include "games/gang/rules/specialist.h"

/* --- events --------------------------------------------------------------- */

static void emit(const struct heist *heist, unsigned type, unsigned seat,
                 struct announcement of, struct events *events)
{
	struct event *event = heist_emit_round(heist, type, seat, events);

	event_put_public(event, heist->ability.specialist);
	event_put_public(event, of.seat);
	event_put_public(event, of.target);
	event_put_public(event, of.value);
	event_put_public(event, of.count);
}

/* The part of the announcement that is known before the use. */
static struct announcement proposed(const struct heist *heist)
{
	const struct proposal *proposal = &heist->ability.proposal;

	return (struct announcement){
		.seat = proposal->seat,
		.target = proposal->target,
		.value = proposal->value,
	};
}

static void announce(struct heist *heist, struct announcement of,
                     struct events *events)
{
	struct ability *ability = &heist->ability;
	const struct specialist *row = specialist_of(heist);

	if (row->announce)
		row->announce(heist, &of);
	assert(ability->announcements_count < HEIST_PLAYERS_MAX);
	ability->announcements[ability->announcements_count++] = of;
	emit(heist, EVENT_SPECIALIST_USED, row->is_automatic ? 0 : of.seat, of,
	     events);
}

/* --- carrying out --------------------------------------------------------- */

/* The seats that choose, whether they have done so or not. */
static unsigned choosers_of(const struct heist *heist)
{
	switch (specialist_of(heist)->choosers) {
	case CHOOSER_NOBODY:
		break;
	case CHOOSER_SEAT:
		return 1U << heist->ability.proposal.seat & heist_seats(heist);
	case CHOOSER_ALL:
		return heist_seats(heist);
	}
	return 0;
}

/*
 * Carry out the announced use, up to the choices that it waits for.  Players
 * know more after it, so they confirm the round anew.
 */
static void carry_out(struct heist *heist)
{
	struct ability *ability = &heist->ability;
	const struct specialist *row = specialist_of(heist);

	heist->confirmed = 0;
	if (row->draws == DRAW_TOP)
		ability->drawn = deal_draw(heist);
	else if (row->draws == DRAW_JACK)
		ability->drawn = CARD_JX;
	ability->choosing = (uint8_t)choosers_of(heist);
	ability->state = ability->choosing ? ABILITY_CHOOSING : ABILITY_USED;
}

void ability_begin(struct heist *heist, struct events *events)
{
	if (!heist->ability.specialist || !specialist_of(heist)->is_automatic)
		return;
	if (specialist_of(heist)->announce) {
		for (unsigned seat = 1; seat <= heist->setup.players; seat++)
			announce(heist,
			         (struct announcement){ .seat = (uint8_t)seat },
			         events);
	} else {
		announce(heist, (struct announcement){ 0 }, events);
	}
	carry_out(heist);
}

/* --- proposals ------------------------------------------------------------ */

static struct fault check_seat(const struct heist *heist, const char *member,
                               unsigned seat)
{
	if (!seat)
		return (struct fault){ member, "required",
			               "This specialist asks who." };
	if (seat > heist->setup.players)
		return (struct fault){ member, "out_of_range",
			               "The game has no such seat." };
	return (struct fault){ NULL };
}

struct fault ability_fault_of_propose(const struct heist *heist,
                                      struct proposal wanted)
{
	const struct specialist *row = specialist_of(heist);
	struct fault fault = check_seat(heist, "seat", wanted.seat);

	if (fault.member)
		return fault;
	if (row->asks_target) {
		fault = check_seat(heist, "target_seat", wanted.target);
		if (fault.member)
			return fault;
		if (wanted.target == wanted.seat)
			return (struct fault){ "target_seat", "not_allowed",
				               "It takes two players." };
	} else if (wanted.target) {
		return (struct fault){ "target_seat", "not_allowed",
			               "This specialist needs one player." };
	}
	if (row->asks_value && !wanted.value)
		return (struct fault){ "value", "required",
			               "This specialist asks for a value." };
	/* An action may come from a log that somebody damaged. */
	if (wanted.value > gang_value_max(VALUE_RANK))
		return (struct fault){ "value", "not_one_of",
			               "A value is a rank of cards." };
	if (!row->asks_value && wanted.value)
		return (struct fault){ "value", "not_allowed",
			               "This specialist asks for no value." };
	return (struct fault){ NULL };
}

enum err ability_check_propose(const struct heist *heist,
                               struct proposal wanted)
{
	const struct ability *ability = &heist->ability;

	if (heist->outcome != OUTCOME_OPEN)
		return ERR_HEIST_OVER;
	if (!ability->specialist || specialist_of(heist)->is_automatic ||
	    heist_is_asking(heist))
		return ERR_NOT_ALLOWED_NOW;
	if (ability->state == ABILITY_PROPOSED)
		return ERR_PROPOSAL_OPEN;
	if (ability->state == ABILITY_CHOOSING)
		return ERR_CHOICE_DUE;
	if (ability->state == ABILITY_USED)
		return ERR_ALREADY_USED;
	if (ability_fault_of_propose(heist, wanted).member)
		return ERR_INVALID;
	return ERR_OK;
}

static void settle_votes(struct heist *heist, struct events *events)
{
	const struct proposal *proposal = &heist->ability.proposal;
	unsigned voters = heist_voters(heist);

	/* With no voters there is no agreement. */
	if (heist->ability.state != ABILITY_PROPOSED || !voters ||
	    voters & ~(unsigned)proposal->agreed)
		return;
	announce(heist, proposed(heist), events);
	carry_out(heist);
}

void ability_propose(struct heist *heist, struct proposal wanted,
                     struct events *events)
{
	struct ability *ability = &heist->ability;

	ability->proposal = wanted;
	ability->proposal.agreed = (uint8_t)(1U << wanted.by);
	ability->state = ABILITY_PROPOSED;
	emit(heist, EVENT_SPECIALIST_PROPOSED, wanted.by, proposed(heist),
	     events);
	/* If all other seats are vacant, nobody else must agree. */
	settle_votes(heist, events);
}

enum err ability_check_vote(const struct heist *heist, unsigned seat,
                            bool agrees)
{
	const struct ability *ability = &heist->ability;

	if (heist->outcome != OUTCOME_OPEN)
		return ERR_HEIST_OVER;
	if (ability->state != ABILITY_PROPOSED)
		return ERR_NO_PROPOSAL;
	if (agrees && ability->proposal.agreed >> seat & 1)
		return ERR_NOT_ALLOWED_NOW;
	return ERR_OK;
}

static void withdraw(struct heist *heist, unsigned seat, struct events *events)
{
	emit(heist, EVENT_SPECIALIST_WITHDRAWN, seat, proposed(heist), events);
	heist->ability.proposal = (struct proposal){ 0 };
	heist->ability.state = ABILITY_AVAILABLE;
}

void ability_vote(struct heist *heist, unsigned seat, bool agrees,
                  struct events *events)
{
	struct proposal *proposal = &heist->ability.proposal;

	if (!agrees) {
		withdraw(heist, seat, events);
		return;
	}
	proposal->agreed |= (uint8_t)(1U << seat);
	emit(heist, EVENT_SPECIALIST_AGREED, seat, proposed(heist), events);
	settle_votes(heist, events);
}

void ability_vacate(struct heist *heist, unsigned seat, struct events *events)
{
	/* The next player of the seat has agreed to nothing. */
	if (heist->ability.state == ABILITY_PROPOSED)
		heist->ability.proposal.agreed &= (uint8_t) ~(1U << seat);
	settle_votes(heist, events);
}

void ability_expire(struct heist *heist, struct events *events)
{
	if (heist->ability.state == ABILITY_PROPOSED)
		withdraw(heist, 0, events);
}

unsigned ability_waiting_for(const struct heist *heist)
{
	const struct ability *ability = &heist->ability;

	if (ability->state == ABILITY_PROPOSED)
		return heist_voters(heist) &
		       ~(unsigned)ability->proposal.agreed;
	return ability->choosing;
}

/* --- invariants ----------------------------------------------------------- */

bool ability_brings_jack(const struct heist *heist)
{
	return heist->ability.specialist &&
	       specialist_of(heist)->draws == DRAW_JACK &&
	       heist->ability.state >= ABILITY_CHOOSING;
}

/* A use that needs a drawn card or cards to be passed has them. */
static bool choices_valid(const struct heist *heist)
{
	const struct ability *ability = &heist->ability;
	const struct specialist *row = specialist_of(heist);
	bool chooses = ability->state == ABILITY_CHOOSING;

	if (chooses != (ability->choosing != 0) ||
	    ability->choosing & ~choosers_of(heist) ||
	    (ability->drawn != CARD_NONE) != (chooses && row->draws))
		return false;
	/* A single player's choice is carried out at once. */
	for (unsigned i = 0; chooses && row->choosers == CHOOSER_ALL &&
	                     row->choose && i < heist->setup.players;
	     i++) {
		if (!(ability->choosing >> (i + 1) & 1) &&
		    !pocket_has(&heist->pockets[i], ability->laid_out[i]))
			return false;
	}
	return true;
}

/* The cards that players saw; the cards may have moved since. */
static bool memories_valid(const struct ability *ability)
{
	if (ability->shown != CARD_NONE && ability->shown >= CARD_DECK_COUNT)
		return false;
	for (unsigned i = 0; i < HEIST_PLAYERS_MAX; i++) {
		uint64_t seen = 0;

		if (!cards_mark(ability->former[i].cards,
		                ability->former[i].count, CARD_DECK_COUNT,
		                &seen))
			return false;
	}
	return true;
}

bool ability_valid(const struct heist *heist)
{
	const struct ability *ability = &heist->ability;
	const struct proposal *proposal = &ability->proposal;

	if (!ability->specialist)
		return true;
	return ability->state <= ABILITY_USED &&
	       proposal->seat <= heist->setup.players &&
	       (proposal->seat || ability->state != ABILITY_PROPOSED) &&
	       (!ability->announcements_count ||
	        ability->state >= ABILITY_CHOOSING) &&
	       choices_valid(heist) && memories_valid(ability);
}
