/*
 * The game is a table and a state, as in the service; the log keeps its newest
 * events.  Each step makes the view of each bot's seat, hands it in with the
 * events as that seat sees them, and applies the decision with the least time
 * to think.  Random numbers come from one stream, so a seed decides all games.
 */
#include "operator/bot_table.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"

/* No game of bots takes as many; one that does would not end. */
enum { MOVES_MAX = 5000 };

struct bot_table *bot_table_open(const struct ruleset *rules,
                                 struct bot_tally *tally)
{
	struct bot_table *table = xcalloc(1, sizeof(*table));

	table->state = xcalloc(1, rules->state_size);
	table->view = xcalloc(1, rules->view_size);
	/* At least a byte: no memory would be NULL. */
	table->work = xmalloc(bot_work_size(rules) + 1);
	bot_work_init(rules, table->work);
	table->tally = tally;
	table->table = (struct table){ .rules = rules, .state = table->state };
	return table;
}

void bot_table_close(struct bot_table *table)
{
	free(table->state);
	free(table->view);
	free(table->work);
	free(table);
}

/* --- actions -------------------------------------------------------------- */

static void draw_seed(struct bot_table *table, uint8_t seed[RNG_SEED_SIZE])
{
	for (unsigned i = 0; i < RNG_SEED_SIZE; i++)
		seed[i] = (uint8_t)rng_below(&table->rng, 256);
}

static void count_event(struct bot_table *table, const struct event *event)
{
	const struct bot_rules *bot = table->table.rules->bot;
	unsigned marks = bot->marks ? bot->marks(event) : 0;
	struct bot_tally *tally = table->tally;

	table->opened |=
		event->type == EVENT_GAME_STARTED || marks & BOT_MARK_OPENING;
	tally->extra += (marks & BOT_MARK_EXTRA) != 0;
	tally->parts += (marks & (BOT_MARK_PART_WON | BOT_MARK_PART_LOST)) != 0;
	tally->parts_won += (marks & BOT_MARK_PART_WON) != 0;
}

static void keep(struct bot_table *table, const struct event *event)
{
	size_t half = ARRAY_LEN(table->log) / 2;

	if (table->log_count == ARRAY_LEN(table->log)) {
		memmove(table->log, table->log + half,
		        half * sizeof(table->log[0]));
		table->log_count = half;
	}
	table->log[table->log_count++] = *event;
}

enum err bot_table_act(struct bot_table *table, const struct action *action)
{
	struct events events = { .count = 0 };
	uint8_t seed[RNG_SEED_SIZE];
	struct rng rng;

	draw_seed(table, seed);
	rng_init(&rng, seed);
	enum err err = table_apply(&table->table, action, &rng, &events);
	if (err)
		return err;
	table->opened = false;
	table->table.rules->view(table->state, 0, table->view);
	for (unsigned i = 0; i < events.count; i++) {
		count_event(table, &events.list[i]);
		keep(table, &events.list[i]);
	}
	return ERR_OK;
}

bool bot_table_start(struct bot_table *table, unsigned seats,
                     const struct options *options,
                     const uint8_t seed[RNG_SEED_SIZE])
{
	struct action action = {
		.verb = VERB_CREATE,
		.args = { [CREATE_SEATS] = (uint8_t)seats },
	};

	action_set_options(&action, options->bytes);
	rng_init(&table->rng, seed);
	table->table = (struct table){ .rules = table->table.rules,
		                       .state = table->state };
	table->log_count = 0;
	if (bot_table_act(table, &action))
		return false;
	action = (struct action){ .verb = VERB_JOIN };
	for (unsigned seat = 2; seat <= seats; seat++) {
		if (bot_table_act(table, &action))
			return false;
	}
	return true;
}

/* --- steps ---------------------------------------------------------------- */

void bot_table_look(struct bot_table *table, unsigned seat,
                    struct bot_input *input,
                    struct event events[BOT_EVENTS_MAX])
{
	const struct ruleset *rules = table->table.rules;
	size_t from = table->log_count;
	size_t count = 0;

	rules->view(table->state, seat, table->view);
	/* The newest that fit; then in their order. */
	while (from > 0 && table->log_count - from < BOT_EVENTS_MAX)
		from--;
	for (; from < table->log_count; from++)
		count += bot_see(rules, table->view, &table->log[from],
		                 &events[count]);
	*input = (struct bot_input){
		.view = table->view,
		.events = events,
		.events_count = count,
		.level = table->levels[seat - 1],
		.persons = table->persons,
	};
	draw_seed(table, input->seed);
}

static void count_time(struct bot_times *times, uint64_t ns)
{
	uint64_t us = ns / 1000;

	times->count++;
	times->at_us[us < BOT_TABLE_US_MAX ? us : BOT_TABLE_US_MAX]++;
}

/* Nanoseconds that this thread has run: others may use the processor too. */
static uint64_t processor_ns(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * UINT64_C(1000000000) +
	       (uint64_t)now.tv_nsec;
}

bool bot_table_step(struct bot_table *table)
{
	static _Thread_local struct event events[BOT_EVENTS_MAX];
	struct bot_tally *tally = table->tally;
	struct bot_decision first = { .action.verb = VERB_NONE };

	for (unsigned seat = 1; seat <= table->table.seats; seat++) {
		struct bot_decision decision;
		struct bot_input input;

		if (table->persons >> seat & 1)
			continue;
		bot_table_look(table, seat, &input, events);
		uint64_t start = processor_ns();
		bot_decide(table->table.rules, &input, table->work, &decision);
		count_time(table->opened ? &tally->opening : &tally->in_round,
		           processor_ns() - start);
		if (decision.action.verb &&
		    (!first.action.verb || decision.think_ms < first.think_ms))
			first = decision;
	}
	if (!first.action.verb)
		return false;
	if (bot_table_act(table, &first.action)) {
		tally->refused++;
		return false;
	}
	tally->moves++;
	return true;
}

void bot_table_play(struct bot_table *table)
{
	struct bot_tally *tally = table->tally;
	unsigned moves = 0;

	while (!status_is_over(table->table.status)) {
		if (++moves > MOVES_MAX || !bot_table_step(table)) {
			tally->stalled++;
			break;
		}
	}
	tally->games++;
	tally->won += table->table.status == STATUS_WON;
}

unsigned bot_times_percentile(const struct bot_times *times, unsigned percent)
{
	uint64_t seen = 0;

	for (unsigned us = 0; us < BOT_TABLE_US_MAX; us++) {
		seen += times->at_us[us];
		if (seen * 100 >= times->count * percent)
			return us;
	}
	return BOT_TABLE_US_MAX;
}
