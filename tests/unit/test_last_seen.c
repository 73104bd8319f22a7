/*
 * test_last_seen.c - the players whose requests are noted for last_seen.
 *
 * The clock and the store are the test's own.
 */
#include "loop/last_seen.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "rows.h"

static const uint64_t ns_per_s = 1000000000;

/* --- a clock, and a store that notes -------------------------------------- */

static uint64_t now_s;
static const uint32_t absence_s = 120; /* the least */
static enum store_result noting = STORE_OK;

static struct {
	size_t count;
	struct store_caller heard[STORE_LAST_SEEN_MAX];
} noted;

uint64_t clock_monotonic_ns(void)
{
	return (now_s + 5) * ns_per_s;
}

int64_t clock_wall_us(void)
{
	return (int64_t)now_s * 1000000;
}

void clock_print(int64_t wall_us, char text[CLOCK_TEXT_LEN + 1])
{
	(void)wall_us;
	memset(text, '0', CLOCK_TEXT_LEN);
	text[CLOCK_TEXT_LEN] = '\0';
}

void store_update_last_seen(struct store *store,
                            const struct store_caller *heard, size_t count,
                            store_fn done, void *arg)
{
	(void)store;
	assert_in_range(count, 1, STORE_LAST_SEEN_MAX);
	noted.count = count;
	memcpy(noted.heard, heard, count * sizeof(*heard));
	done(arg, &(struct store_answer){ .result = noting });
}

/* --- rows ----------------------------------------------------------------- */

struct hears_row {
	const char *name;
	const char *script;
	const char *notes;
};

static struct hears_row hears_rows[] = {
#define HEARS(...) { __VA_ARGS__ },
#include "last_seen.def"
};

/* A small letter and its capital have the same token, in two games. */
static struct store_caller player(char letter)
{
	struct store_caller player = { .version = 0 };

	memset(&player.game, letter, sizeof(player.game));
	memset(player.token_hash, ~(letter | 0x20) * 5,
	       sizeof(player.token_hash));
	return player;
}

static void hear(struct last_seen *presence, char letter)
{
	struct store_caller who = player(letter);

	bool is_checked =
		last_seen_is_checked(presence, who.game, who.token_hash);
	last_seen_note(presence, &who);
	if (!is_checked)
		last_seen_note_check(presence, who.game, who.token_hash,
		                     absence_s);
	assert_true(last_seen_is_checked(presence, who.game, who.token_hash));
}

static char is_noted(const struct last_seen *presence, char letter)
{
	struct store_caller who = player(letter);

	return last_seen_is_checked(presence, who.game, who.token_hash) ? '='
	                                                                : '/';
}

static size_t flush(struct last_seen *presence, char *text)
{
	noted.count = 0;
	last_seen_flush(presence, NULL);
	for (size_t i = 0; i < noted.count; i++) {
		struct store_caller *heard = &noted.heard[i];
		char letter = (char)heard->game.bytes[0];
		struct store_caller should = player(letter);

		assert_memory_equal(heard, &should, sizeof(should));
		text[i] = letter;
	}
	if (noted.count)
		return noted.count;
	*text = '-';
	return 1;
}

static void check_hears(void **state)
{
	const struct hears_row *row = *state;
	struct last_seen *presence = last_seen_open();
	char notes[64] = "";
	size_t len = 0;

	now_s = 1000000;
	noting = STORE_OK;
	for (const char *at = row->script; *at; at++) {
		char *end;

		if (*at == '+') {
			now_s += strtoull(at + 1, &end, 10);
			at = end - 1;
		} else if (*at == '!') {
			if (len)
				notes[len++] = ' ';
			len += flush(presence, notes + len);
		} else if (*at == '?') {
			noting = noting == STORE_OK ? STORE_UNAVAILABLE
			                            : STORE_OK;
		} else if (*at == '=') {
			notes[len++] = is_noted(presence, *++at);
		} else if (*at != ' ') {
			hear(presence, *at);
		}
	}
	last_seen_close(presence);
	assert_string_equal(notes, row->notes);
}

/* --- more than one note can hold ------------------------------------------ */

/* The number is in the bytes of the hash that choose a place. */
static void hear_number(struct last_seen *presence, uint32_t number)
{
	struct store_caller who = { .version = 0 };

	memcpy(who.token_hash, &number, sizeof(number));
	last_seen_note(presence, &who);
}

static void check_full(void **state)
{
	struct last_seen *presence = last_seen_open();
	uint32_t more = STORE_LAST_SEEN_MAX + 10;

	(void)state;
	now_s = 1000000;
	for (uint32_t i = 1; i <= more; i++)
		hear_number(presence, i);
	now_s++;
	last_seen_flush(presence, NULL);
	assert_int_equal(noted.count, STORE_LAST_SEEN_MAX);
	/* Only players who found no room are noted with their next request. */
	for (uint32_t i = 1; i <= more; i++)
		hear_number(presence, i);
	now_s++;
	last_seen_flush(presence, NULL);
	assert_int_equal(noted.count, 10);
	last_seen_close(presence);
}

/* Twice as many players as the table has places: all are noted. */
static void check_places(void **state)
{
	struct last_seen *presence = last_seen_open();

	(void)state;
	now_s = 1000000;
	for (uint32_t i = 1; i <= 1 << 15; i++) {
		hear_number(presence, i);
		if (i % STORE_LAST_SEEN_MAX)
			continue;
		last_seen_flush(presence, NULL);
		assert_int_equal(noted.count, STORE_LAST_SEEN_MAX);
	}
	last_seen_close(presence);
}

