/*
 * heist->ability.choosing is the set of seats that still owe a choice.  Each
 * choice takes its seat out of it, and the last one ends the use.  The event of
 * a choice is public, but its card is private to the seat that chose and to the
 * player to whom it was shown.
 */
#include "games/gang/rules/choice.h"

#include "games/gang/rules/specialist.h"

unsigned choice_options(const struct heist *heist, unsigned seat,
                        uint8_t options[OPTIONS_MAX])
{
	const struct ability *ability = &heist->ability;
	const struct pocket *pocket = &heist->pockets[seat - 1];
	unsigned count = 0;

	if (!(ability->choosing >> seat & 1) || !specialist_of(heist)->choose)
		return 0;
	for (unsigned i = 0; i < pocket->count; i++)
		options[count++] = pocket->cards[i];
	/* The suitless Jack is no option: it cannot be given back. */
	if (ability->drawn < CARD_DECK_COUNT)
		options[count++] = ability->drawn;
	return count;
}

struct fault choice_fault(const struct heist *heist, unsigned card)
{
	if (!specialist_of(heist)->choose)
		return (struct fault){ "card", "not_allowed",
			               "Look at your cards, and say "
			               "{\"looked\":true}." };
	if (card == CHOICE_LOOKED)
		return (struct fault){
			"looked", "not_allowed",
			"A card is to be chosen: {\"card\":...}."
		};
	return (struct fault){ "card", "not_one_of",
		               "Choose one of the \"options\" of your "
		               "\"choice_due\"." };
}

enum err choice_check(const struct heist *heist, unsigned seat, unsigned card)
{
	const struct ability *ability = &heist->ability;
	uint8_t options[OPTIONS_MAX];

	if (heist->outcome != OUTCOME_OPEN)
		return ERR_HEIST_OVER;
	if (!ability->choosing)
		return ERR_NO_CHOICE_DUE;
	if (!(ability->choosing >> seat & 1))
		return ERR_NOT_YOUR_CHOICE;
	if (!specialist_of(heist)->choose)
		return card == CHOICE_LOOKED ? ERR_OK : ERR_INVALID;

	unsigned count = choice_options(heist, seat, options);
	for (unsigned i = 0; i < count; i++) {
		if (options[i] == card)
			return ERR_OK;
	}
	return ERR_INVALID;
}

static void emit_choice(const struct heist *heist, unsigned seat, unsigned card,
                        struct events *events)
{
	struct event *event =
		heist_emit_round(heist, EVENT_CHOICE_MADE, seat, events);

	event_put_public(event, heist->ability.specialist);
	if (card == CHOICE_LOOKED)
		return;
	event_put_private(event, card);
	event_put_private(event, heist->ability.proposal.target);
}

void choice_make(struct heist *heist, unsigned seat, unsigned card,
                 struct rng *rng, struct events *events)
{
	struct ability *ability = &heist->ability;
	const struct specialist *row = specialist_of(heist);

	emit_choice(heist, seat, card, events);
	if (row->choose)
		row->choose(heist, seat, card);
	ability->choosing &= (uint8_t) ~(1U << seat);
	if (ability->choosing)
		return;
	ability->state = ABILITY_USED;
	if (row->settle)
		row->settle(heist, rng, events);
}
