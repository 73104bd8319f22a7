/*
 * test_http_prefer.c - how long a client would wait.
 */
#include "http/prefer.h"

#include "rows.h"

struct wait_row {
	const char *name;
	const char *field;
	unsigned seconds;
};

static struct wait_row wait_rows[] = {
#define WAIT(...) { __VA_ARGS__ },
#include "test_http_prefer.def"
};

static void check_wait(void **state)
{
	const struct wait_row *row = *state;

	assert_int_equal(prefer_wait(row->field), row->seconds);
}

int main(void)
{
	static struct rows rows;

	ROWS_ADD(&rows, wait_rows, check_wait);
	return rows_run("http prefer", &rows);
}
