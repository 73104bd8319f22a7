/*
 * A table is made by playing on: for each of some completions of the board all
 * pockets are valued and sorted, and a pocket's strength is the mean of its
 * places.  At the river there is one completion, before the river every card
 * that may come, and earlier a sample.  The sample follows from the board
 * alone, so a table that was replaced is made again as it was.  Before the flop
 * suits are alike, and the mean of all pockets of the same ranks, suited or
 * not, is taken.
 */
#include "games/gang/bot/strength.h"

#include <assert.h>
#include <string.h>

#include "base/rng.h"

enum {
	SAMPLES = 64,     /* of the cards to come, before the turn */
	OWN_SAMPLES = 24, /* for one pocket that is in no table */
	OWN_STRIDE = 5,   /* among every fifth pocket */
	DIGIT_BITS = 10,  /* of the sort */
	VALUE_BITS = 30,  /* of a hand's value, see hand.c */
};

/* --- pockets -------------------------------------------------------------- */

static void fill_pairs(struct strength *strength)
{
	unsigned count = 0;

	for (unsigned high = 1; high < CARD_DECK_COUNT; high++) {
		for (unsigned low = 0; low < high; low++) {
			strength->pairs[count][0] = (uint8_t)low;
			strength->pairs[count++][1] = (uint8_t)high;
		}
	}
}

static void fill_triples(struct strength *strength)
{
	static const uint8_t seed[RNG_SEED_SIZE] = { 3 };
	struct rng rng;

	rng_init(&rng, seed);
	for (unsigned i = 0; i < STRENGTH_TRIPLES; i++) {
		uint8_t *cards = strength->triples[i];

		do {
			for (unsigned j = 0; j < 3; j++)
				cards[j] = (uint8_t)rng_below(&rng,
				                              CARD_DECK_COUNT);
		} while (cards[0] == cards[1] || cards[0] == cards[2] ||
		         cards[1] == cards[2]);
	}
}

void strength_init(struct strength *strength)
{
	memset(strength, 0, sizeof(*strength));
	fill_pairs(strength);
	fill_triples(strength);
}

unsigned strength_count(unsigned pocket_cards)
{
	return pocket_cards == 2 ? STRENGTH_PAIRS : STRENGTH_TRIPLES;
}

const uint8_t *strength_pocket(const struct strength *strength,
                               unsigned pocket_cards, unsigned pocket)
{
	return pocket_cards == 2 ? strength->pairs[pocket]
	                         : strength->triples[pocket];
}

/* --- completions of a board ----------------------------------------------- */

/* The cards to come; the last ones may be the only ones, or all in turn. */
struct completions {
	const struct board *board;
	struct rng rng;
	unsigned count; /* of completions */
	uint64_t taken; /* cards that cannot come */
	uint8_t cards[COMMUNITY_MAX];
};

static uint64_t bit(unsigned card)
{
	return UINT64_C(1) << card;
}

static uint64_t bits(const uint8_t *cards, unsigned count)
{
	uint64_t set = 0;

	for (unsigned i = 0; i < count; i++)
		set |= bit(cards[i]);
	return set;
}

static void completions_init(struct completions *of, const struct board *board,
                             uint64_t taken, unsigned samples)
{
	uint8_t seed[RNG_SEED_SIZE] = { 1, board->pocket_cards, board->count };

	memcpy(seed + 3, board->cards, board->count);
	*of = (struct completions){ .board = board };
	memcpy(of->cards, board->cards, board->count);
	rng_init(&of->rng, seed);
	of->taken = taken | bits(board->cards, board->count);
	if (board->count == COMMUNITY_MAX)
		of->count = 1;
	else if (board->count == COMMUNITY_MAX - 1)
		of->count = CARD_DECK_COUNT;
	else
		of->count = samples;
}

/* Write completion i; false if its card cannot come. */
static bool complete(struct completions *of, unsigned i)
{
	uint64_t taken = of->taken;

	if (of->board->count == COMMUNITY_MAX - 1) {
		of->cards[COMMUNITY_MAX - 1] = (uint8_t)i;
		return !(taken & bit(i));
	}
	for (unsigned at = of->board->count; at < COMMUNITY_MAX; at++) {
		unsigned card;

		do {
			card = rng_below(&of->rng, CARD_DECK_COUNT);
		} while (taken & bit(card));
		taken |= bit(card);
		of->cards[at] = (uint8_t)card;
	}
	return true;
}

