/*
 * The signed text is "id.time.body".  The header field lists signatures as
 * "v1," and base64, separated by blanks.
 */
#include "push/webhook.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <sodium.h>

static const char prefix[] = "whsec_";

enum { VARIANT = sodium_base64_VARIANT_ORIGINAL };

bool webhook_add_secret(struct webhook_secrets *secrets, const char *text)
{
	size_t len = 0;

	if (strncmp(text, prefix, strlen(prefix)) == 0)
		text += strlen(prefix);
	if (secrets->count == WEBHOOK_SECRETS_MAX ||
	    sodium_base642bin(secrets->bytes[secrets->count],
	                      WEBHOOK_SECRET_MAX, text, strlen(text), NULL,
	                      &len, NULL, VARIANT) != 0 ||
	    len < WEBHOOK_SECRET_MIN)
		return false;
	secrets->lens[secrets->count++] = len;
	return true;
}

void webhook_sign(const struct webhook_secrets *secrets, const char *id,
                  int64_t at_s, const char *body, size_t len,
                  char signature[WEBHOOK_SIGNATURE_SIZE])
{
	uint8_t hash[crypto_auth_hmacsha256_BYTES];
	char text[64];
	char head[160];
	size_t at = 0;

	(void)snprintf(head, sizeof(head), "%s.%" PRId64 ".", id, at_s);
	signature[0] = '\0';
	for (unsigned i = 0; i < secrets->count; i++) {
		crypto_auth_hmacsha256_state state;

		(void)crypto_auth_hmacsha256_init(&state, secrets->bytes[i],
		                                  secrets->lens[i]);
		(void)crypto_auth_hmacsha256_update(&state,
		                                    (const uint8_t *)head,
		                                    strlen(head));
		(void)crypto_auth_hmacsha256_update(&state,
		                                    (const uint8_t *)body, len);
		(void)crypto_auth_hmacsha256_final(&state, hash);
		(void)sodium_bin2base64(text, sizeof(text), hash, sizeof(hash),
		                        VARIANT);
		(void)snprintf(signature + at, WEBHOOK_SIGNATURE_SIZE - at,
		               "%sv1,%s", i ? " " : "", text);
		at = strlen(signature);
	}
}
