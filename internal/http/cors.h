/*
 * cors.h - the pages of other origins whose scripts may use the service from a
 * browser (the Fetch standard).
 */
#pragma once

struct exchange;

/*
 * Add to the reply the header fields for the browser, if the request comes from
 * one of the origins, which are valid; to a preflight (OPTIONS) those that say
 * what the script may send.
 */
void cors_add(struct exchange *exchange, const char *origins);
