/*
 * ticket.h - tickets: a browser's EventSource cannot send a token, so it opens
 * one stream with a ticket in the query.
 *
 * 22 characters of base62, 128 random bits.  The database keeps only a hash.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum { TICKET_LEN = 22, TICKET_HASH_SIZE = 32 };

struct ticket {
	char text[TICKET_LEN + 1];
	uint8_t hash[TICKET_HASH_SIZE];
};

/* Draw a new ticket; false if the system gives no random bytes. */
MUST_CHECK bool ticket_draw(struct ticket *ticket);

/* Check a text of any length and hash it; false if it is not a ticket. */
MUST_CHECK bool ticket_parse(const char *text, size_t len,
                             struct ticket *ticket);
