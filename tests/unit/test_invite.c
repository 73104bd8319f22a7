/*
 * test_invite.c - invitation codes as players type them.  Rows are in
 * invite.def.
 */
#include "auth/invite.h"

#include <string.h>

#include "rows.h"

struct reads_row {
	const char *name;
	const char *typed;
	const char *code;
};

static struct reads_row reads_rows[] = {
#define READS(...) { __VA_ARGS__ },
#include "invite.def"
};

static void check_reads(void **state)
{
	const struct reads_row *row = *state;
	char code[INVITE_LEN + 1] = "before";

	bool read = invite_parse(row->typed, strlen(row->typed), code);
	assert_int_equal(read, row->code != NULL);
	assert_string_equal(code, row->code ? row->code : "before");
}

static void check_draw(void **state)
{
	char code[INVITE_LEN + 1];
	char again[INVITE_LEN + 1];
	unsigned seen[256] = { 0 };
	unsigned kinds = 0;

	(void)state;
	for (unsigned i = 0; i < 1000; i++) {
		assert_true(invite_draw(code));
		assert_true(invite_parse(code, strlen(code), again));
		assert_string_equal(code, again);
		for (const char *at = code; *at; at++)
			seen[(unsigned char)*at]++;
	}
	/* 8000 characters of 32 kinds: each some 250 times. */
	for (unsigned c = 0; c < 256; c++) {
		if (!seen[c])
			continue;
		kinds++;
		assert_in_range(seen[c], 150, 350);
	}
	assert_int_equal(kinds, 32);
}

int main(void)
{
	static struct rows rows;

	ROWS_ADD(&rows, reads_rows, check_reads);
	rows_add(&rows, "drawn codes use all characters", check_draw, NULL);
	return rows_run("invite", &rows);
}
