/*
 * web_push.h - encrypts messages for push services, so that only the browser
 * can read them: RFC 8291, with the content encoding aes128gcm of RFC 8188.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/macros.h"
#include "push/endpoint.h"
#include "push/p256.h"

enum {
	WEB_PUSH_SALT_SIZE = 16,
	WEB_PUSH_EXTRA = 16 + 4 + 1 + ENDPOINT_KEY_SIZE + 1 + 16,
};

/* The random parts of a message; each is used once. */
struct web_push_draw {
	uint8_t scalar[P256_SCALAR_SIZE]; /* a private key */
	uint8_t salt[WEB_PUSH_SALT_SIZE];
};

/*
 * Encrypt a text of at most 2048 bytes into len + WEB_PUSH_EXTRA bytes.  False
 * if the browser's key is not a point of the curve, or the private key is
 * invalid; then nothing may be sent.
 */
MUST_CHECK bool web_push_encrypt(const struct endpoint *endpoint,
                                 const struct web_push_draw *draw,
                                 const char *text, size_t len, uint8_t *body);

/* endpoint_read_key(), and refuse bytes that are not a point of the curve. */
struct endpoint_fault web_push_read_key(const char *text,
                                        struct endpoint *endpoint);
