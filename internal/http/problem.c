/*
 * A refusal is an enum err; its kind gives the status, and err.def the title
 * and a detail that a handler may replace.  A handler notes faults, a link and
 * the present state of the game in the request; they are printed when the
 * document is made.  Header fields that a handler has added belong to the
 * answer that is not given, so nearly all of them are dropped.
 */
#include "http/problem.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/json_out.h"

static const unsigned statuses[] = {
	[ERR_KIND_NONE] = 200,      [ERR_KIND_MALFORMED] = 400,
	[ERR_KIND_INVALID] = 422,   [ERR_KIND_UNAUTHENTICATED] = 401,
	[ERR_KIND_FORBIDDEN] = 403, [ERR_KIND_MISSING] = 404,
	[ERR_KIND_CONFLICT] = 409,  [ERR_KIND_STALE] = 412,
	[ERR_KIND_METHOD] = 405,    [ERR_KIND_ACCEPT] = 406,
	[ERR_KIND_LENGTH] = 413,    [ERR_KIND_URI] = 414,
	[ERR_KIND_TYPE] = 415,      [ERR_KIND_FIELDS] = 431,
	[ERR_KIND_UNKNOWN] = 501,   [ERR_KIND_UNAVAILABLE] = 503,
	[ERR_KIND_BROKEN] = 500,    [ERR_KIND_LIMITED] = 429,
};
_Static_assert(ARRAY_LEN(statuses) == ERR_KIND_COUNT,
               "every kind has its status");

unsigned problem_status(enum err err)
{
	return statuses[err_kind(err)];
}

static void add_fault(struct http_request *req, const char *in,
                      const char *name, const char *code, const char *detail)
{
	struct http_fault fault = { in, name, code, detail };

	if (!req->faults)
		req->faults = arena_zalloc(&req->arena,
		                           HTTP_FAULTS_MAX * sizeof(fault));
	if (req->faults_count < HTTP_FAULTS_MAX)
		req->faults[req->faults_count++] = fault;
	else
		req->faults_dropped++;
}

void problem_fault(struct http_request *req, const char *pointer,
                   const char *code, const char *detail)
{
	add_fault(req, "pointer", pointer, code, detail);
}

void problem_query_fault(struct http_request *req, const char *parameter,
                         const char *code, const char *detail)
{
	add_fault(req, "parameter", parameter, code, detail);
}

void problem_header_fault(struct http_request *req, const char *header,
                          const char *code, const char *detail)
{
	add_fault(req, "header", header, code, detail);
}

const char *problem_one_of(struct arena *arena, const char *const *words,
                           size_t count)
{
	const char *list = words[0];

	for (size_t i = 1; i < count; i++)
		list = arena_printf(arena, "%s, %s", list, words[i]);
	return arena_printf(arena, "This must be one of: %s.", list);
}

static void filter_headers(struct http_reply *reply)
{
	size_t count = 0;

	for (size_t i = 0; i < reply->headers_count; i++) {
		const char *name = reply->headers[i].name;
		if (strcmp(name, "Allow") == 0 ||
		    strcmp(name, "Accept-Encoding") == 0 ||
		    strcmp(name, "Connection") == 0)
			reply->headers[count++] = reply->headers[i];
	}
	reply->headers_count = count;
}

/* Add the header fields that go with a refusal. */
static void add_headers(struct http_request *req, enum err err, unsigned status)
{
	if (err == ERR_INVALID_TOKEN)
		http_header(req, "WWW-Authenticate",
		            "Bearer realm=\"gangd\", error=\"invalid_token\"");
	else if (status == 401)
		http_header(req, "WWW-Authenticate", "Bearer realm=\"gangd\"");
	if (status == 429 || status == 503)
		http_header(req, "Retry-After",
		            arena_printf(&req->arena, "%u",
		                         req->retry_s ? req->retry_s : 1));
	if (status == 415)
		http_header(req, "Accept", "application/json");
	http_header(req, "Cache-Control", "no-store");
}

/* The path as a URI reference; a client may have sent any bytes. */
static const char *instance(struct http_request *req)
{
	const char *path = http_path(req, req->path ? req->path : "");
	char *text = arena_zalloc(&req->arena, 3 * strlen(path) + 1);
	size_t len = 0;

	for (; *path; path++) {
		unsigned char c = (unsigned char)*path;
		if (c > ' ' && c < 0x7f) {
			text[len++] = *path;
			continue;
		}
		(void)snprintf(text + len, sizeof("%xx"), "%%%02X", c);
		len += 3;
	}
	return text;
}

static void print_faults(struct json_out *out, const struct http_request *req)
{
	if (req->faults_count == 0)
		return;
	json_key_array(out, "errors");
	for (size_t i = 0; i < req->faults_count; i++) {
		const struct http_fault *fault = &req->faults[i];
		json_object(out);
		json_key_string(out, fault->in, fault->name);
		json_key_string(out, "code", fault->code);
		json_key_string(out, "detail", fault->detail);
		json_object_end(out);
	}
	json_array_end(out);
}

