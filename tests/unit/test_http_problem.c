#include "http/problem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <json-c/json.h>

struct row {
	const char *code;
	unsigned status;
};

static const struct row rows[] = {
#define ROW(...) { __VA_ARGS__ },
#include "test_http_problem.def"
};

static const char *member(struct json_object *json, const char *name)
{
	struct json_object *at = NULL;

	(void)json_object_object_get_ex(json, name, &at);
	return json_object_get_string(at);
}

static struct json_object *parse(const struct http_reply *reply)
{
	struct json_tokener *tokener = json_tokener_new();
	struct json_object *json = json_tokener_parse_ex(tokener, reply->body,
	                                                 (int)reply->body_len);

	json_tokener_free(tokener);
	assert_non_null(json);
	return json;
}

static const char *header(const struct http_reply *reply, const char *name)
{
	for (size_t i = 0; i < reply->headers_count; i++) {
		if (strcmp(reply->headers[i].name, name) == 0)
			return reply->headers[i].value;
	}
	return NULL;
}

static void check(void **state)
{
	const struct row *row = *state;
	struct http_request req = { .path = "/v1/games" };
	enum err err = ERR_OK;
	char type[100];

	assert_true(err_find(row->code, &err));
	assert_int_equal(problem_status(err), row->status);
	arena_init(&req.arena);
	problem_reply(&req, err);
	assert_int_equal(req.reply.status, row->status);
	assert_int_equal(req.err, err);
	assert_string_equal(req.reply.type, "application/problem+json");

	struct json_object *json = parse(&req.reply);
	(void)snprintf(type, sizeof(type), "/problems/%s", row->code);
	assert_string_equal(member(json, "type"), type);
	assert_string_equal(member(json, "code"), row->code);
	assert_string_equal(member(json, "title"), err_title(err));
	assert_string_equal(member(json, "detail"), err_text(err));
	assert_string_equal(member(json, "instance"), "/v1/games");
	assert_int_equal(strtol(member(json, "status"), NULL, 10), row->status);
	assert_null(member(json, "errors"));
	json_object_put(json);

	assert_string_equal(header(&req.reply, "Cache-Control"), "no-store");
	assert_int_equal(header(&req.reply, "WWW-Authenticate") != NULL,
	                 row->status == 401);
	assert_int_equal(header(&req.reply, "Retry-After") != NULL,
	                 row->status == 503);
	assert_int_equal(header(&req.reply, "Accept") != NULL,
	                 row->status == 415);

	const struct problem_words words = { "en", err_title(err),
		                             err_text(err) };
	const char *page = problem_page(&req.arena, row->code, &words, "/docs");
	assert_non_null(page);
	assert_non_null(strstr(page, err_title(err)));
	arena_fini(&req.arena);
}

static void faults_are_listed(void **state)
{
	struct http_request req = {
		.path = "/\x01\"<\xff",
		.detail = "A \"better\" detail.",
	};

	(void)state;
	arena_init(&req.arena);
	problem_fault(&req, "/na\"me", "too_long", "It is too long.");
	problem_query_fault(&req, "l\xc3\xa4ng", "unknown", "There is none.");
	problem_header_fault(&req, "A-Field", "too_short", "It is too short.");
	problem_reply(&req, ERR_INVALID);

	struct json_object *json = parse(&req.reply);
	assert_string_equal(member(json, "detail"), "A \"better\" detail.");
	assert_string_equal(member(json, "instance"), "/%01\"<%FF");
	struct json_object *errors = NULL;
	assert_true(json_object_object_get_ex(json, "errors", &errors));
	assert_int_equal(json_object_array_length(errors), 3);
	struct json_object *first = json_object_array_get_idx(errors, 0);
	struct json_object *second = json_object_array_get_idx(errors, 1);
	assert_string_equal(member(first, "pointer"), "/na\"me");
	assert_string_equal(member(first, "code"), "too_long");
	assert_string_equal(member(first, "detail"), "It is too long.");
	assert_null(member(first, "parameter"));
	assert_string_equal(member(second, "parameter"), "l\xc3\xa4ng");
	assert_null(member(second, "pointer"));
	struct json_object *third = json_object_array_get_idx(errors, 2);
	assert_string_equal(member(third, "header"), "A-Field");
	assert_string_equal(member(third, "code"), "too_short");
	assert_string_equal(member(third, "detail"), "It is too short.");
	assert_null(member(third, "pointer"));
	assert_null(member(third, "parameter"));
	assert_null(member(first, "header"));
	json_object_put(json);
	arena_fini(&req.arena);
}

