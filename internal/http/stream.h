/*
 * stream.h - a reply that goes on while the loop writes to it.
 */
#pragma once

#include <stdbool.h>

#include <microhttpd.h>

#include "http/exchange.h"

/*
 * Take the connection of a stream that has begun from libmicrohttpd; returns
 * what libmicrohttpd expects.  Without a free descriptor it stays there, and
 * libmicrohttpd asks again in its next run.
 */
enum MHD_Result stream_detach(struct exchange *exchange);

/*
 * Send what was written, as far as the client reads.  False: the stream has
 * ended, and the caller closes it.  Only for streams that are detached.
 */
MUST_CHECK bool stream_send(struct exchange *exchange);

/*
 * The client has gone, or has closed its half: tell the loop.  The client is
 * still sent the rest if it reads.
 */
void stream_lose_client(struct exchange *exchange);

/* Close the socket; the peer and the exchange are left. */
void stream_close(struct exchange *exchange);
