/*
 * test_replay_data.c - the replay data of an event.  An action and the bytes
 * it drew are read again as they were written; damaged data is refused.
 */
#include "service/replay_data.h"

#include <string.h>

#include "rows.h"

static const struct action action = {
	.verb = 34,
	.seat = 6,
	.args = { 1, 2, 3, 4, 5, 6, 7, 255 },
};

static size_t write_one(bool with_seed, uint8_t *bytes)
{
	uint8_t seed[RNG_SEED_SIZE];
	struct rng rng;

	memset(seed, 0xa5, sizeof(seed));
	rng_init(&rng, seed);
	if (with_seed)
		(void)rng_below(&rng, 52);
	return replay_data_write(&action, &rng, bytes);
}

static void check_round_trip(void **state)
{
	bool with_seed = *state != NULL;
	uint8_t bytes[REPLAY_DATA_MAX];
	struct action read;
	struct rng rng;
	bool has_seed;

	size_t len = write_one(with_seed, bytes);
	assert_int_equal(len, 12 + (with_seed ? RNG_SEED_SIZE : 0));
	assert_true(replay_data_read(bytes, len, &read, &rng, &has_seed));
	assert_memory_equal(&read, &action, sizeof(read));
	assert_int_equal(has_seed, with_seed);
	assert_int_equal(rng.seed[0], with_seed ? 0xa5 : 0);
	assert_false(rng.used);
}

enum { HEAD = 4, ARGS_MOVE = 8 };

/*
 * An action of a player has one length, any longer one another; and the longest
 * of all fits, with a seed.
 */
static void check_args(void **state)
{
	struct action full = { .verb = 34, .seat = 1 };
	uint8_t bytes[REPLAY_DATA_MAX];
	struct rng rng;
	bool has_seed;

	(void)state;
	rng_init(&rng, (uint8_t[RNG_SEED_SIZE]){ 0 });
	(void)rng_below(&rng, 52);
	for (size_t i = 0; i <= ACTION_ARGS_MAX; i++) {
		size_t len = replay_data_write(&full, &rng, bytes);
		struct action read;

		size_t args = i <= ARGS_MOVE ? ARGS_MOVE : ACTION_ARGS_MAX;

		assert_int_equal(len, HEAD + RNG_SEED_SIZE + args);
		assert_true(
			replay_data_read(bytes, len, &read, &rng, &has_seed));
		assert_memory_equal(&read, &full, sizeof(read));
		(void)rng_below(&rng, 52);
		if (i < ACTION_ARGS_MAX)
			full.args[i] = 7;
	}
}

/* No choice shows by its length: card 0, a vote against, any two arguments. */
static void check_length(void **state)
{
	uint8_t bytes[REPLAY_DATA_MAX];
	struct rng rng;

	(void)state;
	rng_init(&rng, (uint8_t[RNG_SEED_SIZE]){ 0 });
	for (unsigned i = 0; i < ARGS_MOVE * 256; i++) {
		struct action choice = { .verb = VERB_OF_RULESET, .seat = 2 };

		choice.args[i / 256] = (uint8_t)i;
		assert_int_equal(replay_data_write(&choice, &rng, bytes),
		                 HEAD + ARGS_MOVE);
	}
}

/* The second format had a zero after the first byte, and any length. */
static void check_second_format(void **state)
{
	uint8_t bytes[] = { 2, 0, 34, 6, 2, 0, 9 };
	struct action read;
	struct rng rng;
	bool has_seed;

	(void)state;
	assert_true(
		replay_data_read(bytes, sizeof(bytes), &read, &rng, &has_seed));
	assert_int_equal(read.args[1], 9);
	assert_false(has_seed);
	bytes[1] = 1;
	assert_false(
		replay_data_read(bytes, sizeof(bytes), &read, &rng, &has_seed));
}

/* The mark of an absent player is read again, set or not. */
static void check_leave(void **state)
{
	struct action leave = { .verb = VERB_LEAVE, .seat = 3 };
	uint8_t bytes[REPLAY_DATA_MAX];
	struct rng rng;
	struct action read;
	bool has_seed;

	(void)state;
	rng_init(&rng, (uint8_t[RNG_SEED_SIZE]){ 0 });
	leave.args[LEAVE_SEAT] = 2;
	for (unsigned absent = 0; absent < 2; absent++) {
		leave.args[LEAVE_ABSENT] = (uint8_t)absent;
		size_t len = replay_data_write(&leave, &rng, bytes);

		assert_int_equal(len, HEAD + ARGS_MOVE);
		assert_true(
			replay_data_read(bytes, len, &read, &rng, &has_seed));
		assert_memory_equal(&read, &leave, sizeof(read));
	}
}

/* The first format wrote all 16 arguments. */
static void check_first_format(void **state)
{
	static const uint8_t bytes[20 + RNG_SEED_SIZE] = {
		1, 0, 34, 6, 1, 2, 3, 4, 5, 6, 7, 255, [20] = 0xa5, 0xa5,
	};
	struct action read;
	struct rng rng;
	bool has_seed;

	(void)state;
	assert_true(replay_data_read(bytes, 20, &read, &rng, &has_seed));
	assert_memory_equal(&read, &action, sizeof(read));
	assert_false(has_seed);
	assert_true(
		replay_data_read(bytes, sizeof(bytes), &read, &rng, &has_seed));
	assert_memory_equal(&read, &action, sizeof(read));
	assert_true(has_seed);
	assert_memory_equal(rng.seed, bytes + 20, RNG_SEED_SIZE);
	for (size_t len = 0; len < sizeof(bytes); len++)
		assert_int_equal(replay_data_read(bytes, len, &read, &rng,
		                                  &has_seed),
		                 len == 20);
}

/*
 * No other length or format is read, nor more arguments than there are;
 * and nothing is touched then.
 */
static void check_refuses(void **state)
{
	uint8_t bytes[REPLAY_DATA_MAX + 1] = { 0 };
	struct action read = { .verb = 9 };
	struct rng rng;
	bool has_seed;
	size_t len = write_one(true, bytes);

	(void)state;
	for (size_t other = 0; other <= REPLAY_DATA_MAX; other++) {
		bool fits = other == len || other == len - RNG_SEED_SIZE;
		assert_int_equal(replay_data_read(bytes, other, &read, &rng,
		                                  &has_seed),
		                 fits);
		if (!fits)
			assert_int_equal(read.verb, 9);
		read.verb = 9;
	}
	for (unsigned format = 0; format < 256; format++) {
		bytes[0] = (uint8_t)format;
		assert_int_equal(replay_data_read(bytes, len, &read, &rng,
		                                  &has_seed),
		                 format == 3);
	}
	bytes[0] = 3;
	bytes[3] = ACTION_ARGS_MAX + 1;
	assert_false(replay_data_read(bytes, 4 + ACTION_ARGS_MAX + 1, &read,
	                              &rng, &has_seed));
}

int main(void)
{
	static struct rows rows;
	static int yes;

	rows_add(&rows, "an action without a seed is read again",
	         check_round_trip, NULL);
	rows_add(&rows, "an action with its seed is read again",
	         check_round_trip, &yes);
	rows_add(&rows, "as many arguments as there are are read again",
	         check_args, NULL);
	rows_add(&rows, "no choice shows by its length", check_length, NULL);
	rows_add(&rows, "the second format is read", check_second_format, NULL);
	rows_add(&rows, "an absence is read again", check_leave, NULL);
	rows_add(&rows, "the first format is read", check_first_format, NULL);
	rows_add(&rows, "damaged bytes are refused", check_refuses, NULL);
	return rows_run("replay data", &rows);
}
