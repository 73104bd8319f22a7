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
	assert_int_equal(len, 13 + (with_seed ? CHANCE_SEED_SIZE : 0));
	assert_true(sealed_read(bytes, len, &read, &chance, &has_seed));
	assert_memory_equal(&read, &action, sizeof(read));
	assert_int_equal(has_seed, with_seed);
	assert_int_equal(chance.seed[0], with_seed ? 0xa5 : 0);
	assert_false(chance.used);
}

/* As many arguments as are not zero; all there can be fit, with a seed. */
static void check_args(void **state)
{
	struct action full = { .verb = 34, .seat = 1 };
	uint8_t bytes[SEALED_MAX];
	struct chance chance;
	bool has_seed;

	(void)state;
	chance_init(&chance, (uint8_t[CHANCE_SEED_SIZE]){ 0 });
	(void)chance_below(&chance, 52);
	for (size_t i = 0; i <= ACTION_ARGS_MAX; i++) {
		size_t len = sealed_write(&full, &chance, bytes);
		struct action read;

		assert_int_equal(len, 5 + i + CHANCE_SEED_SIZE);
		assert_true(sealed_read(bytes, len, &read, &chance, &has_seed));
		assert_memory_equal(&read, &full, sizeof(read));
		(void)chance_below(&chance, 52);
		if (i < ACTION_ARGS_MAX)
			full.args[i] = 7;
	}
}

/* That somebody was away is said, and when nobody was it takes no byte. */
static void check_leave(void **state)
{
	struct action leave = { .verb = VERB_LEAVE, .seat = 3 };
	uint8_t bytes[SEALED_MAX];
	struct chance chance;
	struct action read;
	bool has_seed;

	(void)state;
	chance_init(&chance, (uint8_t[CHANCE_SEED_SIZE]){ 0 });
	leave.args[LEAVE_SEAT] = 2;
	for (unsigned absent = 0; absent < 2; absent++) {
		leave.args[LEAVE_ABSENT] = (uint8_t)absent;
		size_t len = sealed_write(&leave, &chance, bytes);

		assert_int_equal(len, 6 + absent);
		assert_true(sealed_read(bytes, len, &read, &chance, &has_seed));
		assert_memory_equal(&read, &leave, sizeof(read));
	}
}

/* What the first format wrote: all of 16 arguments. */
static void check_first_format(void **state)
{
	static const uint8_t bytes[20 + CHANCE_SEED_SIZE] = {
		1, 0, 34, 6, 1, 2, 3, 4, 5, 6, 7, 255, [20] = 0xa5, 0xa5,
	};
	struct action read;
	struct chance chance;
	bool has_seed;

	(void)state;
	assert_true(sealed_read(bytes, 20, &read, &chance, &has_seed));
	assert_memory_equal(&read, &action, sizeof(read));
	assert_false(has_seed);
	assert_true(
		sealed_read(bytes, sizeof(bytes), &read, &chance, &has_seed));
	assert_memory_equal(&read, &action, sizeof(read));
	assert_true(has_seed);
	assert_memory_equal(chance.seed, bytes + 20, CHANCE_SEED_SIZE);
	for (size_t len = 0; len < sizeof(bytes); len++)
		assert_int_equal(sealed_read(bytes, len, &read, &chance,
		                             &has_seed),
		                 len == 20);
}

/*
 * No other length, format or key is read, nor more arguments than there are;
 * and nothing is touched then.
 */
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
	for (unsigned format = 0; format < 256; format++) {
		bytes[0] = (uint8_t)format;
		assert_int_equal(sealed_read(bytes, len, &read, &chance,
		                             &has_seed),
		                 format == 2);
	}
	bytes[0] = 2;
	bytes[1] = 1;
	assert_false(sealed_read(bytes, len, &read, &chance, &has_seed));
	bytes[1] = 0;
	bytes[4] = ACTION_ARGS_MAX + 1;
	assert_false(sealed_read(bytes, 5 + ACTION_ARGS_MAX + 1, &read, &chance,
	                         &has_seed));
}

int main(void)
{
	static struct rows rows;
	static int yes;

	rows_add(&rows, "an action without chance", check_round_trip, NULL);
	rows_add(&rows, "an action with its seed", check_round_trip, &yes);
	rows_add(&rows, "how many arguments", check_args, NULL);
	rows_add(&rows, "somebody leaves", check_leave, NULL);
	rows_add(&rows, "the first format", check_first_format, NULL);
	rows_add(&rows, "what was not written so", check_refuses, NULL);
	return rows_run("sealed", &rows);
}
