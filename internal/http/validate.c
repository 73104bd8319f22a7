/*
 * The first fault of a request, as HTTP, becomes its refusal.  They are looked
 * for in a fixed order, which README.md lists: an unknown method, sizes,
 * framing, the target, the path, the method, Accept, the body, the query.
 * Doubtful framing closes the connection whatever the refusal is: the next
 * request might begin elsewhere than libmicrohttpd thinks.  A fault in the
 * names of the query is only noted, because a handler reads the token before
 * it.  The code relies on fields.c for the fields, and touches no socket.
 */
#include "http/validate.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <microhttpd.h>
#include <sodium.h>

#include "base/clock.h"
#include "base/uuid.h"
#include "http/accept.h"
#include "http/cors.h"
#include "http/list.h"
#include "http/media.h"
#include "http/prefer.h"
#include "http/prefix.h"
#include "http/query_string.h"
#include "tracing/traceparent.h"

enum { REQUEST_ID_MAX = 36 };

static const struct {
	const char *name;
	enum http_method method; /* the route table's method; HTTP_METHOD_COUNT:
	                            not in it */
} methods[] = {
	[METHOD_GET] = { "GET", HTTP_GET },
	[METHOD_HEAD] = { "HEAD", HTTP_GET },
	[METHOD_POST] = { "POST", HTTP_POST },
	[METHOD_DELETE] = { "DELETE", HTTP_DELETE },
	[METHOD_OPTIONS] = { "OPTIONS", HTTP_METHOD_COUNT },
	[METHOD_PUT] = { "PUT", HTTP_PUT },
	[METHOD_PATCH] = { "PATCH", HTTP_PATCH },
	[METHOD_TRACE] = { "TRACE", HTTP_METHOD_COUNT },
	[METHOD_OTHER] = { "-", HTTP_METHOD_COUNT },
};

static enum exchange_method find_method(const char *method)
{
	for (unsigned i = 0; i < METHOD_OTHER; i++) {
		if (strcmp(methods[i].name, method) == 0)
			return (enum exchange_method)i;
	}
	return METHOD_OTHER;
}

/*
 * Print a fresh request id.  Nothing in it is secret, so the random bytes of
 * many ids are drawn at once.
 */
static void print_id(char *text)
{
	enum { EACH = 10, POOL = 25 * EACH };
	static _Thread_local uint8_t pool[POOL];
	static _Thread_local size_t left;

	if (left == 0) {
		randombytes_buf(pool, sizeof(pool));
		left = sizeof(pool);
	}
	left -= EACH;
	uuid_print(uuid_make((uint64_t)clock_wall_us() / 1000, pool + left),
	           text);
}

/* Take the X-Request-Id that was sent, if it is well formed. */
static void take_id(struct http_request *req, const char *sent)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789._-";
	size_t len = sent ? strlen(sent) : 0;

	if (len > 0 && len <= REQUEST_ID_MAX && strspn(sent, allowed) == len) {
		memcpy(req->id, sent, len + 1);
		return;
	}
	print_id(req->id);
}

/* Could this be a host, with or without a port?  No delimiter is in it. */
static bool is_host(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (text[i] <= ' ' || text[i] > '~' ||
		    strchr(",/?#@\\\"<>", text[i]))
			return false;
	}
	return true;
}

/* Why the end or the host of the request is ambiguous; or NULL. */
static const char *framing_fault(const struct exchange *exchange)
{
	const struct fields *fields = &exchange->fields;
	const char *coding = fields->values[FIELD_TRANSFER_ENCODING];

	if (fields->malformed)
		return "A header field contains a control character.";
	if (fields->has_gap)
		return "The header has a zero byte, a line that is folded, or "
		       "one that does not end with CR LF.";
	if (fields->counts[FIELD_CONTENT_LENGTH] > 1)
		return "Content-Length appears more than once.";
	if (coding && fields->counts[FIELD_CONTENT_LENGTH] > 0)
		return "Content-Length and Transfer-Encoding exclude each "
		       "other.";
	if (coding && exchange->is_old)
		return "HTTP/1.0 has no Transfer-Encoding.";
	if (coding && strcasecmp(coding, "chunked") != 0)
		return "The only supported Transfer-Encoding is chunked.";
	if (fields->counts[FIELD_HOST] > 1)
		return "Host appears more than once.";
	if (fields->counts[FIELD_HOST] == 0 && !exchange->is_old)
		return "HTTP/1.1 requires a Host field.";
	if (fields->counts[FIELD_HOST] > 0 &&
	    !is_host(fields->values[FIELD_HOST],
	             strlen(fields->values[FIELD_HOST])))
		return "Host is not the name of a host.";
	return NULL;
}

