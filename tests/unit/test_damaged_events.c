/*
 * test_damaged_events.c - pages and streams of events whose rows in the
 * database are damaged: bytes that no rules have written, numbers that no game
 * has.  The answer is the page, with the readable part of such a row, or a
 * refusal; nothing is written past a buffer (the sanitizers say so).
 */
#include "games/famiglia/famiglia_ruleset.h"
#include "games/gang/gang_ruleset.h"
#include "service/call.h"
#include "service/events.h"
#include "service/handler.h"

#include <stdlib.h>
#include <string.h>

#include "rows.h"

enum { PAGE_ROWS = 20, PART_MAX = 200, LONG_MAX = 1020, RANDOM_PAGES = 400 };

static const struct ruleset *const rulesets[] = { &gang_ruleset,
	                                          &famiglia_ruleset };

/* A game and a page of its log, as the store hands them over. */
struct page {
	struct http_request req;
	struct call call;
	struct store_game game;
	struct store_event events[STORE_PAGE_MAX];
	uint8_t public_data[STORE_PAGE_MAX][LONG_MAX];
	uint8_t private_data[STORE_PAGE_MAX][PART_MAX];
};

static struct page *page_open(const struct ruleset *rules)
{
	const struct options options = { .bytes[0] = rules->modes[0] ? 1 : 0 };
	struct page *page = calloc(1, sizeof(*page));

	assert_non_null(page);
	arena_init(&page->req.arena);
	page->call.req = &page->req;
	page->call.game.loaded = &page->game;
	page->call.game.table.rules = rules;
	page->call.game.table.state =
		arena_zalloc(&page->req.arena, rules->state_size);
	page->call.game.table.version = INT32_MAX;
	page->call.page.events = page->events;
	page->call.caller.seat = 1;
	page->call.wanted.page.limit = STORE_PAGE_MAX;
	assert_true(rules->init(page->call.game.table.state, &options));
	return page;
}

static void page_close(struct page *page)
{
	arena_fini(&page->req.arena);
	free(page);
}

static void add(struct page *page, struct store_event event, const void *open,
                const void *secret)
{
	size_t at = page->call.page.count++;

	assert_true(at < STORE_PAGE_MAX);
	event.version = (uint32_t)(INT32_MAX - STORE_PAGE_MAX + at);
	memcpy(page->public_data[at], open, event.public_len);
	memcpy(page->private_data[at], secret, event.private_len);
	event.public_data = page->public_data[at];
	event.private_data = page->private_data[at];
	page->events[at] = event;
}

/*
 * A player changes a name of quotation marks alone, each of which JSON escapes:
 * a little longer than the longest event, or some bytes shorter.
 */
static void add_long(struct page *page, unsigned fewer)
{
	char names[LONG_MAX];
	size_t len = LONG_MAX - fewer;

	memset(names, '"', len);
	names[len / 3] = '\n'; /* the avatar follows */
	names[len / 2] = '\n'; /* the old name follows */
	add(page,
	    (struct store_event){ .type = EVENT_PLAYER_CHANGED,
	                          .seat = 255,
	                          .public_len = len },
	    names, "");
}

static void check_stream(struct page *page)
{
	size_t len = 0;
	const char *text = events_encode_stream(&page->call, &len);
	size_t blocks = 0;

	if (!text)
		return;
	for (size_t i = 0; i + 1 < len; i++)
		blocks += text[i] == '\n' && text[i + 1] == '\n';
	assert_int_equal(blocks, page->call.page.count);
	assert_memory_equal(text, "id: ", page->call.page.count ? 4 : 0);
}

static void check_page(struct page *page)
{
	const struct http_reply *reply = &page->req.reply;

	if (encode_events(&page->call) != ERR_OK)
		return;
	assert_int_equal(reply->status, 200);
	assert_true(reply->body_len > 2);
	assert_int_equal(reply->body[reply->body_len - 1], '}');
}

/* --- rows that are as long as can be -------------------------------------- */

static void check_refused(struct page *page)
{
	size_t len = 0;
	const char *text = events_encode_stream(&page->call, &len);

	assert_null(text);
	assert_int_equal(encode_events(&page->call), ERR_INTERNAL);
	page_close(page);
}

/*
 * Together they are longer than the room for all, so the last that fits ends
 * somewhere near the end of it: wherever that is, for some number of rows and
 * some lengths.
 */
