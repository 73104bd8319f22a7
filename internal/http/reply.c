/*
 * A reply's body and header fields are borrowed from the request's arena until
 * libmicrohttpd has sent the answer, so they are not copied.
 * add_fields() adds those that every answer has.
 */
#include "http/reply.h"

#include <assert.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/memory.h"
#include "http/connection_room.h"
#include "http/cors.h"
#include "http/problem.h"

enum {
	RATE_LIST_MAX = 320,
	/* The status line, Date, Content-Length or Transfer-Encoding. */
	LIBRARY_HEADER_MAX = 256
};

/* A response whose header is being made. */
struct header {
	struct MHD_Response *response;
	size_t len;
};

static void add_field(struct header *header, const char *name,
                      const char *value)
{
	/* The field is well formed, so only memory can be missing. */
	if (MHD_add_response_header(header->response, name, value) != MHD_YES)
		memory_fail();
	header->len += strlen(name) + strlen(value) + strlen(": \r\n");
}

/* --- quotas --------------------------------------------------------------- */

/* The value of a header field that is a list, as it grows. */
struct rate_list {
	size_t len;
	char text[RATE_LIST_MAX];
};

static void put(struct rate_list *list, const char *text)
{
	size_t len = strlen(text);

	assert(list->len + len < RATE_LIST_MAX);
	memcpy(list->text + list->len, text, len + 1);
	list->len += len;
}

