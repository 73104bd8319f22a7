/*
 * sim.c - numbers of a seed, settings, and failures that can be repeated.
 *
 * The numbers are those of splitmix64: every compiler and machine draws the
 * same ones, so a seed names a game.  sim_place is where the running program
 * has come to; a failed check prints it as the command that repeats the game.
 */
#include "sim.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

/* --- numbers of a seed ---------------------------------------------------- */

/* Numbers that look random, always the same (splitmix64). */
static uint64_t sim_next(struct sim_random *random)
{
	uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

unsigned sim_below(struct sim_random *random, unsigned below)
{
	return (unsigned)(sim_next(random) % below);
}

bool sim_percent(struct sim_random *random, unsigned percent)
{
	return sim_below(random, 100) < percent;
}

void sim_seed(struct sim_random *random, uint8_t seed[RNG_SEED_SIZE])
{
	for (unsigned i = 0; i < RNG_SEED_SIZE; i++)
		seed[i] = (uint8_t)sim_next(random);
}

/* --- checks --------------------------------------------------------------- */

struct sim_place sim_place;

void sim_check(bool so, const char *what)
{
	if (so)
		return;
	fail_msg("not so: %s\n"
	         "again: GANG_SEED=%" PRIu64 " GANG_GAMES=1, in game %u, "
	         "after %u tries, version %u",
	         what, sim_place.seed, sim_place.games, sim_place.tries,
	         sim_place.version);
}

bool same_bytes(const void *a, const void *b, size_t size)
{
	return memcmp(a, b, size) == 0;
}

/* --- settings ------------------------------------------------------------- */

uint64_t sim_setting(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);
	char *end;

	if (!text)
		return otherwise;
	errno = 0;
	uint64_t value = strtoull(text, &end, 10);
	if (errno || end == text || *end)
		fail_msg("%s=%s is no number", name, text);
	return value;
}

uint64_t sim_games(uint64_t usual)
{
	return sim_setting("GANG_GAMES", usual * sim_setting("GANG_TIMES", 1));
}
