/*
 * pile.h - the draw pile and the discards.
 *
 * When the first pile has run out, the discards are shuffled and are the
 * second, once in a game; from then on what is discarded goes beneath the pile.
 * A plain value.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/rng.h"
#include "famiglia/gangster.h"

/* All gangsters but the players' first ones. */
enum { PILE_MAX = GANGSTER_COUNT - 2 * FAMILY_COUNT };

struct pile {
	bool second_pass;            /* the discards have become the pile */
	uint8_t count;               /* 0: it has run out for good */
	uint64_t discards;           /* a set, since they are shuffled */
	uint8_t gangsters[PILE_MAX]; /* the top one is the last */
};

/* Shuffle a set of gangsters, and make it the first pile. */
void pile_init(struct pile *pile, uint64_t gangsters, struct rng *rng);

/* Take the top one; if it was the last, turn the discards over at once. */
unsigned pile_draw(struct pile *pile, struct rng *rng);

/* Put one away: to the discards, or in the second pass beneath the pile. */
void pile_discard(struct pile *pile, unsigned gangster);
