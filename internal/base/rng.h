/*
 * rng.h - a 32-byte seed, expanded into a stream of random numbers.
 *
 * The service draws the seed from the system (random.h); the rules only expand
 * it, by libsodium's ChaCha20.  The same seed gives the same numbers on every
 * machine, so a game can be replayed.  A plain value.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RNG_SEED_SIZE = 32 };

struct rng {
	uint8_t seed[RNG_SEED_SIZE];
	uint8_t stream[64]; /* the present block of the stream */
	uint32_t block;     /* the number of the next one */
	uint8_t at;         /* bytes of the present one that were used */
	bool used;          /* a number was drawn: a replay needs the seed */
};

/* Begin the stream of a seed. */
void rng_init(struct rng *rng, const uint8_t seed[RNG_SEED_SIZE]);

/*
 * A number 0..below-1, each equally likely (by rejection, not by remainder);
 * below is 1..256.
 */
unsigned rng_below(struct rng *rng, unsigned below);

/* Shuffle count bytes, count 0..256 (Fisher and Yates). */
void rng_shuffle(struct rng *rng, uint8_t *items, size_t count);
