/*
 * test_http_language.c - the language that a reader gets.
 */
#include "http/language.h"

#include "rows.h"

#define TEN(text) text text text text text text text text text text

struct asks_row {
	const char *name;
	const char *field;
	const char *chosen;
};

static struct asks_row asks_rows[] = {
#define ASKS(...) { __VA_ARGS__ },
#include "test_http_language.def"
};

static void check_asks(void **state)
{
	static const char *const languages[] = { "en", "de", "fr", "ru" };
	const struct asks_row *row = *state;
	size_t chosen =
		language_choose(row->field, languages, ARRAY_LEN(languages));

	assert_in_range(chosen, 0, ARRAY_LEN(languages) - 1);
	assert_string_equal(languages[chosen], row->chosen);
}

int main(void)
{
	static struct rows rows;

	ROWS_ADD(&rows, asks_rows, check_asks);
	return rows_run("http language", &rows);
}
