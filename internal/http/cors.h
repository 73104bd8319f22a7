/*
 * cors.h - the pages of other origins whose scripts may use the service from a
 * browser (the Fetch standard).
 */
#pragma once

#include <stdbool.h>

struct exchange;

/*
 * True for a preflight: a browser asks whether a script may send a request.  If
 * the preflight fails, the script cannot read the refusal of the request
 * itself.  So a preflight is not refused, and does not count for a quota.
 */
bool cors_is_preflight(const struct exchange *exchange);

/*
 * Add to the reply the header fields for the browser, if the request comes from
 * one of the origins, which are valid; to a preflight those that say what the
 * script may send, which is all that it asks for.
 */
void cors_add(struct exchange *exchange, const char *origins);
