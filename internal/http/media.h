/*
 * media.h - media types in Accept and Content-Type (RFC 9110, section 12).
 */
#ifndef HTTP_MEDIA_H
#define HTTP_MEDIA_H

#include <stdbool.h>

/*
 * True when somebody who sends this Accept field (NULL or empty: anything)
 * can be answered with the type.  Who asks for problems is taken to read JSON.
 */
bool media_accepted(const char *accept, const char *type);

/* True for application/json with any parameters. */
bool media_is_json(const char *content_type);

/* True if its parameters name no charset, or UTF-8. */
bool media_is_utf8(const char *content_type);

/*
 * True if an Accept field (or NULL) names the first type and wants it more
 * than the other, or names it before the other; a wildcard names nothing.
 */
bool media_prefers(const char *accept, const char *type, const char *other);

#endif
