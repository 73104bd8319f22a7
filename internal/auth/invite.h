/*
 * invite.h - invitation codes: short enough to be read out to a friend.
 *
 * Eight characters of Crockford's base32, 40 random bits.  Read without
 * regard to case and hyphens, O as 0, I and L as 1.
 */
#ifndef AUTH_INVITE_H
#define AUTH_INVITE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

enum { INVITE_LEN = 8 };

/* Draw a new code; false when there is no chance to be had. */
MUST_CHECK bool invite_draw(char code[INVITE_LEN + 1]);

/* Bring what a person typed into the form that is kept; false if it is none. */
MUST_CHECK bool invite_parse(const char *text, size_t len,
                             char code[INVITE_LEN + 1]);

/* Compare two codes in a time that does not depend on them. */
bool invite_equal(const char a[INVITE_LEN + 1], const char b[INVITE_LEN + 1]);

#endif
