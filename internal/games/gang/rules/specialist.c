/*
 * The rows of specialist.def, and the functions that they name: the
 * announcement of a seat, the effect of a chosen card, and the effect of the
 * last choice.
 */
#include "games/gang/rules/specialist.h"

#include <assert.h>

#include "games/gang/rules/deal.h"

static const struct pocket *pocket_of(const struct heist *heist,
                                      const struct announcement *of)
{
	return &heist->pockets[of->seat - 1];
}

/* Getaway Driver: the ranking of the cards in sight. */
static void announce_ranking(const struct heist *heist, struct announcement *of)
{
	struct hand hand = pocket_hand(pocket_of(heist, of), heist->community,
	                               heist->community_count);

	of->value = (uint8_t)(hand.ranking + 1);
}

/* Investor */
static void announce_faces(const struct heist *heist, struct announcement *of)
{
	of->count = (uint8_t)pocket_count_faces(pocket_of(heist, of));
}

/* Mastermind */
static void announce_found(const struct heist *heist, struct announcement *of)
{
	of->count = (uint8_t)pocket_count_rank(pocket_of(heist, of),
	                                       of->value - 1U);
}

/* Math Whiz */
static void announce_sum(const struct heist *heist, struct announcement *of)
{
	of->count = (uint8_t)pocket_sum(pocket_of(heist, of));
}

/* Informant: the target sees the card from now on. */
static void show_card(struct heist *heist, unsigned seat, unsigned card)
{
	(void)seat;
	heist->ability.shown = (uint8_t)card;
}

/* Hacker, Jack: discard the chosen card, keep the drawn one in its place. */
static void exchange_card(struct heist *heist, unsigned seat, unsigned card)
{
	if (card != heist->ability.drawn)
		pocket_replace(&heist->pockets[seat - 1], card,
		               heist->ability.drawn);
	deal_discard(heist, card);
	heist->ability.drawn = CARD_NONE;
}

/* Coordinator */
static void lay_out_card(struct heist *heist, unsigned seat, unsigned card)
{
	heist->ability.laid_out[seat - 1] = (uint8_t)card;
}

static void pass_cards(struct heist *heist, struct rng *rng,
                       struct events *events)
{
	(void)rng;
	deal_pass(heist, heist->ability.laid_out, events);
	for (unsigned i = 0; i < heist->setup.players; i++)
		heist->ability.laid_out[i] = CARD_NONE;
}

/* Con Artist: every player still sees their own former cards. */
static void redeal_cards(struct heist *heist, struct rng *rng,
                         struct events *events)
{
	for (unsigned i = 0; i < heist->setup.players; i++)
		heist->ability.former[i] = heist->pockets[i];
	deal_reshuffle_pockets(heist, rng, events);
}

static const struct specialist rows[SPECIALIST_MAX + 1] = {
#define SPECIALIST(name, number, text, ...) \
	[number] = { .code = (text), __VA_ARGS__ },
#include "games/gang/rules/specialist.def"
};

const struct specialist *gang_specialist_get(unsigned number)
{
	assert(specialist_exists(number));
	return &rows[number];
}

const struct specialist *specialist_of(const struct heist *heist)
{
	return gang_specialist_get(heist->ability.specialist);
}

bool specialist_exists(unsigned number)
{
	return number >= 1 && number <= SPECIALIST_MAX;
}
