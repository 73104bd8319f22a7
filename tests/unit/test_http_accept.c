/*
 * test_http_accept.c - the language that a client gets, and whether it gets
 * gzip.
 */
#include "http/accept.h"

#include "rows.h"

#define TEN(text) text text text text text text text text text text

struct asks_row {
	const char *name;
	const char *field;
	const char *chosen;
};

struct gzip_row {
	const char *name;
	const char *field;
	bool accepted;
};

static struct asks_row asks_rows[] = {
#define GZIP(...)
#define ASKS(...) { __VA_ARGS__ },
#include "test_http_accept.def"
};

static struct gzip_row gzip_rows[] = {
#define ASKS(...)
#define GZIP(...) { __VA_ARGS__ },
#include "test_http_accept.def"
};

static void check_asks(void **state)
{
	static const char *const languages[] = { "en", "de", "fr", "ru" };
	const struct asks_row *row = *state;
	size_t chosen =
		accept_language(row->field, languages, ARRAY_LEN(languages));

	assert_in_range(chosen, 0, ARRAY_LEN(languages) - 1);
	assert_string_equal(languages[chosen], row->chosen);
}

static void check_gzip(void **state)
{
	const struct gzip_row *row = *state;

	assert_int_equal(accept_gzip(row->field), row->accepted);
}

int main(void)
{
	static struct rows rows;

	ROWS_ADD(&rows, asks_rows, check_asks);
	ROWS_ADD(&rows, gzip_rows, check_gzip);
	return rows_run("http accept", &rows);
}
