/*
 * test_bots.c - bots play every game to its end: none of their actions is
 * refused, and none of their games stalls.  Sharp bots win most heists.
 *
 *   GANG_GAMES   how many games of each kind    GANG_SEED  the first game's
 * seed
 */
#include <inttypes.h>

#include "bot/bot.h"
#include "famiglia/famiglia_ruleset.h"
#include "gang/gang_ruleset.h"
#include "operator/bot_table.h"
#include "sim.h"

enum { GAMES = 4, SEED = 20260131 };

static struct bot_tally tally;

/* A seed for each game. */
static void seed_of(uint64_t number, uint8_t seed[RNG_SEED_SIZE])
{
	struct sim_random random = { number };

	sim_seed(&random, seed);
}

static void play(struct bot_table *table, unsigned seats,
                 const struct options *options, uint64_t number)
{
	uint8_t seed[RNG_SEED_SIZE];

	sim_place.seed = number;
	sim_place.games++;
	seed_of(number, seed);
	for (unsigned seat = 0; seat < seats; seat++)
		table->levels[seat] =
			(enum bot_level)((seat + number) % BOT_LEVEL_COUNT);
	CHECK(bot_table_start(table, seats, options, seed));
	bot_table_play(table);
	CHECK(!tally.stalled);
	CHECK(!tally.refused);
}

static void test_gang(void **state)
{
	struct bot_table *table = bot_table_open(&gang_ruleset, &tally);
	uint64_t seed = sim_setting("GANG_SEED", SEED);
	uint64_t games = sim_games(GAMES);

	(void)state;
	memset(&tally, 0, sizeof(tally));
	for (uint64_t i = 0; i < 8 * games; i++) {
		struct options options = {
			.mode = (uint8_t)(1 + i % 4),
			.shuffled_stacks = true,
			.confirms_rounds = i / 4 % 2,
		};

		play(table, 3 + (unsigned)(i % 4), &options, seed + i);
	}
	assert_int_equal(tally.games, 8 * games);
	assert_in_range(tally.heists, 2 * tally.games, 5 * tally.games);
	bot_table_close(table);
}

static void test_famiglia(void **state)
{
	struct bot_table *table = bot_table_open(&famiglia_ruleset, &tally);
	uint64_t seed = sim_setting("GANG_SEED", SEED);
	uint64_t games = sim_games(GAMES);
	struct options options = { 0 };

	(void)state;
	memset(&tally, 0, sizeof(tally));
	for (uint64_t i = 0; i < games; i++)
		play(table, 2, &options, seed + i);
	assert_int_equal(tally.games, games);
	bot_table_close(table);
}

/* Heists in a hundred that are to be won by sharp bots alone. */
enum { WINS_OF_FEW = 85, WINS_OF_MANY = 95, MANY = 100, MOVES_MAX = 26 };

static void test_wins(void **state)
{
	struct bot_table *table = bot_table_open(&gang_ruleset, &tally);
	uint64_t seed = sim_setting("GANG_SEED", SEED);
	uint64_t games = 3 * sim_games(GAMES);
	struct options options = { .mode = 1 };

	(void)state;
	memset(&tally, 0, sizeof(tally));
	for (unsigned seat = 0; seat < 4; seat++)
		table->levels[seat] = BOT_SHARP;
	for (uint64_t i = 0; i < games; i++) {
		uint8_t bytes[RNG_SEED_SIZE];

		seed_of(seed + i, bytes);
		CHECK(bot_table_start(table, 4, &options, bytes));
		bot_table_play(table);
	}
	print_message("sharp: %" PRIu64 " of %" PRIu64 " heists won, %" PRIu64
	              " moves\n",
	              tally.heists_won, tally.heists, tally.moves);
	assert_true(tally.heists_won * 100 >=
	            tally.heists * (games < MANY ? WINS_OF_FEW : WINS_OF_MANY));
	assert_true(tally.moves <= MOVES_MAX * tally.heists);
	bot_table_close(table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_gang),
		cmocka_unit_test(test_famiglia),
		cmocka_unit_test(test_wins),
	};

	return cmocka_run_group_tests_name("bots", tests, NULL, NULL);
}
