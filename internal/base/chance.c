#include "base/chance.h"

#include <assert.h>
#include <string.h>

#include <sodium.h>

void chance_init(struct chance *chance, const uint8_t seed[CHANCE_SEED_SIZE])
{
	*chance = (struct chance){ .at = sizeof(chance->stream) };
	memcpy(chance->seed, seed, CHANCE_SEED_SIZE);
}

static unsigned next_byte(struct chance *chance)
{
	static const uint8_t nonce[crypto_stream_chacha20_ietf_NONCEBYTES];

	if (chance->at == sizeof(chance->stream)) {
		memset(chance->stream, 0, sizeof(chance->stream));
		(void)crypto_stream_chacha20_ietf_xor_ic(
			chance->stream, chance->stream, sizeof(chance->stream),
			nonce, chance->block, chance->seed);
		chance->block++;
		chance->at = 0;
	}
	chance->used = true;
	return chance->stream[chance->at++];
}

unsigned chance_below(struct chance *chance, unsigned below)
{
	assert(below >= 1 && below <= 256);

	/* Bytes past the last whole multiple would favour small numbers. */
	unsigned fair = 256 - 256 % below;
	unsigned byte;
	do {
		byte = next_byte(chance);
	} while (byte >= fair);
	return byte % below;
}

void chance_shuffle(struct chance *chance, uint8_t *items, size_t count)
{
	assert(count <= 256);
	for (size_t left = count; left > 1; left--) {
		size_t pick = chance_below(chance, (unsigned)left);
		uint8_t item = items[pick];
		items[pick] = items[left - 1];
		items[left - 1] = item;
	}
}
