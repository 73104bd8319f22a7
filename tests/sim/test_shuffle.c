/*
 * test_shuffle.c - a million deals, and every card lies everywhere as often.
 *
 * The decks are those of the game itself: a fresh seed for each, expanded by
 * base/rng.c and dealt by gang_start(), put together again in the order in
 * which their cards are drawn.  Two things are counted, and held against what
 * is left of chance in a fair shuffle:
 *
 *   which card lies where          52 x 52 counts
 *   how five cards lie to another  all 120 orders, of several fives
 *
 * Chi squared has to be within the bounds that a fair shuffle keeps to in 99
 * of 100 cases: what is too even is as suspicious as what is too uneven.  The
 * seeds are fixed, so the test says the same every time; it is no sample that
 * could be unlucky.  A change to the way a seed is expanded draws other decks,
 * which have one chance in a hundred for each line to be unlucky once.
 *
 *   GANG_DECKS   how many, 100,000 at least
 *   GANG_SEED    another sample: one chance in a hundred for each line
 */
#include <inttypes.h>
#include <stdio.h>

#include <sodium.h>

#include "gang_player.h"

enum {
	DECKS = 1000000,
	DECKS_MIN = 100000,
	SEED = 20260131,
	PLAYERS = 6,
	FIVE = 5,
	ORDERS = 120,
};

/* Chi squared by degrees of freedom: 0.5 % are below, 0.5 % above. */
static const struct bounds {
	double least;
	double most;
} places_bounds = { 2418.976, 2790.536 }, orders_bounds = { 83.018, 162.482 };

/* Neighbours, one of each rank's ends, the same on both ends of the deck. */
static const uint8_t fives[][FIVE] = {
	{ 0, 1, 2, 3, 4 },
	{ 47, 48, 49, 50, 51 },
	{ 0, 13, 26, 39, 51 },
	{ 3, 11, 24, 30, 45 },
};

static unsigned places[CARD_DECK_COUNT][CARD_DECK_COUNT];
static unsigned orders[ARRAY_LEN(fives)][ORDERS];
static uint64_t decks;

/* Where each card lies: 0 is the one that is drawn first. */
static void deal(struct sim_random *random, uint8_t place[CARD_DECK_COUNT])
{
	uint8_t seed[RNG_SEED_SIZE];
	struct rng rng;
	struct events events = { .count = 0 };
	struct options options = { .bytes[GANG_OPTION_MODE] = GANG_MODE_BASIC };
	struct gang gang;
	uint8_t at = 0;

	sim_seed(random, seed);
	rng_init(&rng, seed);
	assert_true(gang_init(&gang, &options));
	gang_start(&gang, PLAYERS, &rng, &events);
	const struct heist *heist = &gang.heist;
	for (unsigned seat = 0; seat < PLAYERS; seat++) {
		const struct pocket *pocket = &heist->pockets[seat];
		for (unsigned card = 0; card < pocket->count; card++)
			place[pocket->cards[card]] = at++;
	}
	for (unsigned left = heist->deck_count; left > 0; left--)
		place[heist->deck[left - 1]] = at++;
	assert_int_equal(at, CARD_DECK_COUNT);
}

/* Which of the 120 orders five cards are in: the digits of its number. */
static unsigned order_of(const uint8_t five[FIVE],
                         const uint8_t place[CARD_DECK_COUNT])
{
	unsigned order = 0;

	for (unsigned i = 0; i < FIVE; i++) {
		unsigned before = 0;
		for (unsigned j = i + 1; j < FIVE; j++)
			before += place[five[j]] < place[five[i]];
		order = order * (FIVE - i) + before;
	}
	return order;
}

static double chi_squared(const unsigned *counts, unsigned kinds)
{
	double expected = (double)decks / kinds;
	double sum = 0;

	for (unsigned i = 0; i < kinds; i++) {
		double off = counts[i] - expected;
		sum += off * off / expected;
	}
	return sum;
}

static void hold(const char *what, double found, const struct bounds *bounds)
{
	(void)printf("%s: %.1f, to be from %.1f to %.1f\n", what, found,
	             bounds->least, bounds->most);
	if (found < bounds->least || found > bounds->most)
		fail_msg("the decks are not fair, or too fair");
}

/*
 * A deck's rows and columns sum to one each, so that 51 x 51 counts are free;
 * and they vary by 52/51 more than independent ones would.
 */
static void check_places(void **state)
{
	double sum = 0;

	(void)state;
	for (unsigned card = 0; card < CARD_DECK_COUNT; card++)
		sum += chi_squared(places[card], CARD_DECK_COUNT);
	hold("which card lies where",
	     sum * (CARD_DECK_COUNT - 1) / CARD_DECK_COUNT, &places_bounds);
}

static void check_orders(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(fives); i++)
		hold("the orders of five cards", chi_squared(orders[i], ORDERS),
		     &orders_bounds);
}

static int deal_all(void **state)
{
	struct sim_random random = { sim_setting("GANG_SEED", SEED) };
	uint8_t place[CARD_DECK_COUNT];

	(void)state;
	decks = sim_setting("GANG_DECKS", DECKS);
	if (decks < DECKS_MIN || sodium_init() < 0)
		return -1;
	for (uint64_t deck = 0; deck < decks; deck++) {
		deal(&random, place);
		for (unsigned card = 0; card < CARD_DECK_COUNT; card++)
			places[card][place[card]]++;
		for (size_t i = 0; i < ARRAY_LEN(fives); i++)
			orders[i][order_of(fives[i], place)]++;
	}
	(void)printf("%" PRIu64 " decks\n", decks);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(check_places),
		cmocka_unit_test(check_orders),
	};

	return cmocka_run_group_tests_name("shuffle", tests, deal_all, NULL);
}
