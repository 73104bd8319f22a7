/*
 * test_bots.c - bots play every game to its end: no action of theirs is
 * refused, and no game stalls.  They meet every mode, card and end, and each
 * level wins as often as it should.
 *
 *   GANG_GAMES   how many games of each kind; more than 40 count as 40
 *   BOT_GAMES    the same, without a bound: with 1000 bots alone play 2,000
 *                games of each mode
 *   GANG_SEED    the first game's seed
 */
#include <inttypes.h>
#include <sodium.h>

#include "bot/bot.h"
#include "bots_met.h"
#include "games/famiglia/famiglia_ruleset.h"
/* Both games have a verb of this name. */
#define VERB_TAKE VERB_TAKE_GANGSTER
#include "famiglia_player.h"
#undef VERB_TAKE
#include "games/gang/gang_ruleset.h"
#include "operator/bot_table.h"
#include "sim.h"

/* Bots think, so a game takes longer than one of random moves. */
enum { GAMES = 4, GAMES_MAX = 10 * GAMES, SEED = 20260131 };

/* From this many games on, every end of each mode has to be met. */
enum { ALL_MET = 100 };

static uint64_t games_of_bots(void)
{
	uint64_t games = sim_games(GAMES);

	return sim_setting("BOT_GAMES", games < GAMES_MAX ? games : GAMES_MAX);
}

/* The same, for games that a long run need not play so often. */
static uint64_t games_at_most(uint64_t max)
{
	uint64_t games = games_of_bots();

	return games < max ? games : max;
}

static struct bot_tally tally;

/* A seed for each game. */
static void seed_of(uint64_t number, uint8_t seed[RNG_SEED_SIZE])
{
	struct sim_random random = { number };

	sim_seed(&random, seed);
}

/* Start a game at a table of all levels. */
static void start(struct bot_table *table, unsigned seats,
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
}

/* --- cards ---------------------------------------------------------------- */

/* Deal the present heist anew, with one card. */
static void deal_with(struct bot_table *table, unsigned challenge,
                      unsigned specialist)
{
	struct gang *gang = table->state;
	struct heist_setup setup = gang->heist.setup;
	struct events events = { .count = 0 };

	if (challenge)
		setup.challenges =
			(uint16_t)(1U << stack_draw_any(
					   &gang->challenges,
					   (uint16_t)(1U << challenge),
					   &table->rng));
	if (specialist)
		setup.specialist =
			(uint8_t)stack_draw_any(&gang->specialists,
		                                (uint16_t)(1U << specialist),
		                                &table->rng);
	rounds_start(&gang->heist, &setup, &table->rng, &events);
	table->log_count = 0;
	for (unsigned i = 0; i < events.count; i++)
		table->log[table->log_count++] = events.list[i];
}

/* Heists with a card, until a specialist was used too. */
static void play_card(struct bot_table *table, struct bots_met *met,
                      unsigned challenge, unsigned specialist)
{
	enum { TRIES = 40 };
	struct options options = { .bytes[GANG_OPTION_MODE] =
		                           GANG_MODE_ADVANCED };
	unsigned tries = 0;

	do {
		uint64_t number = 100 * challenge + specialist + 1000 * tries;

		CHECK(tries++ < TRIES);
		start(table, 4, &options, number);
		deal_with(table, challenge, specialist);
		bots_met_count(met, table, 0);
		bots_met_play_heist(met, table);
	} while (specialist && !met->used[specialist]);
}

static void test_cards(void **state)
{
	struct bot_table *table = bot_table_open(&gang_ruleset, &tally);
	static struct bots_met met;

	(void)state;
	memset(&tally, 0, sizeof(tally));
	for (unsigned i = 1; i <= CHALLENGE_MAX; i++)
		play_card(table, &met, i, 0);
	for (unsigned i = 1; i <= SPECIALIST_MAX; i++)
		play_card(table, &met, 0, i);
	bots_met_check_cards(&met);
	CHECK(!tally.refused);
	bot_table_close(table);
}

/* --- whole games ---------------------------------------------------------- */

