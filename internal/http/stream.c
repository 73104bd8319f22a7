/*
 * The loop writes chunks to the output of an exchange, which detached.c sends.
 * A client that leaves STREAM_MAX bytes unread is refused the next write, so it
 * cannot make the server buffer without end.
 */
#include "http/stream.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "http/reply.h"

enum {
	STREAM_MAX = 256 * 1024, /* bytes that a client may leave unread */
	FRAME_MAX = 24,          /* of a chunk: its length and line ends */
};

static const char last_chunk[] = "0\r\n\r\n";

static void append_chunk(struct exchange *exchange, const char *text,
                         size_t len)
{
	struct output *output = &exchange->output;
	char length[FRAME_MAX];

	if (exchange->is_old) {
		output_append(output, text, len);
		return;
	}
	(void)snprintf(length, sizeof(length), "%zX\r\n", len);
	output_reserve(output, len + FRAME_MAX);
	output_append(output, length, strlen(length));
	output_append(output, text, len);
	output_append(output, "\r\n", 2);
}

/* --- for the loop --------------------------------------------------------- */

void http_stream_begin(struct http_request *req)
{
	struct exchange *exchange = req->inner;
	const char *head;

	assert(exchange->phase == EXCHANGE_HANDED);
	exchange->is_stream = exchange->is_last = true;
	head = reply_print_head(exchange);
	output_append(&exchange->output, head, strlen(head));
	exchange_leave(exchange);
	/* After the header there is nothing to wait for. */
	if (exchange->sent_method == METHOD_HEAD && !exchange->is_orphaned)
		exchange->pool->config->on_gone(req,
		                                exchange->pool->config->arg);
}

size_t http_stream_unread(const struct http_request *req)
{
	const struct exchange *exchange = req->inner;

	return output_left(&exchange->output);
}

bool http_stream_write(struct http_request *req, const char *text, size_t len)
{
	struct exchange *exchange = req->inner;

	if (exchange->is_orphaned || len == 0 ||
	    exchange->sent_method == METHOD_HEAD)
		return true;
	if (output_left(&exchange->output) + len + FRAME_MAX > STREAM_MAX)
		return false;
	append_chunk(exchange, text, len);
	exchange_note_written(exchange);
	return true;
}

/* --- for the server ------------------------------------------------------- */

void stream_append_end(struct exchange *exchange)
{
	if (!exchange->is_old && exchange->sent_method != METHOD_HEAD)
		output_append(&exchange->output, last_chunk,
		              strlen(last_chunk));
}
