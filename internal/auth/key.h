/*
 * key.h - what a client names a request by, so that it can be sent again.
 *
 * An Idempotency-Key holds some 120 random bits or more.  Kept are a hash of it
 * with the scope it counts in, by which it is found again, and what an answer
 * must not lose (a token), sealed under another secret that only who knows the
 * key can derive.
 */
#ifndef AUTH_KEY_H
#define AUTH_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum {
	KEY_LEN_MIN =
		20, /* characters: a nanoid has 21, base64 of 128 bits 22 */
	KEY_LEN_MAX = 255,
	KEY_HASH_SIZE = 32,
	KEY_SEALED_EXTRA = 40, /* bytes that sealing adds */
};

struct key {
	uint8_t hash[KEY_HASH_SIZE];
	uint8_t secret[32];
};

enum key_fault { KEY_OK, KEY_TOO_SHORT, KEY_TOO_LONG, KEY_CHARACTER };

/*
 * Read a key: printable ASCII without blanks.  The scope is whatever tells
 * those apart who might choose the same one.  A key with a fault leaves key
 * untouched.
 */
MUST_CHECK enum key_fault key_read(const char *text, const uint8_t *scope,
                                   size_t scope_len, struct key *key);

/*
 * What belongs to a request: its method, path and body.  Without the key the
 * hash tells nothing of them, not even to who tries all names there are.
 */
void key_hash_request(const struct key *key, const char *method,
                      const char *path, const char *body, size_t body_len,
                      uint8_t hash[KEY_HASH_SIZE]);

/*
 * Seal len bytes into len + KEY_SEALED_EXTRA of them, or open those again.
 * False when there is no chance to be had, or when they were sealed otherwise.
 */
MUST_CHECK bool key_seal(const struct key *key, const uint8_t *plain,
                         size_t len, uint8_t *sealed);
MUST_CHECK bool key_open(const struct key *key, const uint8_t *sealed,
                         size_t sealed_len, uint8_t *plain);

#endif
