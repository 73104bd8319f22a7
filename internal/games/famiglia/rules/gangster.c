/*
 * The sixty gangsters by number: family by family, fifteen each, ranks rising.
 * The place within the family gives rank and copy, so nothing but the first
 * place of each rank is stored.
 */
#include "games/famiglia/rules/gangster.h"

#include <assert.h>
#include <string.h>

enum { FAMILY_SIZE = GANGSTER_COUNT / FAMILY_COUNT };

static const struct {
	const char *code;
	const char *letter;
	uint8_t points[GANGSTER_RANKS];
} families[] = {
#define FAMILY(name, code, letter, ...) { code, letter, { __VA_ARGS__ } },
#include "games/famiglia/rules/family.def"
};

/* The places of a family's gangsters: the first of each rank. */
static const uint8_t first_of_rank[GANGSTER_RANKS] = { 0, 5, 9, 12, 14 };

static const char texts[][GANGSTER_TEXT_LEN + 1] = {
#define FAMILY(name, code, letter, ...)                                  \
	letter "0a", letter "0b", letter "0c", letter "0d", letter "0e", \
		letter "1a", letter "1b", letter "1c", letter "1d",      \
		letter "2a", letter "2b", letter "2c", letter "3a",      \
		letter "3b", letter "4a",
#include "games/famiglia/rules/family.def"
};

const char *famiglia_family_code(enum family family)
{
	assert((size_t)family < FAMILY_COUNT);
	return families[family].code;
}

const char *family_letter(enum family family)
{
	assert((size_t)family < FAMILY_COUNT);
	return families[family].letter;
}

unsigned family_points(enum family family, unsigned rank)
{
	assert((size_t)family < FAMILY_COUNT && rank < GANGSTER_RANKS);
	return families[family].points[rank];
}

unsigned family_copies(unsigned rank)
{
	assert(rank < GANGSTER_RANKS);
	return GANGSTER_RANKS - rank;
}

bool gangster_exists(unsigned gangster)
{
	return gangster >= 1 && gangster <= GANGSTER_COUNT;
}

unsigned gangster_of(enum family family, unsigned rank, unsigned copy)
{
	assert((size_t)family < FAMILY_COUNT && copy < family_copies(rank));
	return 1 + (unsigned)family * FAMILY_SIZE + first_of_rank[rank] + copy;
}

enum family gangster_family(unsigned gangster)
{
	assert(gangster_exists(gangster));
	return (enum family)((gangster - 1) / FAMILY_SIZE);
}

unsigned gangster_rank(unsigned gangster)
{
	assert(gangster_exists(gangster));

	unsigned place = (gangster - 1) % FAMILY_SIZE;
	unsigned rank = GANGSTER_RANK_MAX;
	while (place < first_of_rank[rank])
		rank--;
	return rank;
}

unsigned gangster_points(unsigned gangster)
{
	return family_points(gangster_family(gangster),
	                     gangster_rank(gangster));
}

const char *gangster_text(unsigned gangster)
{
	assert(gangster_exists(gangster));
	return texts[gangster - 1];
}

bool famiglia_gangster_parse(const char *text, size_t len, uint8_t *gangster)
{
	if (len != GANGSTER_TEXT_LEN)
		return false;
	for (unsigned i = 1; i <= GANGSTER_COUNT; i++) {
		if (memcmp(text, gangster_text(i), GANGSTER_TEXT_LEN) == 0) {
			*gangster = (uint8_t)i;
			return true;
		}
	}
	return false;
}

/* --- sets ----------------------------------------------------------------- */

uint64_t gangsters_just(unsigned gangster)
{
	assert(gangster_exists(gangster));
	return (uint64_t)1 << gangster;
}

/* A list may come from a damaged state; other numbers are left out. */
uint64_t gangsters_of(const uint8_t *list, unsigned count)
{
	uint64_t set = 0;

	for (unsigned i = 0; i < count; i++) {
		if (gangster_exists(list[i]))
			set |= gangsters_just(list[i]);
	}
	return set;
}

uint64_t gangsters_alike(enum family family, unsigned rank)
{
	uint64_t set = 0;

	for (unsigned copy = 0; copy < family_copies(rank); copy++)
		set |= gangsters_just(gangster_of(family, rank, copy));
	return set;
}

bool gangsters_have(uint64_t set, unsigned gangster)
{
	return gangster_exists(gangster) && (set & gangsters_just(gangster));
}

unsigned gangsters_count(uint64_t set)
{
	return (unsigned)__builtin_popcountll(set);
}

unsigned gangsters_points(uint64_t set)
{
	unsigned points = 0;
	unsigned gangster = GANGSTER_NONE;

	while ((gangster = gangsters_next(set, gangster)))
		points += gangster_points(gangster);
	return points;
}

unsigned gangsters_next(uint64_t set, unsigned gangster)
{
	assert(gangster <= GANGSTER_COUNT);

	uint64_t above = set & ~(((uint64_t)2 << gangster) - 1);
	return above ? (unsigned)__builtin_ctzll(above) : GANGSTER_NONE;
}

uint64_t gangsters_first(unsigned seat)
{
	uint64_t set = 0;

	for (unsigned family = 0; family < FAMILY_COUNT; family++)
		set |= gangsters_just(
			gangster_of((enum family)family, 0, seat - 1));
	return set;
}
