/*
 * test_bot_decision.c - what bots do: a view and the events of a heist in, an
 * action out.  The rows are in bot_decision.def.
 */
#include <stdio.h>
#include <string.h>

#include "bot/bot.h"
#include "games/gang/bot/belief.h"
/* Both games have a verb of this name. */
#define VERB_TAKE VERB_TAKE_GANGSTER
#include "games/famiglia/rules/famiglia_view.h"
#include "famiglia_play.h"
#undef VERB_TAKE
#include "gang_play.h"

static struct bot_gang_work work;
static struct rows rows;

/* The decision is within the bounds that bot.h states. */
static void check_time(const struct bot_decision *decision,
                       enum bot_level level)
{
	const struct bot_level_row *row = bot_level_get(level);

	assert_in_range(decision->think_ms, row->think_min_ms,
	                row->think_max_ms);
}

static void check_action(const struct action *decided,
                         const struct action *expected)
{
	if (memcmp(decided, expected, sizeof(*decided)) == 0)
		return;
	print_error("seat %u, verb %u, arguments %u %u %u %u; expected seat "
	            "%u, verb %u, arguments %u %u %u %u\n",
	            decided->seat, decided->verb, decided->args[0],
	            decided->args[1], decided->args[2], decided->args[3],
	            expected->seat, expected->verb, expected->args[0],
	            expected->args[1], expected->args[2], expected->args[3]);
	fail();
}

/* --- The Gang ------------------------------------------------------------- */

struct gang_row {
	const char *name;
	enum bot_level level;
	const char *table;
	const char *cards;
	const char *script;
	const char *seat;
	const char *persons;
	const char *action;
};

/* Words that many rows share: deals, and three rounds of three seats. */
#define Q  "t4", "AsAh KsKh 2c7d 3c8d / AdAcTs 4h 9d"
#define P  "2c7d KsQs Jd9h / AhAdTs 4h 6d"
#define P2 "2c7d KsQs AcJh / AhAdTs 4h 6d"
#define L  "A1 B2 C3 A1 B2 C3 A1 B2 C3 "

static struct gang_row gang_rows[] = {
#define GANG(name, level, ...) { name, BOT_##level, __VA_ARGS__ },
#include "bot_decision.def"
#undef GANG
};

enum { LOG_MAX = 256, WORD_MAX = 32 };

/* The events of a heist. */
struct log {
	size_t count;
	struct event list[LOG_MAX];
};

static void log_add(struct log *log, const struct events *events)
{
	for (unsigned i = 0; i < events->count; i++) {
		assert_true(log->count < LOG_MAX);
		log->list[log->count++] = events->list[i];
	}
}

static void play_and_log(struct play *play, const char *script, struct log *log)
{
	char words[256];
	char *rest;

	(void)snprintf(words, sizeof(words), "%s", script);
	for (char *word = strtok_r(words, " ", &rest); word;
	     word = strtok_r(NULL, " ", &rest)) {
		play_on(play, word);
		assert_int_equal(play->last, ERR_OK);
		log_add(log, &play->events);
	}
}

static void look(struct play *play, const struct log *log,
                 struct gang_view *view, struct event *seen,
                 struct bot_input *input)
{
	gang_view(&play->gang, input->seed[0], view);
	input->seed[0] = 0;
	for (size_t i = 0; i < log->count; i++)
		input->events_count +=
			bot_see(&gang_ruleset, view, &log->list[i],
		                &seen[input->events_count]);
	input->view = view;
	input->events = seen;
}

static struct action expected_of(const struct play *play,
                                 const struct gang_row *row)
{
	char word[WORD_MAX];

	if (!*row->action)
		return (struct action){ .verb = VERB_NONE };
	(void)snprintf(word, sizeof(word), "%c%s", *row->seat, row->action);
	return play_action(play, word);
}

static void check_gang(void **state)
{
	static struct event seen[LOG_MAX];
	static struct gang_view view;
	static struct log log;
	const struct gang_row *row = *state;
	struct bot_input input = { .level = row->level };
	struct bot_decision decision;
	struct action expected;
	struct play play;

	log.count = 0;
	play_open(&play);
	play_on(&play, row->table);
	log_add(&log, &play.events);
	play_cards(&play, row->cards);
	play_and_log(&play, row->script, &log);
	for (const char *person = row->persons; *person; person++)
		input.persons |= (uint8_t)(1U << play_seat(*person));
	input.seed[0] = play_seat(*row->seat);
	look(&play, &log, &view, seen, &input);
	bot_decide(&gang_ruleset, &input, &work, &decision);
	check_time(&decision, row->level);
	expected = expected_of(&play, row);
	check_action(&decision.action, &expected);
}

/* The log may be damaged: its cards are not those of the table. */
static void test_damaged_log(void **state)
{
	static struct event seen[LOG_MAX];
	static struct gang_view view;
	static struct log log;
	struct bot_input input = { .level = BOT_SHARP, .seed = { 1 } };
	struct bot_decision decisions[2];
	struct play play;

	(void)state;
	log.count = 0;
	play_open(&play);
	play_and_log(&play, "t4 A4 B3 C2 D1", &log);
	look(&play, &log, &view, seen, &input);
	bot_decide(&gang_ruleset, &input, &work, &decisions[0]);
	for (size_t i = 0; i < input.events_count; i++) {
		if (seen[i].type == EVENT_ROUND_STARTED)
			memset(seen[i].public_data + 1, 200,
			       sizeof(seen[i].public_data) - 1);
	}
	bot_decide(&gang_ruleset, &input, &work, &decisions[1]);
	check_action(&decisions[1].action, &decisions[0].action);
}

/* --- Famiglia ------------------------------------------------------------- */

struct famiglia_row {
	const char *name;
	enum bot_level level;
	const char *setup;
	const char *script;
	const char *action;
};

static struct famiglia_row famiglia_rows[] = {
#define FAMIGLIA(name, level, ...) { name, BOT_##level, __VA_ARGS__ },
#include "bot_decision.def"
#undef FAMIGLIA
};

static void check_famiglia(void **state)
{
	const struct famiglia_row *row = *state;
	struct bot_input input = { .level = row->level };
	struct famiglia_view view;
	struct bot_decision decision;
	struct action expected;
	struct fam_play play;
	char word[WORD_MAX];

	fam_play_begin(&play, row->setup);
	fam_play_on(&play, row->script);
	assert_int_equal(play.last, ERR_OK);
	famiglia_view(&play.game, famiglia_mover(&play.game), &view);
	input.view = &view;
	bot_decide(&famiglia_ruleset, &input, &work, &decision);
	check_time(&decision, row->level);
	(void)snprintf(word, sizeof(word), "%c%s", 'A' + view.mover - 1,
	               row->action);
	expected = fam_play_action(word);
	check_action(&decision.action, &expected);
}

int main(void)
{
	bot_work_init(&gang_ruleset, &work);
	ROWS_ADD(&rows, gang_rows, check_gang);
	ROWS_ADD(&rows, famiglia_rows, check_famiglia);
	rows_add(&rows, "cards of a damaged log", test_damaged_log, NULL);
	return rows_run("bot decisions", &rows);
}
