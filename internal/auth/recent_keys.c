/*
 * recent_keys.c - a format, then entries, the oldest first: a seat, and the
 * first bytes of the hashes of the key and of the request.  A seat has at most
 * RECENT_KEYS_EACH entries.
 */
#include "auth/recent_keys.h"

#include <assert.h>
#include <string.h>

enum { FORMAT = 1, HEAD = 1, KEY_AT = 1, KEY_PART = 8, REQUEST_PART = 4 };

_Static_assert((int)RECENT_KEYS_ENTRY ==
                       (int)KEY_AT + (int)KEY_PART + (int)REQUEST_PART,
               "the parts of an entry");

bool recent_keys_valid(struct recent_keys keys)
{
	unsigned counts[1 + RECENT_KEYS_SEATS] = { 0 };

	if (keys.len == 0)
		return true;
	if (keys.bytes[0] != FORMAT || keys.len > RECENT_KEYS_MAX ||
	    (keys.len - HEAD) % RECENT_KEYS_ENTRY != 0)
		return false;
	for (size_t at = HEAD; at < keys.len; at += RECENT_KEYS_ENTRY) {
		unsigned seat = keys.bytes[at];

		if (seat < 1 || seat > RECENT_KEYS_SEATS ||
		    ++counts[seat] > RECENT_KEYS_EACH)
			return false;
	}
	return true;
}

enum recent_use recent_keys_find(struct recent_keys keys,
                                 const uint8_t key_hash[KEY_HASH_SIZE],
                                 const uint8_t request_hash[KEY_HASH_SIZE])
{
	for (size_t at = HEAD; at < keys.len; at += RECENT_KEYS_ENTRY) {
		const uint8_t *key = keys.bytes + at + KEY_AT;

		if (memcmp(key, key_hash, KEY_PART) != 0)
			continue;
		return memcmp(key + KEY_PART, request_hash, REQUEST_PART) == 0
		               ? RECENT_SAME_REQUEST
		               : RECENT_OTHER_REQUEST;
	}
	return RECENT_UNUSED;
}

static unsigned count_of(struct recent_keys keys, unsigned seat)
{
	unsigned count = 0;

	for (size_t at = HEAD; at < keys.len; at += RECENT_KEYS_ENTRY)
		count += keys.bytes[at] == seat;
	return count;
}

size_t recent_keys_add(struct recent_keys keys, unsigned seat,
                       const uint8_t key_hash[KEY_HASH_SIZE],
                       const uint8_t request_hash[KEY_HASH_SIZE],
                       uint8_t *bytes)
{
	bool drops = count_of(keys, seat) == RECENT_KEYS_EACH;
	size_t len = 0;

	assert(seat >= 1 && seat <= RECENT_KEYS_SEATS);
	bytes[len++] = FORMAT;
	for (size_t at = HEAD; at < keys.len; at += RECENT_KEYS_ENTRY) {
		if (drops && keys.bytes[at] == seat) {
			drops = false;
			continue;
		}
		memcpy(bytes + len, keys.bytes + at, RECENT_KEYS_ENTRY);
		len += RECENT_KEYS_ENTRY;
	}
	bytes[len++] = (uint8_t)seat;
	memcpy(bytes + len, key_hash, KEY_PART);
	len += KEY_PART;
	memcpy(bytes + len, request_hash, REQUEST_PART);
	return len + REQUEST_PART;
}
