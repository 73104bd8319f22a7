/*
 * test_ticket.c - the tickets by which a browser opens a stream, as texts and
 * as hashes.
 */
#include "auth/ticket.h"

#include <string.h>

#include <sodium.h>

#include "rows.h"

/* One character of each end of the alphabet's three parts. */
static const char some[TICKET_LEN + 1] = "09AZazAAAAAAAAAAAAAAAA";

static void check_read(void **state)
{
	struct ticket ticket;
	uint8_t hash[TICKET_HASH_SIZE];

	(void)state;
	assert_true(ticket_parse(some, TICKET_LEN, &ticket));
	assert_string_equal(ticket.text, some);
	(void)crypto_generichash(hash, sizeof(hash), (const uint8_t *)some,
	                         TICKET_LEN, NULL, 0);
	assert_memory_equal(ticket.hash, hash, sizeof(hash));
}

static void check_length(void **state)
{
	char text[2 * TICKET_LEN + 1];
	struct ticket ticket;

	(void)state;
	memset(text, 'a', sizeof(text));
	text[2 * TICKET_LEN] = '\0';
	for (size_t len = 0; len <= 2 * TICKET_LEN; len++) {
		const char *end = text + 2 * TICKET_LEN - len;

		assert_int_equal(ticket_parse(end, len, &ticket),
		                 len == TICKET_LEN);
	}
}

/* Every byte in every place: 62 of them can stand there. */
static void check_characters(void **state)
{
	(void)state;
	for (size_t at = 0; at < TICKET_LEN; at++) {
		unsigned count = 0;

		for (unsigned byte = 0; byte < 256; byte++) {
			char text[TICKET_LEN + 1];
			struct ticket ticket;

			memcpy(text, some, sizeof(text));
			text[at] = (char)byte;
			count += ticket_parse(text, TICKET_LEN, &ticket);
		}
		assert_int_equal(count, 62);
	}
}

static void check_draw(void **state)
{
	unsigned seen[256] = { 0 };
	char before[TICKET_LEN + 1] = "";
	unsigned kinds = 0;

	(void)state;
	for (unsigned i = 0; i < 2000; i++) {
		struct ticket drawn;
		struct ticket read;

		assert_true(ticket_draw(&drawn));
		assert_string_not_equal(drawn.text, before);
		memcpy(before, drawn.text, sizeof(before));
		assert_true(
			ticket_parse(drawn.text, strlen(drawn.text), &read));
		assert_memory_equal(drawn.hash, read.hash, sizeof(read.hash));
		for (const char *at = drawn.text; *at; at++)
			seen[(unsigned char)*at]++;
	}
	/* 44,000 characters of 62 kinds: each some 710 times. */
	for (unsigned c = 0; c < 256; c++) {
		if (!seen[c])
			continue;
		kinds++;
		assert_in_range(seen[c], 550, 870);
	}
	assert_int_equal(kinds, 62);
}

int main(void)
{
	static struct rows rows;

	rows_add(&rows, "a ticket is read", check_read, NULL);
	rows_add(&rows, "a ticket of another length is refused", check_length,
	         NULL);
	rows_add(&rows, "a ticket has only the 62 characters", check_characters,
	         NULL);
	rows_add(&rows, "tickets use all characters alike", check_draw, NULL);
	return rows_run("ticket", &rows);
}
