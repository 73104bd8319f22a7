/*
 * key.h - idempotency keys, by which a client repeats a request safely.
 *
 * A key holds some 120 random bits or more.  The database keeps a hash of the
 * key and its scope, by which a repeated request is found, and the token of its
 * answer, sealed under a secret that only the key gives.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum {
	KEY_LEN_MIN = 20, /* a nanoid has 21, base64 of 128 bits 22 */
	KEY_LEN_MAX = 255,
	KEY_HASH_SIZE = 32,
	KEY_SEALED_EXTRA = 40, /* bytes that sealing adds */
};

struct key {
	uint8_t hash[KEY_HASH_SIZE];
	uint8_t secret[KEY_HASH_SIZE];
};

enum key_fault { KEY_OK, KEY_TOO_SHORT, KEY_TOO_LONG, KEY_CHARACTER };

/*
 * Read a key: printable ASCII without blanks.  The scope separates clients that
 * choose the same key: the token's hash, or the path.  A fault leaves key
 * untouched.
 */
MUST_CHECK enum key_fault key_read(const char *text, const uint8_t *scope,
                                   size_t scope_len, struct key *key);

/*
 * Hash a request's method, path and body, to detect that a different request
 * reuses the key.  A reader of the database who lacks the key cannot test
 * guesses of the body against the hash.
 */
void key_hash_request(const struct key *key, const char *method,
                      const char *path, const char *body, size_t body_len,
                      uint8_t hash[KEY_HASH_SIZE]);

/*
 * Seal len bytes into len + KEY_SEALED_EXTRA of them, or open those again.
 * False if the system gives no random bytes, or if another key sealed them.
 */
MUST_CHECK bool key_seal(const struct key *key, const uint8_t *plain,
                         size_t len, uint8_t *sealed);
MUST_CHECK bool key_open(const struct key *key, const uint8_t *sealed,
                         size_t sealed_len, uint8_t *plain);
