/*
 * test_famiglia_view.c - what a viewer is shown of Famiglia: the view, "you",
 * hands, legal actions, events and families, as JSON.  Rows are in
 * famiglia_view.def.
 */
#include <stdlib.h>
#include <string.h>

#include "games/famiglia/rules/famiglia_print.h"
#include "famiglia_play.h"

enum { TEXT_MAX = 8192 };

struct view_row {
	const char *name;
	const char *setup;
	const char *script;
	unsigned viewer;
	const char *json;
};

static struct view_row view_rows[] = {
#define VIEW(...) { __VA_ARGS__ },
#include "famiglia_view.def"
};

static struct view_row you_rows[] = {
#define YOU(...) { __VA_ARGS__ },
#include "famiglia_view.def"
};

static struct view_row legal_rows[] = {
#define LEGAL(...) { __VA_ARGS__ },
#include "famiglia_view.def"
};

struct hand_row {
	const char *name;
	const char *setup;
	const char *script;
	unsigned viewer;
	unsigned whose;
	const char *json;
};

static struct hand_row hand_rows[] = {
#define HAND(...) { __VA_ARGS__ },
#include "famiglia_view.def"
};

struct happens_row {
	const char *name;
	const char *setup;
	const char *script;
	const char *json;
};

static struct happens_row happens_rows[] = {
#define HAPPENS(...) { __VA_ARGS__ },
#include "famiglia_view.def"
};

struct printed_row {
	const char *name;
	unsigned type;
	const char *hex;
	const char *json;
};

static struct printed_row printed_rows[] = {
#define PRINTED(...) { __VA_ARGS__ },
#include "famiglia_view.def"
};

struct family_row {
	const char *name;
	enum family family;
	const char *json;
};

static struct family_row family_rows[] = {
#define FAMILY(name, json) { #name, FAMILY_##name, json },
#include "famiglia_view.def"
};

/* --- what is printed ------------------------------------------------------ */

static struct json_out out;
static char text[TEXT_MAX];

static void begin(void)
{
	json_out_init(&out, text, sizeof(text) - 1);
}

/* Rows write ' where JSON has ". */
static void check_text(const char *json)
{
	assert_true(json_out_fits(&out));
	text[json_out_len(&out)] = '\0';
	for (char *at = text; *at; at++) {
		assert_int_not_equal(*at, '\'');
		if (*at == '"')
			*at = '\'';
	}
	assert_string_equal(text, json);
}

/* Take a piece out of what was printed, wherever it is. */
static void leave_out(const char *piece)
{
	size_t len = strlen(piece);

	*out.at = '\0';
	for (char *at = text; (at = strstr(at, piece));) {
		memmove(at, at + len, strlen(at + len) + 1);
		out.at -= len;
	}
}

static const struct famiglia_view *view_of(const char *setup,
                                           const char *script, unsigned viewer)
{
	static struct famiglia_view view;
	struct fam_play play;

	fam_play_begin(&play, setup);
	fam_play_on(&play, script);
	assert_int_equal(play.last, ERR_OK);
	/* Nothing that was there before may be left. */
	memset(&view, 0xa5, sizeof(view));
	famiglia_ruleset.view(&play.game, viewer, &view);
	return &view;
}

static void check_view(void **state)
{
	const struct view_row *row = *state;
	const struct famiglia_view *view =
		view_of(row->setup, row->script, row->viewer);

	begin();
	json_object(&out);
	famiglia_ruleset.print_view(view, &out);
	json_object_end(&out);
	check_text(row->json);
}

static void check_you(void **state)
{
	const struct view_row *row = *state;
	const struct famiglia_view *view =
		view_of(row->setup, row->script, row->viewer);

	begin();
	json_object(&out);
	famiglia_ruleset.print_you(view, &out);
	json_object_end(&out);
	check_text(row->json);
}

static void check_hand(void **state)
{
	const struct hand_row *row = *state;
	const struct famiglia_view *view =
		view_of(row->setup, row->script, row->viewer);

	begin();
	if (!*row->json) {
		assert_false(
			famiglia_ruleset.print_hand(view, row->whose, &out));
		assert_int_equal(json_out_len(&out), 0);
		return;
	}
	json_object(&out);
	assert_true(famiglia_ruleset.print_hand(view, row->whose, &out));
	json_object_end(&out);
	check_text(row->json);
}

static void check_legal(void **state)
{
	const struct view_row *row = *state;
	const struct famiglia_view *view =
		view_of(row->setup, row->script, row->viewer);

	begin();
	json_array(&out);
	famiglia_ruleset.print_legal(view, "/v1/games/x", &out);
	json_array_end(&out);
	leave_out("\"method\":\"POST\",");
	leave_out("/v1/games/x/");
	check_text(row->json);
}

static void print_event(const struct event *event, unsigned seat)
{
	json_object(&out);
	ruleset_print_event(&famiglia_ruleset, event, seat, &out);
	json_object_end(&out);
}

