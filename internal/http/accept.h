/*
 * accept.h - what a client can take: Accept, Accept-Encoding, Accept-Language
 * (RFC 9110, section 12.5).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "http/http.h"

/*
 * True if a client that sends this Accept field (NULL or empty: anything) can
 * be answered with the media type.  A client that asks for problem documents
 * reads JSON.
 */
bool accept_type(const char *field, const char *type);

/*
 * True if an Accept field (or NULL) names the first type with a higher weight
 * than the other has, or with the same and before it.  A wildcard names
 * nothing.
 */
bool accept_prefers(const char *field, const char *type, const char *other);

/* True if an Accept-Encoding field (or NULL) allows gzip, by name or by "*". */
bool accept_gzip(const char *field);

/*
 * Which of count languages, "de" and so on, an Accept-Language field asks for
 * most; an index.
 *
 * A range finds the language that it begins with: "de-CH" finds "de" (the
 * lookup of RFC 4647).  If languages have the same weight, the first in the
 * field is chosen.  "*" means all languages that the field does not name, after
 * those that it names.  Without a field, with a malformed weight in it, or if
 * it names no available language, the first language is chosen.
 */
size_t accept_language(const char *field, const char *const *languages,
                       size_t count);

/* Does a tag, such as "de-CH", begin with this language? */
bool accept_is_language(struct http_slice tag, const char *language);
