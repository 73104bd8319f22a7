/*
 * p256.c - keeps no state: makes OpenSSL's keys of bytes, and bytes of keys.
 *
 * A private key is decoded from DER without its public key (RFC 5915), since
 * OpenSSL computes the public key then, and does not when it takes the number.
 */
#include "push/p256.h"

#include <string.h>

#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <sodium.h>

#include "base/memory.h"

/* OpenSSL 3.0 crashes where it had no memory for its default context. */
static void expect_openssl(void)
{
	memory_expect(OSSL_LIB_CTX_get0_global_default());
}

EVP_PKEY *p256_open(const uint8_t scalar[P256_SCALAR_SIZE],
                    uint8_t point[ENDPOINT_KEY_SIZE])
{
	static const uint8_t order[] = "\xff\xff\xff\xff\x00\x00\x00\x00"
				       "\xff\xff\xff\xff\xff\xff\xff\xff"
				       "\xbc\xe6\xfa\xad\xa7\x17\x9e\x84"
				       "\xf3\xb9\xca\xc2\xfc\x63\x25\x51";
	/* A sequence of version 1, the scalar, and the curve's name. */
	uint8_t der[] = "\x30\x31\x02\x01\x01\x04\x20"
			"--------------------------------"
			"\xa0\x0a\x06\x08\x2a\x86\x48\xce\x3d\x03\x01\x07";
	const uint8_t *at = der;

	if (sodium_is_zero(scalar, P256_SCALAR_SIZE) ||
	    memcmp(scalar, order, P256_SCALAR_SIZE) >= 0)
		return NULL;
	expect_openssl();
	memcpy(der + 7, scalar, P256_SCALAR_SIZE);
	EVP_PKEY *pair =
		d2i_PrivateKey(EVP_PKEY_EC, NULL, &at, sizeof(der) - 1);
	sodium_memzero(der, sizeof(der));
	if (EVP_PKEY_get_octet_string_param(pair, OSSL_PKEY_PARAM_PUB_KEY,
	                                    point, ENDPOINT_KEY_SIZE,
	                                    NULL) != 1)
		memory_fail();
	return pair;
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

/* NULL: the bytes are not a point of the curve. */
static EVP_PKEY *read_point(const uint8_t point[ENDPOINT_KEY_SIZE])
{
	char curve[] = "prime256v1";
	uint8_t bytes[ENDPOINT_KEY_SIZE];
	OSSL_PARAM params[] = {
		OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, curve,
		                       sizeof(curve) - 1),
		OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PUB_KEY, bytes,
		                        sizeof(bytes)),
		OSSL_PARAM_END,
	};
	EVP_PKEY *key = NULL;

	expect_openssl();
	EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
	memory_expect(context);
	memcpy(bytes, point, sizeof(bytes));
	ERR_clear_error();
	if ((EVP_PKEY_fromdata_init(context) != 1 ||
	     EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, params) !=
	             1) &&
	    !is_no_point())
		memory_fail();
	EVP_PKEY_CTX_free(context);
	return key;
}

bool p256_is_point(const uint8_t point[ENDPOINT_KEY_SIZE])
{
	EVP_PKEY *key = read_point(point);

	EVP_PKEY_free(key);
	return key != NULL;
}

bool p256_share(const uint8_t scalar[P256_SCALAR_SIZE],
                const uint8_t other[ENDPOINT_KEY_SIZE],
                uint8_t point[ENDPOINT_KEY_SIZE],
                uint8_t secret[P256_SCALAR_SIZE])
{
	EVP_PKEY *pair = p256_open(scalar, point);
	EVP_PKEY *key = pair ? read_point(other) : NULL;
	EVP_PKEY_CTX *context = key ? EVP_PKEY_CTX_new(pair, NULL) : NULL;
	size_t len = P256_SCALAR_SIZE;
	bool good = key != NULL;

	/* read_point() has checked the point; 0: OpenSSL need not, too. */
	if (good && (!context || EVP_PKEY_derive_init(context) != 1 ||
	             EVP_PKEY_derive_set_peer_ex(context, key, 0) != 1 ||
	             EVP_PKEY_derive(context, secret, &len) != 1))
		memory_fail();
	EVP_PKEY_CTX_free(context);
	EVP_PKEY_free(key);
	EVP_PKEY_free(pair);
	return good;
}
