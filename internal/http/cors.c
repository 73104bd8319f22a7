/*
 * A script sends the token by itself; the browser adds no credentials of its
 * own.  So Access-Control-Allow-Credentials is never sent, and "*" may let all
 * pages in.  An answer depends on Origin as soon as any origin is allowed, and
 * says so in Vary.
 */
#include "http/cors.h"

#include <string.h>
#include <strings.h>

#include "http/exchange.h"

static const char between[] = " ,";

/* A host has at most 253 bytes.  An origin becomes part of the response. */
enum { ORIGIN_MAX = 300 };

/* The header fields that a script may send beyond those of a form. */
static const char may_send[] =
	"Authorization, Content-Type, Idempotency-Key, If-Match, "
	"If-None-Match, Last-Event-ID, Prefer, X-Request-Id, traceparent";

/* The header fields of an answer that a script may read. */
static const char may_read[] =
	"Content-Location, Date, ETag, Link, Location, Preference-Applied, "
	"RateLimit, RateLimit-Policy, Retry-After, X-Request-Id";

/* "https://a.example:8443": a scheme, and no path behind the host. */
static bool is_origin(const char *text, size_t len)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789+-.";
	size_t scheme = strspn(text, letters);

	if (scheme == 0 || scheme + 3 >= len || len > ORIGIN_MAX ||
	    memcmp(text + scheme, "://", 3) != 0)
		return false;
	for (const char *at = text + scheme + 3; at < text + len; at++) {
		if (*at <= ' ' || *at > '~' || strchr("/?#@\"*", *at))
			return false;
	}
	return true;
}

bool http_origins_are_valid(const char *origins)
{
	for (const char *at = origins; *at;) {
		at += strspn(at, between);
		size_t len = strcspn(at, between);

		if (len && !(len == 1 && *at == '*') && !is_origin(at, len))
			return false;
		at += len;
	}
	return true;
}

/*
 * The case of schemes and hosts does not count.  A page of a local file has the
 * origin "null".  An unparsable Origin matches no list entry, not even "*": it
 * would be echoed into a header field.
 */
static bool is_listed(const char *origins, const char *origin)
{
	if (!is_origin(origin, strlen(origin)) && strcmp(origin, "null") != 0)
		return false;
	for (const char *at = origins; *at;) {
		at += strspn(at, between);
		size_t len = strcspn(at, between);

		if ((len == 1 && *at == '*') ||
		    (len == strlen(origin) &&
		     strncasecmp(at, origin, len) == 0))
			return true;
		at += len;
	}
	return false;
}

static void add_vary(struct http_request *req)
{
	struct http_reply *reply = &req->reply;

	for (size_t i = 0; i < reply->headers_count; i++) {
		struct http_header *header = &reply->headers[i];

		if (strcmp(header->name, "Vary") != 0)
			continue;
		header->value =
			arena_printf(&req->arena, "%s, Origin", header->value);
		return;
	}
	http_header(req, "Vary", "Origin");
}

void cors_add(struct exchange *exchange, const char *origins)
{
	struct http_request *req = &exchange->req;
	const char *const *fields = exchange->fields.values;
	const char *origin = fields[FIELD_ORIGIN];

	if (!origins[0])
		return;
	add_vary(req);
	if (!origin || !is_listed(origins, origin))
		return;
	http_header(req, "Access-Control-Allow-Origin", origin);
	if (exchange->sent_method != METHOD_OPTIONS ||
	    !fields[FIELD_ACCESS_CONTROL_REQUEST_METHOD]) {
		http_header(req, "Access-Control-Expose-Headers", may_read);
		return;
	}
	http_header(req, "Access-Control-Allow-Methods",
	            "GET, HEAD, POST, PUT, PATCH, DELETE");
	http_header(req, "Access-Control-Allow-Headers", may_send);
	http_header(req, "Access-Control-Max-Age", "7200");
}
