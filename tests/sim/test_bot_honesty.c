/*
 * test_bot_honesty.c - no decision of a bot depends on what its seat may not
 * see.
 *
 * A position of a game of bots is paired with a twin, in which all that the
 * bot's seat may not see is different.  The decision, with its time, must be
 * the same in both.  So that the comparison can fail, deciders that know a
 * little more are held to it too, and each must be found out.
 *
 *   BOT_POSITIONS  how many positions of each ruleset; GANG_TIMES multiplies
 *                  the usual number
 *   GANG_SEED      the first game's seed
 */
#include <inttypes.h>

#include "bot/bot.h"
#include "games/famiglia/famiglia_ruleset.h"
/* Both games have a verb of this name. */
#define VERB_TAKE VERB_TAKE_GANGSTER
#include "famiglia_player.h"
#include "famiglia_twin.h"
#undef VERB_TAKE
#include "games/gang/gang_ruleset.h"
#include "gang_twin.h"
#include "operator/bot_table.h"

enum { POSITIONS = 1000, SEED = 20260131 };

static struct bot_tally tally;

/* A position, its twin, and what was decided in each. */
struct pair {
	struct scene gangs[2];
	struct famiglia games[2];
	struct event dealt[2]; /* the last deal, as the log has it */
	unsigned seat;
	struct bot_decision decisions[2];
};

/* Know something of one of the two. */
typedef unsigned leak_fn(const struct pair *pair, unsigned which);

struct leak {
	const char *name;
	leak_fn *know;
	uint64_t found;
};

/* --- deciders that leak --------------------------------------------------- */

static unsigned know_nothing(const struct pair *pair, unsigned which)
{
	(void)pair;
	(void)which;
	return 0;
}

static unsigned know_deck(const struct pair *pair, unsigned which)
{
	const struct heist *heist = &pair->gangs[which].gang.heist;

	return heist->deck[heist->deck_count - 1];
}

static unsigned know_pocket(const struct pair *pair, unsigned which)
{
	const struct heist *heist = &pair->gangs[which].gang.heist;

	/* A card of the next seat; only whether its rank is high. */
	return heist->pockets[pair->seat % heist->setup.players].cards[0] / 16U;
}

static unsigned know_share(const struct pair *pair, unsigned which)
{
	const struct event *dealt = &pair->dealt[which];
	unsigned sum = 0;

	for (unsigned i = 0; i < dealt->private_len; i++)
		sum += dealt->private_data[i];
	return sum;
}

static unsigned know_next(const struct pair *pair, unsigned which)
{
	const struct pile *pile = &pair->games[which].pile;

	return pile->count ? pile->gangsters[pile->count - 1] : 0U;
}

static unsigned know_points(const struct pair *pair, unsigned which)
{
	const struct famiglia *game = &pair->games[which];

	return gangsters_points(
		game->sides[famiglia_other_seat(pair->seat) - 1].hand);
}

/* The first one is the bot itself. */
static struct leak gang_leaks[] = {
	{ "honest", know_nothing, 0 },
	{ "the next card", know_deck, 0 },
	{ "a pocket", know_pocket, 0 },
	{ "a share of an event", know_share, 0 },
};
static struct leak famiglia_leaks[] = {
	{ "honest", know_nothing, 0 },
	{ "the next card", know_next, 0 },
	{ "the points of a hand", know_points, 0 },
};

/* Find the leaks that tell the pair apart. */
static void find(const struct pair *pair, struct leak *leaks, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct bot_decision decisions[2] = { pair->decisions[0],
			                             pair->decisions[1] };

		for (unsigned which = 0; which < 2; which++)
			decisions[which].think_ms += leaks[i].know(pair, which);
		leaks[i].found +=
			decisions[0].think_ms != decisions[1].think_ms ||
			memcmp(&decisions[0].action, &decisions[1].action,
		               sizeof(struct action)) != 0;
	}
}

static void check_found(const struct leak *leaks, size_t count, uint64_t pairs)
{
	for (size_t i = 0; i < count; i++)
		print_message("%8" PRIu64 " of %" PRIu64 " differ: %s\n",
		              leaks[i].found, pairs, leaks[i].name);
	assert_int_equal(leaks[0].found, 0);
	for (size_t i = 1; i < count; i++)
		assert_in_range(leaks[i].found, pairs / 20, pairs);
}

/* --- The Gang ------------------------------------------------------------- */

/* The input of a bot in the twin: its view, and events as they might be. */
static void look_at_twin(const struct bot_table *table, struct pair *pair,
                         struct bot_input *input, struct sim_random *random)
{
	static struct gang_view view;
	static struct event events[BOT_EVENTS_MAX];
	const struct scene *twin = &pair->gangs[1];
	size_t count = 0;

