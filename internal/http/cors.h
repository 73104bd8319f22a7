/*
 * cors.h - which other pages' scripts may ask us, and read the answers (the
 * Fetch standard).
 *
 * Tokens are sent by the script and not by the browser, so no credentials in
 * its sense are allowed, and any page may be let in.
 */
#ifndef HTTP_CORS_H
#define HTTP_CORS_H

struct exchange;

/*
 * Add to the reply what tells the browser, if the request comes from one of
 * the origins: of an OPTIONS that asks beforehand, what may be sent.
 */
void cors_add(struct exchange *exchange, const char *origins);

#endif