static void put_number(struct rate_list *list, const char *name,
                       unsigned number)
{
	char digits[16];
	size_t at = sizeof(digits) - 1;

	digits[at] = '\0';
	do {
		digits[--at] = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	put(list, name);
	put(list, digits + at);
}

static void put_member(struct rate_list *list, const char *name)
{
	put(list, list->len ? ", \"" : "\"");
	put(list, name);
}

/*
 * Two structured fields (RFC 9651), written by hand: one printf for each number
 * would cost more than counting the request.  They are printed only now, since
 * the numbers alone take less memory in a waiter.
 */
static void add_rates(const struct http_request *req, struct header *header)
{
	struct rate_list policy;
	struct rate_list left;

	policy.len = 0;
	left.len = 0;
	for (size_t i = 0; i < req->rates_count; i++) {
		const struct http_rate *rate = &req->rates[i];

		put_member(&policy, rate->name);
		put_number(&policy, "\";q=", rate->requests);
		put_number(&policy, ";w=", rate->window_s);
		put_member(&left, rate->name);
		put_number(&left, "\";r=", rate->left);
		put_number(&left, ";t=", rate->full_s);
	}
	if (req->rates_count) {
		add_field(header, "RateLimit-Policy", policy.text);
		add_field(header, "RateLimit", left.text);
	}
}

/* --- replies -------------------------------------------------------------- */

/* Add the header fields of a reply; a bare one has no body. */
static void add_fields(struct exchange *exchange, struct MHD_Response *response,
                       bool bare)
{
	const struct http_reply *reply = &exchange->req.reply;
	struct header header = { .response = response };
	bool has_cache_control = false;

	if (exchange->pool->config->cors_origins)
		cors_add(exchange, exchange->pool->config->cors_origins);

	for (size_t i = 0; i < reply->headers_count; i++) {
		const struct http_header *field = &reply->headers[i];
		add_field(&header, field->name, field->value);
		if (strcmp(field->name, "Cache-Control") == 0)
			has_cache_control = true;
	}
	if (reply->type && !bare)
		add_field(&header, "Content-Type", reply->type);
	if (!has_cache_control)
		add_field(&header, "Cache-Control", "no-store");
	if (exchange->must_close || exchange->is_last ||
	    exchange->pool->is_draining)
		add_field(&header, "Connection", "close");
	add_rates(&exchange->req, &header);
	add_field(&header, "X-Content-Type-Options", "nosniff");
	add_field(&header, "X-Request-Id", exchange->req.id);
	/* server.c leaves this much of the connection's memory. */
	assert(header.len + LIBRARY_HEADER_MAX <= ROOM_OF_REPLY_HEADER);
}

static bool is_bare(const struct http_reply *reply)
{
	return reply->status == 204 || reply->status == 304;
}

static struct MHD_Response *make_response(struct exchange *exchange)
{
	const struct http_reply *reply = &exchange->req.reply;
	bool bare = is_bare(reply);
	size_t len = bare ? 0 : reply->body_len;
	struct MHD_Response *response = MHD_create_response_from_buffer(
		len, (void *)(uintptr_t)(len ? reply->body : ""),
		MHD_RESPMEM_PERSISTENT);

	memory_expect(response);
#if MHD_VERSION >= 0x01000000 /* DEBIAN_12: impossible before */
	if (reply->status == 304)
		(void)MHD_set_response_options(response,
		                               MHD_RF_HEAD_ONLY_RESPONSE,
		                               MHD_RO_END);
#endif
	add_fields(exchange, response, bare);
	return response;
}

enum MHD_Result reply_send(struct exchange *exchange)
{
	unsigned status = exchange->req.reply.status;

	assert(exchange->phase == EXCHANGE_FINISHED && status);
	struct MHD_Response *response = make_response(exchange);
	enum MHD_Result res =
		MHD_queue_response(exchange->connection, status, response);
	MHD_destroy_response(response);
	exchange->phase = EXCHANGE_ANSWERED;
	exchange->pool->has_output = true;
	return res;
}

/* A used-up quota outranks any other refusal. */
static void count_refused(struct exchange *exchange)
{
	const struct http_config *config = exchange->pool->config;
	struct http_request *req = &exchange->req;
	const char *detail = req->detail;
	enum err err = ERR_OK;

	/* The callback's own detail names the quota. */
	req->detail = NULL;
	if (config->on_refused)
		err = config->on_refused(req, config->arg);
	if (!err) {
		req->detail = detail;
		return;
	}
	exchange->refusal = err;
	req->faults_count = 0;
	req->faults_dropped = 0;
	req->reply.headers_count = 0;
}

enum MHD_Result reply_without_loop(struct exchange *exchange)
{
	exchange->answered_here = true;
	/* Refusing a preflight costs as much as answering it. */
	if (!cors_is_preflight(exchange))
		count_refused(exchange);
	if (exchange->refusal)
		problem_reply(&exchange->req, exchange->refusal);
	else
		exchange->req.reply.status = 204;
	exchange->phase = EXCHANGE_FINISHED;
	return reply_send(exchange);
}

/* --- without libmicrohttpd ------------------------------------------------ */

struct text {
	struct arena *arena;
	const char *fields;
};

static enum MHD_Result print_field(void *cls, enum MHD_ValueKind kind,
                                   const char *name, const char *value)
{
	struct text *text = cls;

	(void)kind;
	text->fields = arena_printf(text->arena, "%s%s: %s\r\n", text->fields,
	                            name, value);
	return MHD_YES;
}

size_t reply_sent_len(const struct exchange *exchange)
{
	const struct http_request *req = &exchange->req;

	return req->is_head || is_bare(&req->reply) ? 0 : req->reply.body_len;
}

/* The field that says where the body ends. */
static const char *print_framing(struct exchange *exchange)
{
	struct http_request *req = &exchange->req;

	if (exchange->is_stream)
		return exchange->is_old ? "" : "Transfer-Encoding: chunked\r\n";
	return is_bare(&req->reply)
	               ? ""
	               : arena_printf(&req->arena, "Content-Length: %zu\r\n",
	                              req->reply.body_len);
}

const char *reply_print_head(struct exchange *exchange)
{
	struct http_request *req = &exchange->req;
	struct text text = { &req->arena, "" };
	time_t now = (time_t)(clock_wall_us() / 1000000);
	struct tm utc;
	char date[32];

	struct MHD_Response *response = make_response(exchange);
	(void)MHD_get_response_headers(response, print_field, &text);
	MHD_destroy_response(response);
	(void)strftime(date, sizeof(date), "%a, %d %b %Y %T GMT",
	               gmtime_r(&now, &utc));
	return arena_printf(&req->arena,
	                    "HTTP/1.1 %u %s\r\nDate: %s\r\n%s%s\r\n",
	                    req->reply.status,
	                    MHD_get_reason_phrase_for(req->reply.status), date,
	                    text.fields, print_framing(exchange));
}

const char *reply_print_refusal(struct exchange *exchange)
{
	struct http_request *req = &exchange->req;

	count_refused(exchange);
	problem_reply(req, exchange->refusal);
	return arena_printf(&req->arena, "%s%.*s", reply_print_head(exchange),
	                    (int)req->reply.body_len, req->reply.body);
}