/* --- tables --------------------------------------------------------------- */

static uint32_t value_with(const uint8_t *pocket, unsigned count,
                           const uint8_t *community)
{
	uint8_t cards[COMMUNITY_MAX + POCKET_MAX];

	memcpy(cards, community, COMMUNITY_MAX);
	memcpy(cards + COMMUNITY_MAX, pocket, count);
	return hand_value(cards, COMMUNITY_MAX + count);
}

/* Sort by value, a digit at a time. */
static void sort(struct strength_place *places, struct strength_place *other,
                 unsigned count)
{
	for (unsigned shift = 0; shift < VALUE_BITS; shift += DIGIT_BITS) {
		uint16_t starts[(1 << DIGIT_BITS) + 1] = { 0 };
		unsigned mask = (1U << DIGIT_BITS) - 1;

		for (unsigned i = 0; i < count; i++)
			starts[(places[i].value >> shift & mask) + 1]++;
		for (unsigned digit = 0; digit < mask; digit++)
			starts[digit + 1] =
				(uint16_t)(starts[digit + 1] + starts[digit]);
		for (unsigned i = 0; i < count; i++)
			other[starts[places[i].value >> shift & mask]++] =
				places[i];
		memcpy(places, other, count * sizeof(*places));
	}
}

static unsigned place_of(unsigned below, unsigned equal, unsigned count)
{
	return count < 2 ? STRENGTH_MAX / 2
	                 : STRENGTH_MAX * (2 * below + equal - 1) /
	                           (2 * (count - 1));
}

/* Add the places of sorted pockets; those of equal value share theirs. */
static void add_places(struct strength_room *room,
                       const struct strength_place *places, unsigned count)
{
	for (unsigned from = 0, to; from < count; from = to) {
		for (to = from;
		     to < count && places[to].value == places[from].value;)
			to++;
		unsigned place = place_of(from, to - from, count);
		for (unsigned i = from; i < to; i++) {
			room->sum[places[i].pocket] += place;
			room->count[places[i].pocket]++;
		}
	}
}

/* The place that a strengthened hand has among those that are not. */
static void add_strengthened(struct strength_room *room,
                             const struct strength_place *places,
                             unsigned count)
{
	for (unsigned from = 0, to; from < count; from = to) {
		uint32_t above = hand_value_above_ranking(places[from].value);

		for (to = from; to < count && places[to].value < above;)
			to++;
		for (unsigned i = from; i < to; i++) {
			room->sum[places[i].pocket] +=
				place_of(to - 1, 1, count);
			room->count[places[i].pocket]++;
		}
	}
}

/* Value all pockets with the completed board, and sort them. */
static unsigned value_all(struct strength *strength,
                          const struct completions *of)
{
	struct strength_place *places = strength->room.places;
	unsigned size = of->board->pocket_cards;
	uint64_t taken = bits(of->cards, COMMUNITY_MAX);
	unsigned count = 0;

	for (unsigned i = 0; i < strength_count(size); i++) {
		const uint8_t *pocket = strength_pocket(strength, size, i);

		if (bits(pocket, size) & taken)
			continue;
		places[count].value = value_with(pocket, size, of->cards);
		places[count++].pocket = i;
	}
	sort(places, strength->room.sorted, count);
	return count;
}

/* The class of two cards: their ranks, the lower one first if suited. */
static unsigned class_of(const uint8_t *pair)
{
	unsigned low = card_rank(pair[0]);
	unsigned high = card_rank(pair[1]);

	return pair[0] % CARD_SUITS == pair[1] % CARD_SUITS
	               ? low * CARD_RANKS + high
	               : high * CARD_RANKS + low;
}

static void average_classes(struct strength *strength)
{
	struct strength_room *room = &strength->room;
	uint64_t sum[CARD_RANKS * CARD_RANKS] = { 0 };
	uint32_t count[CARD_RANKS * CARD_RANKS] = { 0 };

	for (unsigned i = 0; i < STRENGTH_PAIRS; i++) {
		unsigned class = class_of(strength->pairs[i]);

		sum[class] += room->sum[i];
		count[class] += room->count[i];
	}
	for (unsigned i = 0; i < STRENGTH_PAIRS; i++) {
		unsigned class = class_of(strength->pairs[i]);

		room->sum[i] = (uint32_t)(sum[class] / count[class]);
		room->count[i] = 1;
	}
}