static void long_rows_do_not_fill_the_room_of_others(void **state)
{
	static const size_t counts[] = { 1, 16, 17, 18, 20, 33, 40, 90 };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(counts); i++) {
		for (unsigned fewer = 0; fewer < 60; fewer++) {
			struct page *page = page_open(&famiglia_ruleset);

			for (size_t row = 0; row < counts[i]; row++)
				add_long(page, row % 7 < 3 ? fewer : 0);
			add_long(page, 0);
			check_refused(page);
		}
	}
}

/* Good rows before and after it do not make room for one that is too long. */
static void a_row_is_bounded_by_itself(void **state)
{
	struct store_event joined = { .type = 1, .seat = 1 };
	struct page *page = page_open(&famiglia_ruleset);

	(void)state;
	for (size_t i = 0; i < 100; i++)
		add(page, joined, "", "");
	check_stream(page);
	assert_int_equal(encode_events(&page->call), ERR_OK);
	add_long(page, 0);
	for (size_t i = 0; i < 100; i++)
		add(page, joined, "", "");
	check_refused(page);
}

/* --- rows of garbage ------------------------------------------------------ */

static const struct damage {
	const char *name;
	struct store_event event;
	bool is_refused;
} damages[] = {
	{ "a part longer than any event's",
	  { .type = 35, .seat = 1, .public_len = 97 },
	  true },
	{ "a secret longer than any event's",
	  { .type = 33, .seat = 1, .private_len = 33 },
	  true },
	{ "both as long as can be stored here",
	  { .type = 33, .public_len = PART_MAX, .private_len = PART_MAX },
	  true },
	{ "a type that nobody knows", { .type = 255 }, true },
	{ "no type", { .type = 0 }, true },
	{ "numbers that no game has",
	  { .type = 33, .seat = 255, .part = 255, .subpart = 255 },
	  false },
	{ "the last moment that can be told",
	  { .type = 1, .at_us = INT64_C(253402300799999999) },
	  false },
};

static void check_damage(const struct damage *damage,
                         const struct ruleset *rules)
{
	static const uint8_t ones[PART_MAX] = { 1, 1, 1, 1 };
	struct page *page = page_open(rules);
	size_t len = 0;

	add(page, damage->event, ones, ones);
	bool is_told = events_encode_stream(&page->call, &len) != NULL;
	if (is_told == damage->is_refused)
		fail_msg("%s", damage->name);
	assert_int_equal(encode_events(&page->call),
	                 is_told ? ERR_OK : ERR_INTERNAL);
	page_close(page);
}

static void damaged_rows_are_printed_or_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(damages); i++) {
		for (size_t r = 0; r < ARRAY_LEN(rulesets); r++)
			check_damage(&damages[i], rulesets[r]);
	}
}

static uint32_t next_random(uint32_t *random)
{
	*random = *random * 1664525 + 1013904223;
	return *random >> 16;
}

static void add_random(struct page *page, uint32_t *random)
{
	uint8_t public_data[96];
	uint8_t private_data[32];

	for (size_t i = 0; i < sizeof(public_data); i++)
		public_data[i] = (uint8_t)next_random(random);
	for (size_t i = 0; i < sizeof(private_data); i++)
		private_data[i] = (uint8_t)next_random(random);
	/* Small counts and flags at the front reach further. */
	for (size_t i = 0; i < 4; i++)
		public_data[i] = (uint8_t)(next_random(random) % 4);
	add(page,
	    (struct store_event){
		    .type = (uint8_t)(32 + next_random(random) % 20),
		    .seat = (uint8_t)next_random(random),
		    .subpart = (uint8_t)(next_random(random) % 6),
		    .public_len = next_random(random) % 97,
		    .private_len = next_random(random) % 33,
	    },
	    public_data, private_data);
}

static void random_bytes_break_nothing(void **state)
{
	uint32_t random = 12;

	(void)state;
	for (size_t i = 0; i < RANDOM_PAGES; i++) {
		struct page *page = page_open(rulesets[i % 2]);

		for (size_t row = 0; row < i % PAGE_ROWS; row++)
			add_random(page, &random);
		check_stream(page);
		check_page(page);
		page_close(page);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(long_rows_do_not_fill_the_room_of_others),
		cmocka_unit_test(a_row_is_bounded_by_itself),
		cmocka_unit_test(damaged_rows_are_printed_or_refused),
		cmocka_unit_test(random_bytes_break_nothing),
	};

	return cmocka_run_group_tests_name("damaged events", tests, NULL, NULL);
}
