/*
 * test_name.c - player names.  Each is shown as it was sent, or refused with
 * its fault; names that look the same are the same.  So are avatars, which are
 * never changed.  Rows are in name.def.
 */
#include "auth/name.h"

#include <string.h>

#include "rows.h"

struct reads_row {
	const char *name;
	const char *sent;
	enum name_fault fault;
	const char *shown;
};

static struct reads_row reads_rows[] = {
#define READS(name, sent, fault, shown) { name, sent, NAME_##fault, shown },
#include "name.def"
};

struct same_row {
	const char *name;
	const char *one;
	const char *another;
	bool same;
};

static struct same_row same_rows[] = {
#define SAME(...) { __VA_ARGS__ },
#include "name.def"
};

struct avatar_row {
	const char *name;
	const char *sent;
	enum name_fault fault;
};

static struct avatar_row avatar_rows[] = {
#define AVATAR(name, sent, fault) { name, sent, NAME_##fault },
#include "name.def"
};

static struct same_row stored_rows[] = {
#define STORED(...) { __VA_ARGS__ },
#include "name.def"
};

static void check_reads(void **state)
{
	const struct reads_row *row = *state;
	struct name name = { "before", "before" };
	struct arena arena;

	arena_init(&arena);
	assert_int_equal(name_parse(row->sent, &arena, &name), row->fault);
	assert_string_equal(name.text, row->shown ? row->shown : "before");
	arena_fini(&arena);
}

static void check_same(void **state)
{
	const struct same_row *row = *state;
	struct arena arena;
	struct name another;
	struct name one;

	arena_init(&arena);
	assert_int_equal(name_parse(row->one, &arena, &one), NAME_OK);
	assert_int_equal(name_parse(row->another, &arena, &another), NAME_OK);
	assert_int_equal(name_is_like(&another, one.text, &arena), row->same);
	assert_int_equal(name_is_like(&one, another.text, &arena), row->same);
	arena_fini(&arena);
}

static void check_stored(void **state)
{
	const struct same_row *row = *state;
	struct name another;
	struct arena arena;

	arena_init(&arena);
	assert_true(name_parse(row->one, &arena, &another) != NAME_OK);
	assert_int_equal(name_parse(row->another, &arena, &another), NAME_OK);
	assert_int_equal(name_is_like(&another, row->one, &arena), row->same);
	arena_fini(&arena);
}

static void check_avatar(void **state)
{
	const struct avatar_row *row = *state;

	assert_int_equal(name_check_avatar(row->sent), row->fault);
}

static void check_text(void **state)
{
	(void)state;
	assert_true(name_is_text((const uint8_t *)"", 0));
	assert_true(name_is_text((const uint8_t *)"J\xc3\xb6rg\n", 6));
	assert_false(name_is_text((const uint8_t *)"J\xc3", 2));
	assert_false(name_is_text((const uint8_t *)"\xed\xa0\x80", 3));
	assert_false(name_is_text((const uint8_t *)"a\0b", 3));
}

/* Each fault has a code and a sentence for the client. */
static void check_faults(void **state)
{
	(void)state;
	for (int i = NAME_OK + 1; i <= NAME_SCRIPTS; i++) {
		const char *code = name_fault_code((enum name_fault)i);
		const char *detail = name_fault_detail((enum name_fault)i);

		assert_true(strlen(code) > 0);
		assert_true(strlen(detail) > 0);
		for (int j = NAME_OK + 1; j < i; j++)
			assert_string_not_equal(
				code, name_fault_code((enum name_fault)j));
	}
}

int main(void)
{
	static struct rows rows;

	ROWS_ADD(&rows, reads_rows, check_reads);
	ROWS_ADD(&rows, same_rows, check_same);
	ROWS_ADD(&rows, stored_rows, check_stored);
	ROWS_ADD(&rows, avatar_rows, check_avatar);
	rows_add(&rows, "bytes that are a text", check_text, NULL);
	rows_add(&rows, "each fault has its own code", check_faults, NULL);
	return rows_run("name", &rows);
}
