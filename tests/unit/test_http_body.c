#include "http/body.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct row {
	const char *name;
	const char *body;
	const char *read;
	enum err closed;
	const char *faults;
};

static const struct row rows[] = {
#define ROW(name, body, read, closed, faults) \
	{ name, body, read, ERR_##closed, faults },
#include "test_http_body.def"
};

struct text {
	char chars[1000];
	size_t len;
};

static void __attribute__((format(printf, 2, 3)))
add(struct text *text, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	int len = vsnprintf(text->chars + text->len,
	                    sizeof(text->chars) - text->len, format, args);
	va_end(args);
	assert_true(len >= 0);
	text->len += (size_t)len;
	assert_true(text->len < sizeof(text->chars));
}

static const char *take_card(void *arg, size_t outer, size_t inner,
                             const char *card)
{
	if (strcmp(card, "bad") == 0)
		return "This is bad.";
	add(arg, " %zu.%zu=%s", outer, inner, card);
	return NULL;
}

static enum err read_all(struct http_request *req, struct text *text)
{
	static const char *const modes[] = { "basic", "advanced" };
	static const struct body_bounds bounds = { 1, 3, 1, 2 };
	const char *words[3];
	struct text hands = { .len = 0 };
	struct body body;

	body_open(&body, req);
	const char *name = body_string(&body, "name", true);
	size_t mode = body_choice(&body, "mode", modes, 2, 9);
	int64_t seats = body_int(&body, "seats", 3, 6, 9);
	bool is_open = body_bool(&body, "open", false);
	int64_t from = body_word_or_int(&body, "from", "center", 1, 6, 9);
	size_t count =
		body_string_table(&body, "hands", bounds, take_card, &hands);
	add(text, "%s %zu %d %c %d %zu%s", name ? name : "-", mode, (int)seats,
	    is_open ? 'T' : 'F', (int)from, count, hands.chars);
	count = body_strings(&body, "words", 2, ARRAY_LEN(words), words);
	for (size_t i = 0; i < count; i++)
		add(text, " +%s", words[i]);
	return body_close(&body);
}

static void check(void **state)
{
	const struct row *row = *state;
	struct http_request req = {
		.body = row->body,
		.body_len = strlen(row->body),
	};
	struct text read = { .len = 0 };
	struct text faults = { .len = 0 };

	arena_init(&req.arena);
	enum err closed = read_all(&req, &read);
	for (size_t i = 0; i < req.faults_count; i++) {
		const struct http_fault *fault = &req.faults[i];
		add(&faults, "%s%s %s", i ? ", " : "", fault->name,
		    fault->code);
		assert_true(strlen(fault->detail) > 10);
	}
	assert_string_equal(read.chars, row->read);
	assert_string_equal(err_code(closed), err_code(row->closed));
	assert_string_equal(faults.chars, row->faults);
	assert_int_equal(req.detail != NULL, closed == ERR_MALFORMED);
	arena_fini(&req.arena);
}

static void a_null_member_is_there(void **state)
{
	static const char text[] = "{\"from\":null}";
	struct http_request req = { .body = text, .body_len = strlen(text) };
	struct body body;

	(void)state;
	arena_init(&req.arena);
	body_open(&body, &req);
	assert_true(body_has(&body, "from"));
	assert_false(body_has(&body, "name"));
	assert_int_equal(body_close(&body), ERR_INVALID);
	assert_string_equal(req.faults[0].code, "unknown");
	arena_fini(&req.arena);
}

static void a_fault_lists_the_allowed_words(void **state)
{
	static const char *const words[] = { "one", "two", "three" };
	static const char text[] = "{\"a\":\"four\",\"b\":9}";
	struct http_request req = { .body = text, .body_len = strlen(text) };
	struct body body;

	(void)state;
	arena_init(&req.arena);
	body_open(&body, &req);
	assert_int_equal(body_choice(&body, "a", words, 3, 7), 7);
	assert_int_equal(body_int(&body, "b", -5, 5, 1), 1);
	assert_int_equal(body_close(&body), ERR_INVALID);
	assert_string_equal(req.faults[0].detail,
	                    "This must be one of: one, two, three.");
	assert_string_equal(req.faults[1].detail, "This must be from -5 to 5.");
	arena_fini(&req.arena);
}

static void null_is_read_as_zero(void **state)
{
	static const char text[] = "{\"a\":null,\"b\":7,\"c\":2}";
	struct http_request req = { .body = text, .body_len = strlen(text) };
	struct body body;

	(void)state;
	arena_init(&req.arena);
	body_open(&body, &req);
	assert_int_equal(body_int_or_null(&body, "a", 5, 9, 6), 0);
	assert_int_equal(body_int_or_null(&body, "b", 5, 9, 6), 7);
	assert_int_equal(body_int_or_null(&body, "c", 5, 9, 6), 6);
	assert_int_equal(body_int_or_null(&body, "d", 5, 9, 6), 6);
	assert_int_equal(body_close(&body), ERR_INVALID);
	assert_int_equal(req.faults_count, 1);
	assert_string_equal(req.faults[0].name, "/c");
	arena_fini(&req.arena);
}

int main(void)
{
	struct CMUnitTest tests[ARRAY_LEN(rows)];
	static const struct CMUnitTest others[] = {
		cmocka_unit_test(a_null_member_is_there),
		cmocka_unit_test(null_is_read_as_zero),
		cmocka_unit_test(a_fault_lists_the_allowed_words),
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		tests[i] = (struct CMUnitTest){
			.name = rows[i].name,
			.test_func = check,
			.initial_state = (void *)(uintptr_t)&rows[i],
		};
	}
	int failed =
		cmocka_run_group_tests_name("http body", tests, NULL, NULL);
	return failed + cmocka_run_group_tests_name("http body texts", others,
	                                            NULL, NULL);
}
