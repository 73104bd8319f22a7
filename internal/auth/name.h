/*
 * name.h - names of players, and their avatars.
 *
 * A name is trimmed and shown in Unicode's form NFC.  It has 1 to 40 code
 * points, at least one of them visible.  Code points that break a line, are
 * invisible (except where a script or an emoji needs them) or are not assigned
 * are refused.  Its letters are of one script, each with at most two combining
 * marks.  Marks of direction are dropped.  The key of a name is the name
 * without invisible characters, in form NFKC, case-folded.  Two names are the
 * same to readers if their keys are, or if these or the names look alike, these
 * also in capitals (skeleton.h).
 *
 * A name that an older version accepted may break these rules; it is compared
 * like any other.
 *
 * An avatar is a text by which clients show the player, such as an emoji or the
 * name of a picture.  The service gives it no meaning and shows it as it was
 * sent.  It has 1 to 512 bytes, so that the address of a picture fits; at least
 * one code point is visible and not a blank, and all of them are allowed in a
 * name.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"

enum {
	NAME_MAX = 40, /* code points */
	NAME_AVATAR_MAX =
		512 /* bytes; each may be stored again with each change */
};

struct name {
	const char *text;
	const char *key; /* unique in a game; never shown */
};

/* The fault of a name, and its code and detail in a problem. */
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

/* Check an avatar, valid UTF-8. */
MUST_CHECK enum name_fault name_check_avatar(const char *text);

/* True if bytes from the database are a text in UTF-8 without zero bytes. */
bool name_is_text(const uint8_t *bytes, size_t len);

/* True if readers may confuse a name with one that was accepted before. */
bool name_is_like(const struct name *name, const char *other,
                  struct arena *arena);