/* The longest strings there can be still fit. */
static void the_longest_strings_fit(void **state)
{
	static char longest[4096];
	struct http_request req = { .path = "/", .detail = longest };

	(void)state;
	memset(longest, '\x01', sizeof(longest) - 1);
	req.path = longest;
	arena_init(&req.arena);
	for (size_t i = 0; i < HTTP_FAULTS_MAX - 1; i++)
		problem_fault(&req, longest, "unknown", longest);
	for (size_t i = 0; i < 3; i++)
		problem_header_fault(&req, longest, "unknown", longest);
	assert_int_equal(req.faults_count, HTTP_FAULTS_MAX);
	assert_int_equal(req.faults_dropped, 2);
	problem_reply(&req, ERR_INVALID);
	json_object_put(parse(&req.reply));
	arena_fini(&req.arena);
}

static void a_problem_drops_header_fields(void **state)
{
	struct http_request req = { .path = "/" };

	(void)state;
	arena_init(&req.arena);
	http_header(&req, "ETag", "\"secret\"");
	http_header(&req, "Allow", "GET");
	http_header(&req, "Location", "/x");
	http_header(&req, "Connection", "close");
	problem_reply(&req, ERR_METHOD_NOT_ALLOWED);
	assert_null(header(&req.reply, "ETag"));
	assert_null(header(&req.reply, "Location"));
	assert_string_equal(header(&req.reply, "Allow"), "GET");
	assert_string_equal(header(&req.reply, "Connection"), "close");
	arena_fini(&req.arena);
}

static void a_page_explains_a_problem(void **state)
{
	struct arena arena;

	(void)state;
	arena_init(&arena);
	const struct problem_words none = { "de", NULL, NULL };
	assert_null(problem_page(&arena, "no_such_code", &none, "/docs"));
	assert_null(problem_page(&arena, "ok", &none, "/docs"));
	const struct problem_words words = { "fr", "A < B & C", "D \"e\"." };
	const char *page = problem_page(&arena, "invalid", &words, "/docs");
	assert_non_null(strstr(page, "<h1>A &lt; B &amp; C</h1>"));
	assert_non_null(strstr(page, "<p>D &quot;e&quot;.</p>"));
	assert_non_null(strstr(page, "<!doctype html>\n<html lang=\"fr\">"));
	assert_non_null(strstr(page, "<code>invalid</code>, HTTP 422"));
	assert_non_null(strstr(page, "<a href=\"/docs\">"));
	arena_fini(&arena);
}

int main(void)
{
	struct CMUnitTest tests[ARRAY_LEN(rows)];
	static const struct CMUnitTest others[] = {
		cmocka_unit_test(faults_are_listed),
		cmocka_unit_test(the_longest_strings_fit),
		cmocka_unit_test(a_problem_drops_header_fields),
		cmocka_unit_test(a_page_explains_a_problem),
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		tests[i] = (struct CMUnitTest){
			.name = rows[i].code,
			.test_func = check,
			.initial_state = (void *)(uintptr_t)&rows[i],
		};
	}
	int failed = cmocka_run_group_tests_name("problems", tests, NULL, NULL);
	return failed + cmocka_run_group_tests_name("problem details", others,
	                                            NULL, NULL);
}
