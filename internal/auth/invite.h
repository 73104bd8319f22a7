/*
 * invite.h - invitation codes, short enough to be read out to a friend.
 *
 * Eight characters of Crockford's base32, 40 random bits.  Read without
 * regard to case and hyphens, O as 0, I and L as 1.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

enum { INVITE_LEN = 8 };

/* Draw a new code; false if the system gives no random bytes. */
MUST_CHECK bool invite_draw(char code[INVITE_LEN + 1]);

/* Read a code as a person typed it; false if it cannot be one. */
MUST_CHECK bool invite_parse(const char *text, size_t len,
                             char code[INVITE_LEN + 1]);

/* Compare two codes in constant time. */
bool invite_equal(const char a[INVITE_LEN + 1], const char b[INVITE_LEN + 1]);