static void test_gang(void **state)
{
	struct bot_table *table = bot_table_open(&gang_ruleset, &tally);
	uint64_t seed = sim_setting("GANG_SEED", SEED);
	uint64_t games = games_of_bots();
	static struct bots_met met;

	(void)state;
	memset(&tally, 0, sizeof(tally));
	for (uint64_t i = 0; i < 8 * games; i++) {
		struct options options = {
			.bytes[GANG_OPTION_MODE] = (uint8_t)(1 + i % 4),
			.bytes[GANG_OPTION_SHUFFLED] = true,
			.bytes[GANG_OPTION_CONFIRMS] = (uint8_t)(i / 4 % 2),
		};

		start(table, 3 + (unsigned)(i / 8 % 4), &options, seed + i);
		bots_met_play(&met, table);
	}
	bots_met_print(&met);
	CHECK(!tally.refused);
	assert_in_range(tally.parts, 16 * games, 40 * games);
	if (games >= ALL_MET) {
		bots_met_check_cards(&met);
		bots_met_check_modes(&met);
	}
	bot_table_close(table);
}

/* Games until all cards are taken, and until both have passed. */
static void test_famiglia(void **state)
{
	struct bot_table *table = bot_table_open(&famiglia_ruleset, &tally);
	uint64_t seed = sim_setting("GANG_SEED", SEED);
	uint64_t games = 50 * games_of_bots();
	uint64_t endings[ENDING_FORFEITED + 1] = { 0 };
	uint64_t winners[FAMIGLIA_SEATS + 1] = { 0 };
	struct options options = { 0 };

	(void)state;
	memset(&tally, 0, sizeof(tally));
	for (uint64_t i = 0; i < games; i++) {
		struct famiglia_view view;

		start(table, 2, &options, seed + i);
		bot_table_play(table);
		CHECK(!tally.stalled && !tally.refused);
		famiglia_view(table->state, 0, &view);
		endings[view.result.ending]++;
		winners[view.result.winner]++;
	}
	print_message("famiglia: %" PRIu64 " games ended with a last round, "
	              "%" PRIu64 " with two passes; %" PRIu64 " and %" PRIu64
	              " won, %" PRIu64 " drawn\n",
	              endings[ENDING_LAST_ROUND], endings[ENDING_BOTH_PASSED],
	              winners[1], winners[2], winners[0]);
	if (games >= ALL_MET) {
		CHECK(endings[ENDING_LAST_ROUND] > 0);
		CHECK(endings[ENDING_BOTH_PASSED] > 0);
		CHECK(winners[1] > 0);
		CHECK(winners[2] > 0);
	}
	bot_table_close(table);
}

/* --- levels --------------------------------------------------------------- */

/* Heists in a hundred that are to be won by sharp bots alone, by modes. */
struct goal {
	uint8_t mode;
	const char *name;
	unsigned few;
	unsigned many;
};
static const struct goal goals[] = {
	{ 1, "basic", 85, 95 },
	{ 3, "professional", 70, 80 }, /* questions are answered rightly */
};
enum { MANY = 100, MOVES_MAX = 26 };

static void play_for(const struct goal *goal)
{
	struct bot_table *table = bot_table_open(&gang_ruleset, &tally);
	uint64_t seed = sim_setting("GANG_SEED", SEED);
	uint64_t games = 3 * games_at_most(250);
	struct options options = { .bytes[GANG_OPTION_MODE] = goal->mode };

	memset(&tally, 0, sizeof(tally));
	for (unsigned seat = 0; seat < 4; seat++)
		table->levels[seat] = BOT_SHARP;
	for (uint64_t i = 0; i < games; i++) {
		uint8_t bytes[RNG_SEED_SIZE];

		seed_of(seed + i, bytes);
		CHECK(bot_table_start(table, 4, &options, bytes));
		bot_table_play(table);
	}
	print_message("%s: %" PRIu64 " of %" PRIu64 " heists won, %" PRIu64
	              " moves\n",
	              goal->name, tally.parts_won, tally.parts, tally.moves);
	assert_true(tally.parts_won * 100 >=
	            tally.parts * (games < MANY ? goal->few : goal->many));
	assert_true(tally.moves <= MOVES_MAX * tally.parts);
	bot_table_close(table);
}

static void test_wins(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(goals); i++)
		play_for(&goals[i]);
}

/* --- Famiglia ------------------------------------------------------------- */

