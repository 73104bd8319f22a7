/*
 * test_view.c - what a viewer is shown of The Gang: the view, "you", legal
 * actions, hands, ended heists and events, as JSON.  Rows are in view.def and
 * event_json.def.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/gang/rules/gang_view.h"

#include "games/gang/rules/gang_print.h"
#include "gang_play.h"

enum { TEXT_MAX = 8192 };

struct view_row {
	const char *name;
	const char *script;
	unsigned viewer;
	const char *json;
};

static struct view_row view_rows[] = {
#define VIEW(...) { __VA_ARGS__ },
#include "view.def"
};

static struct view_row you_rows[] = {
#define YOU(...) { __VA_ARGS__ },
#include "view.def"
};

static struct view_row has_rows[] = {
#define HAS(...) { __VA_ARGS__ },
#include "view.def"
};

static struct view_row printed_rows[] = {
#define PRINTED(...) { __VA_ARGS__ },
#include "view.def"
};

static struct view_row hides_rows[] = {
#define HIDES(...) { __VA_ARGS__ },
#include "view.def"
};

static struct view_row legal_rows[] = {
#define LEGAL(...) { __VA_ARGS__ },
#include "view.def"
};

struct hand_row {
	const char *name;
	const char *script;
	unsigned viewer;
	unsigned whose;
	const char *json;
};

static struct hand_row hand_rows[] = {
#define HAND(...) { __VA_ARGS__ },
#include "view.def"
};

struct heist_row {
	const char *name;
	const char *script;
	unsigned number;
	const char *json;
};

static struct heist_row heist_rows[] = {
#define HEIST(...) { __VA_ARGS__ },
#include "view.def"
};

/* The JSON being printed; rows write ' where JSON has ". */
static struct json_out out;
static char text[TEXT_MAX];

static void begin(void)
{
	json_out_init(&out, text, sizeof(text) - 1);
}

static void end(void)
{
	assert_true(json_out_fits(&out));
	text[json_out_len(&out)] = '\0';
	for (char *at = text; *at; at++) {
		assert_int_not_equal(*at, '\'');
		if (*at == '"')
			*at = '\'';
	}
}

static void check_text(const char *json)
{
	end();
	assert_string_equal(text, json);
}

static const struct gang_view *view_of(const char *script, unsigned viewer)
{
	static struct gang_view view;
	struct play play;

	play_open(&play);
	play_on(&play, script);
	assert_int_equal(play.last, ERR_OK);
	/* Nothing that was there before may be left. */
	memset(&view, 0xa5, sizeof(view));
	gang_ruleset.view(&play.gang, viewer, &view);
	return &view;
}

static void check_view(void **state)
{
	const struct view_row *row = *state;
	const struct gang_view *view = view_of(row->script, row->viewer);

	begin();
	json_object(&out);
	gang_ruleset.print_view(view, &out);
	json_object_end(&out);
	check_text(row->json);
}

/* The piece is in the view. */
static void check_has(void **state)
{
	const struct view_row *row = *state;
	const struct gang_view *view = view_of(row->script, row->viewer);

	begin();
	json_object(&out);
	gang_ruleset.print_view(view, &out);
	json_object_end(&out);
	end();
	if (!strstr(text, row->json))
		fail_msg("%s\nis not in\n%s", row->json, text);
}

static void check_you(void **state)
{
	const struct view_row *row = *state;
	const struct gang_view *view = view_of(row->script, row->viewer);

	begin();
	json_object(&out);
	gang_ruleset.print_you(view, &out);
	json_object_end(&out);
	check_text(row->json);
}

/* Print an action as in gang_play.h, without the seat. */
static size_t name_action(const struct action *action, char *name, size_t size)
{
	const uint8_t *args = action->args;
	bool asks_rank = args[ARG_QUESTION] == CHALLENGE_RETINA_SCAN;

	switch ((enum gang_verb)action->verb) {
	case VERB_TAKE:
	case VERB_RETURN:
		return (size_t)snprintf(name, size, "%s %s %u",
		                        action->verb == VERB_TAKE ? "take"
		                                                  : "return",
		                        color_code((enum color)args[ARG_COLOR]),
		                        args[ARG_STARS]);
	case VERB_NEXT_HEIST:
		return (size_t)snprintf(name, size, "next");
	case VERB_CONFIRM_ROUND:
		return (size_t)snprintf(name, size, "confirm");
	case VERB_PROPOSE:
		return (size_t)snprintf(
			name, size, ":%c%.1s", 'A' + args[ARG_SEAT] - 1,
			args[ARG_TARGET] ? &"ABCDEF"[args[ARG_TARGET] - 1]
					 : "");
	case VERB_VOTE:
		return (size_t)snprintf(name, size,
		                        args[ARG_AGREES] ? "&" : "~");
	case VERB_CHOOSE:
		return (size_t)snprintf(name, size, "*%.2s",
		                        args[ARG_CARD] == CHOICE_LOOKED
		                                ? ""
		                                : card_text(args[ARG_CARD]));
	case VERB_ANSWER:
		break;
	}
	return (size_t)snprintf(name, size, "^%s",
	                        gang_value_text(asks_rank ? VALUE_RANK
	                                                  : VALUE_RANKING,
	                                        args[ARG_ANSWER]));
}

