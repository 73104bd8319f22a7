/*
 * test_http_cors.c - the allowed origins, and the CORS fields of answers.
 */
#include "http/cors.h"

#include <string.h>

#include "http/exchange.h"
#include "rows.h"

struct setting_row {
	const char *name;
	const char *origins;
	bool valid;
};

struct asks_row {
	const char *name;
	const char *origins;
	enum exchange_method method;
	const char *origin;
	const char *asked_method;
	const char *vary;
	const char *fields;
};

struct allows_row {
	const char *name;
	const char *asked_method;
	const char *asked_fields;
	const char *methods;
	const char *fields;
};

static struct setting_row setting_rows[] = {
#define ASKS(...)
#define ALLOWS(...)
#define SETTING(...) { __VA_ARGS__ },
#include "test_http_cors.def"
};

static struct asks_row asks_rows[] = {
#define SETTING(...)
#define ALLOWS(...)
#define ASKS(name, origins, method, ...) \
	{ name, origins, METHOD_##method, __VA_ARGS__ },
#include "test_http_cors.def"
};

static struct allows_row allows_rows[] = {
#define SETTING(...)
#define ASKS(...)
#define ALLOWS(...) { __VA_ARGS__ },
#include "test_http_cors.def"
};

static void check_setting(void **state)
{
	const struct setting_row *row = *state;

	assert_int_equal(http_origins_are_valid(row->origins), row->valid);
}

/* Take the next "name=value" of the row; it must be this field. */
static void check_field(const char **fields, const struct http_header *header)
{
	size_t len = strcspn(*fields, "|");
	size_t name_len = strcspn(*fields, "=");

	assert_true(name_len < len);
	assert_int_equal(strlen(header->name), name_len);
	assert_memory_equal(header->name, *fields, name_len);
	const char *value = *fields + name_len + 1;
	size_t value_len = len - name_len - 1;
	if (value_len != 1 || *value != '*') {
		assert_int_equal(strlen(header->value), value_len);
		assert_memory_equal(header->value, value, value_len);
	}
	*fields += len;
	*fields += **fields == '|';
}

static void check_asks(void **state)
{
	const struct asks_row *row = *state;
	struct exchange exchange = { .sent_method = row->method };
	struct http_request *req = &exchange.req;
	const char *fields = row->fields;

	arena_init(&req->arena);
	exchange.fields.values[FIELD_ORIGIN] = row->origin;
	exchange.fields.values[FIELD_ACCESS_CONTROL_REQUEST_METHOD] =
		row->asked_method;
	if (row->vary)
		http_header(req, "Vary", row->vary);
	cors_add(&exchange, row->origins);
	for (size_t i = 0; i < req->reply.headers_count; i++)
		check_field(&fields, &req->reply.headers[i]);
	assert_string_equal(fields, "");
	arena_fini(&req->arena);
}

static const char *field_of(const struct http_request *req, const char *name)
{
	for (size_t i = 0; i < req->reply.headers_count; i++) {
		if (strcmp(req->reply.headers[i].name, name) == 0)
			return req->reply.headers[i].value;
	}
	return "";
}

/* The text that follows the usual one, which every preflight gets. */
static const char *beyond(const char *text, const char *usual)
{
	size_t len = strlen(usual);

	assert_true(strlen(text) >= len);
	assert_memory_equal(text, usual, len);
	return text + len;
}

static void check_allows(void **state)
{
	static const char methods[] = "GET, HEAD, POST, PUT, PATCH, DELETE";
	static const char fields[] =
		"Authorization, Content-Type, Idempotency-Key, If-Match, "
		"If-None-Match, Last-Event-ID, Prefer, X-Request-Id, "
		"traceparent";
	const struct allows_row *row = *state;
	struct exchange exchange = { .sent_method = METHOD_OPTIONS };
	struct http_request *req = &exchange.req;
	const char **values = exchange.fields.values;

	arena_init(&req->arena);
	values[FIELD_ORIGIN] = "https://a.example";
	values[FIELD_ACCESS_CONTROL_REQUEST_METHOD] = row->asked_method;
	values[FIELD_ACCESS_CONTROL_REQUEST_HEADERS] = row->asked_fields;
	assert_true(cors_is_preflight(&exchange));
	cors_add(&exchange, "*");
	assert_string_equal(
		beyond(field_of(req, "Access-Control-Allow-Methods"), methods),
		row->methods);
	assert_string_equal(
		beyond(field_of(req, "Access-Control-Allow-Headers"), fields),
		row->fields);
	arena_fini(&req->arena);
}

static bool is_listed(const char *list, const char *name)
{
	size_t len = strlen(name);

	for (const char *at = list; *at;) {
		size_t piece = strcspn(at, ",");
		if (piece == len && memcmp(at, name, len) == 0)
			return true;
		at += piece;
		at += strspn(at, ", ");
	}
	return false;
}

/* The fields that a client needs to send, and to read. */
static void names_what_is_needed(void **state)
{
	static const char *const sent[] = {
		"Authorization", "Content-Type",  "Idempotency-Key",
		"If-Match",      "If-None-Match", "Last-Event-ID",
		"Prefer",        "X-Request-Id",  "traceparent",
	};
	static const char *const read[] = {
		"ETag",        "Link",
		"Location",    "Preference-Applied",
		"RateLimit",   "RateLimit-Policy",
		"Retry-After", "X-Request-Id",
	};
	struct exchange exchange = { .sent_method = METHOD_OPTIONS };

	(void)state;
	arena_init(&exchange.req.arena);
	exchange.fields.values[FIELD_ORIGIN] = "https://a.example";
	exchange.fields.values[FIELD_ACCESS_CONTROL_REQUEST_METHOD] = "GET";
	cors_add(&exchange, "*");
	for (size_t i = 0; i < ARRAY_LEN(sent); i++)
		assert_true(is_listed(field_of(&exchange.req,
		                               "Access-Control-Allow-Headers"),
		                      sent[i]));
	exchange.req.reply.headers_count = 0;
	exchange.sent_method = METHOD_GET;
	cors_add(&exchange, "*");
	for (size_t i = 0; i < ARRAY_LEN(read); i++)
		assert_true(is_listed(field_of(&exchange.req,
		                               "Access-Control-Expose-Headers"),
		                      read[i]));
	arena_fini(&exchange.req.arena);
}

int main(void)
{
	static struct rows rows;

	ROWS_ADD(&rows, setting_rows, check_setting);
	ROWS_ADD(&rows, asks_rows, check_asks);
	ROWS_ADD(&rows, allows_rows, check_allows);
	rows_add(&rows, "the fields that clients need are named",
	         names_what_is_needed, NULL);
	return rows_run("http cors", &rows);
}