static enum err refuse(struct exchange *exchange, enum err err,
                       const char *detail)
{
	exchange->req.detail = detail;
	return err;
}

/* The client must change its fields, so its connection is useless now. */
static enum err refuse_fields(struct exchange *exchange)
{
	exchange->is_last = true;
	return refuse(exchange, ERR_HEADERS_TOO_LARGE, NULL);
}

/*
 * Split the target into req->path and *query.  A whole URI is cut to its path;
 * "*" is left alone.
 */
static enum err read_target(struct exchange *exchange, const char **query)
{
	static const char bad[] = "The request target is neither a path nor a "
				  "URI.";
	char *target = exchange->target;
	bool good = true;
	size_t scheme = 0;

	for (const char *at = target; *at; at++) {
		if (*at <= ' ' || *at > '~' || *at == '#')
			good = false;
	}
	if (strncasecmp(target, "http://", 7) == 0)
		scheme = 7;
	else if (strncasecmp(target, "https://", 8) == 0)
		scheme = 8;
	if (scheme > 0) {
		size_t len = strcspn(target + scheme, "/?");
		good &= len > 0 && is_host(target + scheme, len);
		target += scheme + len;
	}
	char *mark = strchr(target, '?');
	if (mark)
		*mark = '\0';
	*query = mark ? mark + 1 : "";
	exchange->req.path = scheme > 0 && *target == '\0' ? "/" : target;

	if (!good || (exchange->req.path[0] != '/' &&
	              (exchange->sent_method != METHOD_OPTIONS ||
	               strcmp(target, "*") != 0 || mark)))
		return refuse(exchange, ERR_MALFORMED, bad);
	return ERR_OK;
}

/*
 * Find the row of the method, and check the parameters.  Each row of a path has
 * the same parameters, so without a row of the method any other will do for
 * that.
 */
static enum err check_path(struct http_request *req,
                           const struct router_place *place,
                           enum http_method method)
{
	const struct http_route *row =
		method < HTTP_METHOD_COUNT ? place->rows[method] : NULL;

	req->route = row;
	for (unsigned i = 0; !row; i++)
		row = place->rows[i];
	for (size_t i = 0; i < HTTP_PARAMS_MAX && row->params[i]; i++) {
		unsigned value;

		if (!row->params[i]->read(req->params[i].text,
		                          req->params[i].len, &value))
			return row->params[i]->refusal;
	}
	return ERR_OK;
}

/*
 * If the path shows a common mistake: why no route has such a path, and what
 * the client should do.  Else NULL.
 */
static const char *path_fault(const char *path)
{
	static const char placeholder[] =
		"The path has a \"{\" in it, as it is or as %7B: a placeholder "
		"such as {game_id} was sent.  Put a value in its place, "
		"without the braces.";
	static const struct {
		const char *mark;
		const char *detail;
	} faults[] = {
		{ "{", placeholder },
		{ "%7B", placeholder },
		{ "%7b", placeholder },
		{ "//", "The path has an empty part (\"//\"); perhaps a value "
		        "was left out.  No part of a path is empty." },
		{ "%", "The path has a \"%\" in it; nothing in a path of this "
		       "service is percent-encoded." },
	};
	size_t len = strlen(path);

	for (size_t i = 0; i < ARRAY_LEN(faults); i++) {
		if (strstr(path, faults[i].mark))
			return faults[i].detail;
	}
	if (len > 1 && path[len - 1] == '/')
		return "The path ends with a slash, and no path of this "
		       "service does; leave the slash out.";
	return NULL;
}

/* Find the row; 404, 405; or no row and an Allow field, for OPTIONS. */
static enum err route(struct exchange *exchange, const struct router *router)
{
	struct http_request *req = &exchange->req;

