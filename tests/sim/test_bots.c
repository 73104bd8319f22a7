/*
 * test_bots.c - bots play every game to its end: none of their actions is
 * refused, and none of their games stalls.  Each level wins as often as it
 * should, and no decision depends on what the bot's seat may not see.
 *
 *   GANG_GAMES   how many games of each kind; more than 40 count as 40
 *   BOT_GAMES    the same, without a bound: 400 take ten minutes, and compare
 *                100,000 positions
 *   GANG_SEED    the first game's seed
 */
#include <inttypes.h>

#include "bot/bot.h"
#include "famiglia/famiglia_ruleset.h"
#include "gang/gang_ruleset.h"
#include "operator/bot_table.h"
#include "famiglia_player.h"
#include "gang_twin.h"
#include "sim.h"

/* Bots think, so a game takes longer than one of random moves. */
enum { GAMES = 4, GAMES_MAX = 10 * GAMES, SEED = 20260131 };

static uint64_t games_of_bots(void)
{
	uint64_t games = sim_games(GAMES);

	return sim_setting("BOT_GAMES", games < GAMES_MAX ? games : GAMES_MAX);
}

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
	uint64_t games = games_of_bots();

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
	uint64_t games = games_of_bots();
	struct options options = { 0 };

	(void)state;
	memset(&tally, 0, sizeof(tally));
	for (uint64_t i = 0; i < games; i++)
		play(table, 2, &options, seed + i);
	assert_int_equal(tally.games, games);
	bot_table_close(table);
}

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
	uint64_t games = 3 * games_of_bots();
	struct options options = { .mode = goal->mode };

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
	              goal->name, tally.heists_won, tally.heists, tally.moves);
	assert_true(tally.heists_won * 100 >=
	            tally.heists * (games < MANY ? goal->few : goal->many));
	assert_true(tally.moves <= MOVES_MAX * tally.heists);
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
	uint64_t games = 50 * games_of_bots();
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

/* --- honesty -------------------------------------------------------------- */

/* A way to decide; leaks know the state, or all events. */
typedef void decide_fn(const struct bot_input *input, const struct gang *gang,
                       const struct event *newest, struct bot_work *work,
                       struct bot_decision *decision);

static void honest(const struct bot_input *input, const struct gang *gang,
                   const struct event *newest, struct bot_work *work,
                   struct bot_decision *decision)
{
	(void)gang;
	(void)newest;
	bot_decide(&gang_ruleset, input, work, decision);
}

static void leak_deck(const struct bot_input *input, const struct gang *gang,
                      const struct event *newest, struct bot_work *work,
                      struct bot_decision *decision)
{
	honest(input, gang, newest, work, decision);
	decision->think_ms += gang->heist.deck[gang->heist.deck_count - 1];
}

static void leak_pocket(const struct bot_input *input, const struct gang *gang,
                        const struct event *newest, struct bot_work *work,
                        struct bot_decision *decision)
{
	const struct gang_view *view = input->view;

	honest(input, gang, newest, work, decision);
	decision->think_ms +=
		gang->heist.pockets[view->seat % view->players].cards[0] / 16U;
}

static void leak_share(const struct bot_input *input, const struct gang *gang,
                       const struct event *newest, struct bot_work *work,
                       struct bot_decision *decision)
{
	honest(input, gang, newest, work, decision);
	for (unsigned i = 0; i < newest->private_len; i++)
		decision->think_ms += newest->private_data[i];
}

static struct leak {
	const char *name;
	decide_fn *decide;
	uint64_t found;
} deciders[] = {
	{ "honest", honest, 0 },
	{ "the next card", leak_deck, 0 },
	{ "a pocket", leak_pocket, 0 },
	{ "a share of an event", leak_share, 0 },
};

/* The part of the twin that a bot is given; borrowed by its input. */
struct twin_look {
	struct gang_view view;
	struct event events[BOT_EVENTS_MAX];
	struct event dealt;
};

