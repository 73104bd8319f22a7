/*
 * ticket.h - what a browser opens a stream with, once, since it cannot send the
 * token there.
 *
 * 22 characters of base62, good for 128 random bits.  Only a hash is kept.
 */
#ifndef AUTH_TICKET_H
#define AUTH_TICKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum { TICKET_LEN = 22, TICKET_HASH_SIZE = 32 };

struct ticket {
	char text[TICKET_LEN + 1];
	uint8_t hash[TICKET_HASH_SIZE];
};

/* Draw a new one; false when there is no chance to be had. */
MUST_CHECK bool ticket_draw(struct ticket *ticket);

/* Check a text of any length and hash it; false if it can be no ticket. */
MUST_CHECK bool ticket_parse(const char *text, size_t len,
                             struct ticket *ticket);

#endif
