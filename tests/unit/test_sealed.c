/*
 * test_sealed.c - what is kept of a decision.
 */
#include "service/sealed.h"

#include <string.h>

#include "rows.h"

static const struct action action = {
	.verb = 34,
	.seat = 6,
	.args = { 1, 2, 3, 4, 5, 6, 7, 255 },
};

static size_t write_one(bool with_seed, uint8_t *bytes)
{
	uint8_t seed[CHANCE_SEED_SIZE];
	struct chance chance;

	memset(seed, 0xa5, sizeof(seed));
	chance_init(&chance, seed);
	if (with_seed)
		(void)chance_below(&chance, 52);
	return sealed_write(&action, &chance, bytes);
}

static void check_round_trip(void **state)
{
	bool with_seed = *state != NULL;
	uint8_t bytes[SEALED_MAX];
	struct action read;
	struct chance chance;
	bool has_seed;

	size_t len = write_one(with_seed, bytes);
	assert_int_equal(len, 20 + (with_seed ? CHANCE_SEED_SIZE : 0));
	assert_true(sealed_read(bytes, len, &read, &chance, &has_seed));
	assert_memory_equal(&read, &action, sizeof(read));
	assert_int_equal(has_seed, with_seed);
	assert_int_equal(chance.seed[0], with_seed ? 0xa5 : 0);
	assert_false(chance.used);
}

/* No other length, format or key is read, and nothing is touched then. */
static void check_refuses(void **state)
{
	uint8_t bytes[SEALED_MAX + 1] = { 0 };
	struct action read = { .verb = 9 };
	struct chance chance;
	bool has_seed;
	size_t len = write_one(true, bytes);

	(void)state;
	for (size_t other = 0; other <= SEALED_MAX; other++) {
		bool fits = other == len || other == len - CHANCE_SEED_SIZE;
		assert_int_equal(sealed_read(bytes, other, &read, &chance,
		                             &has_seed),
		                 fits);
		if (!fits)
			assert_int_equal(read.verb, 9);
		read.verb = 9;
	}
	bytes[0] = 2;
	assert_false(sealed_read(bytes, len, &read, &chance, &has_seed));
	bytes[0] = 1;
	bytes[1] = 1;
	assert_false(sealed_read(bytes, len, &read, &chance, &has_seed));
}

int main(void)
{
	static struct rows rows;
	static int yes;

	rows_add(&rows, "an action without chance", check_round_trip, NULL);
	rows_add(&rows, "an action with its seed", check_round_trip, &yes);
	rows_add(&rows, "what was not written so", check_refuses, NULL);
	return rows_run("sealed", &rows);
}
