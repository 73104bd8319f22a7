/*
 * A list of gangsters without gaps, in the order in which they were laid.
 */
#include "games/famiglia/rules/street.h"

#include <assert.h>
#include <string.h>

void street_lay(struct street *street, unsigned gangster)
{
	assert(street->count < STREET_MAX);
	street->gangsters[street->count++] = (uint8_t)gangster;
}

void street_remove(struct street *street, unsigned gangster)
{
	unsigned at = 0;

	assert(street_has(street, gangster));
	while (street->gangsters[at] != gangster)
		at++;
	street->count--;
	memmove(street->gangsters + at, street->gangsters + at + 1,
	        street->count - at);
	street->gangsters[street->count] = GANGSTER_NONE;
}

uint64_t street_set(const struct street *street)
{
	return gangsters_of(street->gangsters, street->count);
}

bool street_has(const struct street *street, unsigned gangster)
{
	return gangsters_have(street_set(street), gangster);
}

bool street_has_zero(const struct street *street)
{
	for (unsigned i = 0; i < street->count; i++) {
		if (gangster_rank(street->gangsters[i]) == 0)
			return true;
	}
	return false;
}
