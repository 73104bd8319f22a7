/*
 * p256.h - keys of the curve P-256, as OpenSSL has them.  Without memory the
 * process ends.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/macros.h"
#include "push/endpoint.h"

enum { P256_SCALAR_SIZE = 32 };

struct evp_pkey_st; /* OpenSSL's EVP_PKEY */

/*
 * Open the key pair of a private scalar, which EVP_PKEY_free() frees, and write
 * its point.  NULL: the scalar is not in 1 .. order - 1.
 */
struct evp_pkey_st *p256_open(const uint8_t scalar[P256_SCALAR_SIZE],
                              uint8_t point[ENDPOINT_KEY_SIZE]);

/* True if the bytes are a point of the curve. */
bool p256_is_point(const uint8_t point[ENDPOINT_KEY_SIZE]);

/*
 * Write the point of a scalar, and the secret that it shares with another
 * point, by ECDH.  False: the scalar or the other point is invalid.
 */
MUST_CHECK bool p256_share(const uint8_t scalar[P256_SCALAR_SIZE],
                           const uint8_t other[ENDPOINT_KEY_SIZE],
                           uint8_t point[ENDPOINT_KEY_SIZE],
                           uint8_t secret[P256_SCALAR_SIZE]);
