/*
 * 22 characters of base62 are just above 128 bits.  They are drawn from the
 * stream of a random seed, so each is equally likely.
 */
#include "auth/ticket.h"

#include <string.h>

#include <sodium.h>

#include "base/random.h"
#include "base/rng.h"

static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
			     "abcdefghijklmnopqrstuvwxyz";

static void hash(struct ticket *ticket)
{
	(void)crypto_generichash(ticket->hash, sizeof(ticket->hash),
	                         (const uint8_t *)ticket->text, TICKET_LEN,
	                         NULL, 0);
}

bool ticket_draw(struct ticket *ticket)
{
	uint8_t seed[RNG_SEED_SIZE];
	struct rng rng;

	if (!random_bytes(seed, sizeof(seed)))
		return false;
	rng_init(&rng, seed);
	for (size_t i = 0; i < TICKET_LEN; i++)
		ticket->text[i] =
			digits[rng_below(&rng, (unsigned)strlen(digits))];
	ticket->text[TICKET_LEN] = '\0';
	hash(ticket);
	return true;
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
