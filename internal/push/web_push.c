/*
 * A message is one record: salt, size of records, our public key of this one
 * message, and the text followed by a byte 2, encrypted by AES-128-GCM.  Key
 * and nonce are derived, by HKDF, from the salt, the browser's secret and the
 * shared point of both keys.
 *
 * OpenSSL multiplies points and encrypts; libsodium computes the HMACs of the
 * derivation.
 */
#include "push/web_push.h"

#include <string.h>

#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/objects.h>
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

/* OpenSSL's objects for a calculation with points. */
struct curve {
	EC_GROUP *group;
	BN_CTX *context;
	BIGNUM *scalar;
	EC_POINT *point;
	EC_POINT *result;
};

static void curve_open(struct curve *curve)
{
	curve->group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
	memory_expect(curve->group);
	curve->context = BN_CTX_new();
	curve->scalar = BN_secure_new();
	curve->point = EC_POINT_new(curve->group);
	curve->result = EC_POINT_new(curve->group);
	memory_expect(curve->context);
	memory_expect(curve->scalar);
	memory_expect(curve->point);
	memory_expect(curve->result);
}

static void curve_close(struct curve *curve)
{
	EC_POINT_clear_free(curve->result);
	EC_POINT_free(curve->point);
	BN_clear_free(curve->scalar);
	BN_CTX_free(curve->context);
	EC_GROUP_free(curve->group);
}

/* A scalar of 1 up to the order of the group. */
static bool read_scalar(struct curve *curve,
                        const uint8_t scalar[WEB_PUSH_SCALAR_SIZE])
{
	if (!BN_bin2bn(scalar, WEB_PUSH_SCALAR_SIZE, curve->scalar))
		return false;
	BN_set_flags(curve->scalar, BN_FLG_CONSTTIME);
	return !BN_is_zero(curve->scalar) &&
	       BN_cmp(curve->scalar, EC_GROUP_get0_order(curve->group)) < 0;
}

static bool print_point(struct curve *curve, uint8_t key[ENDPOINT_KEY_SIZE])
{
	return EC_POINT_point2oct(curve->group, curve->result,
	                          POINT_CONVERSION_UNCOMPRESSED, key,
	                          ENDPOINT_KEY_SIZE,
	                          curve->context) == ENDPOINT_KEY_SIZE;
}

bool web_push_public_key(const uint8_t scalar[WEB_PUSH_SCALAR_SIZE],
                         uint8_t key[ENDPOINT_KEY_SIZE])
{
	struct curve curve;

	curve_open(&curve);
	bool good = read_scalar(&curve, scalar) &&
	            EC_POINT_mul(curve.group, curve.result, curve.scalar, NULL,
	                         NULL, curve.context) == 1 &&
	            print_point(&curve, key);
	curve_close(&curve);
	return good;
}

/* The point of both keys. */
static bool multiply(const uint8_t scalar[WEB_PUSH_SCALAR_SIZE],
                     const uint8_t key[ENDPOINT_KEY_SIZE],
                     uint8_t shared[ENDPOINT_KEY_SIZE])
{
	struct curve curve;

	curve_open(&curve);
	bool good = read_scalar(&curve, scalar) &&
	            EC_POINT_oct2point(curve.group, curve.point, key,
	                               ENDPOINT_KEY_SIZE, curve.context) == 1 &&
	            EC_POINT_mul(curve.group, curve.result, NULL, curve.point,
	                         curve.scalar, curve.context) == 1 &&
	            print_point(&curve, shared);
	curve_close(&curve);
	return good;
}

/*
 * True if the first error of a failed reading says that the bytes are not a
 * point.  If memory ran out, OpenSSL says so too, but in a later error.
 */
static bool is_no_point(void)
{
	unsigned long error = ERR_peek_error();

	return ERR_GET_LIB(error) == ERR_LIB_EC &&
	       (ERR_GET_REASON(error) == EC_R_POINT_IS_NOT_ON_CURVE ||
	        ERR_GET_REASON(error) == EC_R_INVALID_ENCODING);
}

bool web_push_is_key(const uint8_t key[ENDPOINT_KEY_SIZE])
{
	struct curve curve;

	curve_open(&curve);
	ERR_clear_error();
	bool good = EC_POINT_oct2point(curve.group, curve.point, key,
	                               ENDPOINT_KEY_SIZE, curve.context) == 1;
	if (!good && !is_no_point())
		memory_fail();
	curve_close(&curve);
	return good;
}

struct endpoint_fault web_push_read_key(const char *text,
                                        struct endpoint *endpoint)
{
	struct endpoint_fault fault = endpoint_read_key(text, endpoint);

	if (!fault.code && !web_push_is_key(endpoint->key))
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
                   const uint8_t shared[ENDPOINT_KEY_SIZE],
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
	/* The shared secret is the point's x. */
	hash(endpoint->auth, ENDPOINT_AUTH_SIZE, shared + 1,
	     WEB_PUSH_SCALAR_SIZE, key);
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
	uint8_t shared[ENDPOINT_KEY_SIZE];
	uint8_t cipher_key[HASH_SIZE];
	uint8_t nonce[HASH_SIZE];

	if (len > TEXT_MAX || !web_push_public_key(draw->scalar, our_key) ||
	    !multiply(draw->scalar, endpoint->key, shared))
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
