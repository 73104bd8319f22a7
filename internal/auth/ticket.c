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

/* Bytes beyond the last whole 62 are left out; there are enough of them. */
bool ticket_draw(struct ticket *ticket)
{
	uint8_t rng[DRAWN];
	size_t len = 0;

	if (!random_bytes(rng, sizeof(rng)))
		return false;
	for (size_t i = 0; i < sizeof(rng) && len < TICKET_LEN; i++) {
		if (rng[i] < 256 / BASE * BASE)
			ticket->text[len++] = digits[rng[i] % BASE];
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
