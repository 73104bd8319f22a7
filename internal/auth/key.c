/*
 * An Idempotency-Key and its scope are hashed twice, for two purposes: the hash
 * finds the stored row, the secret seals what the row holds (libsodium's
 * secretbox, a random nonce before it).  Neither can be derived from the other,
 * so the database can find a row but cannot open it.
 */
#include "auth/key.h"

#include <string.h>

#include <sodium.h>

#include "base/random.h"

_Static_assert(KEY_SEALED_EXTRA ==
                       crypto_secretbox_NONCEBYTES + crypto_secretbox_MACBYTES,
               "a nonce and an authenticator");

static const char for_finding[] = "gangd idempotency key";
static const char for_sealing[] = "gangd sealed answer";

/*
 * Hash two strings and then bytes; with a secret, or NULL.  The strings' zero
 * bytes are hashed too, so that the inputs cannot run together.
 */
static void hash_parts(const uint8_t *secret, const char *first,
                       const char *second, const void *bytes, size_t len,
                       uint8_t hash[KEY_HASH_SIZE])
{
	crypto_generichash_state state;

	crypto_generichash_init(&state, secret, secret ? KEY_HASH_SIZE : 0,
	                        KEY_HASH_SIZE);
	crypto_generichash_update(&state, (const uint8_t *)first,
	                          strlen(first) + 1);
	crypto_generichash_update(&state, (const uint8_t *)second,
	                          strlen(second) + 1);
	if (len > 0)
		crypto_generichash_update(&state, bytes, len);
	crypto_generichash_final(&state, hash, KEY_HASH_SIZE);
}

enum key_fault key_read(const char *text, const uint8_t *scope,
                        size_t scope_len, struct key *key)
{
	size_t len = strlen(text);

	for (size_t i = 0; i < len; i++) {
		if (text[i] <= ' ' || text[i] > '~')
			return KEY_CHARACTER;
	}
	if (len < KEY_LEN_MIN)
		return KEY_TOO_SHORT;
	if (len > KEY_LEN_MAX)
		return KEY_TOO_LONG;
	hash_parts(NULL, for_finding, text, scope, scope_len, key->hash);
	hash_parts(NULL, for_sealing, text, scope, scope_len, key->secret);
	return KEY_OK;
}

void key_hash_request(const struct key *key, const char *method,
                      const char *path, const char *body, size_t body_len,
                      uint8_t hash[KEY_HASH_SIZE])
{
	hash_parts(key->secret, method, path, body, body_len, hash);
}

bool key_seal(const struct key *key, const uint8_t *plain, size_t len,
              uint8_t *sealed)
{
	if (!random_bytes(sealed, crypto_secretbox_NONCEBYTES))
		return false;
	return crypto_secretbox_easy(sealed + crypto_secretbox_NONCEBYTES,
	                             plain, len, sealed, key->secret) == 0;
}

bool key_open(const struct key *key, const uint8_t *sealed, size_t sealed_len,
              uint8_t *plain)
{
	size_t nonce = crypto_secretbox_NONCEBYTES;

	return sealed_len >= KEY_SEALED_EXTRA &&
	       crypto_secretbox_open_easy(plain, sealed + nonce,
	                                  sealed_len - nonce, sealed,
	                                  key->secret) == 0;
}
