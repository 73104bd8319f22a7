/*
 * hand.c - what up to eight cards are worth.
 *
 * Everything is done on sets of ranks: bit 0 of a mask is the two, bit 12 the
 * ace.  Of two masks with equally many bits the greater number is the hand
 * that wins card by card, so a value is made of masks as they stand:
 *
 *   the ranking | 13 bits for what makes it | 13 bits for what breaks ties
 *   "made"        e.g. the ranks of pairs     "rest", e.g. the kickers
 *
 * No table is needed, and what is not a straight, a flush, or three of a kind
 * or better, which is five hands in six, takes no branch that is hard to
 * predict.
 */
#include "poker/hand.h"

#include <assert.h>
#include <stdbool.h>

#include "poker/card.h"

enum {
	LANE_BITS = 16,
	MASK_BITS = CARD_RANKS,
	MASK = (1 << MASK_BITS) - 1,
	JX_BIT = MASK_BITS, /* where Jx lies among the lanes */
	TOP_OF_WHEEL = 3,   /* the five */
};

/* The same number in each of the four lanes. */
#define LANES(n) ((n)*UINT64_C(0x0001000100010001))

/* Which ranks are there at least so many times. */
struct ranks {
	unsigned once;
	unsigned twice;
	unsigned thrice;
	unsigned four;
	unsigned five; /* the jacks with Jx */
};

static const char *const codes[] = {
#define RANKING(name, code) [RANKING_##name] = (code),
#include "poker/ranking.def"
};

const char *ranking_code(enum ranking ranking)
{
	assert(ranking < RANKING_COUNT);

	return codes[ranking];
}

static uint32_t value_make(enum ranking ranking, unsigned made, unsigned rest)
{
	return (uint32_t)ranking << (2 * MASK_BITS) | made << MASK_BITS | rest;
}

static unsigned top_bit(unsigned mask)
{
	return mask ? 1U << (31 - __builtin_clz(mask)) : 0;
}

static unsigned drop_lowest(unsigned mask)
{
	return mask & (mask - 1);
}

/* The rank at the top of the best straight, as a bit; 0 if there is none. */
static unsigned straight_top(unsigned mask)
{
	/* The ace a second time, under the two. */
	unsigned m = mask << 1 | mask >> RANK_ACE;

	return top_bit(m & m << 1 & m << 2 & m << 3 & m << 4) >> 1;
}

/*
 * The cards of each suit in a lane of its own.  Jx, which a card number of 52
 * would make the fourteenth club, lies above the clubs.
 */
static uint64_t lanes_of(const uint8_t *cards, size_t count)
{
	uint64_t lanes = 0;

	for (size_t i = 0; i < count; i++) {
		unsigned suit = cards[i] % CARD_SUITS;
		unsigned rank = cards[i] / CARD_SUITS;

		assert(cards[i] < CARD_COUNT);
		lanes |= UINT64_C(1) << (LANE_BITS * suit + rank);
	}
	return lanes;
}
static struct ranks ranks_of(uint64_t lanes)
{
	unsigned c = lanes & MASK;
	unsigned d = lanes >> LANE_BITS & MASK;
	unsigned h = lanes >> (2 * LANE_BITS) & MASK;
	unsigned s = lanes >> (3 * LANE_BITS) & MASK;
	unsigned x = (lanes >> JX_BIT & 1) << RANK_JACK;
	struct ranks ranks = {
		.once = c | d | h | s,
		.twice = (c & d) | (h & s) | ((c | d) & (h | s)),
		.thrice = (c & d & (h | s)) | ((c | d) & h & s),
		.four = c & d & h & s,
	};

	ranks.five = ranks.four & x;
	ranks.four |= ranks.thrice & x;
	ranks.thrice |= ranks.twice & x;
	ranks.twice |= ranks.once & x;
	ranks.once |= x;
	return ranks;
}

/*
 * The top bit of the nibble that counts a suit's cards is set when they are
 * five or more: 3 is added to each count.
 */
static uint64_t flush_lanes(uint64_t lanes)
{
	uint64_t n = lanes & LANES(MASK);

	n -= n >> 1 & LANES(0x5555);
	n = (n & LANES(0x3333)) + (n >> 2 & LANES(0x3333));
	n = (n + (n >> 4)) & LANES(0x0f0f);
	n += n >> 8;
	return ((n & LANES(0x000f)) + LANES(3)) & LANES(8);
}

uint32_t hand_value(const uint8_t *cards, size_t count);
uint32_t hand_value(const uint8_t *cards, size_t count)
{
	uint64_t lanes = lanes_of(cards, count);
	struct ranks r = ranks_of(lanes);
	uint64_t f = flush_lanes(lanes);
	unsigned straight = straight_top(r.once);
	unsigned flush = 0, made, rest;

	if (f) {
		flush = lanes >> (__builtin_ctzll(f) - 3) & MASK;
		unsigned top = straight_top(flush);
		if (top)
			return value_make(top >> RANK_ACE
			                          ? RANKING_ROYAL_FLUSH
			                          : RANKING_STRAIGHT_FLUSH,
			                  top, 0);
	}
	if (r.four) {
		made = top_bit(r.four);
		return value_make(RANKING_FOUR_OF_A_KIND, made,
		                  top_bit((r.once & ~made) | r.five));
	}
	if (r.thrice && drop_lowest(r.twice)) {
		made = top_bit(r.thrice);
		return value_make(RANKING_FULL_HOUSE, made,
		                  top_bit(r.twice & ~made));
	}
	if (flush) {
		while (drop_lowest(drop_lowest(
			drop_lowest(drop_lowest(drop_lowest(flush))))))
			flush = drop_lowest(flush);
		return value_make(RANKING_FLUSH, 0, flush);
	}
	if (straight)
		return value_make(RANKING_STRAIGHT, straight, 0);
	rest = r.once & ~r.twice;
	for (size_t i = 5; i < count; i++)
		rest = drop_lowest(rest);
	if (r.thrice)
		return value_make(RANKING_THREE_OF_A_KIND, r.thrice, rest);
	made = r.twice;
	if (drop_lowest(drop_lowest(made))) {
		made = top_bit(made);
		made |= top_bit(r.twice & ~made);
		return value_make(RANKING_TWO_PAIR, made,
		                  top_bit(r.once & ~made));
	}
	return value_make((made != 0) + (drop_lowest(made) != 0), made, rest);
}