/* The player of this seat tries random actions until one is legal. */
static void play_randomly(struct bot_table *table, struct sim_random *random)
{
	struct fam_policy policy = fam_policy(random);
	struct action action;

	policy.nonsense = policy.restless = 0;
	do {
		action = fam_next(&table->table, &policy, random);
	} while (bot_table_act(table, &action));
}

/* Games in a hundred that the first level wins; without another: of random. */
static unsigned wins_of(enum bot_level level, int against, uint64_t games)
{
	struct bot_table *table = bot_table_open(&famiglia_ruleset, &tally);
	struct sim_random random = { sim_setting("GANG_SEED", SEED) };
	struct options options = { 0 };
	uint64_t won = 0;

	memset(&tally, 0, sizeof(tally));
	for (uint64_t i = 0; i < games; i++) {
		struct famiglia_view view;
		uint8_t seed[RNG_SEED_SIZE];
		unsigned seat = 1 + (unsigned)(i % 2);
		unsigned other = 3 - seat;

		table->levels[seat - 1] = level;
		table->persons = (uint8_t)(against < 0 ? 1U << other : 0);
		if (against >= 0)
			table->levels[other - 1] = (enum bot_level)against;
		sim_seed(&random, seed);
		CHECK(bot_table_start(table, 2, &options, seed));
		while (!status_is_over(table->table.status)) {
			if (!bot_table_step(table))
				play_randomly(table, &random);
		}
		famiglia_view(table->state, 0, &view);
		won += view.result.winner == seat;
	}
	CHECK(games > 0 && !tally.refused);
	bot_table_close(table);
	return (unsigned)(won * 100 / (games ? games : 1));
}

static void test_famiglia_levels(void **state)
{
	uint64_t games = 100 * games_at_most(10);
	unsigned sharp = wins_of(BOT_SHARP, BOT_STEADY, games);
	unsigned steady = wins_of(BOT_STEADY, -1, games);
	bool many = games >= 10 * MANY;

	(void)state;
	print_message("famiglia: sharp wins %u %% against steady, steady %u %% "
	              "against random\n",
	              sharp, steady);
	assert_in_range(sharp, many ? 70 : 62, 100);
	assert_in_range(steady, many ? 90 : 85, 100);
}

/* --- every compiler ------------------------------------------------------- */

/*
 * Bots reckon with floating point, and a compiler was seen to delete calls
 * inside of loops over such arrays.  So each compiler, at each level of
 * optimization, has to have the bots play the same games.  A change of how bots
 * play changes the digest, too: then take the new one, if gcc and clang agree
 * on it.
 */
static const char digest_of_play[] = "717436c54869ef666dd2c92ba36344ec";

static void add_play(crypto_generichash_state *digest,
                     const struct ruleset *rules, unsigned seats,
                     const struct options *options, uint64_t number)
{
	struct bot_table *table = bot_table_open(rules, &tally);

	start(table, seats, options, number);
	do {
		uint8_t state[RULESET_STATE_MAX];
		size_t len = rules->encode(table->state, state);

		crypto_generichash_update(digest, state, len);
	} while (!status_is_over(table->table.status) && bot_table_step(table));
	CHECK(status_is_over(table->table.status));
	bot_table_close(table);
}

static void test_same_play(void **state)
{
	crypto_generichash_state digest;
	uint8_t hash[16];
	char text[2 * sizeof(hash) + 1];

	(void)state;
	memset(&tally, 0, sizeof(tally));
	crypto_generichash_init(&digest, NULL, 0, sizeof(hash));
	for (uint8_t mode = 1; mode <= 4; mode++) {
		struct options options = {
			.bytes[GANG_OPTION_MODE] = mode,
		};

		add_play(&digest, &gang_ruleset, 2U + mode, &options, mode);
	}
	add_play(&digest, &famiglia_ruleset, 2, &(struct options){ { 0 } }, 5);
	crypto_generichash_final(&digest, hash, sizeof(hash));
	assert_string_equal(sodium_bin2hex(text, sizeof(text), hash,
	                                   sizeof(hash)),
	                    digest_of_play);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_play),
		cmocka_unit_test(test_cards),
		cmocka_unit_test(test_gang),
		cmocka_unit_test(test_famiglia),
		cmocka_unit_test(test_wins),
		cmocka_unit_test(test_famiglia_levels),
	};

	return cmocka_run_group_tests_name("bots", tests, NULL, NULL);
}
