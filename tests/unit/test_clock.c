/*
 * test_clock.c - times as texts of RFC 3339, and clocks that do not go back.
 * Rows are in clock.def.
 */
#include "base/clock.h"

#include <string.h>
#include <time.h>

#include "rows.h"

struct prints_row {
	const char *name;
	int64_t micros;
	const char *text;
};

static struct prints_row prints_rows[] = {
#define PRINTS(...) { __VA_ARGS__ },
#include "clock.def"
};

static void check_prints(void **state)
{
	const struct prints_row *row = *state;
	char text[CLOCK_TEXT_LEN + 1];

	clock_print(row->micros, text);
	assert_int_equal(strlen(text), CLOCK_TEXT_LEN);
	assert_string_equal(text, row->text);
}

/* Both clocks measure a short sleep; the wall's day is the system's. */
static void check_clocks(void **state)
{
	const struct timespec pause = { .tv_nsec = 2000000 };
	uint64_t before = clock_monotonic_ns();
	int64_t wall = clock_wall_us();

	(void)state;
	assert_int_equal(nanosleep(&pause, NULL), 0);
	assert_true(clock_monotonic_ns() - before >= 2000000);
	assert_true(clock_wall_us() > wall);
	assert_in_range(wall / 1000000, time(NULL) - 5, time(NULL) + 5);
}

int main(void)
{
	static struct rows rows;

	ROWS_ADD(&rows, prints_rows, check_prints);
	rows_add(&rows, "the clocks do not go back", check_clocks, NULL);
	return rows_run("clock", &rows);
}
