/*
 * test_rng.c - random numbers of a seed.  They are the same everywhere, and
 * every number below a bound is as likely.  Rows are in rng.def.
 */
#include "base/rng.h"

#include <stdlib.h>
#include <string.h>

#include "rows.h"

enum { NUMBERS_MAX = 80 };
enum seed { ZEROS, COUNTS };

struct draws_row {
	const char *name;
	enum seed seed;
	unsigned below;
	size_t count;
	unsigned numbers[NUMBERS_MAX];
};

static struct draws_row draws_rows[] = {
#define DRAWS(name, seed, below, ...)                             \
	{ name,                                                   \
	  seed,                                                   \
	  below,                                                  \
	  sizeof((unsigned[]){ __VA_ARGS__ }) / sizeof(unsigned), \
	  { __VA_ARGS__ } },
#include "rng.def"
};

static void begin(struct rng *rng, enum seed from)
{
	uint8_t seed[RNG_SEED_SIZE] = { 0 };

	for (unsigned i = 0; from == COUNTS && i < sizeof(seed); i++)
		seed[i] = (uint8_t)i;
	rng_init(rng, seed);
}

static void check_draws(void **state)
{
	const struct draws_row *row = *state;
	struct rng rng;

	begin(&rng, row->seed);
	for (size_t i = 0; i < row->count; i++)
		assert_int_equal(rng_below(&rng, row->below), row->numbers[i]);
}

/* A deck shuffled by the seed of zeros, known from another program. */
static void check_deck(void **state)
{
	static const uint8_t known[] = {
		49, 15, 45, 9,  41, 17, 35, 11, 10, 3,  36, 0,  37,
		21, 12, 7,  18, 47, 34, 43, 8,  40, 50, 27, 38, 22,
		32, 29, 23, 48, 42, 13, 28, 39, 25, 30, 4,  2,  33,
		46, 1,  44, 20, 5,  19, 6,  51, 16, 26, 24, 31, 14,
	};
	struct rng rng;
	uint8_t deck[52];

	(void)state;
	begin(&rng, ZEROS);
	for (unsigned i = 0; i < sizeof(deck); i++)
		deck[i] = (uint8_t)i;
	rng_shuffle(&rng, deck, sizeof(deck));
	assert_memory_equal(deck, known, sizeof(deck));
}

/* A seed that nothing was drawn from need not be kept. */
static void check_used(void **state)
{
	struct rng rng;
	uint8_t item = 9;

	(void)state;
	begin(&rng, COUNTS);
	assert_false(rng.used);
	rng_shuffle(&rng, &item, 1);
	rng_shuffle(&rng, &item, 0);
	assert_false(rng.used);
	assert_int_equal(item, 9);
	(void)rng_below(&rng, 1);
	assert_true(rng.used);
}

/*
 * By construction: of the bytes of a stream each below the last whole multiple
 * gives its remainder, and every other one nothing.  Both sides of that border
 * are met for each number that has one.
 */
static void check_rejection(void **state)
{
	enum { BYTES = 8192 };

	(void)state;
	for (unsigned below = 1; below <= 256; below++) {
		struct rng bytes;
		struct rng rng;
		unsigned fair = 256 / below * below;
		bool met_last = false;
		bool met_first_past = fair == 256;

		begin(&bytes, COUNTS);
		begin(&rng, COUNTS);
		for (unsigned i = 0; i < BYTES; i++) {
			unsigned byte = rng_below(&bytes, 256);
			met_last = met_last || byte == fair - 1;
			met_first_past = met_first_past || byte == fair;
			if (byte < fair)
				assert_int_equal(rng_below(&rng, below),
				                 byte % below);
		}
		assert_true(met_last && met_first_past);
	}
}

static int order_bytes(const void *a, const void *b)
{
	return *(const uint8_t *)a - *(const uint8_t *)b;
}

/* Shuffling loses nothing, whatever the count. */
static void check_kept(void **state)
{
	struct rng rng;
	uint8_t items[256];

	(void)state;
	begin(&rng, COUNTS);
	for (size_t count = 2; count <= sizeof(items); count++) {
		for (size_t i = 0; i < count; i++)
			items[i] = (uint8_t)i;
		rng_shuffle(&rng, items, count);
		qsort(items, count, 1, order_bytes);
		for (size_t i = 0; i < count; i++)
			assert_int_equal(items[i], i);
	}
}

/*
 * Chi squared of what was counted against all alike.  The seeds are fixed, so
 * that this cannot fail by bad luck; the bounds are those that a fair source
 * passes all but once in a thousand times.
 */
static void check_chi_squared(const unsigned *counts, unsigned kinds,
                              unsigned draws, double bound)
{
	double expected = (double)draws / kinds;
	double sum = 0;

	for (unsigned i = 0; i < kinds; i++) {
		double off = counts[i] - expected;
		sum += off * off / expected;
	}
	if (sum > bound)
		fail_msg("chi squared of %u kinds is %f", kinds, sum);
}

static void check_fair(void **state)
{
	static const struct {
		unsigned below;
		double bound;
	} sorts[] = { { 2, 10.83 },  { 3, 13.82 },   { 6, 20.52 },
		      { 52, 87.97 }, { 200, 266.4 }, { 256, 330.5 } };
	struct rng rng;

	(void)state;
	begin(&rng, COUNTS);
	for (size_t i = 0; i < ARRAY_LEN(sorts); i++) {
		unsigned counts[256] = { 0 };
		for (unsigned draw = 0; draw < 200000; draw++)
			counts[rng_below(&rng, sorts[i].below)]++;
		check_chi_squared(counts, sorts[i].below, 200000,
		                  sorts[i].bound);
	}
}

/* Each of the 24 orders of four items comes as often as any other. */
static void check_orders(void **state)
{
	unsigned counts[256] = { 0 };
	unsigned orders[24];
	unsigned found = 0;
	struct rng rng;

	(void)state;
	begin(&rng, ZEROS);
	for (unsigned i = 0; i < 120000; i++) {
		uint8_t items[] = { 0, 1, 2, 3 };
		rng_shuffle(&rng, items, 4);
		counts[items[0] << 6 | items[1] << 4 | items[2] << 2 |
		       items[3]]++;
	}
	for (unsigned i = 0; i < 256; i++) {
		if (counts[i]) {
			assert_true(found < 24);
			orders[found++] = counts[i];
		}
	}
	assert_int_equal(found, 24);
	check_chi_squared(orders, 24, 120000, 49.73);
}

int main(void)
{
	static struct rows rows;

	ROWS_ADD(&rows, draws_rows, check_draws);
	rows_add(&rows, "the seed of zeros gives the known deck", check_deck,
	         NULL);
	rows_add(&rows, "a seed is used once a number is drawn", check_used,
	         NULL);
	rows_add(&rows, "bytes past the last multiple are rejected",
	         check_rejection, NULL);
	rows_add(&rows, "a shuffle loses nothing", check_kept, NULL);
	rows_add(&rows, "numbers are equally likely", check_fair, NULL);
	rows_add(&rows, "orders are equally likely", check_orders, NULL);
	return rows_run("rng", &rows);
}
