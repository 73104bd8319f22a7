/*
 * coding.h - content codings, as Accept-Encoding has them (RFC 9110, section
 * 12.5.3).
 */
#ifndef HTTP_CODING_H
#define HTTP_CODING_H

#include <stdbool.h>

/*
 * True if an Accept-Encoding field (or NULL, which asks for none) allows gzip:
 * by its name, or by "*" if it does not name it.
 */
bool coding_accepts_gzip(const char *field);

#endif