/* A newer version is noted at once, and again until it is recorded. */
static void check_versions(void **state)
{
	static const struct {
		uint32_t versions[3]; /* that are noted; 0 at the end */
		uint32_t recorded;    /* 0: nothing is */
	} each[] = {
		{ { 0 }, 0 },    { { 5 }, 5 },         { { 5, 4 }, 0 },
		{ { 6, 8 }, 8 }, { { 9, 7, 10 }, 10 }, { { 10, 1 }, 0 },
	};
	struct last_seen *presence = last_seen_open();
	struct store_caller who = player('a');

	(void)state;
	now_s = 1000000;
	noting = STORE_OK;
	hear(presence, 'a');
	now_s += 2;
	last_seen_flush(presence, NULL);
	for (size_t i = 0; i < sizeof(each) / sizeof(*each); i++) {
		noted.count = 0;
		for (size_t j = 0; j < 3 && each[i].versions[j]; j++) {
			who.version = each[i].versions[j];
			last_seen_note(presence, &who);
		}
		now_s += 1;
		last_seen_flush(presence, NULL);
		assert_int_equal(noted.count, each[i].recorded != 0);
		if (noted.count)
			assert_int_equal(noted.heard[0].version,
			                 each[i].recorded);
	}
	last_seen_close(presence);
}

/* A look counts until 40 s are left of half of the absence. */
static void check_looks(void **state)
{
	static const struct {
		uint32_t absence_s;
		uint64_t counts_s; /* in steps of ten seconds */
	} each[] = {
		{ 120, 20 },   { 139, 20 },     { 140, 30 }, { 600, 260 },
		{ 1280, 600 }, { 604800, 600 }, { 0, 600 },
	};
	struct last_seen *presence = last_seen_open();
	struct store_caller who = player('a');

	(void)state;
	for (size_t i = 0; i < sizeof(each) / sizeof(*each); i++) {
		now_s = 1000000 + 10000 * i;
		last_seen_note(presence, &who);
		last_seen_note_check(presence, who.game, who.token_hash,
		                     each[i].absence_s);
		now_s += each[i].counts_s - 1;
		assert_int_equal(is_noted(presence, 'a'), '=');
		now_s++;
		assert_int_equal(is_noted(presence, 'a'), '/');
		last_seen_note_failure(presence, who.game, who.token_hash);
		now_s += 9;
		assert_int_equal(is_noted(presence, 'a'), '=');
		now_s++;
		assert_int_equal(is_noted(presence, 'a'), '/');
	}
	/* The API allows no such game. */
	last_seen_note_check(presence, who.game, who.token_hash, 60);
	assert_int_equal(is_noted(presence, 'a'), '/');
	last_seen_close(presence);
}

/* As the players of games that were made one after the other. */
static void check_neighbours(void **state)
{
	struct last_seen *presence = last_seen_open();
	struct store_caller who = { .token_hash = { 7 } };
	unsigned noted_count = 0;

	(void)state;
	now_s = 1000000;
	for (unsigned i = 0; i < STORE_LAST_SEEN_MAX; i++) {
		who.game.bytes[14] = (uint8_t)(i >> 8);
		who.game.bytes[15] = (uint8_t)i;
		last_seen_note(presence, &who);
		last_seen_note_check(presence, who.game, who.token_hash,
		                     absence_s);
	}
	for (unsigned i = 0; i < STORE_LAST_SEEN_MAX; i++) {
		who.game.bytes[14] = (uint8_t)(i >> 8);
		who.game.bytes[15] = (uint8_t)i;
		noted_count += last_seen_is_checked(presence, who.game,
		                                    who.token_hash);
	}
	assert_in_range(noted_count, STORE_LAST_SEEN_MAX * 9 / 10,
	                STORE_LAST_SEEN_MAX);
	last_seen_close(presence);
}

static void check_timeout(void **state)
{
	struct last_seen *presence = last_seen_open();

	(void)state;
	now_s = 1000000;
	assert_true(last_seen_due_ns(presence) == UINT64_MAX);
	hear(presence, 'a');
	assert_true(last_seen_due_ns(presence) ==
	            clock_monotonic_ns() + ns_per_s);
	hear(presence, 'b');
	now_s += 5;
	assert_true(last_seen_due_ns(presence) < clock_monotonic_ns());
	last_seen_flush(presence, NULL);
	assert_true(last_seen_due_ns(presence) == UINT64_MAX);
	last_seen_close(presence);
	last_seen_close(NULL);
}

int main(void)
{
	static struct rows rows;

	ROWS_ADD(&rows, hears_rows, check_hears);
	rows_add(&rows, "players beyond a full note come with the next",
	         check_full, NULL);
	rows_add(&rows, "players in one place are all noted", check_places,
	         NULL);
	rows_add(&rows,
	         "players of neighbouring games have places of their own",
	         check_neighbours, NULL);
	rows_add(&rows, "a look counts for as long as absences allow",
	         check_looks, NULL);
	rows_add(&rows, "a newer version is noted once more", check_versions,
	         NULL);
	rows_add(&rows, "a note is due after a second", check_timeout, NULL);
	return rows_run("last_seen", &rows);
}
