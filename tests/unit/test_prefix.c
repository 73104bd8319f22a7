/*
 * test_prefix.c - below which path a proxy says that it serves the service.
 * Rows are in prefix.def.
 */
#include "http/prefix.h"

#include "rows.h"

struct prefix_row {
	const char *name;
	const char *field;
	const char *prefix;
};

#define PREFIX(...) { __VA_ARGS__ },
static struct prefix_row prefix_rows[] = {
#include "prefix.def"
};

static void check_prefix(void **state)
{
	const struct prefix_row *row = *state;
	struct arena arena;

	arena_init(&arena);
	assert_string_equal(prefix_read(&arena, row->field), row->prefix);
	arena_fini(&arena);
}

int main(void)
{
	static struct rows rows;

	ROWS_ADD(&rows, prefix_rows, check_prefix);
	return rows_run("prefix", &rows);
}
