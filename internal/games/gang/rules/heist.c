/*
 * The questions that every part of the rules asks of a heist.  Nothing here
 * moves a card or a chip, so the modules that do can all include this one.
 *
 * A heist does not store that its showdown has begun: each seat holds a red
 * chip then, which nobody can move any more, and no choice is due.  If rounds
 * are confirmed, all seats are set as confirmed then, the vacant ones too.
 */
#include "games/gang/rules/heist.h"

#include <assert.h>

#include "games/gang/rules/challenge.h"

uint16_t heist_setup_specialists(const struct heist_setup *setup)
{
	return (uint16_t)(1U << setup->specialist & ~1U);
}

void heist_init(struct heist *heist, const struct heist_setup *setup)
{
	*heist = (struct heist){ .setup = *setup };
	heist_reset_ability(heist);
}

void heist_reset_ability(struct heist *heist)
{
	heist->ability = (struct ability){
		.specialist = heist->setup.specialist,
		.drawn = CARD_NONE,
		.shown = CARD_NONE,
	};
	for (unsigned i = 0; i < HEIST_PLAYERS_MAX; i++)
		heist->ability.laid_out[i] = CARD_NONE;
}

unsigned heist_seats(const struct heist *heist)
{
	return (1U << (heist->setup.players + 1)) - 2;
}

unsigned heist_voters(const struct heist *heist)
{
	return heist_seats(heist) & ~(unsigned)heist->setup.vacant;
}

void heist_occupy(struct heist *heist, unsigned seat)
{
	heist->setup.vacant &= (uint8_t) ~(1U << seat);
}

void heist_abandon(struct heist *heist, unsigned seat)
{
	struct heist_setup setup = heist->setup;
	uint8_t round = heist->round;

	assert(heist->outcome == OUTCOME_OPEN);
	setup.vacant |= (uint8_t)(1U << seat);
	heist_init(heist, &setup);
	heist->round = round;
	heist->outcome = OUTCOME_ABANDONED;
}

bool heist_has_showdown(const struct heist *heist)
{
	if (heist->outcome != OUTCOME_OPEN)
		return heist->outcome != OUTCOME_ABANDONED;
	return heist->round == HEIST_ROUNDS && !heist->ability.choosing &&
	       chips_settled(&heist->chips[COLOR_RED]) &&
	       (!heist->setup.confirms ||
	        heist->confirmed == heist_seats(heist));
}

bool heist_is_asking(const struct heist *heist)
{
	return heist->outcome == OUTCOME_OPEN && heist_has_showdown(heist) &&
	       !questions_agreed(heist->questions, heist->setup.challenges);
}

bool questions_agreed(const struct question *questions, uint16_t challenges)
{
	for (unsigned i = 0; i < QUESTIONS_MAX; i++) {
		if (challenges_asking(challenges, i) && !questions[i].agreed)
			return false;
	}
	return true;
}

struct event *heist_emit(const struct heist *heist, unsigned type,
                         unsigned seat, struct events *events)
{
	struct event *event = events_add(events, type, seat);

	event->part = heist->setup.deal;
	return event;
}

struct event *heist_emit_round(const struct heist *heist, unsigned type,
                               unsigned seat, struct events *events)
{
	struct event *event = heist_emit(heist, type, seat, events);

	event->subpart = heist->round;
	return event;
}
