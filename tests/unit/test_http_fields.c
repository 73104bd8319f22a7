#include "http/http.h"
#include "http/accept.h"
#include "http/media.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct row {
	const char *field;
	const char *ours;
	bool (*judge)(const char *field, const char *ours);
	bool expected;
};

static bool accepted(const char *field, const char *type)
{
	return accept_type(field, type);
}

static bool json(const char *field, const char *unused)
{
	(void)unused;
	return media_is_json(field);
}

static bool prefers(const char *field, const char *unused)
{
	(void)unused;
	return accept_prefers(field, "text/event-stream", "application/json");
}

static bool strong(const char *field, const char *etag)
{
	return http_etag_listed(field, etag, false);
}

static bool weak(const char *field, const char *etag)
{
	return http_etag_listed(field, etag, true);
}

static bool utf8(const char *field, const char *unused)
{
	(void)unused;
	return media_is_utf8(field);
}

/* The three kinds of an If-Match field, each by its name. */
static bool kind(const char *field, const char *name)
{
	static const char *const names[] = {
		[HTTP_ETAGS_STRONG] = "strong",
		[HTTP_ETAGS_WEAK] = "weak",
		[HTTP_ETAGS_MALFORMED] = "malformed",
	};

	return strcmp(names[http_etags_read(field)], name) == 0;
}

static const struct row rows[] = {
#define ACCEPT(field, type, expected) { field, type, accepted, expected },
#define JSON(field, expected)         { field, "", json, expected },
#define STREAM(field, expected)       { field, "", prefers, expected },
#define ETAG(list, etag, match, none_match) \
	{ list, etag, strong, match }, { list, etag, weak, none_match },
#define CHARSET(field, expected) { field, "", utf8, expected },
#define TAGS(list, name)         { list, name, kind, true },
#include "test_http_fields.def"
};

static void check(void **state)
{
	const struct row *row = *state;

	assert_int_equal(row->judge(row->field, row->ours), row->expected);
}

int main(void)
{
	struct CMUnitTest tests[ARRAY_LEN(rows)];

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		tests[i] = (struct CMUnitTest){
			.name = rows[i].field ? rows[i].field : "(absent)",
			.test_func = check,
			.initial_state = (void *)(uintptr_t)&rows[i],
		};
	}
	return cmocka_run_group_tests_name("http fields", tests, NULL, NULL);
}
