/*
 * rng.h - a 32-byte seed, expanded into a stream of random numbers.
 *
 * The service draws the seed from the system (random.h); the rules expand it
 * with libsodium's ChaCha20.  A seed gives the same numbers on every machine,
 * so a game can be replayed.  A plain value.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RNG_SEED_SIZE = 32 };

struct rng {
	uint8_t seed[RNG_SEED_SIZE];
	uint8_t stream[64]; /* the current block */
	uint32_t block;     /* the number of the next block */
	uint8_t at;         /* bytes of the current block already used */
	bool used;          /* a number was drawn: a replay needs the seed */
};

/* Start the stream of a seed. */
void rng_init(struct rng *rng, const uint8_t seed[RNG_SEED_SIZE]);

/* Draw a number 0..below-1, each equally likely; below is 1..256. */
unsigned rng_below(struct rng *rng, unsigned below);

/* Shuffle count bytes, 0..256, in place (Fisher-Yates). */
void rng_shuffle(struct rng *rng, uint8_t *items, size_t count);
