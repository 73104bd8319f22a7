/*
 * test_closing.c - why a stream ends, as the event log and the invitation code
 * say it.  Rows are in closing.def.
 */
#include <string.h>

#include "base/arena.h"
#include "service/closing.h"
#include "table/event.h"

#include "rows.h"

enum { KNOWN_VERSION = 7 };

struct closing_row {
	const char *name;
	unsigned seat;
	bool is_lobby;
	bool same_code;
	const char *log;
	const char *reason; /* "none": no log is asked for */
};

static struct closing_row closing_rows[] = {
#define CLOSING_ROW(...) { __VA_ARGS__ },
#include "closing.def"
};

static uint8_t type_of(char letter)
{
	switch (letter) {
	case 'J':
		return EVENT_PLAYER_JOINED;
	case 'L':
		return EVENT_PLAYER_LEFT;
	case 'S':
		return EVENT_GAME_STARTED;
	case 'T':
		return EVENT_TOKEN_RENEWED;
	default:
		return EVENT_OF_RULESET;
	}
}

/* "S" has no seat. */
static size_t read_log(const char *log, struct store_event events[])
{
	size_t count = 0;

	while (*log) {
		struct store_event *event = &events[count++];

		event->type = type_of(*log++);
		if (event->type != EVENT_GAME_STARTED)
			event->seat = (uint8_t)(*log++ - '0');
	}
	return count;
}

static void check_closing(void **state)
{
	const struct closing_row *row = *state;
	struct store_event events[8] = { { .type = 0 } };
	struct http_request req = { .is_head = false };
	struct call call = { .req = &req };
	struct store_game game = { .invite_code = row->same_code ? "AAAAAAAA"
		                                                 : "BBBBBBBB" };
	struct store_page page;
	bool is_gone = strcmp(row->log, "gone") == 0;
	size_t count = is_gone ? 0 : read_log(row->log, events);

	call.stream.seat = row->seat;
	call.stream.version = KNOWN_VERSION;
	call.stream.is_lobby = row->is_lobby;
	memcpy(call.stream.code, "AAAAAAAA", sizeof(call.stream.code));
	game.version = KNOWN_VERSION + (uint32_t)count;
	call.game.loaded = is_gone ? NULL : &game;
	bool is_asked = closing_page(&call, &page);
	assert_int_equal(is_asked, strcmp(row->reason, "none") != 0);
	if (!is_asked)
		return;
	assert_int_equal(page.after, KNOWN_VERSION);
	assert_int_equal(page.up_to, game.version);
	closing_find(&call, events, count);
	arena_init(&req.arena);
	const char *event = closing_event(&call, call.stream.closing);
	assert_true(strcmp(row->reason, "null") == 0
	                    ? strstr(event, "{\"reason\":null}") != NULL
	                    : strstr(event, row->reason) != NULL);
	arena_fini(&req.arena);
}

/* A page of the log is all that is looked at. */
static void check_long_log(void **state)
{
	struct call call = { .req = NULL };
	struct store_game game = { .version = KNOWN_VERSION + STORE_PAGE_MAX };
	struct store_page page;

	(void)state;
	call.stream.seat = 1;
	call.stream.version = KNOWN_VERSION;
	call.game.loaded = &game;
	assert_true(closing_page(&call, &page));
	game.version++;
	assert_false(closing_page(&call, &page));
}

int main(void)
{
	static struct rows rows;

	ROWS_ADD(&rows, closing_rows, check_closing);
	rows_add(&rows, "a log longer than a page", check_long_log, NULL);
	return rows_run("closing", &rows);
}
