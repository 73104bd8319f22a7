/*
 * Counts of pocket cards.  A set of cards has bit n for card n; a card that is
 * marked twice is in two places.
 */
#include "games/gang/rules/pocket.h"

#include <assert.h>
#include <string.h>

bool pocket_has(const struct pocket *pocket, unsigned card)
{
	for (unsigned i = 0; i < pocket->count; i++) {
		if (pocket->cards[i] == card)
			return true;
	}
	return false;
}

void pocket_replace(struct pocket *pocket, unsigned card, unsigned by)
{
	unsigned at = 0;

	assert(pocket_has(pocket, card) && by < CARD_COUNT);
	while (pocket->cards[at] != card)
		at++;
	pocket->cards[at] = (uint8_t)by;
}

unsigned pocket_count_rank(const struct pocket *pocket, unsigned rank)
{
	unsigned count = 0;

	for (unsigned i = 0; i < pocket->count; i++)
		count += card_rank(pocket->cards[i]) == rank;
	return count;
}

unsigned pocket_count_faces(const struct pocket *pocket)
{
	unsigned count = 0;

	for (unsigned i = 0; i < pocket->count; i++)
		count += card_is_face(pocket->cards[i]);
	return count;
}

unsigned pocket_sum(const struct pocket *pocket)
{
	unsigned sum = 0;

	for (unsigned i = 0; i < pocket->count; i++) {
		unsigned rank = card_rank(pocket->cards[i]);

		if (rank == RANK_ACE)
			sum += 11;
		else
			sum += rank < RANK_JACK ? rank + 2 : 10;
	}
	return sum;
}

struct hand pocket_hand(const struct pocket *pocket, const uint8_t *community,
                        unsigned count)
{
	uint8_t cards[COMMUNITY_MAX + POCKET_MAX];

	assert(count <= COMMUNITY_MAX);
	if (!pocket->count)
		return (struct hand){ 0 };
	memcpy(cards, pocket->cards, pocket->count);
	memcpy(cards + pocket->count, community, count);
	return hand_of(cards, pocket->count + count);
}

bool cards_mark(const uint8_t *cards, unsigned count, unsigned limit,
                uint64_t *seen)
{
	for (unsigned i = 0; i < count; i++) {
		if (cards[i] >= limit || *seen >> cards[i] & 1)
			return false;
		*seen |= UINT64_C(1) << cards[i];
	}
	return true;
}

bool pockets_mark(const struct pocket *pockets, unsigned players,
                  unsigned count, uint64_t *seen)
{
	for (unsigned i = 0; i < players; i++) {
		if (pockets[i].count != count ||
		    !cards_mark(pockets[i].cards, count, CARD_COUNT, seen))
			return false;
	}
	return true;
}
