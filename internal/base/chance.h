/*
 * chance.h - a fresh 32-byte seed, expanded into as much chance as needed.
 *
 * The shell draws the seed from the kernel; the rules only expand it, with
 * the ChaCha20 stream of libsodium.  The same seed gives the same numbers on
 * every machine, so that a game can be replayed.  A plain value.
 */
#ifndef BASE_CHANCE_H
#define BASE_CHANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CHANCE_SEED_SIZE = 32 };

struct chance {
	uint8_t seed[CHANCE_SEED_SIZE];
	uint8_t stream[64]; /* the present block of the stream */
	uint32_t block;     /* the number of the next one */
	uint8_t at;         /* bytes of the present one that were used */
	bool used;          /* a number was drawn: the seed must be kept */
};

/* Begin the stream of a seed. */
void chance_init(struct chance *chance, const uint8_t seed[CHANCE_SEED_SIZE]);

/*
 * A number 0..below-1, each equally likely (by rejection, not by remainder);
 * below is 1..256.
 */
unsigned chance_below(struct chance *chance, unsigned below);

/* Shuffle count bytes, count 0..256 (Fisher and Yates). */
void chance_shuffle(struct chance *chance, uint8_t *items, size_t count);

#endif
