/*
 * Hands are evaluated with masks of ranks: bit 0 is the two, bit 12 the ace. Of
 * two masks with the same number of bits, the greater number has the better
 * cards, so a value is made of the ranking and two masks:
 *
 *   ranking | made, 13 bits: the groups, e.g. the pairs, or the straight
 *           | rest, 13 bits: the single cards that break ties
 *
 * There are no lookup tables, so nothing depends on the cache.  Up to two pairs
 * and three of a kind are valued without a branch that depends on the cards.
 */
#include "poker/hand.h"

#include <assert.h>
#include <stdbool.h>

#include "poker/card.h"

enum {
	MASK_BITS = CARD_RANKS,
	MASK = (1 << MASK_BITS) - 1,
	LANE_BITS = 16, /* 64 bits hold a lane, with a mask, for each suit */
};

/* The number n in each of the four lanes. */
#define LANES(n) ((n)*UINT64_C(0x0001000100010001))

/* Jx has the number of a fourteenth club, so it is bit 13 of the first lane. */
#define JX (UINT64_C(1) << MASK_BITS)

/* The ranks of which there is at least one card, two cards ... */
struct groups {
	unsigned singles;
	unsigned pairs;
	unsigned threes;
	unsigned fours;
	unsigned fives; /* the jacks, with Jx */
};

static const char *const codes[] = {
#define RANKING(name, code) [RANKING_##name] = (code),
#include "poker/ranking.def"
};

/* How many cards of each rank in the masks the best five have. */
static const struct {
	uint8_t of_made;
	uint8_t of_rest;
	bool of_one_suit;
} shapes[] = {
	[RANKING_HIGH_CARD] = { 0, 1, false },
	[RANKING_PAIR] = { 2, 1, false },
	[RANKING_TWO_PAIR] = { 2, 1, false },
	[RANKING_THREE_OF_A_KIND] = { 3, 1, false },
	[RANKING_STRAIGHT] = { 1, 1, false },
	[RANKING_FLUSH] = { 0, 1, true },
	[RANKING_FULL_HOUSE] = { 3, 2, false },
	[RANKING_FOUR_OF_A_KIND] = { 4, 1, false },
	[RANKING_STRAIGHT_FLUSH] = { 1, 1, true },
	[RANKING_ROYAL_FLUSH] = { 1, 1, true },
};

static uint32_t value_make(enum ranking ranking, unsigned made, unsigned rest)
{
	return (uint32_t)ranking << (2 * MASK_BITS) | made << MASK_BITS | rest;
}

static unsigned top_bit(unsigned mask)
{
	return mask ? 1U << (31 - __builtin_clz(mask)) : 0;
}

/* Clear the count lowest bits. */
static unsigned drop(unsigned mask, size_t count)
{
	for (; count > 0; count--)
		mask &= mask - 1;
	return mask;
}

static uint64_t lanes_of(const uint8_t *cards, size_t count)
{
	uint64_t lanes = 0;

	for (size_t i = 0; i < count; i++) {
		/* Next to a copy of itself, suit and rank change places. */
		unsigned twice = cards[i] * 65U;

		assert(cards[i] < CARD_COUNT);
		lanes |= UINT64_C(1) << (twice / CARD_SUITS % 64);
	}
	return lanes;
}

static unsigned lane(uint64_t lanes, unsigned suit)
{
	return lanes >> (LANE_BITS * suit) & MASK;
}

static void add_jx(struct groups *groups)
{
	unsigned x = 1U << RANK_JACK;

	groups->fives = groups->fours & x;
	groups->fours |= groups->threes & x;
	groups->threes |= groups->pairs & x;
	groups->pairs |= groups->singles & x;
	groups->singles |= x;
}

