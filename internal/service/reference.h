/*
 * reference.h - lists of what a game has, with texts in the reader's language.
 */
#ifndef SERVICE_REFERENCE_H
#define SERVICE_REFERENCE_H

#include "base/json_out.h"
#include "service/call.h"

/* Begin a list by its name; then end it, with the tag of what it says. */
void reference_begin(struct call *call, const char *name, struct json_out *out);
MUST_CHECK enum err reference_end(struct call *call, struct json_out *out);

/*
 * The text of something, by its kind and code, in the reader's language; part
 * is "name" or "text" of most kinds.  NULL if there is no such text.
 */
const char *reference_find(const struct call *call, const char *kind,
                           const char *code, const char *part);

/* The same of a text that must be there. */
const char *reference_text(const struct call *call, const char *kind,
                           const char *code, const char *part);

#endif
