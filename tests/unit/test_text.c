/*
 * test_text.c - text is appended within bounds.  A piece that does not fit is
 * dropped whole, and nothing is written behind the buffer.
 */
#include "base/text.h"

#include <string.h>

#include "rows.h"

enum { SIZE = 8 };

/* A buffer with a byte behind it that nothing may touch. */
struct bounded {
	char bytes[SIZE];
	char behind;
};

static void check(const struct bounded *buffer, const struct text *text,
                  const char *is, bool fits)
{
	assert_string_equal(buffer->bytes, is);
	assert_int_equal(text->len, strlen(is));
	assert_int_equal(text_fits(text), fits);
	assert_int_equal(buffer->behind, 'x');
}

static void append_stops_when_full(void **state)
{
	struct bounded buffer = { .behind = 'x' };
	struct text text;

	(void)state;
	text_init(&text, buffer.bytes, SIZE);
	check(&buffer, &text, "", true);
	text_printf(&text, "%s-%d", "ab", 1);
	check(&buffer, &text, "ab-1", true);
	text_put(&text, "cde", 3);
	check(&buffer, &text, "ab-1cde", true);
	text_put(&text, "", 0);
	text_printf(&text, "%s", "");
	check(&buffer, &text, "ab-1cde", true);
	text_printf(&text, "%s", "f");
	check(&buffer, &text, "ab-1cde", false);
}

static void drops_whole_what_does_not_fit(void **state)
{
	struct bounded buffer = { .behind = 'x' };
	struct text text;

	(void)state;
	text_init(&text, buffer.bytes, SIZE);
	text_put(&text, "abc", 3);
	text_printf(&text, "%s", "12345");
	check(&buffer, &text, "abc", false);
	text_put(&text, "12345", 5);
	check(&buffer, &text, "abc", false);
	/* Later text that fits is appended, but the text stays marked. */
	text_put(&text, "d", 1);
	check(&buffer, &text, "abcd", false);
}

/* An offset that has passed the end would make the rest of the size huge. */
static void stays_within_bounds_however_much_is_appended(void **state)
{
	struct bounded buffer = { .behind = 'x' };
	struct text text;

	(void)state;
	text_init(&text, buffer.bytes, SIZE);
	for (int i = 0; i < 1000; i++)
		text_printf(&text, "%d\n\n", i);
	assert_true(text.len < SIZE);
	check(&buffer, &text, "0\n\n1\n\n", false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(append_stops_when_full),
		cmocka_unit_test(drops_whole_what_does_not_fit),
		cmocka_unit_test(stays_within_bounds_however_much_is_appended),
	};

	return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
