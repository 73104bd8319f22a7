/*
 * reply.h - what libmicrohttpd is given as the answer to a request.
 *
 * Private to this folder.
 */
#ifndef HTTP_REPLY_H
#define HTTP_REPLY_H

#include <stdbool.h>

#include <microhttpd.h>

#include "http/exchange.h"

/* The header fields of a reply; a bare one has no body. */
void reply_add_fields(struct exchange *exchange, struct MHD_Response *response,
                      bool bare);

/* Hand over a reply that is finished; what libmicrohttpd wants to hear. */
enum MHD_Result reply_send(struct exchange *exchange);

#endif
