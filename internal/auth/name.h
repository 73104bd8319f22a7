/*
 * name.h - what players call themselves.
 *
 * Names are trimmed and brought into Unicode's form NFC; they have 1 to 40
 * code points, one of them visible, and nothing that would spoil the line they
 * are shown in.  Two names are the same when their case-folded keys, without
 * the invisible characters, are.
 */
#ifndef AUTH_NAME_H
#define AUTH_NAME_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/err.h"

enum { NAME_MAX = 40 }; /* code points */

struct name {
	const char *text;
	const char *key; /* for comparing; never shown */
};

/* What is wrong with a name. */
enum name_fault {
	NAME_OK,
	NAME_EMPTY,
	NAME_TOO_LONG,
	NAME_CONTROL, /* a control, line or direction character */
};

/* Read a name, valid UTF-8, into the arena. */
MUST_CHECK enum name_fault name_parse(const char *text, struct arena *arena,
                                      struct name *name);

/* True if the shown name, as it was read once, has this key. */
bool name_has_key(const char *text, const char *key);

#endif
