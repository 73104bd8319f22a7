/*
 * libmicrohttpd refuses a request by itself, in HTML, when its header does not
 * fit into the connection's memory or its Content-Length is not a number; in
 * the latter case it even sends two headers.  It calls nothing then, but writes
 * to its log before it sends.  So the refusal is sent from here, as a problem
 * with the fields that pages of other origins need, and the socket is shut
 * down: libmicrohttpd cannot send to it, and closes the connection.
 *
 * The log does not name the connection.  A request whose Content-Length is
 * refused is the only one whose header is whole and has not been handed out.
 * Only this is known of a header that is too large: its request line has
 * arrived, and it has more fields or bytes than a request may have.  Any
 * request for which that is true is refused.
 */
#include "http/unread.h"

#include <string.h>

#include <microhttpd.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "http/connection_room.h"
#include "http/exchange.h"
#include "http/fields.h"
#include "http/reply.h"
#include "http/validate.h"

/* Requests that are looked at, the latest ones first. */
enum { LOOKED_AT_MAX = 64 };

static bool is_too_large(const struct peer *peer)
{
	struct fields fields = { .count = 0 };

	fields_count(&fields, peer->connection, MHD_HEADER_KIND);
	return fields_are_too_many(&fields) ||
	       peer_bytes_read(peer) > ROOM_OF_HEADER;
}

static bool has_whole_header(const struct peer *peer)
{
	return MHD_get_connection_info(peer->connection,
	                               MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
}

static bool is_meant(const struct peer *peer, unsigned status)
{
	const struct exchange *exchange = peer->exchange;

	if (!exchange || exchange->phase != EXCHANGE_HEAD || peer->is_shut ||
	    MHD_get_connection_info(peer->connection,
	                            MHD_CONNECTION_INFO_HTTP_STATUS))
		return false;
	if (status == MHD_HTTP_REQUEST_HEADER_FIELDS_TOO_LARGE)
		return is_too_large(peer);
	return has_whole_header(peer);
}

static enum err error_of(unsigned status)
{
	switch (status) {
	case MHD_HTTP_REQUEST_HEADER_FIELDS_TOO_LARGE:
		return ERR_HEADERS_TOO_LARGE;
	case MHD_HTTP_CONTENT_TOO_LARGE:
		return ERR_BODY_TOO_LARGE;
	default:
		return ERR_MALFORMED;
	}
}

static void refuse(struct clients *clients, struct peer *peer, unsigned status)
{
	struct exchange *exchange = peer->exchange;
	enum err err = error_of(status);
	const char *version =
		exchange->sent_target.text + exchange->sent_target.len + 1;

	fields_read(&exchange->fields, &exchange->req.arena, peer->connection,
	            NULL, exchange->sent_target, version);
	exchange->req.received_ns = clock_monotonic_ns();
	exchange->is_old = strcmp(version, MHD_HTTP_VERSION_1_0) == 0;
	validate_unread(exchange, err,
	                err == ERR_MALFORMED
	                        ? "Content-Length is not a number of bytes."
	                        : NULL);
	/* Only now: the prefix counts if the client is a trusted proxy. */
	client_find_address(clients, exchange);
	const char *text = reply_print_refusal(exchange);
	/* If the socket has no room for these few bytes, they are dropped. */
	(void)!send(peer->fd, text, strlen(text), MSG_DONTWAIT | MSG_NOSIGNAL);
	/* Unread bytes would make the end a reset, which can outrun the text.
	 */
	peer_drain(peer);
	peer_shut(peer);
}

void unread_on_log(void *cls, const char *format, va_list arguments)
{
	const struct unread *unread = cls;
	struct peer *peer, *before;
	unsigned looked_at = 0;

	if (!strstr(format, "HTTP response code is %u"))
		return;
	unsigned status = va_arg(arguments, unsigned);
	request_log_unreadable(unread->log, status);
	for (peer = TAILQ_LAST(&unread->peers->lists[PEER_WHOLE], peer_list);
	     peer && looked_at < LOOKED_AT_MAX; peer = before, looked_at++) {
		before = TAILQ_PREV(peer, peer_list, in_list);
		if (is_meant(peer, status))
			refuse(unread->clients, peer, status);
	}
}
