/*
 * street.h - the gangsters that both players may take, in the order in which
 * they were laid out.  A plain value.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "games/famiglia/rules/pile.h"

enum { STREET_FULL = 6, STREET_MAX = PILE_MAX };

struct street {
	uint8_t count;
	uint8_t gangsters[STREET_MAX];
};

/* Append a gangster; remove one that lies there. */
void street_lay(struct street *street, unsigned gangster);
void street_remove(struct street *street, unsigned gangster);

/* All that lie there. */
uint64_t street_set(const struct street *street);
bool street_has(const struct street *street, unsigned gangster);
bool street_has_zero(const struct street *street);
