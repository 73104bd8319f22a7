/*
 * prefer.h - what a client would like (RFC 7240).
 */
#ifndef HTTP_PREFER_H
#define HTTP_PREFER_H

/*
 * The seconds of "wait=N" in a Prefer field, 60 at most; 0 if it is absent or
 * none.  Of several the first counts.  NULL is fine.
 */
unsigned prefer_wait(const char *field);

#endif
