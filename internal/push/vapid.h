/*
 * vapid.h - how an operator shows a push service who sends (RFC 8292): a token
 * for each push service, signed with a key of P-256.  Browsers subscribe with
 * the public key, so only the owner of the private key can use a subscription.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/macros.h"

enum {
	VAPID_PRIVATE_SIZE = 44, /* of a key as text, with its zero byte */
	VAPID_PUBLIC_SIZE = 88,
	VAPID_HEADER_SIZE = 1024,
	VAPID_CONTACT_MAX = 256,
};

struct vapid;

/* Draw a new key; false if the system gave no random bytes. */
MUST_CHECK bool vapid_draw(char private_key[VAPID_PRIVATE_SIZE],
                           char public_key[VAPID_PUBLIC_SIZE]);

/* Open a private key, 32 bytes in base64url; NULL if it is invalid. */
struct vapid *vapid_open(const char *private_key);
void vapid_close(struct vapid *vapid); /* NULL is fine */

/* The public key, in base64url; borrowed. */
const char *vapid_public_key(const struct vapid *vapid);

/* True if this is a valid public key in the form of vapid_draw(). */
bool vapid_is_public_key(const char *text);

/*
 * Print the value of Authorization for a push service, named by its host (and
 * port).  The contact is a mailto: or https: URL of at most VAPID_CONTACT_MAX
 * bytes; expires_s is within a day from now, in seconds since 1970.  False:
 * OpenSSL failed.
 */
MUST_CHECK bool vapid_authorize(const struct vapid *vapid, const char *host,
                                const char *contact, int64_t expires_s,
                                char header[VAPID_HEADER_SIZE]);
