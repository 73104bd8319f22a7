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
