/*
 * A card is moved, never copied, so every card stays in exactly one place;
 * deal_valid() checks that over the whole heist.  One event holds the new
 * pocket cards of all seats: their number is public, each seat's cards are
 * private to it.
 */
#include "games/gang/rules/deal.h"

#include <assert.h>
#include <string.h>

#include "games/gang/rules/challenge.h"

uint8_t deal_draw(struct heist *heist)
{
	assert(heist->deck_count > 0);
	return heist->deck[--heist->deck_count];
}

void deal_discard(struct heist *heist, unsigned card)
{
	assert(card < CARD_COUNT);
	assert(heist->discards_count < HEIST_DISCARDS_MAX);
	heist->discards[heist->discards_count++] = (uint8_t)card;
}

void deal_community(struct heist *heist, unsigned count)
{
	assert(count <= COMMUNITY_MAX);
	while (heist->community_count < count)
		heist->community[heist->community_count++] = deal_draw(heist);
}

static void emit_pockets(const struct heist *heist, unsigned type,
                         struct events *events)
{
	struct event *event = heist_emit(heist, type, 0, events);

	event_put_public(event, heist->pockets[0].count);
	for (unsigned i = 0; i < heist->setup.players; i++) {
		const struct pocket *pocket = &heist->pockets[i];

		for (unsigned j = 0; j < pocket->count; j++)
			event_put_private(event, pocket->cards[j]);
	}
}

void deal_pockets(struct heist *heist, struct rng *rng, struct events *events)
{
	unsigned cards = challenges_pocket_cards(heist->setup.challenges);

	heist->deck_count = CARD_DECK_COUNT;
	for (unsigned card = 0; card < CARD_DECK_COUNT; card++)
		heist->deck[card] = (uint8_t)card;
	rng_shuffle(rng, heist->deck, heist->deck_count);

	for (unsigned i = 0; i < heist->setup.players; i++) {
		struct pocket *pocket = &heist->pockets[i];

		while (pocket->count < cards)
			pocket->cards[pocket->count++] = deal_draw(heist);
	}
	emit_pockets(heist, EVENT_CARDS_DEALT, events);
}

void deal_redraw_pocket(struct heist *heist, unsigned seat, unsigned challenge,
                        struct events *events)
{
	struct pocket *pocket = &heist->pockets[seat - 1];
	struct event *event =
		heist_emit(heist, EVENT_CARDS_REDRAWN, seat, events);

	event_put_public(event, challenge);
	event_put_public(event, pocket->count);
	for (unsigned i = 0; i < pocket->count; i++) {
		deal_discard(heist, pocket->cards[i]);
		pocket->cards[i] = deal_draw(heist);
		event_put_private(event, pocket->cards[i]);
	}
}

void deal_pass(struct heist *heist, const uint8_t *cards, struct events *events)
{
	unsigned players = heist->setup.players;

	/* All pass at the same time, so no passed card is passed on. */
	for (unsigned i = 0; i < players; i++)
		pocket_replace(&heist->pockets[i], cards[i],
		               cards[(i + players - 1) % players]);
	emit_pockets(heist, EVENT_CARDS_PASSED, events);
}

void deal_reshuffle_pockets(struct heist *heist, struct rng *rng,
                            struct events *events)
{
	uint8_t cards[HEIST_PLAYERS_MAX * POCKET_MAX];
	unsigned count = 0;

	for (unsigned i = 0; i < heist->setup.players; i++) {
		const struct pocket *pocket = &heist->pockets[i];

		memcpy(cards + count, pocket->cards, pocket->count);
		count += pocket->count;
	}
	rng_shuffle(rng, cards, count);
	for (unsigned i = 0; i < heist->setup.players; i++) {
		struct pocket *pocket = &heist->pockets[i];

		count -= pocket->count;
		memcpy(pocket->cards, cards + count, pocket->count);
	}
	emit_pockets(heist, EVENT_CARDS_REDEALT, events);
}

/* --- invariants ----------------------------------------------------------- */

/*
 * The array must have room for the discards to come: those of redraws come with
 * the flop, that of an exchange with the use of a specialist.
 */
static unsigned discards_max(const struct heist *heist)
{
	unsigned redrawn = heist->community_count ? HEIST_DISCARDS_MAX - 1 : 0;

	return redrawn + (heist->ability.state == ABILITY_USED);
}

bool deal_valid(const struct heist *heist, bool has_jack)
{
	const struct heist_setup *setup = &heist->setup;
	const struct ability *ability = &heist->ability;
	uint64_t seen = 0;

	/* Jx may be in a pocket, drawn or discarded, but never in the deck. */
	return heist->deck_count <= CARD_DECK_COUNT &&
	       heist->discards_count <= discards_max(heist) &&
	       heist->community_count <= COMMUNITY_MAX &&
	       pockets_mark(heist->pockets, setup->players,
	                    challenges_pocket_cards(setup->challenges),
	                    &seen) &&
	       cards_mark(heist->community, heist->community_count,
	                  CARD_DECK_COUNT, &seen) &&
	       cards_mark(heist->deck, heist->deck_count, CARD_DECK_COUNT,
	                  &seen) &&
	       cards_mark(heist->discards, heist->discards_count, CARD_COUNT,
	                  &seen) &&
	       (ability->drawn == CARD_NONE ||
	        cards_mark(&ability->drawn, 1, CARD_COUNT, &seen)) &&
	       (seen & ~(UINT64_C(1) << CARD_JX)) ==
	               (UINT64_C(1) << CARD_DECK_COUNT) - 1 &&
	       (seen >> CARD_JX & 1) == has_jack;
}