static void check_legal(void **state)
{
	const struct view_row *row = *state;
	const struct gang_view *view = view_of(row->script, row->viewer);
	const struct action *legal = view->legal;
	size_t count = view->legal_count;
	char names[256] = "";
	size_t len = 0;

	for (size_t i = 0; i < count; i++) {
		if (i)
			len += (size_t)snprintf(names + len, 3, ", ");
		len += name_action(&legal[i], names + len, sizeof(names) - len);
		assert_int_equal(legal[i].seat, row->viewer);
	}
	assert_string_equal(names, row->json);
}

static void check_hand(void **state)
{
	const struct hand_row *row = *state;
	const struct gang_view *view = view_of(row->script, row->viewer);

	begin();
	json_object(&out);
	bool shown = gang_ruleset.print_hand(view, row->whose, &out);
	json_object_end(&out);
	assert_int_equal(shown, *row->json != '\0');
	check_text(shown ? row->json : "{}");
}

static void check_heist(void **state)
{
	const struct heist_row *row = *state;
	const struct gang_view *view = view_of(row->script, 0);
	const struct summary *record = gang_view_summary(view, row->number);

	begin();
	if (record)
		gang_print_summary(record, &out);
	check_text(row->json);
}

/* --- legal actions as JSON ------------------------------------------------ */

/* After those of the chips, which come first, there is just this. */
static void check_printed(void **state)
{
	const struct view_row *row = *state;
	const struct gang_view *view = view_of(row->script, row->viewer);
	static const char end_of_element[] = "'choose':null}";
	const char *at = text;
	size_t len;

	begin();
	gang_ruleset.print_legal(view, "", &out);
	end();
	while (strncmp(at, "{'action':'take_chip',", 22) == 0 ||
	       strncmp(at, "{'action':'return_chip',", 24) == 0) {
		at = strstr(at, end_of_element) + sizeof(end_of_element) - 1;
		at += *at == ',';
	}
	len = strlen(at);
	assert_string_equal(at, row->json);
	assert_int_equal(len > 0,
	                 view->legal_count > 0 &&
	                         view->legal[view->legal_count - 1].verb >
	                                 VERB_RETURN);
}

static void check_print_legal(void **state)
{
	const struct gang_view *view = view_of("t3 = A2 B1", 1);

	(void)state;
	begin();
	json_array(&out);
	gang_ruleset.print_legal(view, "/v1/games/x", &out);
	json_array_end(&out);
	check_text("[{'action':'take_chip','method':'POST',"
	           "'href':'/v1/games/x/chips/yellow/1/take',"
	           "'body':{'from':2},"
	           "'command':{'action':'take_chip','from':2,"
	           "'color':'yellow','stars':1},"
	           "'chip':{'color':'yellow','stars':1,'holder':2,"
	           "'dark':false},'choose':null},"
	           "{'action':'return_chip','method':'POST',"
	           "'href':'/v1/games/x/chips/yellow/2/return',"
	           "'body':{},"
	           "'command':{'action':'return_chip',"
	           "'color':'yellow','stars':2},"
	           "'chip':{'color':'yellow','stars':2,'holder':1,"
	           "'dark':false},'choose':null},"
	           "{'action':'take_chip','method':'POST',"
	           "'href':'/v1/games/x/chips/yellow/3/take',"
	           "'body':{'from':'center'},"
	           "'command':{'action':'take_chip','from':'center',"
	           "'color':'yellow','stars':3},"
	           "'chip':{'color':'yellow','stars':3,'holder':null,"
	           "'dark':false},'choose':null}]");
	view = view_of("t3 S", 3);
	begin();
	json_array(&out);
	gang_ruleset.print_legal(view, "/v1/games/y", &out);
	json_array_end(&out);
	check_text("[{'action':'next_heist','method':'POST',"
	           "'href':'/v1/games/y/heists','body':{},"
	           "'command':{'action':'next_heist'},'choose':null}]");
}

/* --- what is out of sight ------------------------------------------------- */

