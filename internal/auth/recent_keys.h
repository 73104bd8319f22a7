/*
 * recent_keys.h - the idempotency keys of the last moves of each seat, as the
 * bytes that a game's row has.
 *
 * A key holds until its seat has recorded RECENT_KEYS_EACH later ones.  The
 * bytes have a part of each hash: 64 bits of the key's and 32 of the request's.
 * Only keys of the same token can be taken for each other.
 */
#pragma once

#include "auth/key.h"
#include "base/macros.h"

enum {
	RECENT_KEYS_EACH = 8,
	RECENT_KEYS_SEATS = 6,
	RECENT_KEYS_ENTRY = 1 + 8 + 4, /* seat, key, request */
	RECENT_KEYS_MAX =
		1 + RECENT_KEYS_SEATS * RECENT_KEYS_EACH * RECENT_KEYS_ENTRY,
};

/* The bytes, borrowed; len 0: no keys. */
struct recent_keys {
	const uint8_t *bytes;
	size_t len;
};

/* True if the bytes can be read: the functions below require it. */
MUST_CHECK bool recent_keys_valid(struct recent_keys keys);

enum recent_use { RECENT_UNUSED, RECENT_SAME_REQUEST, RECENT_OTHER_REQUEST };

/* Whether the key still holds, and was used for the same request. */
enum recent_use recent_keys_find(struct recent_keys keys,
                                 const uint8_t key_hash[KEY_HASH_SIZE],
                                 const uint8_t request_hash[KEY_HASH_SIZE]);

/*
 * Write the keys with one more, of a seat of 1..RECENT_KEYS_SEATS, into
 * RECENT_KEYS_MAX bytes; returns how many were written.  They must not overlap
 * with the keys.
 */
size_t recent_keys_add(struct recent_keys keys, unsigned seat,
                       const uint8_t key_hash[KEY_HASH_SIZE],
                       const uint8_t request_hash[KEY_HASH_SIZE],
                       uint8_t *bytes);