	if (req->path[0] == '*') {
		http_header(req, "Allow", router_allow_any(router));
		return ERR_OK;
	}
	const struct router_place *place =
		router_find(router, req->path, req->params);
	if (!place)
		return refuse(exchange, ERR_NO_SUCH_ROUTE,
		              path_fault(req->path));
	enum err err =
		check_path(req, place, methods[exchange->sent_method].method);
	if (err && !req->detail)
		req->detail = path_fault(req->path);
	if (err || req->route)
		return err;
	http_header(req, "Allow", place->allow);
	if (exchange->sent_method == METHOD_OPTIONS)
		return ERR_OK;
	return refuse(exchange, ERR_METHOD_NOT_ALLOWED,
	              arena_printf(&req->arena,
	                           "This path does not know %s; it knows %s.",
	                           exchange->method, place->allow));
}

/* Does the route take a body of this size and type? */
static enum err check_body(struct exchange *exchange, size_t size)
{
	const char *type = exchange->fields.values[FIELD_CONTENT_TYPE];
	struct http_request *req = &exchange->req;
	size_t body_max = req->route->body_max;

	if (size == 0)
		return ERR_OK;
	if (body_max == 0)
		return refuse(exchange, ERR_MALFORMED,
		              arena_printf(&req->arena,
		                           "%s takes no body here, and this "
		                           "request has one; send it without.",
		                           exchange->method));
	if (size > body_max)
		return refuse(exchange, ERR_BODY_TOO_LARGE,
		              arena_printf(&req->arena,
		                           "The body is longer than the %zu "
		                           "bytes that this route takes.",
		                           body_max));
	if (!media_is_plain(exchange->fields.values[FIELD_CONTENT_ENCODING])) {
		http_header(req, "Accept-Encoding", "identity");
		return refuse(exchange, ERR_UNSUPPORTED_MEDIA_TYPE,
		              "The body is compressed, or says so in "
		              "Content-Encoding; send it as it is.");
	}
	if (!media_is_json(type))
		return ERR_UNSUPPORTED_MEDIA_TYPE;
	if (!media_is_utf8(type))
		return refuse(exchange, ERR_UNSUPPORTED_MEDIA_TYPE,
		              "The body's charset is not UTF-8; send JSON in "
		              "UTF-8, as application/json without a charset.");
	return ERR_OK;
}

/* Does the route have an answer for this Accept, body and query? */
static enum err check_for_route(struct exchange *exchange, const char *query)
{
	const struct http_route *row = exchange->req.route;
	const struct fields *fields = &exchange->fields;

	exchange->req.wants_stream =
		row->streams &&
		accept_prefers(fields->values[FIELD_ACCEPT],
	                       "text/event-stream", row->produces);
	if (row->produces && !exchange->req.wants_stream &&
	    !accept_type(fields->values[FIELD_ACCEPT], row->produces))
		return ERR_NOT_ACCEPTABLE;
	enum err err = check_body(exchange, exchange->announced);
	if (err)
		return err;
	err = query_string_read(&exchange->req, query);
	/* A handler reports these, after the token. */
	return err == ERR_INVALID ? ERR_OK : err;
}

static enum err check_request(struct exchange *exchange,
                              const struct router *router)
{
	const char *fault = framing_fault(exchange);
	const char *query;

	exchange->must_close = fault != NULL;
	enum err malformed = read_target(exchange, &query);
	/* Beyond these limits a response may have no room. */
	if (fields_are_too_many(&exchange->fields))
		return refuse_fields(exchange);
	if (!fault && cors_is_preflight(exchange)) {
		/* For Allow alone, whatever else it finds. */
		if (!malformed)
			(void)route(exchange, router);
		return ERR_OK;
	}
	if (exchange->sent_method == METHOD_OTHER)
		return refuse(exchange, ERR_NOT_IMPLEMENTED, NULL);
	if (exchange->sent_target.len > HTTP_URI_MAX)
		return refuse(exchange, ERR_URI_TOO_LONG, NULL);
	if (fault)
		return refuse(exchange, ERR_MALFORMED, fault);
	if (malformed)
		return malformed;
	enum err err = route(exchange, router);
	if (err || !exchange->req.route)
		return err;
	return check_for_route(exchange, query);
}

