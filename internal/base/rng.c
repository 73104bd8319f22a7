/*
 * The stream is ChaCha20 with the seed as key and a nonce of zeros.  The next
 * 64-byte block is computed when the current one is used up and another byte is
 * needed.
 */
#include "base/rng.h"

#include <assert.h>
#include <string.h>

#include <sodium.h>

void rng_init(struct rng *rng, const uint8_t seed[RNG_SEED_SIZE])
{
	*rng = (struct rng){ .at = sizeof(rng->stream) };
	memcpy(rng->seed, seed, RNG_SEED_SIZE);
}

static unsigned next_byte(struct rng *rng)
{
	static const uint8_t nonce[crypto_stream_chacha20_ietf_NONCEBYTES];

	if (rng->at == sizeof(rng->stream)) {
		memset(rng->stream, 0, sizeof(rng->stream));
		(void)crypto_stream_chacha20_ietf_xor_ic(
			rng->stream, rng->stream, sizeof(rng->stream), nonce,
			rng->block, rng->seed);
		rng->block++;
		rng->at = 0;
	}
	rng->used = true;
	return rng->stream[rng->at++];
}

unsigned rng_below(struct rng *rng, unsigned below)
{
	assert(below >= 1 && below <= 256);

	/* Reject bytes that would make small remainders more likely. */
	unsigned fair = 256 - 256 % below;
	unsigned byte;
	do {
		byte = next_byte(rng);
	} while (byte >= fair);
	return byte % below;
}

void rng_shuffle(struct rng *rng, uint8_t *items, size_t count)
{
	assert(count <= 256);
	for (size_t left = count; left > 1; left--) {
		size_t pick = rng_below(rng, (unsigned)left);
		uint8_t item = items[pick];
		items[pick] = items[left - 1];
		items[left - 1] = item;
	}
}
