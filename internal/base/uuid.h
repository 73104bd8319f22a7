/*
 * uuid.h - the ids of games: UUID version 7 (RFC 9562).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/macros.h"

enum { UUID_TEXT_LEN = 36 };

struct uuid {
	uint8_t bytes[16];
};

/* Make an id from milliseconds since 1970 and ten random bytes. */
struct uuid uuid_make(uint64_t now_ms, const uint8_t random[10]);

/* True for the id of all zeros, which means "none". */
bool uuid_is_none(struct uuid uuid);

/* Print 36 characters, lower case, and a zero byte. */
void uuid_print(struct uuid uuid, char text[UUID_TEXT_LEN + 1]);

/* Read 36 characters, of either case; false if they are not a UUID. */
MUST_CHECK bool uuid_parse(const char *text, size_t len, struct uuid *uuid);
