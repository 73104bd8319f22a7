/*
 * reply.h - the answer to a request, as libmicrohttpd gets it.
 */
#pragma once

#include <stdbool.h>

#include <microhttpd.h>

#include "http/exchange.h"

/* Add the header fields of a reply; a bare one has no body. */
void reply_add_fields(struct exchange *exchange, struct MHD_Response *response,
                      bool bare);

/* Hand over a finished reply; returns what libmicrohttpd expects. */
enum MHD_Result reply_send(struct exchange *exchange);

/*
 * Answer without the loop: exchange->refusal, or an OPTIONS request.  The
 * request is counted, by on_refused, as the loop counts the others.
 */
enum MHD_Result reply_without_loop(struct exchange *exchange);

/*
 * The whole response of exchange->refusal as text into the arena, for a
 * connection that libmicrohttpd is about to close.
 */
const char *reply_print_refusal(struct exchange *exchange);