static bool is_hidden(const struct gang_view *view, unsigned type,
                      unsigned heist, unsigned round)
{
	struct event event = {
		.type = (uint8_t)type,
		.part = (uint8_t)heist,
		.subpart = (uint8_t)round,
	};

	const struct event_row *row = ruleset_event(&gang_ruleset, type);

	return row && row->sight && row->sight(view, &event) == SIGHT_NONE;
}

/* Only chips are ever hidden, whether taken or returned. */
static void check_hides(void **state)
{
	const struct view_row *row = *state;
	const struct gang_view *view = view_of(row->script, row->viewer);
	char rounds[64] = "";
	size_t len = 0;

	for (unsigned at = 0; at < 3 * COLOR_COUNT; at++) {
		unsigned heist = at / COLOR_COUNT + 1;
		unsigned round = at % COLOR_COUNT + 1;
		bool hidden = is_hidden(view, EVENT_CHIP_TAKEN, heist, round);

		for (unsigned type = 0; type < 256; type++)
			assert_int_equal(is_hidden(view, type, heist, round),
			                 hidden &&
			                         (type == EVENT_CHIP_TAKEN ||
			                          type == EVENT_CHIP_RETURNED));
		if (hidden)
			len += (size_t)sprintf(rounds + len, "%s%u:%u",
			                       len ? " " : "", heist, round);
	}
	assert_string_equal(rounds, row->json);
}

/* --- events --------------------------------------------------------------- */

struct shows_row {
	const char *name;
	unsigned type;
	uint8_t color;
	const char *public_data;
	const char *private_data;
	unsigned viewer;
	const char *json;
	unsigned seat; /* whose doing it was */
};

static struct shows_row shows_rows[] = {
#define SHOWS(name, type, ...) { name, EVENT_##type, __VA_ARGS__, 0 },
#define DOING(name, type, seat, ...) \
	{ name, EVENT_##type, 0, __VA_ARGS__, seat },
#include "event_json.def"
};

static void add_bytes(struct event *event, const char *bytes,
                      void (*add)(struct event *event, unsigned byte))
{
	char *end;

	for (const char *at = bytes; *at; at = end)
		add(event, (unsigned)strtoul(at, &end, 10));
}

static void check_shows(void **state)
{
	const struct shows_row *row = *state;
	struct event event = { .type = (uint8_t)row->type,
		               .seat = (uint8_t)row->seat,
		               .subpart = row->color };

	add_bytes(&event, row->public_data, event_put_public);
	add_bytes(&event, row->private_data, event_put_private);
	begin();
	json_object(&out);
	ruleset_print_event(&gang_ruleset, &event, row->viewer, &out);
	json_object_end(&out);
	check_text(row->json);
}

static void check_types(void **state)
{
	unsigned known = 0;

	(void)state;
#define EVENT(name, number, text, ...) \
	assert_string_equal(ruleset_event(&gang_ruleset, number)->code, text);
#include "games/gang/rules/gang_event.def"
	for (unsigned type = 0; type < 256; type++)
		known += ruleset_event(&gang_ruleset, type) != NULL;
	assert_int_equal(known, 22); /* with game_started */
	assert_null(ruleset_event(&gang_ruleset, EVENT_PLAYER_JOINED));
}

static unsigned showdown_number(const char *script, unsigned viewer)
{
	struct showdown showdown = { .heist = 99 };

	if (!gang_view_showdown(view_of(script, viewer), &showdown))
		return 0;
	return showdown.heist;
}

/* The last showdown, which is not always of the present heist. */
static void check_last_showdown(void **state)
{
	(void)state;
	assert_int_equal(showdown_number("t3 =", 1), 0);
	assert_int_equal(showdown_number("t3 S", 1), 1);
	assert_int_equal(showdown_number("t3 S A+", 1), 1);
	assert_int_equal(showdown_number("t3 S A+ F", 0), 2);
}

int main(void)
{
	static struct rows rows;

	ROWS_ADD(&rows, view_rows, check_view);
	ROWS_ADD(&rows, has_rows, check_has);
	ROWS_ADD(&rows, you_rows, check_you);
	ROWS_ADD(&rows, legal_rows, check_legal);
	ROWS_ADD(&rows, printed_rows, check_printed);
	ROWS_ADD(&rows, hides_rows, check_hides);
	ROWS_ADD(&rows, hand_rows, check_hand);
	ROWS_ADD(&rows, heist_rows, check_heist);
	ROWS_ADD(&rows, shows_rows, check_shows);
	rows_add(&rows, "legal actions as JSON", check_print_legal, NULL);
	rows_add(&rows, "each event has its code, an unknown one none",
	         check_types, NULL);
	rows_add(&rows, "the last showdown", check_last_showdown, NULL);
	return rows_run("view", &rows);
}
