/*
 * detached.h - connections that libmicrohttpd has given up: those of streams,
 * and of requests that wait for long.
 */
#pragma once

#include <stdbool.h>

#include <microhttpd.h>

#include "http/exchange.h"

/*
 * Take the connection of an exchange that is leaving from libmicrohttpd;
 * returns what libmicrohttpd expects.  A connection that cannot be taken stays:
 * a waiting request is suspended then, and for a stream libmicrohttpd asks
 * again in its next run.
 */
enum MHD_Result detached_begin(struct exchange *exchange);

/*
 * Send what was written, or the reply, as far as the client reads.  False: the
 * exchange has ended, and the caller closes it.
 */
MUST_CHECK bool detached_send(struct exchange *exchange);

/* Has all of the reply been sent? */
bool detached_is_done(const struct exchange *exchange);

/* May another request follow on the connection of an exchange that is done? */
bool detached_keeps_connection(const struct exchange *exchange);

/*
 * The client has gone, or has closed its half: tell the loop.  The client is
 * still sent the rest if it reads.
 */
void detached_lose_client(struct exchange *exchange);
