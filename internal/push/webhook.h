/*
 * webhook.h - the signature of a webhook, as Standard Webhooks says: an HMAC of
 * id, time and body under a secret that the receiver has too.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/macros.h"

enum {
	WEBHOOK_SECRETS_MAX = 4,
	WEBHOOK_SECRET_MIN = 24, /* bytes, decoded */
	WEBHOOK_SECRET_MAX = 64,
	WEBHOOK_SIGNATURE_SIZE = WEBHOOK_SECRETS_MAX * 48 + 1,
};

/*
 * The secrets.  A receiver needs one of them, so that the operator can change
 * secrets without a pause.
 */
struct webhook_secrets {
	unsigned count;
	size_t lens[WEBHOOK_SECRETS_MAX];
	uint8_t bytes[WEBHOOK_SECRETS_MAX][WEBHOOK_SECRET_MAX];
};

/*
 * Add a secret, written "whsec_" and base64, or base64 alone.  False, and
 * nothing is added, if it is malformed or there are too many.
 */
MUST_CHECK bool webhook_add_secret(struct webhook_secrets *secrets,
                                   const char *text);

/* Print the value of webhook-signature: one signature for each secret. */
void webhook_sign(const struct webhook_secrets *secrets, const char *id,
                  int64_t at_s, const char *body, size_t len,
                  char signature[WEBHOOK_SIGNATURE_SIZE]);
