/*
 * cors.h - the pages of other origins whose scripts may use the service from a
 * browser (the Fetch standard).
 */
#ifndef HTTP_CORS_H
#define HTTP_CORS_H

struct exchange;

/*
 * Add to the reply the header fields for the browser, if the request comes from
 * one of the origins, which are valid; to a preflight (OPTIONS) those that say
 * what the script may send.
 */
void cors_add(struct exchange *exchange, const char *origins);

#endif
