/*
 * gangster.h - one card of Famiglia, and sets of them.
 *
 * Each of the four families has fifteen gangsters: five of rank 0, four of
 * rank 1, three, two, and one of rank 4.  They are numbered from 1, family by
 * family and ranks rising; 0 is none.  Those of equal family and rank are
 * alike: a letter for each copy distinguishes their texts, as in "m3b".
 *
 * A set of gangsters has bit n for number n.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum family {
#define FAMILY(name, ...) FAMILY_##name,
#include "games/famiglia/rules/family.def"
	FAMILY_COUNT
};

enum {
	GANGSTER_NONE = 0,
	GANGSTER_COUNT = 60,
	GANGSTER_RANKS = 5,
	GANGSTER_RANK_MAX = GANGSTER_RANKS - 1,
	GANGSTER_TEXT_LEN = 3,
};

/* All of them, as a set. */
#define GANGSTERS_ALL (((uint64_t)2 << GANGSTER_COUNT) - 2)

/* "famiglia"; "f"; static. */
const char *famiglia_family_code(enum family family);
const char *family_letter(enum family family);

/* The points of a gangster, and the number of copies of a rank. */
unsigned family_points(enum family family, unsigned rank);
unsigned family_copies(unsigned rank);

/* True for the number of a gangster. */
bool gangster_exists(unsigned gangster);

/* The number of a gangster; copy is below family_copies(rank). */
unsigned gangster_of(enum family family, unsigned rank, unsigned copy);

/* The family, rank and points of a valid gangster. */
enum family gangster_family(unsigned gangster);
unsigned gangster_rank(unsigned gangster);
unsigned gangster_points(unsigned gangster);
const char *gangster_text(unsigned gangster); /* "m3b"; static */

/* Read a text; false, and gangster untouched, if it is no gangster's. */
MUST_CHECK bool famiglia_gangster_parse(const char *text, size_t len,
                                        uint8_t *gangster);

/* The set of one gangster, of a list, or of all that are alike. */
uint64_t gangsters_just(unsigned gangster);
uint64_t gangsters_of(const uint8_t *list, unsigned count);
uint64_t gangsters_alike(enum family family, unsigned rank);

bool gangsters_have(uint64_t set, unsigned gangster);
unsigned gangsters_count(uint64_t set);
unsigned gangsters_points(uint64_t set);

/* The lowest number of a set above another one; else GANGSTER_NONE. */
unsigned gangsters_next(uint64_t set, unsigned gangster);

/* The zeros that a seat, 1 or 2, begins the game with. */
uint64_t gangsters_first(unsigned seat);
