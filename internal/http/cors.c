/*
 * A script sends the token by itself; the browser adds no credentials of its
 * own.  So Access-Control-Allow-Credentials is never sent, and "*" may allow
 * all pages.  An answer depends on Origin as soon as any origin is allowed, and
 * says so in Vary.
 */
#include "http/cors.h"

#include <string.h>
#include <strings.h>

#include "http/connection_room.h"
#include "http/exchange.h"
#include "http/list.h"

static const char between[] = " ,";

enum {
	ORIGIN_MAX = 300, /* a host has at most 253 bytes */
	/* A preflight may add this many names to a list below, and a method. */
	NAMES_MAX = 40,
	NAME_LEN_MAX = 40
};

/* Every preflight allows these: it is valid for a script's later requests. */
static const char methods[] = "GET, HEAD, POST, PUT, PATCH, DELETE";
static const char may_send[] =
	"Authorization, Content-Type, Idempotency-Key, If-Match, "
	"If-None-Match, Last-Event-ID, Prefer, X-Request-Id, traceparent";

/* The most bytes of the other fields of such a response, and of all names. */
enum { OTHERS_MAX = 800 };
_Static_assert(sizeof(methods) + sizeof(may_send) + ORIGIN_MAX + OTHERS_MAX +
                               ((1 + NAMES_MAX) * (NAME_LEN_MAX + 2)) <=
                       ROOM_OF_REPLY_HEADER,
               "the longest response to a preflight");

/* The header fields of an answer that a script may read. */
static const char may_read[] =
	"Content-Location, Date, ETag, Link, Location, Preference-Applied, "
	"RateLimit, RateLimit-Policy, Retry-After, X-Request-Id";

/* "https://a.example:8443": a scheme and a host, without a path. */
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

bool cors_is_preflight(const struct exchange *exchange)
{
	return exchange->sent_method == METHOD_OPTIONS &&
	       exchange->fields.values[FIELD_ORIGIN] &&
	       exchange->fields.values[FIELD_ACCESS_CONTROL_REQUEST_METHOD];
}

static bool is_token(struct http_slice word)
{
	static const char marks[] = "!#$%&'*+-.^_`|~";

	if (word.len == 0 || word.len > NAME_LEN_MAX)
		return false;
	for (size_t i = 0; i < word.len; i++) {
		char c = word.text[i];
		if (!(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'z') &&
		    !(c >= 'A' && c <= 'Z') && (!c || !strchr(marks, c)))
			return false;
	}
	return true;
}

/* The case of a method counts, that of a field's name does not. */
typedef int compare_fn(const char *, const char *, size_t);

static bool has_name(const char *list, struct http_slice name,
                     compare_fn *compare)
{
	struct list_member member;

	while (list_next(&list, &member)) {
		if (member.value.len == name.len &&
		    compare(member.value.text, name.text, name.len) == 0)
			return true;
	}
	return false;
}

/*
 * A list with the names added that the preflight asks for: at most max, among
 * its first 2 * max names.  A page whose method or field is not allowed could
 * not read our refusal; and tracing programs add fields to requests without the
 * page's knowledge.
 */
static const char *add_asked(struct http_request *req, const char *list,
                             const char *asked, unsigned most,
                             compare_fn *compare)
{
	size_t len = strlen(list);
	size_t size = len + (most * (NAME_LEN_MAX + 2)) + 1;
	struct list_member member;
	char *text = NULL;

	for (unsigned i = 0, added = 0;
	     i < 2 * most && added < most && list_next(&asked, &member); i++) {
		struct http_slice name = member.value;
		if (!is_token(name) ||
		    has_name(text ? text : list, name, compare))
			continue;
		if (!text) {
			text = arena_zalloc(&req->arena, size);
			memcpy(text, list, len);
		}
		memcpy(text + len, ", ", 2);
		memcpy(text + len + 2, name.text, name.len);
		len += name.len + 2;
		added++;
	}
	return text ? text : list;
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
	if (!cors_is_preflight(exchange)) {
		http_header(req, "Access-Control-Expose-Headers", may_read);
		return;
	}
	http_header(req, "Access-Control-Allow-Methods",
	            add_asked(req, methods,
	                      fields[FIELD_ACCESS_CONTROL_REQUEST_METHOD], 1,
	                      strncmp));
	http_header(req, "Access-Control-Allow-Headers",
	            add_asked(req, may_send,
	                      fields[FIELD_ACCESS_CONTROL_REQUEST_HEADERS],
	                      NAMES_MAX, strncasecmp));
	http_header(req, "Access-Control-Max-Age", "7200");
}
