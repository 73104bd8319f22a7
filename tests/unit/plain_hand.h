/*
 * plain_hand.h - a slow and obvious evaluator of hands, to compare the fast one
 * with.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "poker/card.h"
#include "poker/hand.h"

/* Five cards or fewer, as they are laid on the table. */
struct plain_hand {
	uint32_t key; /* the ranking, then each card's rank: four bits each */
	uint8_t cards[HAND_BEST_MAX];
	size_t count;
	uint8_t times[CARD_RANKS]; /* cards of each rank */
};

/*
 * The best five of up to eight cards, or all if there are fewer.  Of equal
 * choices it is the one with the lower card numbers first.
 */
struct plain_hand plain_hand_best(const uint8_t *cards, size_t count);
