/*
 * name.h - what players call themselves.
 *
 * Names are trimmed and brought into Unicode's form NFC, in which they are
 * shown.  They have 1 to 40 code points, one of them visible; none that spoils
 * the line they are shown in, that nobody sees (but within emoji), or that
 * stands for nothing; letters of one script, each with two combining marks at
 * most.  Two names are the same when their keys are: without the invisible
 * characters, in form NFKC, case-folded.
 *
 * Names that were read by an older version may break these rules; they are
 * compared like any other.
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

/* What is wrong with a name, and what is said of it to a client. */
enum name_fault {
	NAME_OK,
#define FAULT(id, code, detail) NAME_##id,
#include "auth/name_fault.def"
};
const char *name_fault_code(enum name_fault fault);
const char *name_fault_detail(enum name_fault fault);

/* Read a name, valid UTF-8, into the arena. */
MUST_CHECK enum name_fault name_parse(const char *text, struct arena *arena,
                                      struct name *name);

/* True if the shown name, as it was read once, has this key. */
bool name_has_key(const char *text, const char *key);

#endif
