/*
 * hand.h - what up to eight cards are worth.
 *
 * At most five of the cards count, the best five.  The ten rankings come
 * first, then the usual order inside one; suits never break a tie.  The ace
 * is high, or low in A-2-3-4-5.  Jx is a jack of no suit: it makes pairs,
 * straights and so on, never a flush; four jacks and Jx are four jacks with
 * a jack as kicker, or with a higher card if there is one.  Fewer than five
 * cards make no straight and no flush; with eight, a flush does not exclude
 * four of a kind or a full house.
 *
 * Pure: nothing is allocated, all tables are constant.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum { HAND_CARDS_MAX = 8, HAND_BEST_MAX = 5 };

enum ranking {
#define RANKING(name, code) RANKING_##name,
#include "poker/ranking.def"
	RANKING_COUNT
};

/* "full_house"; static. */
const char *ranking_code(enum ranking ranking);

struct hand {
	uint32_t value;     /* the greater wins, equal ones tie */
	uint8_t ranking;    /* an enum ranking */
	uint8_t best_count; /* five, or fewer if there were fewer cards */
	uint8_t best[HAND_BEST_MAX];
};

/*
 * The worth of count cards, 1 to 8, all different: comparable between any two
 * sets of cards.  Fast: for simulations and benchmarks.
 */
uint32_t hand_value(const uint8_t *cards, size_t count);

/* The ranking that a value belongs to. */
enum ranking hand_value_ranking(uint32_t value);

/* A value above all of the same ranking, below all of the next higher one. */
uint32_t hand_value_above_ranking(uint32_t value);

/*
 * The worth with the cards that make it: groups first (the four before the
 * kicker, the three before the pair, the higher pair before the lower), then
 * by rank, highest first, a low ace last.  Where several cards would serve,
 * the one with the lowest number is taken, Jx last; cards of one rank stand in
 * that order too.
 */
struct hand hand_of(const uint8_t *cards, size_t count);
