#include "http/json_grammar.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"

struct row {
	const char *name;
	const char *text;
	const char *fault;
};

static const struct row rows[] = {
#define ROW(...) { __VA_ARGS__ },
#include "test_http_json_grammar.def"
};

static void check_text(const char *text, size_t len, const char *expected)
{
	struct arena arena;
	/* A copy of the exact length: a sanitizer sees reads past it. */
	char *copy = malloc(len + 1);

	assert_non_null(copy);
	memcpy(copy, text, len);
	char *exact = realloc(copy, len ? len : 1);
	assert_non_null(exact);
	arena_init(&arena);
	const char *fault = json_grammar_fault(exact, len, &arena);
	if (!expected && fault)
		fail_msg("%s", fault);
	if (expected && (!fault || !strstr(fault, expected)))
		fail_msg("%s, not %s", fault ? fault : "no fault", expected);
	arena_fini(&arena);
	free(exact);
}

static void check(void **state)
{
	const struct row *row = *state;

	check_text(row->text, strlen(row->text), row->fault);
}

/* No proper prefix of this JSON text is JSON. */
static void no_prefix_is_accepted(void **state)
{
	static const char text[] = "{\"a\":[1.5e2,\"\\ud83d\\ude00\xc3\xa4\"],"
				   "\"b\":{\"c\":null}}";
	static const char any[] = "line 1";

	(void)state;
	check_text(text, strlen(text), NULL);
	for (size_t len = 0; len < strlen(text); len++)
		check_text(text, len, any);
}

static void a_zero_byte_is_refused(void **state)
{
	static const char inside[] = "\"a\0b\"";
	static const char escaped[] = "\"\\\0\"";
	static const char hex[] = "\"\\u\0\0\0\0\"";
	static const char followed[] = "{}\0";

	(void)state;
	check_text(inside, sizeof(inside) - 1, "control character");
	check_text(escaped, sizeof(escaped) - 1, "invalid escape");
	check_text(hex, sizeof(hex) - 1, "four hex digits");
	check_text(followed, sizeof(followed) - 1, "nothing more");
}

static void print_names(char *text, unsigned count)
{
	text += sprintf(text, "{");
	for (unsigned i = 0; i < count; i++)
		text += sprintf(text, "%s\"%u\":{\"x\":0}", i ? "," : "", i);
	(void)sprintf(text, "}");
}

/* The inner names are forgotten again, so one more is always needed. */
static void the_number_of_names_is_bounded(void **state)
{
	char text[2000];

	(void)state;
	print_names(text, JSON_NAMES_MAX - 1);
	check_text(text, strlen(text), NULL);
	print_names(text, JSON_NAMES_MAX);
	check_text(text, strlen(text), "too many names");
}

int main(void)
{
	struct CMUnitTest tests[ARRAY_LEN(rows)];
	static const struct CMUnitTest others[] = {
		cmocka_unit_test(no_prefix_is_accepted),
		cmocka_unit_test(a_zero_byte_is_refused),
		cmocka_unit_test(the_number_of_names_is_bounded),
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		tests[i] = (struct CMUnitTest){
			.name = rows[i].name,
			.test_func = check,
			.initial_state = (void *)(uintptr_t)&rows[i],
		};
	}
	int failed =
		cmocka_run_group_tests_name("JSON grammar", tests, NULL, NULL);
	return failed +
	       cmocka_run_group_tests_name("JSON bounds", others, NULL, NULL);
}
