/*
 * test_shared_views.c - readers of one game, version and seat get one text
 * within a tick of the loop, and a new one in the next: a name may have been
 * erased, which changes no version.
 */
#include "games/gang/gang_ruleset.h"
#include "service/call.h"
#include "service/games.h"
#include "service/handler.h"

#include <stdlib.h>
#include <string.h>

#include "rows.h"

struct reader {
	struct http_request req;
	struct call call;
	struct store_game game;
};

static void reader_open(struct reader *reader, const char *etag,
                        const char *name)
{
	const struct options options = { .bytes[0] = 1 };
	struct table *table = &reader->call.game.table;

	*reader = (struct reader){ .game = { .mode = "basic" } };
	arena_init(&reader->req.arena);
	reader->call.req = &reader->req;
	reader->call.game.loaded = &reader->game;
	reader->game.seats[0].name = name;
	memcpy(reader->call.game.etag, etag, strlen(etag) + 1);
	table->rules = &gang_ruleset;
	table->state =
		arena_zalloc(&reader->req.arena, gang_ruleset.state_size);
	table->seats = 1;
	table->seats_max = 6;
	table->host = 1;
	table->version = 1;
	assert_true(gang_ruleset.init(table->state, &options));
}

/* Does the view that a spectator gets have this name? */
static bool sees(const char *etag, const char *present, const char *name)
{
	struct reader reader;

	reader_open(&reader, etag, present);
	assert_int_equal(encode_view(&reader.call), ERR_OK);
	const struct http_reply *reply = &reader.req.reply;
	assert_int_equal(reply->status, 200);
	assert_non_null(reply->body);
	char *text = strndup(reply->body, reply->body_len);
	assert_non_null(text);
	assert_int_equal(text[reply->body_len - 1], '}');
	bool found = strstr(text, name) != NULL;
	free(text);
	arena_fini(&reader.req.arena);
	return found;
}

static void check_shared_within_a_tick(void **state)
{
	(void)state;
	games_forget_views();
	assert_true(sees("\"1\"", "Ada", "Ada"));
	assert_true(sees("\"1\"", "erased", "Ada"));
}

static void check_next_tick(void **state)
{
	(void)state;
	games_forget_views();
	assert_true(sees("\"1\"", "Ada", "Ada"));
	games_forget_views();
	assert_true(sees("\"1\"", "erased", "erased"));
}

static void check_another_tag(void **state)
{
	(void)state;
	games_forget_views();
	assert_true(sees("\"1\"", "Ada", "Ada"));
	assert_true(sees("\"2\"", "Bob", "Bob"));
	assert_true(sees("\"1\"", "Ada", "Ada"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(check_shared_within_a_tick),
		cmocka_unit_test(check_next_tick),
		cmocka_unit_test(check_another_tag),
	};

	return cmocka_run_group_tests_name("shared views", tests, NULL, NULL);
}