/* Two suits at a time: clubs and hearts in the low half, the others above. */
static inline struct groups groups_of(uint64_t lanes)
{
	uint32_t cd = (uint32_t)(lanes & ~JX);
	uint32_t hs = (uint32_t)(lanes >> (2 * LANE_BITS));
	uint32_t any = cd | hs;
	uint32_t both = cd & hs;
	uint32_t any_high = any >> LANE_BITS;
	uint32_t both_high = both >> LANE_BITS;
	struct groups groups = {
		.singles = (any | any_high) & MASK,
		.pairs = ((both | both_high) & MASK) | (any & any_high),
		.threes = (both & any_high) | (any & both_high),
		.fours = both & both_high,
	};

	if (lanes & JX)
		add_jx(&groups);
	return groups;
}

/*
 * Bit 3 of each lane with at least five cards.  The steps count the bits of all
 * lanes at once; no sum is above eight, so four bits hold it.  Adding 3
 * then sets bit 3 of each count of 5 or more.  (__builtin_popcountll() would
 * call a library function.)
 */
static inline uint64_t flushes_of(uint64_t lanes)
{
	uint64_t n = lanes & ~JX;

	n -= n >> 1 & LANES(0x5555);
	n = (n & LANES(0x3333)) + (n >> 2 & LANES(0x3333));
	n += n >> 8;
	n += n >> 4;
	return (n + LANES(3)) & LANES(8);
}

/* The suit of these flushes, of which there is at most one; or CARD_SUITS. */
static unsigned suit_of(uint64_t flushes)
{
	return flushes ? (unsigned)__builtin_ctzll(flushes) / LANE_BITS
	               : CARD_SUITS;
}

/*
 * The highest bit of each straight.  Bits are one place higher than in a mask:
 * bit 0 is an ace below the two.
 */
static unsigned straights_of(unsigned mask)
{
	unsigned low = mask << 1 | mask >> RANK_ACE;

	return low & low << 1 & low << 2 & low << 3 & low << 4;
}

/* The five bits of the best straight, in the same places; or 0. */
static unsigned straight_of(unsigned mask)
{
	unsigned top = top_bit(straights_of(mask));

	return (top << 1) - (top >> 4);
}

/* A low ace is put into rest: made has no place for it. */
static uint32_t straight_value(enum ranking ranking, unsigned straight)
{
	return value_make(ranking, straight >> 1, (straight & 1) << RANK_ACE);
}

static uint32_t flush_value(unsigned flush)
{
	while (drop(flush, HAND_BEST_MAX))
		flush = drop(flush, 1);
	return value_make(RANKING_FLUSH, 0, flush);
}

static uint32_t straight_flush_value(unsigned straight)
{
	bool royal = straight >> 1 >> RANK_ACE;

	return straight_value(
		royal ? RANKING_ROYAL_FLUSH : RANKING_STRAIGHT_FLUSH, straight);
}

static uint32_t four_value(const struct groups *groups)
{
	unsigned four = top_bit(groups->fours);
	unsigned others = (groups->singles & ~four) | groups->fives;

	return value_make(RANKING_FOUR_OF_A_KIND, four, top_bit(others));
}

static uint32_t full_house_value(const struct groups *groups)
{
	unsigned three = top_bit(groups->threes);

	return value_make(RANKING_FULL_HOUSE, three,
	                  top_bit(groups->pairs & ~three));
}

/* More than two pairs: the best two, and the best other card. */
static uint32_t two_pair_value(const struct groups *groups)
{
	unsigned made = top_bit(groups->pairs);

	made |= top_bit(groups->pairs & ~made);
	return value_make(RANKING_TWO_PAIR, made,
	                  top_bit(groups->singles & ~made));
}

/*
 * Up to two pairs, or three of a kind, and nothing better: all cards in groups
 * count, so the cards beyond five are the lowest single ones.
 */
static uint32_t plain_value(const struct groups *groups, size_t count)
{
	size_t spare = count > HAND_BEST_MAX ? count - HAND_BEST_MAX : 0;
	unsigned made = groups->pairs;
	unsigned ranking = made ? RANKING_PAIR : RANKING_HIGH_CARD;

	ranking += drop(made, 1) ? 1 : 0;
	ranking += groups->threes ? 2 : 0;

	return value_make((enum ranking)ranking, made,
	                  drop(groups->singles & ~made, spare));
}