	gang_view(&twin->gang, pair->seat, &view);
	for (size_t i = 0; i < table->log_count; i++) {
		struct event event = table->log[i];

		twin_event(&event, &twin->gang.heist, pair->seat, random);
		if (event.type == EVENT_CARDS_DEALT) {
			pair->dealt[0] = table->log[i];
			pair->dealt[1] = event;
		}
		if (count < BOT_EVENTS_MAX)
			count += bot_see(&gang_ruleset, &view, &event,
			                 &events[count]);
	}
	input->view = &view;
	input->events = events;
	input->events_count = count;
}

/* False if the position has no twin. */
static bool check_gang(struct bot_table *table, struct sim_random *random)
{
	static struct event events[BOT_EVENTS_MAX];
	static struct pair pair;
	struct scene *original = &pair.gangs[0];
	struct bot_input inputs[2];

	pair.seat = 1 + sim_below(random, table->table.seats);
	original->table = table->table;
	original->gang = *(const struct gang *)table->state;
	original->table.state = &original->gang;
	if (!twin_make(&pair.gangs[1], original, pair.seat, random))
		return false;
	bot_table_look(table, pair.seat, &inputs[0], events);
	inputs[1] = inputs[0];
	look_at_twin(table, &pair, &inputs[1], random);
	for (unsigned i = 0; i < 2; i++)
		bot_decide(&gang_ruleset, &inputs[i], table->work,
		           &pair.decisions[i]);
	find(&pair, gang_leaks, ARRAY_LEN(gang_leaks));
	return true;
}

/* --- Famiglia ------------------------------------------------------------- */

/* The events are the same for all, so the twin has them too. */
static bool check_famiglia(struct bot_table *table, struct sim_random *random)
{
	static struct event events[BOT_EVENTS_MAX];
	static struct pair pair;
	static struct famiglia_view view;
	struct bot_input inputs[2];

	pair.seat = 1 + sim_below(random, FAMIGLIA_SEATS);
	pair.games[0] = *(const struct famiglia *)table->state;
	(void)fam_twin_make(&pair.games[1], &pair.games[0], pair.seat, random);
	bot_table_look(table, pair.seat, &inputs[0], events);
	inputs[1] = inputs[0];
	famiglia_view(&pair.games[1], pair.seat, &view);
	inputs[1].view = &view;
	for (unsigned i = 0; i < 2; i++)
		bot_decide(&famiglia_ruleset, &inputs[i], table->work,
		           &pair.decisions[i]);
	find(&pair, famiglia_leaks, ARRAY_LEN(famiglia_leaks));
	return true;
}

/* --- games ---------------------------------------------------------------- */

/* Play games until enough positions were checked; returns how many. */
static uint64_t play(const struct ruleset *rules,
                     bool (*check)(struct bot_table *table,
                                   struct sim_random *random))
{
	struct bot_table *table = bot_table_open(rules, &tally);
	struct sim_random random = { sim_setting("GANG_SEED", SEED) };
	uint64_t wanted = sim_setting("BOT_POSITIONS", sim_games(POSITIONS));
	unsigned sizes = rules->seats_max - rules->seats_min + 1U;
	uint64_t pairs = 0;

	CHECK(wanted > 0);
	memset(&tally, 0, sizeof(tally));
	for (unsigned game = 0; pairs < wanted; game++) {
		struct options options = { 0 };
		uint8_t seed[RNG_SEED_SIZE];

		if (rules->modes[0])
			options = (struct options){
				.bytes[GANG_OPTION_MODE] =
					(uint8_t)(1 + game % 4),
				.bytes[GANG_OPTION_SHUFFLED] = true,
				.bytes[GANG_OPTION_CONFIRMS] =
					(uint8_t)(game / 4 % 2),
			};
		for (unsigned i = 0; i < TABLE_SEATS_MAX; i++)
			table->levels[i] =
				(enum bot_level)((i + game) % BOT_LEVEL_COUNT);
		sim_seed(&random, seed);
		CHECK(bot_table_start(table, rules->seats_min + game % sizes,
		                      &options, seed));
		while (!status_is_over(table->table.status)) {
			CHECK(bot_table_step(table));
			if (table->table.status == STATUS_PLAYING)
				pairs += check(table, &random);
		}
	}
	bot_table_close(table);
	return pairs;
}

static void test_gang(void **state)
{
	uint64_t pairs = play(&gang_ruleset, check_gang);

	(void)state;
	check_found(gang_leaks, ARRAY_LEN(gang_leaks), pairs);
}

static void test_famiglia(void **state)
{
	uint64_t pairs = play(&famiglia_ruleset, check_famiglia);

	(void)state;
	check_found(famiglia_leaks, ARRAY_LEN(famiglia_leaks), pairs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_gang),
		cmocka_unit_test(test_famiglia),
	};

	return cmocka_run_group_tests_name("honesty of bots", tests, NULL,
	                                   NULL);
}
