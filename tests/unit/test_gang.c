/*
 * test_gang.c - the rules of The Gang: chips, rounds, errors in their order,
 * showdowns, vaults and alarms, and events byte for byte.  Rows are scripts in
 * moves.def, showdown.def, score.def, modes.def and happens.def.
 */
#include <stdio.h>
#include <string.h>

#include "gang_play.h"

/* --- chips and rounds ----------------------------------------------------- */

struct move_row {
	const char *name;
	const char *script;
	enum err last;
	const char *chips;
};

static struct move_row move_rows[] = {
#define MOVE(name, script, last, chips) { name, script, ERR_##last, chips },
#include "moves.def"
};

static void check_move(void **state)
{
	const struct move_row *row = *state;
	char chips[64];
	struct play play;

	play_open(&play);
	play_on(&play, row->script);
	play_print_chips(&play, chips);
	assert_string_equal(err_code(play.last), err_code(row->last));
	assert_string_equal(chips, row->chips);
	if (row->last)
		assert_int_equal(play.events.count, 0);
}

/* --- showdowns ------------------------------------------------------------ */

struct showdown_row {
	const char *name;
	const char *cards;
	const char *in_order;
	enum outcome outcome;
};

static struct showdown_row showdown_rows[] = {
#define SHOWDOWN(name, cards, in_order, outcome) \
	{ name, cards, in_order, OUTCOME_##outcome },
#include "showdown.def"
};

/* The last chip is taken, and the hands are revealed in the order of stars. */
static void check_showdown(void **state)
{
	const struct showdown_row *row = *state;
	size_t players = strlen(row->in_order);
	char script[] = "t0 = = = =";
	struct play play;

	script[1] = (char)('0' + players);
	play_open(&play);
	play_on(&play, (char[]){ 't', script[1], '\0' });
	play_cards(&play, row->cards);
	play_on(&play, script + 3);
	assert_int_equal(play.gang.heist.outcome, row->outcome);

	const struct event *event = play.events.list;
	while (event->type != EVENT_HAND_REVEALED)
		event++;
	for (unsigned i = 0; i < players; i++, event++) {
		assert_int_equal(event->type, EVENT_HAND_REVEALED);
		assert_int_equal(event->seat, i + 1);
		assert_int_equal(event->public_data[0], i + 1);
		assert_int_equal(event->public_data[1],
		                 row->in_order[i] == '+');
	}
	assert_int_equal(event->type, EVENT_HEIST_ENDED);
	assert_int_equal(play.gang.vaults, row->outcome == OUTCOME_SUCCEEDED);
	assert_int_equal(play.gang.alarms, row->outcome == OUTCOME_FAILED);
}

/* --- vaults and alarms ---------------------------------------------------- */

struct score_row {
	const char *name;
	const char *table;
	enum status status;
	unsigned vaults;
	unsigned alarms;
};

static struct score_row score_rows[] = {
#define SCORE(heists, status, ...) \
	{ heists, "t4", STATUS_##status, __VA_ARGS__ },
#define THIEF(heists, status, ...) \
	{ heists, "t4m", STATUS_##status, __VA_ARGS__ },
#include "score.def"
};

static void check_record(const struct play *play, unsigned number, bool rightly)
{
	const struct summary *record = &play->gang.ended[number - 1];

	assert_int_equal(record->number, number);
	assert_int_equal(record->players, 4);
	assert_int_equal(record->outcome,
	                 rightly ? OUTCOME_SUCCEEDED : OUTCOME_FAILED);
	assert_true(summary_valid(record));
}

static void check_score(void **state)
{
	const struct score_row *row = *state;
	size_t heists = strlen(row->name);
	struct play play;

	play_open(&play);
	play_on(&play, row->table);
	for (size_t i = 0; i < heists; i++) {
		assert_int_equal(play.table.status, STATUS_PLAYING);
		if (i)
			play_on(&play, "B+");
		assert_int_equal(play.gang.heist.setup.number, i + 1);
		assert_int_equal(play.gang.ended_count, i);
		play_on(&play, (char[]){ row->name[i], '\0' });
	}
	assert_int_equal(play.table.status, row->status);
	assert_int_equal(play.gang.vaults, row->vaults);
	assert_int_equal(play.gang.alarms, row->alarms);
	for (unsigned i = 1; i < heists; i++)
		check_record(&play, i, row->name[i - 1] == 'S');
}

/* --- modes and stacks ----------------------------------------------------- */

struct setup_row {
	const char *name;
	const char *script;
	const char *active;
	const char *challenges;
	const char *specialists;
};

static struct setup_row setup_rows[] = {
#define SETUP(...) { __VA_ARGS__ },
#include "modes.def"
};

static void print_setup(const struct heist_setup *setup, char *text)
{
	unsigned number = 0;
	const char *gap = "";

	*text = '\0';
	while ((number = challenges_next(setup->challenges, number))) {
		bool stays = setup->permanent >> number & 1;
		text += sprintf(text, "%s%u%s", gap, number, stays ? "!" : "");
		gap = " ";
	}
	if (setup->specialist)
		(void)sprintf(text, "%ss%u", gap, setup->specialist);
}

static void print_stack(const struct stack *stack, char *text)
{
	*text = '\0';
	for (unsigned i = 0; i < stack->count; i++)
		text += sprintf(text, "%s%u", i ? " " : "", stack->cards[i]);
}

static void check_setup(void **state)
{
	const struct setup_row *row = *state;
	struct play play;
	char text[64];

	play_open(&play);
	play_on(&play, row->script);
	assert_int_equal(play.last, ERR_OK);
	print_setup(&play.gang.heist.setup, text);
	assert_string_equal(text, row->active);
	print_stack(&play.gang.challenges, text);
	assert_string_equal(text, row->challenges);
	print_stack(&play.gang.specialists, text);
	assert_string_equal(text, row->specialists);
}

/* --- what happens --------------------------------------------------------- */

struct happens_row {
	const char *name;
	const char *script;
	const char *events;
};

static struct happens_row happens_rows[] = {
#define HAPPENS(...) { __VA_ARGS__ },
#include "happens.def"
};

static const char *type_of(unsigned type)
{
	switch (type) {
#define EVENT(name, number, text) \
	case number:              \
		return (text);
#include "table/event.def"
	}
	return ruleset_event(&gang_ruleset, type)->code;
}

static size_t print_bytes(char *text, const uint8_t *bytes, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		(void)snprintf(text + (size_t)2 * i, 3, "%02x", bytes[i]);
	return (size_t)2 * count;
}

static size_t print_event(char *text, size_t size, const struct event *event)
{
	size_t len = (size_t)snprintf(text, size, "%s %u/%u/%u ",
	                              type_of(event->type), event->seat,
	                              event->part, event->subpart);

	len += print_bytes(text + len, event->public_data, event->public_len);
	text[len++] = '|';
	len += print_bytes(text + len, event->private_data, event->private_len);
	text[len] = '\0';
	return len;
}

static void check_happens(void **state)
{
	const struct happens_row *row = *state;
	char text[2048] = "";
	size_t len = 0;
	struct play play;

	play_open(&play);
	play_on(&play, row->script);
	for (unsigned i = 0; i < play.events.count; i++) {
		if (i)
			len += (size_t)snprintf(text + len, 3, "; ");
		len += print_event(text + len, 128, &play.events.list[i]);
	}
	assert_string_equal(text, row->events);
}

/* --- what a heist is made of ---------------------------------------------- */

/* The deal of a seed of zeros, known from another program. */
static void check_deal(void **state)
{
	static const char *const pockets[] = { "5h9s", "8c8h", "6cAs", "3h6s" };
	static const char *const board[] = { "3d", "7c", "Kc", "2d", "Kh" };
	struct play play;

	(void)state;
	play_open(&play);
	play_on(&play, "t4 = = =");
	for (unsigned i = 0; i < 4; i++) {
		const struct pocket *pocket = &play.gang.heist.pockets[i];
		assert_int_equal(pocket->count, 2);
		assert_memory_equal(card_text(pocket->cards[0]), pockets[i], 2);
		assert_memory_equal(card_text(pocket->cards[1]), pockets[i] + 2,
		                    2);
	}
	for (unsigned i = 0; i < 5; i++)
		assert_string_equal(card_text(play.gang.heist.community[i]),
		                    board[i]);
	assert_int_equal(play.gang.heist.deck_count, 52 - 8 - 5);
}

static void check_modes(void **state)
{
	static const char *const codes[] = { "basic", "advanced",
		                             "professional", "master_thief" };
	static const uint8_t challenges[] = { 0, 1, 2, 2 };
	static const uint8_t specialists[] = { 0, 1, 1, 0 };
	size_t count;
	const struct mode *modes = gang_mode_list(&count);

	(void)state;
	assert_int_equal(count, ARRAY_LEN(codes));
	for (size_t i = 0; i < count; i++) {
		bool is_hard = i + 1 == GANG_MODE_MASTER_THIEF;

		assert_ptr_equal(gang_mode_get((unsigned)i + 1), &modes[i]);
		assert_string_equal(modes[i].code, codes[i]);
		assert_int_equal(modes[i].vaults_needed, 3);
		assert_int_equal(modes[i].alarms_limit, is_hard ? 2 : 3);
		assert_int_equal(gang_mode_challenges_max(&modes[i]),
		                 challenges[i]);
		assert_int_equal(gang_mode_specialists_max(&modes[i]),
		                 specialists[i]);
	}
}

static void check_colors(void **state)
{
	static const char *const codes[] = { "white", "yellow", "orange",
		                             "red" };
	static const char *const others[] = { "",     "r",     "Red",
		                              "blue", "whit ", "reds" };
	enum color color;

	(void)state;
	for (unsigned i = 0; i < COLOR_COUNT; i++) {
		color = COLOR_COUNT;
		assert_string_equal(color_code((enum color)i), codes[i]);
		assert_true(
			gang_color_parse(codes[i], strlen(codes[i]), &color));
		assert_int_equal(color, i);
	}
	for (size_t i = 0; i < ARRAY_LEN(others); i++) {
		color = COLOR_COUNT;
		assert_false(
			gang_color_parse(others[i], strlen(others[i]), &color));
		assert_int_equal(color, COLOR_COUNT);
	}
}

int main(void)
{
	static struct rows rows;

	ROWS_ADD(&rows, move_rows, check_move);
	ROWS_ADD(&rows, showdown_rows, check_showdown);
	ROWS_ADD(&rows, score_rows, check_score);
	ROWS_ADD(&rows, setup_rows, check_setup);
	ROWS_ADD(&rows, happens_rows, check_happens);
	rows_add(&rows, "the deal of a seed of zeros", check_deal, NULL);
	rows_add(&rows, "the modes", check_modes, NULL);
	rows_add(&rows, "the colours", check_colors, NULL);
	return rows_run("gang", &rows);
}