static uint64_t set_of(const uint8_t *cards, size_t count)
{
	uint64_t set = 0;

	for (size_t i = 0; i < count; i++) {
		assert(!(set >> cards[i] & 1));
		set |= UINT64_C(1) << cards[i];
	}
	return set;
}

static void take_rank(struct hand *hand, uint64_t *set, unsigned rank,
                      unsigned count)
{
	uint64_t of_rank = UINT64_C(0xf) << (CARD_SUITS * rank);

	if (rank == RANK_JACK)
		of_rank |= UINT64_C(1) << CARD_JX;

	for (; count > 0; count--) {
		assert(*set & of_rank);
		assert(hand->best_count < HAND_BEST_MAX);
		unsigned card = (unsigned)__builtin_ctzll(*set & of_rank);

		hand->best[hand->best_count++] = (uint8_t)card;
		*set &= ~(UINT64_C(1) << card);
	}
}

/* Move count cards of each rank of the mask from the set into the hand. */
static void take(struct hand *hand, uint64_t *set, unsigned mask,
                 unsigned count)
{
	for (unsigned rank = CARD_RANKS; rank-- > 0;) {
		if (mask >> rank & 1)
			take_rank(hand, set, rank, count);
	}
}

const char *ranking_code(enum ranking ranking)
{
	assert(ranking < RANKING_COUNT);

	return codes[ranking];
}

/* One of the hands that plain_value() does not know. */
static __attribute__((noinline)) uint32_t rare_value(uint64_t lanes)
{
	struct groups groups = groups_of(lanes);
	unsigned suit = suit_of(flushes_of(lanes));
	unsigned flush = suit < CARD_SUITS ? lane(lanes, suit) : 0;
	unsigned straight = flush ? straight_of(flush) : 0;

	if (straight)
		return straight_flush_value(straight);
	if (groups.fours)
		return four_value(&groups);
	if (groups.threes && drop(groups.pairs, 1))
		return full_house_value(&groups);
	if (flush)
		return flush_value(flush);
	straight = straight_of(groups.singles);
	if (straight)
		return straight_value(RANKING_STRAIGHT, straight);
	return two_pair_value(&groups);
}

uint32_t hand_value(const uint8_t *cards, size_t count)
{
	assert(count >= 1 && count <= HAND_CARDS_MAX);

	uint64_t lanes = lanes_of(cards, count);
	struct groups groups = groups_of(lanes);
	unsigned second = drop(groups.pairs, 1);
	unsigned full = groups.threes ? second : drop(second, 1);

	/* One branch for all that seven cards seldom are. */
	if (flushes_of(lanes) | groups.fours | full |
	    straights_of(groups.singles))
		return rare_value(lanes);
	return plain_value(&groups, count);
}

enum ranking hand_value_ranking(uint32_t value)
{
	return (enum ranking)(value >> (2 * MASK_BITS));
}

uint32_t hand_value_above_ranking(uint32_t value)
{
	/* No hand has all bits of both masks. */
	return value | ((UINT32_C(1) << (2 * MASK_BITS)) - 1);
}

struct hand hand_of(const uint8_t *cards, size_t count)
{
	uint32_t value = hand_value(cards, count);
	enum ranking ranking = hand_value_ranking(value);
	struct hand hand = { .value = value, .ranking = (uint8_t)ranking };
	uint64_t set = set_of(cards, count);

	/* Every fourth number has the same suit; Jx has none. */
	if (shapes[ranking].of_one_suit)
		set &= UINT64_C(0x1111111111111)
		       << suit_of(flushes_of(lanes_of(cards, count)));

	take(&hand, &set, value >> MASK_BITS & MASK, shapes[ranking].of_made);
	take(&hand, &set, value & MASK, shapes[ranking].of_rest);
	return hand;
}
