/*
 * validate.h - refuses requests that are wrong as HTTP, before the loop has
 * them.
 */
#pragma once

#include "http/exchange.h"
#include "http/router.h"

/*
 * Validate the request line and the fields: fill in what http.h promises, and
 * exchange->refusal.
 */
void validate_head(struct exchange *exchange, const struct router *router,
                   const char *method, const char *version);

/* Validate a body that has arrived whole. */
void validate_body(struct exchange *exchange);

/*
 * Prepare the refusal of a request that libmicrohttpd has not read to the end
 * of its header; the fields are those that have arrived.  A fault of the
 * framing is the detail, or else this one; NULL is that of err.def.
 */
void validate_unread(struct exchange *exchange, enum err err,
                     const char *detail);
