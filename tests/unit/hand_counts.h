/*
 * hand_counts.h - counts every hand of a size by its ranking.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "poker/hand.h"

/* The counts of all hands of this many cards, with Jx as one more if jx. */
struct hand_counts_row {
	const char *name;
	size_t cards;
	bool jx;
	unsigned counts[RANKING_COUNT];
};

/* A test of cmocka whose state is a row. */
void hand_counts_check(void **state);
