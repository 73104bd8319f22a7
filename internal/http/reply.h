/*
 * reply.h - the answer to a request, as libmicrohttpd gets it.
 */
#pragma once

#include <stdbool.h>

#include <microhttpd.h>

#include "http/exchange.h"

/* Hand over a finished reply; returns what libmicrohttpd expects. */
enum MHD_Result reply_send(struct exchange *exchange);

/*
 * Answer without the loop: exchange->refusal, or an OPTIONS request.  The
 * request is counted, by on_refused, as the loop counts the others.
 */
enum MHD_Result reply_without_loop(struct exchange *exchange);

/*
 * The status line and the header of the reply as text into the arena, up to the
 * empty line; of a stream, whose body is sent in chunks, or of a whole reply.
 */
const char *reply_print_head(struct exchange *exchange);

/* Bytes of the reply's body that are sent; none after HEAD. */
size_t reply_sent_len(const struct exchange *exchange);

/*
 * The whole response of exchange->refusal as text into the arena, for a
 * connection that libmicrohttpd is about to close.
 */
const char *reply_print_refusal(struct exchange *exchange);