/* The input of the twin: its view, and events as they might have been. */
static void look_at_twin(const struct bot_table *table,
                         const struct scene *twin, struct bot_input *input,
                         struct twin_look *look, struct sim_random *random)
{
	struct gang_view *view = &look->view;
	size_t count = 0;

	gang_view(&twin->gang, ((const struct gang_view *)input->view)->seat,
	          view);
	for (size_t i = 0; i < table->log_count; i++) {
		struct event event = table->log[i];

		twin_event(&event, &twin->gang.heist, view->seat, random);
		if (event.type == EVENT_CARDS_DEALT)
			look->dealt = event;
		if (count < BOT_EVENTS_MAX)
			count += bot_see(&gang_ruleset, view, &event,
			                 &look->events[count]);
	}
	input->view = view;
	input->events = look->events;
	input->events_count = count;
}

static bool check_twins(struct bot_table *table, struct sim_random *random)
{
	static struct scene original;
	static struct scene twin;
	static struct twin_look look;
	static struct event events[BOT_EVENTS_MAX];
	struct event dealt = { 0 };
	struct bot_input inputs[2];
	unsigned seat = 1 + sim_below(random, table->table.seats);

	original.table = table->table;
	original.gang = *(const struct gang *)table->state;
	original.table.state = &original.gang;
	if (!twin_make(&twin, &original, seat, random))
		return false;
	bot_table_look(table, seat, &inputs[0], events);
	for (size_t i = 0; i < table->log_count; i++) {
		if (table->log[i].type == EVENT_CARDS_DEALT)
			dealt = table->log[i];
	}
	inputs[1] = inputs[0];
	memset(&look.dealt, 0, sizeof(look.dealt));
	look_at_twin(table, &twin, &inputs[1], &look, random);
	for (size_t i = 0; i < ARRAY_LEN(deciders); i++) {
		struct bot_decision decisions[2];

		deciders[i].decide(&inputs[0], &original.gang, &dealt,
		                   table->work, &decisions[0]);
		deciders[i].decide(&inputs[1], &twin.gang, &look.dealt,
		                   table->work, &decisions[1]);
		deciders[i].found +=
			decisions[0].think_ms != decisions[1].think_ms ||
			memcmp(&decisions[0].action, &decisions[1].action,
		               sizeof(struct action)) != 0;
	}
	return true;
}

static void test_honesty(void **state)
{
	struct bot_table *table = bot_table_open(&gang_ruleset, &tally);
	struct sim_random random = { sim_setting("GANG_SEED", SEED) };
	uint64_t wanted = 250 * games_of_bots();
	uint64_t pairs = 0;

	(void)state;
	for (unsigned game = 0; pairs < wanted; game++) {
		struct options options = { .mode = (uint8_t)(1 + game % 4),
			                   .shuffled_stacks = true };
		uint8_t seed[RNG_SEED_SIZE];

		for (unsigned i = 0; i < TABLE_SEATS_MAX; i++)
			table->levels[i] =
				(enum bot_level)((i + game) % BOT_LEVEL_COUNT);
		sim_seed(&random, seed);
		CHECK(bot_table_start(table, 3 + game % 4, &options, seed));
		while (!status_is_over(table->table.status)) {
			CHECK(bot_table_step(table));
			if (table->table.status == STATUS_PLAYING)
				pairs += check_twins(table, &random);
		}
	}
	for (size_t i = 0; i < ARRAY_LEN(deciders); i++)
		print_message("%8" PRIu64 " of %" PRIu64 " differ: %s\n",
		              deciders[i].found, pairs, deciders[i].name);
	assert_int_equal(deciders[0].found, 0);
	for (size_t i = 1; i < ARRAY_LEN(deciders); i++)
		assert_in_range(deciders[i].found, pairs / 20, pairs);
	bot_table_close(table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_gang),
		cmocka_unit_test(test_famiglia),
		cmocka_unit_test(test_wins),
		cmocka_unit_test(test_famiglia_levels),
		cmocka_unit_test(test_honesty),
	};

	return cmocka_run_group_tests_name("bots", tests, NULL, NULL);
}
