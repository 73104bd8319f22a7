/*
 * 22 characters of base62 are just above 128 bits.  Each character is drawn
 * from a random byte; bytes above the last multiple of 62 are skipped.  64
 * random bytes yield fewer than 22 characters with a probability below 10^-40.
 */
#include "auth/ticket.h"

#include <string.h>

#include <sodium.h>

#include "base/random.h"

enum { BASE = 62, DRAWN = 64 };

static const char digits[BASE + 1] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz";

static void hash(struct ticket *ticket)
{
	(void)crypto_generichash(ticket->hash, sizeof(ticket->hash),
	                         (const uint8_t *)ticket->text, TICKET_LEN,
	                         NULL, 0);
}

bool ticket_draw(struct ticket *ticket)
{
	uint8_t drawn[DRAWN];
	size_t len = 0;

	if (!random_bytes(drawn, sizeof(drawn)))
		return false;
	for (size_t i = 0; i < sizeof(drawn) && len < TICKET_LEN; i++) {
		if (drawn[i] < 256 / BASE * BASE)
			ticket->text[len++] = digits[drawn[i] % BASE];
	}
	ticket->text[len] = '\0';
	hash(ticket);
	return len == TICKET_LEN;
}

bool ticket_parse(const char *text, size_t len, struct ticket *ticket)
{
	if (len != TICKET_LEN || strspn(text, digits) < len)
		return false;
	memcpy(ticket->text, text, len);
	ticket->text[len] = '\0';
	hash(ticket);
	return true;
}