/* All viewers see the same event. */
static void check_happens(void **state)
{
	const struct happens_row *row = *state;
	const char *json = strchr(row->json, ' ');
	const struct event *event;
	const char *type;
	struct fam_play play;

	fam_play_begin(&play, row->setup);
	fam_play_on(&play, row->script);
	assert_int_equal(play.last, ERR_OK);
	assert_in_range(play.events.count, 1, 2);
	event = &play.events.list[play.events.count - 1];
	assert_int_equal(event->private_len, 0);
	assert_int_equal(event->part + event->subpart, 0);
	type = ruleset_event(&famiglia_ruleset, event->type)->code;
	assert_int_equal(strlen(type), json - row->json);
	assert_memory_equal(type, row->json, strlen(type));
	for (unsigned seat = 0; seat <= FAMIGLIA_SEATS; seat++) {
		begin();
		print_event(event, seat);
		check_text(json + 1);
	}
}

static void check_printed(void **state)
{
	const struct printed_row *row = *state;
	struct event event = { .type = (uint8_t)row->type };

	for (const char *at = row->hex; *at; at += 2) {
		char digits[] = { at[0], at[1], '\0' };
		event_put_public(&event, (unsigned)strtoul(digits, NULL, 16));
	}
	begin();
	print_event(&event, 1);
	check_text(row->json);
}

static void check_family(void **state)
{
	const struct family_row *row = *state;

	begin();
	json_object(&out);
	famiglia_print_family(row->family, &out);
	json_object_end(&out);
	check_text(row->json);
}

/* --- what is no row ------------------------------------------------------- */

static void check_lobby(void **state)
{
	struct famiglia_view view;
	struct fam_play play;

	(void)state;
	fam_play_open(&play);
	fam_play_on(&play, "n");
	memset(&view, 0xa5, sizeof(view));
	famiglia_ruleset.view(&play.game, 1, &view);
	begin();
	json_object(&out);
	famiglia_ruleset.print_view(&view, &out);
	famiglia_ruleset.print_you(&view, &out);
	json_key(&out, "legal");
	json_array(&out);
	famiglia_ruleset.print_legal(&view, "/x", &out);
	json_array_end(&out);
	json_object_end(&out);
	check_text("{'table':null,'hand':[],'points':0,'legal':[]}");
	begin();
	assert_false(famiglia_ruleset.print_hand(&view, 2, &out));
}

/* The first event names the seat that begins, and the dealt street. */
static void check_started(void **state)
{
	const struct event *event;
	struct fam_play play;

	(void)state;
	fam_play_open(&play);
	fam_play_on(&play, "n j");
	assert_int_equal(play.events.count, 2);
	event = &play.events.list[1];
	assert_int_equal(event->type, EVENT_GAME_STARTED);
	assert_int_equal(event->seat, 0);
	assert_int_equal(event->public_len, 3 + STREET_FULL);
	assert_memory_equal(event->public_data,
	                    ((uint8_t[]){ 2, 1, STREET_FULL }), 3);
	assert_memory_equal(event->public_data + 3, play.game.street.gangsters,
	                    STREET_FULL);
}

static void check_types(void **state)
{
	(void)state;
	assert_null(ruleset_event(&famiglia_ruleset, EVENT_OF_RULESET - 1));
	assert_null(ruleset_event(&famiglia_ruleset, EVENT_FORFEITED + 1));
	assert_null(ruleset_event(&famiglia_ruleset, EVENT_PASSED)->sight);
}

static void check_ruleset(void **state)
{
	struct famiglia game = { .starter = 1 };

	(void)state;
	assert_string_equal(famiglia_ruleset.code, "famiglia");
	assert_int_equal(famiglia_ruleset.number, 2);
	assert_null(famiglia_ruleset.modes[0]);
	assert_null(famiglia_ruleset.standing(&game).mode);
	assert_int_equal(famiglia_ruleset.standing(&game).players, 0);
	assert_int_equal(famiglia_ruleset.standing(&game).status, STATUS_LOBBY);
}

int main(void)
{
	static struct rows rows;

	ROWS_ADD(&rows, view_rows, check_view);
	ROWS_ADD(&rows, you_rows, check_you);
	ROWS_ADD(&rows, hand_rows, check_hand);
	ROWS_ADD(&rows, legal_rows, check_legal);
	ROWS_ADD(&rows, happens_rows, check_happens);
	ROWS_ADD(&rows, printed_rows, check_printed);
	ROWS_ADD(&rows, family_rows, check_family);
	rows_add(&rows, "the lobby", check_lobby, NULL);
	rows_add(&rows, "the first event names the beginner and the street",
	         check_started, NULL);
	rows_add(&rows, "unknown types of events are not found", check_types,
	         NULL);
	rows_add(&rows, "the ruleset", check_ruleset, NULL);
	return rows_run("famiglia, view", &rows);
}