static void make(struct strength *strength, struct strength_table *table)
{
	const struct board *board = &table->board;
	struct strength_room *room = &strength->room;
	struct completions of;

	memset(room->sum, 0, sizeof(room->sum));
	memset(room->count, 0, sizeof(room->count));
	completions_init(&of, board, 0, SAMPLES);
	for (unsigned i = 0; i < of.count; i++) {
		if (!complete(&of, i))
			continue;
		unsigned count = value_all(strength, &of);
		if (board->strengthened)
			add_strengthened(room, room->places, count);
		else
			add_places(room, room->places, count);
	}
	if (!board->count && board->pocket_cards == 2)
		average_classes(strength);
	for (unsigned i = 0; i < strength_count(board->pocket_cards); i++)
		table->of[i] =
			(uint16_t)(room->count[i]
		                           ? room->sum[i] / room->count[i]
		                           : STRENGTH_NONE);
}

static bool same_board(const struct board *one, const struct board *other)
{
	return one->pocket_cards == other->pocket_cards &&
	       one->count == other->count &&
	       one->strengthened == other->strengthened &&
	       memcmp(one->cards, other->cards, one->count) == 0;
}

const uint16_t *strength_at(struct strength *strength,
                            const struct board *board)
{
	struct strength_table *table = &strength->tables[0];

	for (unsigned i = 0; i < STRENGTH_TABLES; i++) {
		struct strength_table *other = &strength->tables[i];

		if (other->used && same_board(&other->board, board)) {
			other->used = ++strength->uses;
			return other->of;
		}
		if (other->used < table->used)
			table = other;
	}
	table->board = *board;
	make(strength, table);
	table->used = ++strength->uses;
	return table->of;
}

/* --- a single pocket ------------------------------------------------------ */

/* The number of a pocket of two cards of the deck. */
static unsigned number_of_pair(const uint8_t *pair)
{
	unsigned low = pair[0] < pair[1] ? pair[0] : pair[1];
	unsigned high = pair[0] < pair[1] ? pair[1] : pair[0];

	return high * (high - 1) / 2 + low;
}

/* Count the pockets that this one beats, and those that it ties with. */
static void compare(const struct strength *strength,
                    const struct completions *of, const struct pocket *pocket,
                    uint64_t counts[3])
{
	unsigned size = of->board->pocket_cards;
	uint64_t taken = bits(of->cards, COMMUNITY_MAX) |
	                 bits(pocket->cards, pocket->count);
	unsigned step = of->count == 1 ? 1 : OWN_STRIDE;
	uint32_t own = value_with(pocket->cards, pocket->count, of->cards);

	if (of->board->strengthened)
		own = hand_value_above_ranking(own);
	for (unsigned i = 0; i < strength_count(size); i += step) {
		const uint8_t *cards = strength_pocket(strength, size, i);

		if (bits(cards, size) & taken)
			continue;
		uint32_t value = value_with(cards, size, of->cards);
		counts[value < own ? 0 : value == own ? 1 : 2]++;
	}
}

unsigned strength_of(struct strength *strength, const struct board *board,
                     const struct pocket *pocket)
{
	uint64_t counts[3] = { 0 };
	struct completions of;

	if (pocket->count == 2 && board->pocket_cards == 2 &&
	    !pocket_has(pocket, CARD_JX))
		return strength_at(strength,
		                   board)[number_of_pair(pocket->cards)];
	completions_init(&of, board, bits(pocket->cards, pocket->count),
	                 OWN_SAMPLES);
	for (unsigned i = 0; i < of.count; i++) {
		if (complete(&of, i))
			compare(strength, &of, pocket, counts);
	}
	uint64_t all = counts[0] + counts[1] + counts[2];
	if (all == 0) /* no board is compatible with these cards */
		return STRENGTH_MAX / 2;
	return (unsigned)(STRENGTH_MAX * (2 * counts[0] + counts[1]) /
	                  (2 * all));
}

unsigned strength_in_view(struct strength *strength,
                          const struct gang_view *view,
                          const struct pocket *pocket)
{
	struct board board = { .pocket_cards = view->pocket.count,
		               .count = view->community_count };

	memcpy(board.cards, view->community, view->community_count);
	return strength_of(strength, &board, pocket);
}
