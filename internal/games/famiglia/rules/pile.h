/*
 * pile.h - the draw pile and the discards.
 *
 * When the first pile runs out, the discards are shuffled and become the second
 * pile, once in a game.  From then on discarded gangsters go under the pile.
 * A plain value.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/rng.h"
#include "games/famiglia/rules/gangster.h"

/* All gangsters but the players' first ones. */
enum { PILE_MAX = GANGSTER_COUNT - 2 * FAMILY_COUNT };

struct pile {
	bool second_pass;            /* the discards have become the pile */
	uint8_t count;               /* 0: no gangster comes any more */
	uint64_t discards;           /* a set: their order has no meaning */
	uint8_t gangsters[PILE_MAX]; /* the top one is the last */
};

/* Shuffle a set of gangsters into the first pile. */
void pile_init(struct pile *pile, uint64_t gangsters, struct rng *rng);

/* Take the top one; after the last one the discards become the pile. */
unsigned pile_draw(struct pile *pile, struct rng *rng);

/* Put one onto the discards, or in the second pass under the pile. */
void pile_discard(struct pile *pile, unsigned gangster);