static void take_fields(struct exchange *exchange)
{
	struct http_request *req = &exchange->req;
	const struct fields *fields = &exchange->fields;

	req->accept_encoding = fields->values[FIELD_ACCEPT_ENCODING];
	req->accept_language = fields->values[FIELD_ACCEPT_LANGUAGE];
	req->authorization = fields->values[FIELD_AUTHORIZATION];
	req->idempotency_key = fields->values[FIELD_IDEMPOTENCY_KEY];
	req->if_match = fields->values[FIELD_IF_MATCH];
	req->if_none_match = fields->values[FIELD_IF_NONE_MATCH];
	req->last_event_id = fields->values[FIELD_LAST_EVENT_ID];
	req->prefix = prefix_read(&req->arena,
	                          fields->values[FIELD_X_FORWARDED_PREFIX]);
	req->wait_s = prefer_wait(fields->values[FIELD_PREFER]);
	if (!traceparent_read(fields->values[FIELD_TRACEPARENT], req->trace_id,
	                      req->trace_parent))
		req->trace_id[0] = '\0';
	take_id(req, fields->values[FIELD_X_REQUEST_ID]);
}

static bool client_closes(const struct fields *fields)
{
	const char *list = fields->values[FIELD_CONNECTION];
	struct list_member member;

	while (list_next(&list, &member)) {
		if (list_is(&member, "close"))
			return true;
	}
	return false;
}

void validate_head(struct exchange *exchange, const struct router *router,
                   const char *method, const char *version)
{
	struct http_request *req = &exchange->req;
	const struct fields *fields = &exchange->fields;

	exchange->sent_method = find_method(method);
	exchange->method = methods[exchange->sent_method].name;
	exchange->is_old = strcmp(version, MHD_HTTP_VERSION_1_0) == 0;
	/* libmicrohttpd has refused anything but a number that fits. */
	if (fields->values[FIELD_CONTENT_LENGTH])
		exchange->announced =
			strtoull(fields->values[FIELD_CONTENT_LENGTH], NULL,
		                 10);
	req->is_head = exchange->sent_method == METHOD_HEAD;
	take_fields(exchange);
	/*
	 * libmicrohttpd ends the lines of a chunked body at a bare LF as well.
	 * A proxy that does not would find the end of the body elsewhere, and
	 * forward a second request as a part of this body.  (DEBIAN_12: 1.0
	 * refuses such lines.)
	 */
	bool is_chunked = fields->counts[FIELD_TRANSFER_ENCODING] > 0;
	exchange->is_last = is_chunked || client_closes(fields);
	exchange->refusal = check_request(exchange, router);
	if (!exchange->refusal && req->route) {
		exchange->body_room = fields->values[FIELD_TRANSFER_ENCODING]
		                              ? req->route->body_max
		                              : exchange->announced;
		return;
	}
	/*
	 * While a body arrives nothing can be answered.  So a short one is read
	 * before it is refused, but not a long one, nor one whose client waits
	 * for "100 Continue" before it sends any.
	 */
	bool waits = fields->values[FIELD_EXPECT] &&
	             (exchange->announced > 0 || is_chunked);
	if (waits || exchange->announced > HTTP_BODY_READ_MAX)
		exchange->must_close = true;
}

void validate_body(struct exchange *exchange)
{
	if (exchange->refusal || !exchange->req.route)
		return;
	if (exchange->fields.values[FIELD_TRANSFER_ENCODING]) {
		fields_count(&exchange->fields, exchange->connection,
		             MHD_FOOTER_KIND);
		if (fields_are_too_many(&exchange->fields)) {
			exchange->refusal = refuse_fields(exchange);
			return;
		}
	}
	if (exchange->body_len == 0)
		return;
	/* The length of a chunked body is known only now. */
	exchange->refusal = check_body(exchange, exchange->body_len);
	if (exchange->refusal)
		return;
	exchange->req.body = exchange->body;
	exchange->req.body_len = exchange->body_len;
}

void validate_unread(struct exchange *exchange, enum err err,
                     const char *detail)
{
	const char *query;

	exchange->sent_method = METHOD_OTHER;
	exchange->method = methods[METHOD_OTHER].name;
	exchange->must_close = true;
	take_fields(exchange);
	(void)read_target(exchange, &query);
	const char *fault =
		err == ERR_MALFORMED ? framing_fault(exchange) : NULL;
	exchange->refusal = refuse(exchange, err, fault ? fault : detail);
}
