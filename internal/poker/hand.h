/*
 * hand.h - the value of one to eight cards as a poker hand.
 *
 * Only the best five cards count.  Hands are ordered by the ten rankings, then
 * as usual inside a ranking; suits never break a tie.  The ace is high, or low
 * in A-2-3-4-5.  Jx is a jack without a suit: it counts in every ranking except
 * flushes.  Four jacks and Jx are four jacks with the highest other card, which
 * may be the fifth jack, as kicker.  Straights and flushes need five cards.
 * Eight cards may hold both a flush and four of a kind or a full house.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { HAND_CARDS_MAX = 8, HAND_BEST_MAX = 5 };

enum ranking {
#define RANKING(name, code) RANKING_##name,
#include "poker/ranking.def"
	RANKING_COUNT
};

/* "full_house"; static. */
const char *ranking_code(enum ranking ranking);

struct hand {
	uint32_t value;     /* the greater wins; equal values tie */
	uint8_t ranking;    /* an enum ranking */
	uint8_t best_count; /* 5, or the number of cards if lower */
	uint8_t best[HAND_BEST_MAX];
};

/*
 * The value of count different cards, 1 to 8.  All values are comparable, also
 * between hands of different sizes.
 */
uint32_t hand_value(const uint8_t *cards, size_t count);

/* The ranking of a value. */
enum ranking hand_value_ranking(uint32_t value);

/* A value above all hands of the same ranking and below all better ones. */
uint32_t hand_value_above_ranking(uint32_t value);

/*
 * The value and the best five cards.  They are ordered by groups (the four
 * before the kicker, the three before the pair, the higher pair before the
 * lower), then by rank, highest first, a low ace last, then by number.  Among
 * cards of equal worth the lowest number is chosen; Jx has the highest.
 */
struct hand hand_of(const uint8_t *cards, size_t count);
