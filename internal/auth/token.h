/*
 * token.h - tokens, by which a player proves to own a seat.
 *
 * A token is "gang_", 43 characters of base62 for 256 random bits, and 6 for
 * the CRC-32 of those 43, most significant digit first, in the alphabet
 * 0-9A-Za-z.  The service shows it once and keeps only its SHA-256.  The
 * checksum finds a damaged token without a query.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum { TOKEN_TEXT_LEN = 54, TOKEN_HASH_SIZE = 32 };

struct token {
	char text[TOKEN_TEXT_LEN + 1];
	uint8_t hash[TOKEN_HASH_SIZE];
};

/* Draw a new token; false if the system gives no random bytes. */
MUST_CHECK bool token_draw(struct token *token);

/* The text that belongs to 256 given bits. */
void token_print(const uint8_t bits[32], char text[TOKEN_TEXT_LEN + 1]);

/* Check a text of any length and hash it; false if it is not a token. */
MUST_CHECK bool token_parse(const char *text, size_t len,
                            uint8_t hash[TOKEN_HASH_SIZE]);

/* Compare two hashes in constant time. */
bool token_hash_equal(const uint8_t a[TOKEN_HASH_SIZE],
                      const uint8_t b[TOKEN_HASH_SIZE]);
