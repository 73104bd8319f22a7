/*
 * test_roster.c - which player each event of a log names.  The rows are in
 * roster.def.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "operator/roster.h"
#include "rows.h"
#include "table/event.h"

struct row {
	const char *name;
	const char *log;
	const char *names;
	const char *seats;
	const char *rematch;
};

static struct row table[] = {
#define OCCUPANTS(...) { __VA_ARGS__ },
#include "roster.def"
#undef OCCUPANTS
};
static struct rows rows;

enum { NUMBERS_MAX = 16 };

/* Numbers with blanks between; zeros follow. */
static void read_numbers(const char *text, unsigned numbers[NUMBERS_MAX])
{
	unsigned count = 0;

	memset(numbers, 0, NUMBERS_MAX * sizeof(*numbers));
	while (*text) {
		char *end;

		assert_true(count < NUMBERS_MAX);
		numbers[count++] = (unsigned)strtoul(text, &end, 10);
		text = *end ? end + 1 : end;
	}
}

static struct store_event event_of(const char *word)
{
	static const struct {
		char letter;
		uint8_t type;
	} types[] = {
		{ 'j', EVENT_PLAYER_JOINED },   { 'l', EVENT_PLAYER_LEFT },
		{ 'c', EVENT_PLAYER_CHANGED },  { 'h', EVENT_HOST_CHANGED },
		{ 't', EVENT_TOKEN_RENEWED },   { 's', EVENT_GAME_STARTED },
		{ 'r', EVENT_REMATCH_CREATED },
	};
	struct store_event event = { .seat = 0 };

	if (word[1])
		event.seat = (uint8_t)(word[1] - '0');
	for (size_t i = 0; i < ARRAY_LEN(types); i++) {
		if (types[i].letter == *word)
			event.type = types[i].type;
	}
	assert_int_not_equal(event.type, 0);
	return event;
}

static void check_seats(const unsigned *seats, const char *expected)
{
	unsigned numbers[NUMBERS_MAX];

	read_numbers(expected, numbers);
	for (unsigned i = 0; i < STORE_SEATS_MAX; i++)
		assert_int_equal(seats[i], numbers[i]);
}

static void check_row(void **state)
{
	const struct row *row = *state;
	struct roster roster;
	unsigned names[NUMBERS_MAX];
	unsigned count = 0;
	char words[64];
	char *rest;

	read_numbers(row->names, names);
	roster_init(&roster);
	(void)snprintf(words, sizeof(words), "%s", row->log);
	for (char *word = strtok_r(words, " ", &rest); word;
	     word = strtok_r(NULL, " ", &rest)) {
		struct store_event event = event_of(word);

		assert_true(count < NUMBERS_MAX);
		assert_int_equal(roster_read(&roster, &event), names[count++]);
	}
	check_seats(roster.seats, row->seats);
	check_seats(roster.rematch, row->rematch);
}

int main(void)
{
	ROWS_ADD(&rows, table, check_row);
	return rows_run("roster", &rows);
}
