/*
 * fuzz_fields.c - the other fields of a header: Accept, Last-Event-ID, Origin
 * and the origins of the setting, Prefer, traceparent.
 *
 * The same text is read as each of them.
 */
#include "fuzz.h"

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "http/cors.h"
#include "http/exchange.h"
#include "http/accept.h"
#include "http/prefer.h"
#include "tracing/traceparent.h"
#include "service/handler.h"

static const char stream[] = "text/event-stream";
static const char json[] = "application/json";

static const char trace_grammar[] =
	"^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$";

static bool has_digit(const char *text, size_t len)
{
	return strspn(text, "0") < len;
}

/* Compare with the regular expression, and check what it cannot say. */
static bool is_trace(const char *text)
{
	static regex_t grammar;
	static bool is_ready;

	if (!is_ready)
		assert(regcomp(&grammar, trace_grammar,
		               REG_EXTENDED | REG_NOSUB) == 0);
	is_ready = true;
	return regexec(&grammar, text, 0, NULL, 0) == 0 &&
	       strncmp(text, "ff", 2) != 0 &&
	       (strncmp(text, "00", 2) != 0 || strlen(text) == 55) &&
	       has_digit(text + 3, 32) && has_digit(text + 36, 16);
}

static void check_trace(const char *text)
{
	char id[TRACEPARENT_ID_LEN + 1] = "";
	char parent[TRACEPARENT_SPAN_LEN + 1] = "";

	assert(traceparent_read(text, id, parent) == is_trace(text));
	assert(!id[0] || strncmp(id, text + 3, sizeof(id) - 1) == 0);
	assert(!id[0] || strncmp(parent, text + 36, sizeof(parent) - 1) == 0);
}

static void check_accept(const char *text)
{
	bool is_stream = accept_prefers(text, stream, json);

	assert(!is_stream || accept_type(text, stream));
	assert(!is_stream || !accept_prefers(text, json, stream));
	assert(!accept_prefers(text, json, stream) || accept_type(text, json));
}

/* Is a page of this origin let in? */
static bool is_let_in(const char *origins, const char *origin)
{
	struct exchange exchange = { .sent_method = METHOD_GET };
	bool found = false;

	arena_init(&exchange.req.arena);
	exchange.fields.values[FIELD_ORIGIN] = origin;
	cors_add(&exchange, origins);
	for (size_t i = 0; i < exchange.req.reply.headers_count; i++) {
		const struct http_header *field =
			&exchange.req.reply.headers[i];
		if (strcmp(field->name, "Access-Control-Allow-Origin") != 0)
			continue;
		assert(strcmp(field->value, origin) == 0);
		found = true;
	}
	arena_fini(&exchange.req.arena);
	return found;
}

/* Each that a good list names, and no other. */
static void check_origins(const char *text)
{
	static const char page[] = "https://a.example";
	static const char between[] = " ,";
	char origin[1024];

	assert(!is_let_in(page, text) || strcasecmp(text, page) == 0);
	if (!http_origins_are_valid(text))
		return;
	for (const char *at = text + strspn(text, between); *at;) {
		size_t len = strcspn(at, between);

		(void)snprintf(origin, sizeof(origin), "%.*s", (int)len, at);
		/* "*" allows all, but is not an origin; nor is a path. */
		bool is_all = strcmp(origin, "*") == 0;
		assert(is_let_in(text, is_all ? page : origin));
		assert(!is_all || !is_let_in(text, origin));
		(void)snprintf(origin, sizeof(origin), "%.*s/", (int)len, at);
		assert(!is_let_in(text, origin));
		at += len;
		at += strspn(at, between);
	}
}

static void check_last_id(const char *text)
{
	struct http_request req = {
		.wants_stream = true,
		.last_event_id = text,
	};
	struct call call = { .req = &req };
	bool is_number = *text && !text[strspn(text, "0123456789")];
	unsigned long long number = is_number ? strtoull(text, NULL, 10) : 0;

	enum err err = decode_events(&call);
	assert(!err);
	assert(call.wanted.page.after == (number <= INT32_MAX ? number : 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	assert(text);
	memcpy(text, data, size);
	text[size] = '\0';
	check_trace(text);
	check_accept(text);
	check_origins(text);
	check_last_id(text);
	assert(prefer_wait(text) <= 60);
	free(text);
	return 0;
}
