/*
 * check.h - what fails in the simulation says how to play it again.
 */
#ifndef TESTS_SIM_CHECK_H
#define TESTS_SIM_CHECK_H

#include <inttypes.h>

#include "sim.h"

struct sim_place {
	uint64_t seed; /* of the gang that plays */
	unsigned games;
	unsigned tries; /* actions chosen in this game */
	unsigned version;
};

static struct sim_place sim_place;

static inline void sim_check(bool so, const char *what)
{
	if (so)
		return;
	fail_msg("not so: %s\n"
	         "again: GANG_SEED=%" PRIu64 " GANG_GAMES=1, in game %u, "
	         "after %u tries, version %u",
	         what, sim_place.seed, sim_place.games, sim_place.tries,
	         sim_place.version);
}

#define CHECK(what) sim_check((what), #what)

/* Of structs too: a refusal writes nothing, not even between members. */
static inline bool same_bytes(const void *a, const void *b, size_t size)
{
	return memcmp(a, b, size) == 0;
}

#endif
