/*
 * The draw pile is a list whose last element is on top.  The discards are
 * shuffled once, as soon as the first pile runs out, so an empty pile stays
 * empty.
 */
#include "games/famiglia/rules/pile.h"

#include <assert.h>
#include <string.h>

static void fill(struct pile *pile, uint64_t gangsters, struct rng *rng)
{
	unsigned gangster = GANGSTER_NONE;

	assert(gangsters_count(gangsters) <= PILE_MAX);
	pile->count = 0;
	while ((gangster = gangsters_next(gangsters, gangster)))
		pile->gangsters[pile->count++] = (uint8_t)gangster;
	rng_shuffle(rng, pile->gangsters, pile->count);
}

void pile_init(struct pile *pile, uint64_t gangsters, struct rng *rng)
{
	*pile = (struct pile){ .second_pass = false };
	fill(pile, gangsters, rng);
}

unsigned pile_draw(struct pile *pile, struct rng *rng)
{
	assert(pile->count > 0);

	unsigned top = pile->gangsters[--pile->count];
	pile->gangsters[pile->count] = GANGSTER_NONE;
	if (pile->count == 0 && pile->discards) {
		fill(pile, pile->discards, rng);
		pile->discards = 0;
		pile->second_pass = true;
	}
	return top;
}

void pile_discard(struct pile *pile, unsigned gangster)
{
	if (!pile->second_pass) {
		pile->discards |= gangsters_just(gangster);
		return;
	}
	assert(pile->count < PILE_MAX);
	memmove(pile->gangsters + 1, pile->gangsters, pile->count);
	pile->gangsters[0] = (uint8_t)gangster;
	pile->count++;
}
