#include "http/reply.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "http/cors.h"
#include "http/server.h"

static void add_field(struct MHD_Response *response, const char *name,
                      const char *value)
{
	/* They are well formed, so it refuses them for want of memory only. */
	if (MHD_add_response_header(response, name, value) != MHD_YES)
		memory_fail();
}

void reply_add_fields(struct exchange *exchange, struct MHD_Response *response,
                      bool bare)
{
	const struct http_reply *reply = &exchange->req.reply;
	bool has_cache_control = false;

	if (exchange->config->cors_origins)
		cors_add(exchange, exchange->config->cors_origins);

	for (size_t i = 0; i < reply->headers_count; i++) {
		const struct http_header *header = &reply->headers[i];
		add_field(response, header->name, header->value);
		if (strcmp(header->name, "Cache-Control") == 0)
			has_cache_control = true;
	}
	if (reply->type && !bare)
		add_field(response, "Content-Type", reply->type);
	if (!has_cache_control)
		add_field(response, "Cache-Control", "no-store");
	if (exchange->must_close || exchange->is_last ||
	    exchange->server->draining)
		add_field(response, "Connection", "close");
	if (exchange->req.rate_policy)
		add_field(response, "RateLimit-Policy",
		          exchange->req.rate_policy);
	if (exchange->req.rate_left)
		add_field(response, "RateLimit", exchange->req.rate_left);
	add_field(response, "X-Content-Type-Options", "nosniff");
	add_field(response, "X-Request-Id", exchange->req.id);
}

enum MHD_Result reply_send(struct exchange *exchange)
{
	const struct http_reply *reply = &exchange->req.reply;
	bool bare = reply->status == 204 || reply->status == 304;
	size_t len = bare ? 0 : reply->body_len;

	assert(exchange->phase == PHASE_FINISHED && reply->status);
	struct MHD_Response *response = MHD_create_response_from_buffer(
		len, (void *)(uintptr_t)(len ? reply->body : ""),
		MHD_RESPMEM_PERSISTENT);
	memory_expect(response);
	reply_add_fields(exchange, response, bare);
	enum MHD_Result res = MHD_queue_response(exchange->connection,
	                                         reply->status, response);
	MHD_destroy_response(response);
	exchange->phase = PHASE_ANSWERED;
	return res;
}

void http_header(struct http_request *req, const char *name, const char *value)
{
	struct http_reply *reply = &req->reply;

	assert(reply->headers_count < HTTP_HEADERS_MAX);
	reply->headers[reply->headers_count++] =
		(struct http_header){ name, value };
}
