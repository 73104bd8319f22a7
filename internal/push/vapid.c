/*
 * The token is a JWT of RFC 7515, signed by ES256: OpenSSL gives the signature
 * as two numbers in DER, the token has them as 32 bytes each.
 */
#include "push/vapid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <sodium.h>

#include "base/json_out.h"
#include "base/memory.h"
#include "base/random.h"
#include "push/p256.h"

enum {
	VARIANT = sodium_base64_VARIANT_URLSAFE_NO_PADDING,
	NUMBER_SIZE = 32, /* half of a signature */
	DER_MAX = 80,
	CLAIMS_MAX = 1024,
	TRIES_MAX = 8,
	TOKEN_MAX = 900,
};

struct vapid {
	EVP_PKEY *key;
	char public_key[VAPID_PUBLIC_SIZE];
};

/* --- keys ----------------------------------------------------------------- */

bool vapid_draw(char private_key[VAPID_PRIVATE_SIZE],
                char public_key[VAPID_PUBLIC_SIZE])
{
	uint8_t scalar[P256_SCALAR_SIZE];
	uint8_t point[ENDPOINT_KEY_SIZE];
	EVP_PKEY *key = NULL;

	for (unsigned i = 0; !key && i < TRIES_MAX; i++)
		key = random_bytes(scalar, sizeof(scalar))
		              ? p256_open(scalar, point)
		              : NULL;
	if (!key)
		return false;
	EVP_PKEY_free(key);
	(void)sodium_bin2base64(private_key, VAPID_PRIVATE_SIZE, scalar,
	                        sizeof(scalar), VARIANT);
	(void)sodium_bin2base64(public_key, VAPID_PUBLIC_SIZE, point,
	                        sizeof(point), VARIANT);
	sodium_memzero(scalar, sizeof(scalar));
	return true;
}

static bool decode(const char *text, uint8_t *bytes, size_t size)
{
	size_t len = 0;

	return sodium_base642bin(bytes, size, text, strlen(text), NULL, &len,
	                         NULL, VARIANT) == 0 &&
	       len == size;
}

bool vapid_is_public_key(const char *text)
{
	uint8_t key[ENDPOINT_KEY_SIZE];

	return decode(text, key, sizeof(key)) && p256_is_point(key);
}

struct vapid *vapid_open(const char *private_key)
{
	uint8_t scalar[P256_SCALAR_SIZE];
	uint8_t point[ENDPOINT_KEY_SIZE];
	EVP_PKEY *key = NULL;

	if (decode(private_key, scalar, sizeof(scalar)))
		key = p256_open(scalar, point);
	sodium_memzero(scalar, sizeof(scalar));
	if (!key)
		return NULL;
	struct vapid *vapid = xcalloc(1, sizeof(*vapid));
	vapid->key = key;
	(void)sodium_bin2base64(vapid->public_key, VAPID_PUBLIC_SIZE, point,
	                        sizeof(point), VARIANT);
	return vapid;
}

void vapid_close(struct vapid *vapid)
{
	if (!vapid)
		return;
	EVP_PKEY_free(vapid->key);
	free(vapid);
}

const char *vapid_public_key(const struct vapid *vapid)
{
	return vapid->public_key;
}

/* --- tokens --------------------------------------------------------------- */

/* Two numbers in DER as 32 bytes each. */
static bool read_der(const uint8_t *der, size_t len,
                     uint8_t signature[2 * NUMBER_SIZE])
{
	const uint8_t *at = der;
	ECDSA_SIG *numbers = d2i_ECDSA_SIG(NULL, &at, (long)len);

	if (!numbers)
		return false;
	bool good =
		BN_bn2binpad(ECDSA_SIG_get0_r(numbers), signature,
	                     NUMBER_SIZE) == NUMBER_SIZE &&
		BN_bn2binpad(ECDSA_SIG_get0_s(numbers), signature + NUMBER_SIZE,
	                     NUMBER_SIZE) == NUMBER_SIZE;
	ECDSA_SIG_free(numbers);
	return good;
}

static bool sign(const struct vapid *vapid, const char *text,
                 uint8_t signature[2 * NUMBER_SIZE])
{
	uint8_t der[DER_MAX];
	size_t len = sizeof(der);
	EVP_MD_CTX *context = EVP_MD_CTX_new();

	memory_expect(context);
	bool good = EVP_DigestSignInit(context, NULL, EVP_sha256(), NULL,
	                               vapid->key) == 1 &&
	            EVP_DigestSign(context, der, &len, (const uint8_t *)text,
	                           strlen(text)) == 1 &&
	            read_der(der, len, signature);
	EVP_MD_CTX_free(context);
	return good;
}

static void append_base64(char *text, size_t size, const void *bytes,
                          size_t len)
{
	size_t at = strlen(text);

	(void)sodium_bin2base64(text + at, size - at, bytes, len, VARIANT);
}

static size_t print_claims(const char *host, const char *contact,
                           int64_t expires_s, char claims[CLAIMS_MAX])
{
	struct json_out out;
	char audience[300] = "https://";

	strncat(audience, host, sizeof(audience) - strlen(audience) - 1);
	json_out_init(&out, claims, CLAIMS_MAX);
	json_object(&out);
	json_key_string(&out, "aud", audience);
	json_key_int(&out, "exp", expires_s);
	json_key_string(&out, "sub", contact);
	json_object_end(&out);
	return json_out_fits(&out) ? json_out_len(&out) : 0;
}

bool vapid_authorize(const struct vapid *vapid, const char *host,
                     const char *contact, int64_t expires_s,
                     char header[VAPID_HEADER_SIZE])
{
	static const char head[] = "{\"typ\":\"JWT\",\"alg\":\"ES256\"}";
	char claims[CLAIMS_MAX];
	char token[TOKEN_MAX] = "";
	uint8_t signature[2 * NUMBER_SIZE];
	size_t len = print_claims(host, contact, expires_s, claims);

	if (len == 0 || len > TOKEN_MAX / 2)
		return false;
	append_base64(token, sizeof(token), head, strlen(head));
	strncat(token, ".", 2);
	append_base64(token, sizeof(token), claims, len);
	if (!sign(vapid, token, signature))
		return false;
	strncat(token, ".", 2);
	append_base64(token, sizeof(token), signature, sizeof(signature));
	(void)snprintf(header, VAPID_HEADER_SIZE, "vapid t=%s, k=%s", token,
	               vapid->public_key);
	return true;
}
