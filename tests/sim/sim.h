/*
 * sim.h - what every simulation needs: numbers that look random and come from
 * a seed, numbers of the environment, and checks whose failure says how to
 * play the failed game again.
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/rng.h"

/* A stream of numbers; its first state is the seed. */
struct sim_random {
	uint64_t state;
};

/* A number from 0 to below - 1; the next one of the seed. */
unsigned sim_below(struct sim_random *random, unsigned below);

/* True in percent of a hundred cases. */
bool sim_percent(struct sim_random *random, unsigned percent);

/* A seed for the rules to expand. */
void sim_seed(struct sim_random *random, uint8_t seed[RNG_SEED_SIZE]);

/* --- checks --------------------------------------------------------------- */

/* Where the program has come to, for failures. */
struct sim_place {
	uint64_t seed; /* of the gang that plays */
	unsigned games;
	unsigned tries; /* actions chosen in this game */
	unsigned version;
};

extern struct sim_place sim_place;

/* Fail, with what was not so and how to repeat it, unless it is so. */
void sim_check(bool so, const char *what);

#define CHECK(what) sim_check((what), #what)

/* Padding counts: a refusal writes nothing, not even between members. */
bool same_bytes(const void *a, const void *b, size_t size);

/* --- settings ------------------------------------------------------------- */

/* A number from the environment; fails the test if it is invalid. */
uint64_t sim_setting(const char *name, uint64_t otherwise);

/*
 * How many games, or pairs of games, to play: GANG_GAMES, or else the usual
 * number GANG_TIMES over.
 */
uint64_t sim_games(uint64_t usual);
