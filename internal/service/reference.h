/*
 * reference.h - lists of a game's parts, with texts in the reader's language.
 */
#pragma once

#include "base/json_out.h"
#include "service/call.h"

/* Begin an answer with a list of this name; then end it, with its tag. */
void reference_begin(struct call *call, const char *name, struct json_out *out);
MUST_CHECK enum err reference_end(struct call *call, struct json_out *out);

/* Print the members code, name and text of an element. */
void reference_print(const struct call *call, const char *kind,
                     const char *code, struct json_out *out);

/*
 * The text KIND.CODE.PART in the reader's language; part is "name" or "text"
 * for most kinds.  NULL if there is no such text.
 */
const char *reference_find(const struct call *call, const char *kind,
                           const char *code, const char *part);

/* The same for a text that must exist. */
const char *reference_text(const struct call *call, const char *kind,
                           const char *code, const char *part);
