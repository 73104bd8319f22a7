/*
 * A stream leaves libmicrohttpd: its socket is duplicated, libmicrohttpd closes
 * the connection that it knows, and the duplicate is written to from here.  The
 * reason is that libmicrohttpd, whenever a connection is resumed, walks the
 * list of all suspended ones; so each move would pay for everybody who listens.
 * It would also keep 32 KiB for each stream.  (MHD_USE_TURBO: libmicrohttpd
 * closes a socket without shutting it down, which would end the duplicate too.)
 *
 * The loop writes chunks to a buffer, which is sent at the end of the tick and
 * holds only what the socket has not taken.  While it holds something the peer
 * is watched for room.  A client that leaves STREAM_MAX bytes unread is refused
 * the next write, so it cannot make the server buffer without end.
 *
 * Nothing is read from the client any more: the response says "Connection:
 * close".
 */
#include "http/stream.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/memory.h"
#include "http/peer.h"
#include "http/reply.h"

enum {
	STREAM_MAX = 256 * 1024, /* bytes that a client may leave unread */
	FRAME_MAX = 24,          /* of a chunk: its length and line ends */
};

static const char last_chunk[] = "0\r\n\r\n";

/* --- the buffer ----------------------------------------------------------- */

static size_t left_of(const struct stream *stream)
{
	return stream->end - stream->start;
}

static void append(struct stream *stream, const char *text, size_t len)
{
	memcpy(stream->bytes + stream->end, text, len);
	stream->end += len;
}

/* Move what is left to the start, and make room for len more bytes. */
static void make_room(struct stream *stream, size_t len)
{
	size_t left = left_of(stream);

	if (left > 0 && stream->start > 0)
		memmove(stream->bytes, stream->bytes + stream->start, left);
	stream->start = 0;
	stream->end = left;
	if (left + len <= stream->size)
		return;
	stream->size = left + len;
	stream->bytes = xrealloc(stream->bytes, stream->size);
}

/* A stream is idle most of the time, and has no buffer then. */
static void forget(struct stream *stream)
{
	free(stream->bytes);
	stream->bytes = NULL;
	stream->size = stream->start = stream->end = 0;
}

static void append_chunk(struct exchange *exchange, const char *text,
                         size_t len)
{
	struct stream *stream = &exchange->stream;
	char length[FRAME_MAX];

	(void)snprintf(length, sizeof(length), "%zX\r\n", len);
	make_room(stream, len + FRAME_MAX);
	if (exchange->is_old) {
		append(stream, text, len);
		return;
	}
	append(stream, length, strlen(length));
	append(stream, text, len);
	append(stream, "\r\n", 2);
}

/* --- for the loop --------------------------------------------------------- */

void http_stream_begin(struct http_request *req)
{
	struct exchange *exchange = req->inner;
	const char *head;

	assert(exchange->phase == EXCHANGE_HANDED && !exchange->is_held);
	exchange->phase = EXCHANGE_STREAM;
	exchange->is_last = true;
	head = reply_print_head(exchange,
	                        exchange->is_old
	                                ? ""
	                                : "Transfer-Encoding: chunked\r\n");
	make_room(&exchange->stream, strlen(head));
	append(&exchange->stream, head, strlen(head));
	exchange_resume(exchange);
	/* After the header there is nothing to wait for. */
	if (exchange->sent_method == METHOD_HEAD)
		exchange->pool->config->on_gone(req,
		                                exchange->pool->config->arg);
}

size_t http_stream_unread(const struct http_request *req)
{
	const struct exchange *exchange = req->inner;

	return left_of(&exchange->stream);
}

bool http_stream_write(struct http_request *req, const char *text, size_t len)
{
	struct exchange *exchange = req->inner;

	if (exchange->is_orphaned || len == 0 ||
	    exchange->sent_method == METHOD_HEAD)
		return true;
	if (left_of(&exchange->stream) + len + FRAME_MAX > STREAM_MAX)
		return false;
	append_chunk(exchange, text, len);
	exchange_note_written(exchange);
	return true;
}

/* --- for the server ------------------------------------------------------- */

enum MHD_Result stream_detach(struct exchange *exchange)
{
	struct peer *peer = peer_detach(exchange->peer);

	/* Asking in vain counts as no call, or else the loop would spin. */
	if (!peer) {
		exchange->pool->was_called = false;
		return MHD_YES;
	}
	exchange->peer = peer;
	exchange->connection = NULL;
	exchange->phase = EXCHANGE_FLOWING;
	TAILQ_INSERT_TAIL(&exchange->pool->streams, exchange, in_streams);
	exchange_note_written(exchange);
	peer_watch(peer);
	return MHD_NO;
}

void stream_lose_client(struct exchange *exchange)
{
	if (exchange->has_left)
		return;
	exchange->has_left = true;
	if (!exchange->stream.is_over)
		exchange->pool->config->on_gone(&exchange->req,
		                                exchange->pool->config->arg);
}

/*
 * Wait until the socket has room; 10 s for the last bytes.  False: the client
 * has gone.
 */
static bool wait_for_room(struct exchange *exchange, bool has_progress)
{
	struct peer *peer = exchange->peer;
	enum peer_wait wait =
		exchange->stream.is_over ? PEER_WHOLE : PEER_UNREAD;

	if (peer->wait != wait || (has_progress && wait == PEER_UNREAD))
		peer_wait_for(peer, wait);
	return peer_watch_room(peer, true);
}

/* Give the socket what it takes; false if it will never take the rest. */
static bool push(struct exchange *exchange)
{
	struct stream *stream = &exchange->stream;
	bool has_progress = false;

	while (left_of(stream) > 0) {
		ssize_t sent =
			send(exchange->peer->fd, stream->bytes + stream->start,
		             left_of(stream), MSG_DONTWAIT | MSG_NOSIGNAL);

		if (sent < 0 && errno == EAGAIN)
			return wait_for_room(exchange, has_progress);
		if (sent < 0 && errno != EINTR)
			return false;
		if (sent > 0)
			stream->start += (size_t)sent;
		has_progress = has_progress || sent > 0;
	}
	if (exchange->peer->wait != PEER_BUSY) {
		peer_stop_waiting(exchange->peer);
		(void)!peer_watch_room(exchange->peer, false);
	}
	forget(stream);
	return true;
}

/* The end of the body, once. */
static void append_end(struct exchange *exchange)
{
	struct stream *stream = &exchange->stream;

	if (stream->has_end)
		return;
	stream->has_end = true;
	if (exchange->is_old || exchange->sent_method == METHOD_HEAD)
		return;
	make_room(stream, strlen(last_chunk));
	append(stream, last_chunk, strlen(last_chunk));
}

bool stream_send(struct exchange *exchange)
{
	struct stream *stream = &exchange->stream;

	if (stream->is_over)
		append_end(exchange);
	if (!push(exchange)) {
		stream_lose_client(exchange);
		return !stream->is_over;
	}
	return !stream->is_over || left_of(stream) > 0;
}

void stream_close(struct exchange *exchange)
{
	/* Unread bytes would make the end a reset, which can outrun the text.
	 */
	peer_drain(exchange->peer);
	peer_close_socket(exchange->peer);
	TAILQ_REMOVE(&exchange->pool->streams, exchange, in_streams);
}
