/*
 * An exchange that goes on for long leaves libmicrohttpd: its socket is
 * duplicated, libmicrohttpd closes the connection that it knows, and the
 * duplicate is written to from here.  The reason is that libmicrohttpd,
 * whenever a connection is resumed, walks the list of all suspended ones; so
 * each move would pay for everybody who listens.  It would also keep 32 KiB for
 * each connection.  (MHD_USE_TURBO: libmicrohttpd closes a socket without
 * shutting it down, which would end the duplicate too.)
 *
 * The output is sent at the end of the tick, and holds only what the socket has
 * not taken.  While it holds something the peer is watched for room.
 *
 * Nothing more is read from the client of a stream: the response says
 * "Connection: close".  The client of a waiting request may send the next one,
 * which stays in the socket: with the reply sent, libmicrohttpd gets the
 * connection back.  That is possible only if libmicrohttpd has read nothing of
 * the next request; otherwise the connection stays there, suspended.
 */
#include "http/detached.h"

#include <errno.h>
#include <string.h>

#include "http/peer.h"
#include "http/reply.h"
#include "http/stream.h"

/* --- beginning ------------------------------------------------------------ */

/* Has libmicrohttpd read this request, and nothing after it? */
static bool is_read_alone(const struct exchange *exchange)
{
	uint64_t len = exchange->fields.header_size + exchange->body_len;

	return exchange->is_last || peer_bytes_read(exchange->peer) == len;
}

static enum MHD_Result stay(struct exchange *exchange)
{
	if (exchange->is_stream) {
		/* Asking in vain counts as no call, or the loop would spin. */
		exchange->pool->was_called = false;
		return MHD_YES;
	}
	exchange->phase = EXCHANGE_HANDED;
	exchange_suspend(exchange);
	peer_watch(exchange->peer);
	return MHD_YES;
}

enum MHD_Result detached_begin(struct exchange *exchange)
{
	struct peer *peer = NULL;

	/* HTTP/1.0 would need a "Connection: keep-alive". */
	exchange->is_last = exchange->is_last || exchange->is_old;
	if (exchange->is_stream || is_read_alone(exchange))
		peer = peer_detach(exchange->peer);
	if (!peer)
		return stay(exchange);
	exchange->peer = peer;
	exchange->connection = NULL;
	exchange->phase = EXCHANGE_DETACHED;
	TAILQ_INSERT_TAIL(&exchange->pool->detached, exchange, in_detached);
	if (exchange->is_stream) {
		peer_send_at_once(peer);
		exchange_note_written(exchange);
	}
	peer_watch(peer);
	return MHD_NO;
}

/* --- sending -------------------------------------------------------------- */

/*
 * Wait until the socket has room; 10 s for the last bytes.  False: the client
 * has gone.
 */
static bool wait_for_room(struct exchange *exchange, bool has_progress)
{
	struct peer *peer = exchange->peer;
	enum peer_wait wait = exchange->is_over ? PEER_WHOLE : PEER_UNREAD;

	if (peer->wait != wait || (has_progress && wait == PEER_UNREAD))
		peer_wait_for(peer, wait);
	return peer_watch_room(peer, true);
}

/* Give the socket what it takes; false if it will never take the rest. */
static bool push(struct exchange *exchange)
{
	struct output *output = &exchange->output;
	bool has_progress = false;

	while (output_left(output) > 0) {
		ssize_t sent = output_send(output, exchange->peer->fd);

		if (sent < 0 && errno == EAGAIN)
			return wait_for_room(exchange, has_progress);
		if (sent < 0 && errno != EINTR)
			return false;
		has_progress = has_progress || sent > 0;
	}
	if (exchange->peer->wait != PEER_BUSY) {
		peer_stop_waiting(exchange->peer);
		(void)!peer_watch_room(exchange->peer, false);
	}
	output_forget(output);
	return true;
}

/* The reply of a waiting request. */
static void append_reply(struct exchange *exchange)
{
	const char *head;

	exchange->is_last = exchange->is_last || exchange->pool->is_draining;
	head = reply_print_head(exchange);
	output_append(&exchange->output, head, strlen(head));
	output_append(&exchange->output, exchange->req.reply.body,
	              reply_sent_len(exchange));
}

static void append_end(struct exchange *exchange)
{
	if (exchange->has_end)
		return;
	exchange->has_end = true;
	if (exchange->is_stream)
		stream_append_end(exchange);
	else
		append_reply(exchange);
}

bool detached_send(struct exchange *exchange)
{
	if (exchange->is_over)
		append_end(exchange);
	if (!push(exchange)) {
		detached_lose_client(exchange);
		return !exchange->is_over;
	}
	return !exchange->is_over || output_left(&exchange->output) > 0;
}

/* --- the end -------------------------------------------------------------- */

bool detached_is_done(const struct exchange *exchange)
{
	return exchange->has_end && output_left(&exchange->output) == 0;
}

bool detached_keeps_connection(const struct exchange *exchange)
{
	return !exchange->is_last && !exchange->must_close &&
	       !exchange->has_left;
}

void detached_lose_client(struct exchange *exchange)
{
	if (exchange->has_left)
		return;
	exchange->has_left = true;
	if (!exchange->is_over)
		exchange->pool->config->on_gone(&exchange->req,
		                                exchange->pool->config->arg);
}
