/*
 * The query is "name=value" pairs with "&" between.  A route lists the names
 * that it allows, each at most once; so a request never has more than
 * HTTP_QUERIES_MAX of them.  Names and values are percent-decoded ("+" is a
 * blank) and have to be UTF-8.
 *
 * With "*" in its list a route takes any query, since messengers and monitors
 * append parameters of their own: unknown, repeated and undecodable ones are
 * ignored.  So is "_" of every GET, by which scripts keep caches away.
 */
#include "http/query_string.h"

#include <assert.h>
#include <string.h>

#include <unistr.h>

#include "base/hex.h"
#include "http/problem.h"

/* Percent-decode a copy; NULL if it is not UTF-8 or has a zero byte. */
static const char *decode(struct arena *arena, const char *piece, size_t len)
{
	char *text = arena_strndup(arena, piece, len);
	size_t at = 0;

	for (size_t i = 0; i < len; i++) {
		char c = text[i] == '+' ? ' ' : text[i];
		if (c == '%') {
			int high = i + 2 < len ? hex_value(text[i + 1]) : -1;
			int low = i + 2 < len ? hex_value(text[i + 2]) : -1;
			if (high < 0 || low < 0 || high + low == 0)
				return NULL;
			c = (char)(high << 4 | low);
			i += 2;
		}
		text[at++] = c;
	}
	text[at] = '\0';
	return u8_check((const uint8_t *)text, at) ? NULL : text;
}

static bool is_allowed(const char *names, const char *name)
{
	size_t len = strlen(name);

	while (len > 0 && *names) {
		size_t word = strcspn(names, " ");
		if (word == len && memcmp(names, name, len) == 0)
			return true;
		names += word;
		names += strspn(names, " ");
	}
	return false;
}

static const char *unknown(struct http_request *req)
{
	const char *queries = req->route->queries;

	if (!*queries)
		return "This path takes no query parameters.";
	return arena_printf(&req->arena,
	                    "There is no such query parameter here; there "
	                    "may be: %s.",
	                    queries);
}

static bool takes_any(const struct http_request *req)
{
	return is_allowed(req->route->queries, "*");
}

static void add(struct http_request *req, const char *name, const char *value)
{
	if (req->route->method == HTTP_GET && strcmp(name, "_") == 0)
		return;
	if (!is_allowed(req->route->queries, name)) {
		if (!takes_any(req))
			problem_query_fault(req, name, "unknown", unknown(req));
		return;
	}
	if (http_query(req, name)) {
		if (!takes_any(req))
			problem_query_fault(
				req, name, "repeated",
				"This query parameter may appear only once.");
		return;
	}
	assert(req->queries_count < HTTP_QUERIES_MAX);
	req->queries[req->queries_count++] = (struct http_query){ name, value };
}

enum err query_string_read(struct http_request *req, const char *query)
{
	while (*query) {
		size_t len = strcspn(query, "&");
		size_t name_len = strcspn(query, "&=");
		size_t skip = name_len < len ? name_len + 1 : len;
		const char *name = decode(&req->arena, query, name_len);
		const char *value =
			decode(&req->arena, query + skip, len - skip);
		bool is_decoded = name && value;
		if (!is_decoded && !takes_any(req)) {
			req->detail = "The query is not percent-encoded UTF-8.";
			return ERR_MALFORMED;
		}
		if (is_decoded && len > 0)
			add(req, name, value);
		query += len;
		query += *query == '&';
	}
	return req->faults_count > 0 ? ERR_INVALID : ERR_OK;
}
