/*
 * A message is one record: salt, size of records, our public key of this one
 * message, and the text followed by a byte 2, encrypted by AES-128-GCM.  Key
 * and nonce are derived, by HKDF, from the salt, the browser's secret and that
 * of both keys.  OpenSSL encrypts; libsodium computes the HMACs of the
 * derivation.
 */
#include "push/web_push.h"

#include <string.h>

#include <openssl/evp.h>
#include <sodium.h>

#include "base/memory.h"

enum {
	HASH_SIZE = crypto_auth_hmacsha256_BYTES,
	CIPHER_KEY_SIZE = 16,
	NONCE_SIZE = 12,
	TAG_SIZE = 16,
	RECORD_SIZE = 4096,
	TEXT_MAX = 2048,
	LAST_RECORD = 2, /* the byte after the text */
};

struct endpoint_fault web_push_read_key(const char *text,
                                        struct endpoint *endpoint)
{
	struct endpoint_fault fault = endpoint_read_key(text, endpoint);

	if (!fault.code && !p256_is_point(endpoint->key))
		fault = (struct endpoint_fault){
			"not_allowed", "This must be a point of P-256; these "
				       "bytes do not encode one."
		};
	return fault;
}

/* --- key derivation ------------------------------------------------------- */

static void hash(const uint8_t *key, size_t key_len, const void *bytes,
                 size_t len, uint8_t result[HASH_SIZE])
{
	crypto_auth_hmacsha256_state state;

	(void)crypto_auth_hmacsha256_init(&state, key, key_len);
	(void)crypto_auth_hmacsha256_update(&state, bytes, len);
	(void)crypto_auth_hmacsha256_final(&state, result);
}

/* HKDF-Expand to at most one hash: the info, and a byte 1. */
static void expand(const uint8_t key[HASH_SIZE], const char *info, size_t len,
                   uint8_t result[HASH_SIZE])
{
	uint8_t bytes[160];

	memcpy(bytes, info, len);
	bytes[len] = 1;
	hash(key, HASH_SIZE, bytes, len + 1, result);
}

/* The cipher's key and nonce, each the beginning of a hash. */
static void derive(const struct endpoint *endpoint,
                   const struct web_push_draw *draw,
                   const uint8_t our_key[ENDPOINT_KEY_SIZE],
                   const uint8_t shared[P256_SCALAR_SIZE],
                   uint8_t cipher_key[HASH_SIZE], uint8_t nonce[HASH_SIZE])
{
	static const char info[] = "WebPush: info";
	static const char for_key[] = "Content-Encoding: aes128gcm";
	static const char for_nonce[] = "Content-Encoding: nonce";
	char context[sizeof(info) + 2 * ENDPOINT_KEY_SIZE];
	uint8_t key[HASH_SIZE];

	/* The zero byte after each text is part of it. */
	memcpy(context, info, sizeof(info));
	memcpy(context + sizeof(info), endpoint->key, ENDPOINT_KEY_SIZE);
	memcpy(context + sizeof(info) + ENDPOINT_KEY_SIZE, our_key,
	       ENDPOINT_KEY_SIZE);
	hash(endpoint->auth, ENDPOINT_AUTH_SIZE, shared, P256_SCALAR_SIZE, key);
	expand(key, context, sizeof(context), key);
	hash(draw->salt, WEB_PUSH_SALT_SIZE, key, HASH_SIZE, key);
	expand(key, for_key, sizeof(for_key), cipher_key);
	expand(key, for_nonce, sizeof(for_nonce), nonce);
	sodium_memzero(key, sizeof(key));
}

/* --- the record ----------------------------------------------------------- */

/* Encrypt the text and a byte after it; the tag follows. */
static bool seal(const uint8_t *key, const uint8_t *nonce, const char *text,
                 size_t len, uint8_t *body)
{
	static const uint8_t last = LAST_RECORD;
	EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
	int written = 0;

	memory_expect(context);
	bool good =
		EVP_EncryptInit_ex(context, EVP_aes_128_gcm(), NULL, key,
	                           nonce) == 1 &&
		EVP_EncryptUpdate(context, body, &written,
	                          (const uint8_t *)text, (int)len) == 1 &&
		EVP_EncryptUpdate(context, body + len, &written, &last, 1) ==
			1 &&
		EVP_EncryptFinal_ex(context, body + len + 1, &written) == 1 &&
		EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_GET_TAG, TAG_SIZE,
	                            body + len + 1) == 1;
	EVP_CIPHER_CTX_free(context);
	return good;
}

bool web_push_encrypt(const struct endpoint *endpoint,
                      const struct web_push_draw *draw, const char *text,
                      size_t len, uint8_t *body)
{
	uint8_t our_key[ENDPOINT_KEY_SIZE];
	uint8_t shared[P256_SCALAR_SIZE];
	uint8_t cipher_key[HASH_SIZE];
	uint8_t nonce[HASH_SIZE];

	if (len > TEXT_MAX ||
	    !p256_share(draw->scalar, endpoint->key, our_key, shared))
		return false;
	derive(endpoint, draw, our_key, shared, cipher_key, nonce);
	memcpy(body, draw->salt, WEB_PUSH_SALT_SIZE);
	body += WEB_PUSH_SALT_SIZE;
	*body++ = 0;
	*body++ = 0;
	*body++ = RECORD_SIZE >> 8;
	*body++ = RECORD_SIZE & 0xff;
	*body++ = ENDPOINT_KEY_SIZE;
	memcpy(body, our_key, ENDPOINT_KEY_SIZE);
	bool good =
		seal(cipher_key, nonce, text, len, body + ENDPOINT_KEY_SIZE);
	sodium_memzero(shared, sizeof(shared));
	sodium_memzero(cipher_key, sizeof(cipher_key));
	return good;
}