static void print_link(struct json_out *out, const struct http_link *link)
{
	if (!link->name)
		return;
	json_key_object(out, link->name);
	json_key_string(out, "id", link->id);
	json_key_string(out, "href", link->href);
	json_object_end(out);
}

void problem_link(struct http_request *req, const char *name, const char *id,
                  const char *href)
{
	req->link = (struct http_link){ name, id, href };
}

static void print_now(struct json_out *out, const struct http_request *req)
{
	if (!req->now)
		return;
	json_key_object(out, "now");
	for (size_t i = 0; i < req->now_count; i++) {
		const struct http_member *member = &req->now[i];

		if (member->word)
			json_key_string(out, member->name, member->word);
		else
			json_key_int_or_null(out, member->name, member->number);
	}
	json_object_end(out);
}

void problem_now(struct http_request *req, const struct http_member *members,
                 size_t count)
{
	req->now = members;
	req->now_count = count;
}

void problem_forget(struct http_request *req)
{
	req->detail = NULL;
	req->retry_s = 0;
	req->faults = NULL;
	req->faults_count = req->faults_dropped = 0;
	req->link = (struct http_link){ .name = NULL };
	problem_now(req, NULL, 0);
}

/* Enough bytes for the document; escaping makes up to six of one. */
static size_t size_needed(const struct http_request *req, const char *detail)
{
	size_t text = strlen(detail);

	for (size_t i = 0; i < req->faults_count; i++) {
		const struct http_fault *fault = &req->faults[i];
		text += strlen(fault->name);
		text += strlen(fault->code) + strlen(fault->detail) + 16;
	}
	text += req->path ? strlen(req->path) : 0;
	return 6 * text + 1024 + 3 * HTTP_PREFIX_MAX;
}

static const char *find_detail(struct http_request *req, enum err err)
{
	if (req->detail)
		return req->detail;
	if (req->faults_dropped == 0)
		return err_text(err);
	return arena_printf(&req->arena,
	                    "Something in the request is not allowed; "
	                    "\"errors\" names the first %zu faults of %zu.",
	                    req->faults_count,
	                    req->faults_count + req->faults_dropped);
}

void problem_reply(struct http_request *req, enum err err)
{
	const char *detail = find_detail(req, err);
	unsigned status = problem_status(err);
	size_t size = size_needed(req, detail);
	char *body = arena_zalloc(&req->arena, size);
	struct json_out out;

	assert(err != ERR_OK);
	json_out_init(&out, body, size);
	json_object(&out);
	json_key_string(&out, "type",
	                http_path(req, arena_printf(&req->arena, "/problems/%s",
	                                            err_code(err))));
	json_key_string(&out, "title", err_title(err));
	json_key_int(&out, "status", status);
	json_key_string(&out, "detail", detail);
	json_key_string(&out, "instance", instance(req));
	json_key_string(&out, "code", err_code(err));
	if (req->trace_id[0])
		json_key_string(&out, "trace_id", req->trace_id);
	print_faults(&out, req);
	print_now(&out, req);
	print_link(&out, &req->link);
	json_object_end(&out);
	assert(json_out_fits(&out));

	req->err = err;
	filter_headers(&req->reply);
	add_headers(req, err, status);
	req->reply.status = status;
	req->reply.type = "application/problem+json";
	req->reply.body = body;
	req->reply.body_len = json_out_len(&out);
}

/* Titles of err.def may contain '&'. */
static const char *escape_html(struct arena *arena, const char *text)
{
	char *out = arena_zalloc(arena, 6 * strlen(text) + 1);
	size_t len = 0;

	for (; *text; text++) {
		const char *entity = *text == '&'   ? "&amp;"
		                     : *text == '<' ? "&lt;"
		                     : *text == '"' ? "&quot;"
		                                    : NULL;
		size_t size = entity ? strlen(entity) : 1;
		memcpy(out + len, entity ? entity : text, size);
		len += size;
	}
	return out;
}

/* All words of the page are in one language. */
const char *problem_page(struct arena *arena, const char *code,
                         const struct problem_words *words,
                         const char *contract)
{
	enum err err;

	if (!err_find(code, &err) || err == ERR_OK)
		return NULL;
	const char *title = escape_html(arena, words->title);
	return arena_printf(
		arena,
		"<!doctype html>\n<html lang=\"%s\">\n<meta "
		"charset=\"utf-8\">\n"
		"<meta name=\"viewport\" content=\"width=device-width\">\n"
		"<title>%s</title>\n<h1>%s</h1>\n<p>%s</p>\n"
		"<p><code>%s</code>, HTTP %u</p>\n"
		"<p><a href=\"%s\">%s</a></p>\n</html>\n",
		words->language, title, title, escape_html(arena, words->text),
		err_code(err), problem_status(err), contract, contract);
}
