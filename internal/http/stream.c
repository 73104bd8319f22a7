/*
 * The loop writes to a buffer that grows as needed and that libmicrohttpd
 * empties into the socket.  libmicrohttpd asks for more by read_stream(); while
 * the buffer is empty its connection is suspended, and the next write or the
 * end resumes it.  A client that leaves STREAM_MAX bytes unread is refused the
 * next write, so it cannot make the server buffer without end.
 */
#include "http/stream.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "http/reply.h"

enum {
	STREAM_MAX = 256 * 1024, /* bytes that a client may leave unread */
	STREAM_PIECE = 4096
};

static ssize_t read_stream(void *cls, uint64_t at, char *buffer, size_t max)
{
	struct exchange *exchange = cls;
	struct stream *stream = &exchange->stream;
	size_t len = stream->end - stream->start;

	(void)at;
	exchange->pool->was_called = true;
	if (len == 0 && stream->is_over)
		return MHD_CONTENT_READER_END_OF_STREAM;
	if (len == 0) {
		/* A stream is idle most of the time, and holds no buffer then.
		 */
		free(stream->bytes);
		*stream = (struct stream){ .bytes = NULL };
		exchange_suspend(exchange);
		return 0;
	}
	if (len > max)
		len = max;
	memcpy(buffer, stream->bytes + stream->start, len);
	stream->start += len;
	exchange->pool->has_output = true;
	return (ssize_t)len;
}

void http_stream_begin(struct http_request *req)
{
	struct exchange *exchange = req->inner;

	assert(exchange->phase == EXCHANGE_HANDED);
	exchange->phase = EXCHANGE_STREAM;
	http_watch_client(req);
	exchange_resume(exchange);
}

size_t http_stream_unread(const struct http_request *req)
{
	const struct exchange *exchange = req->inner;

	return exchange->stream.end - exchange->stream.start;
}

bool http_stream_write(struct http_request *req, const char *text, size_t len)
{
	struct exchange *exchange = req->inner;
	struct stream *stream = &exchange->stream;
	size_t left = stream->end - stream->start;

	if (exchange->is_orphaned || len == 0)
		return true;
	if (left + len > STREAM_MAX)
		return false;
	if (left > 0 && stream->start > 0)
		memmove(stream->bytes, stream->bytes + stream->start, left);
	if (left + len > stream->size) {
		stream->size = 2 * (left + len);
		if (stream->size > STREAM_MAX)
			stream->size = STREAM_MAX;
		stream->bytes = xrealloc(stream->bytes, stream->size);
	}
	memcpy(stream->bytes + left, text, len);
	stream->start = 0;
	stream->end = left + len;
	exchange_resume(exchange);
	return true;
}

enum MHD_Result stream_send(struct exchange *exchange)
{
	struct MHD_Response *response = MHD_create_response_from_callback(
		MHD_SIZE_UNKNOWN, STREAM_PIECE, read_stream, exchange, NULL);

	memory_expect(response);
	/* After the header libmicrohttpd would send the last chunk. */
	if (exchange->sent_method == METHOD_HEAD)
		(void)MHD_set_response_options(
			response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT,
			MHD_RO_END);
	reply_add_fields(exchange, response, false);
	enum MHD_Result res =
		MHD_queue_response(exchange->connection,
	                           exchange->req.reply.status, response);
	MHD_destroy_response(response);
	exchange->phase = EXCHANGE_FLOWING;
	exchange->pool->has_output = true;
	return res;
}
