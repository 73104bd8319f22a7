/*
 * test_gangster.c - the cards of Famiglia and sets of them.  Every card has
 * one text, one family and its points.  Rows are in gangster.def.
 */
#include "games/famiglia/rules/gangster.h"

#include <string.h>

#include "games/famiglia/rules/pile.h"
#include "games/famiglia/rules/street.h"
#include "rows.h"

struct gangster_row {
	const char *name; /* its text */
	unsigned number;
	enum family family;
	unsigned rank;
	unsigned points;
};

static struct gangster_row gangster_rows[] = {
#define GANGSTER(text, number, family, ...) \
	{ text, number, FAMILY_##family, __VA_ARGS__ },
#include "gangster.def"
};

struct nobody_row {
	const char *name; /* the text */
};

static struct nobody_row nobody_rows[] = {
#define NOBODY(text) { text },
#include "gangster.def"
};

static void check_gangster(void **state)
{
	const struct gangster_row *row = *state;
	unsigned copy = (unsigned)(row->name[2] - 'a');
	uint8_t found = 0;

	assert_true(
		famiglia_gangster_parse(row->name, strlen(row->name), &found));
	assert_int_equal(found, row->number);
	assert_string_equal(gangster_text(row->number), row->name);
	assert_int_equal(gangster_family(row->number), row->family);
	assert_int_equal(gangster_rank(row->number), row->rank);
	assert_int_equal(gangster_points(row->number), row->points);
	assert_int_equal(family_points(row->family, row->rank), row->points);
	assert_int_equal(gangster_of(row->family, row->rank, copy),
	                 row->number);
	assert_int_equal(*family_letter(row->family), row->name[0]);
}

static void check_nobody(void **state)
{
	const struct nobody_row *row = *state;
	uint8_t found = 99;

	assert_false(
		famiglia_gangster_parse(row->name, strlen(row->name), &found));
	assert_int_equal(found, 99);
}

/* Cards of one rank follow each other, by the letters of their texts. */
static unsigned check_alike(enum family family, unsigned rank, unsigned first)
{
	for (unsigned copy = 0; copy < 5 - rank; copy++) {
		const char text[] = { "fmba"[family], (char)('0' + rank),
			              (char)('a' + copy), '\0' };

		assert_string_equal(gangster_text(first + copy), text);
	}
	assert_int_equal(family_copies(rank), 5 - rank);
	return first + 5 - rank;
}

static void check_all(void **state)
{
	unsigned number = 1;

	(void)state;
	for (unsigned family = 0; family < FAMILY_COUNT; family++) {
		for (unsigned rank = 0; rank < GANGSTER_RANKS; rank++)
			number = check_alike((enum family)family, rank, number);
	}
	assert_int_equal(number, GANGSTER_COUNT + 1);
	assert_int_equal(gangsters_points(GANGSTERS_ALL), 175);
	assert_false(gangster_exists(GANGSTER_NONE));
	assert_true(gangster_exists(GANGSTER_COUNT));
	assert_false(gangster_exists(GANGSTER_COUNT + 1));
}

static void check_sets(void **state)
{
	uint64_t set = gangsters_just(1) | gangsters_just(60);

	(void)state;
	assert_int_equal(gangsters_count(GANGSTERS_ALL), GANGSTER_COUNT);
	assert_int_equal(gangsters_next(set, GANGSTER_NONE), 1);
	assert_int_equal(gangsters_next(set, 1), 60);
	assert_int_equal(gangsters_next(set, 60), GANGSTER_NONE);
	assert_true(gangsters_have(set, 60));
	assert_false(gangsters_have(set, 2));
	assert_false(gangsters_have(set, GANGSTER_NONE));
	assert_false(gangsters_have(~(uint64_t)0, GANGSTER_COUNT + 1));
	assert_int_equal(gangsters_alike(FAMILY_MERCENARIES, 3),
	                 gangsters_just(28) | gangsters_just(29));
	assert_int_equal(gangsters_first(1),
	                 gangsters_just(1) | gangsters_just(16) |
	                         gangsters_just(31) | gangsters_just(46));
	assert_int_equal(gangsters_first(2), gangsters_first(1) << 1);
}

/* The first pile gives all it has, then all that was put away meanwhile. */
static void check_pile(void **state)
{
	static const uint8_t seed[RNG_SEED_SIZE] = { 7 };
	uint64_t first = gangsters_alike(FAMILY_BRUTES, 1);
	uint64_t away = gangsters_alike(FAMILY_ACCOUNTANTS, 2);
	struct rng rng;
	struct pile pile;
	uint64_t drawn = 0;

	(void)state;
	rng_init(&rng, seed);
	pile_init(&pile, first, &rng);
	assert_int_equal(gangsters_of(pile.gangsters, pile.count), first);
	for (unsigned i = 55; i <= 57; i++)
		pile_discard(&pile, i);
	while (!pile.second_pass)
		drawn |= gangsters_just(pile_draw(&pile, &rng));
	assert_int_equal(drawn, first);
	assert_int_equal(gangsters_of(pile.gangsters, pile.count), away);
	assert_int_equal(pile.discards, 0);
	/* A card discarded now is drawn last. */
	pile_discard(&pile, 36);
	for (unsigned i = 0; i < 3; i++)
		assert_true(gangsters_have(away, pile_draw(&pile, &rng)));
	assert_int_equal(pile_draw(&pile, &rng), 36);
	assert_int_equal(pile.count, 0);
}

/* Each card is equally likely in each place. */
static void check_shuffled(void **state)
{
	unsigned found[3][3] = { { 0 } };

	(void)state;
	for (unsigned i = 0; i < 3000; i++) {
		uint8_t seed[RNG_SEED_SIZE] = { (uint8_t)i, (uint8_t)(i >> 8) };
		struct rng rng;
		struct pile pile;

		rng_init(&rng, seed);
		pile_init(&pile, gangsters_alike(FAMILY_FAMIGLIA, 2), &rng);
		for (unsigned at = 0; at < 3; at++)
			found[at][pile.gangsters[at] - 10]++;
	}
	for (unsigned at = 0; at < 3; at++) {
		for (unsigned i = 0; i < 3; i++)
			assert_in_range(found[at][i], 850, 1150);
	}
}

static void check_street(void **state)
{
	struct street street = { .count = 0 };

	(void)state;
	for (unsigned i = 6; i <= 9; i++)
		street_lay(&street, i);
	assert_false(street_has_zero(&street));
	street_lay(&street, 1);
	assert_true(street_has_zero(&street));
	street_remove(&street, 7);
	street_lay(&street, 7);
	assert_int_equal(street.count, 5);
	assert_memory_equal(street.gangsters, ((uint8_t[]){ 6, 8, 9, 1, 7, 0 }),
	                    6);
	assert_true(street_has(&street, 7));
	assert_false(street_has(&street, 2));
}

int main(void)
{
	static struct rows rows;

	ROWS_ADD(&rows, gangster_rows, check_gangster);
	ROWS_ADD(&rows, nobody_rows, check_nobody);
	rows_add(&rows, "all sixty cards have texts", check_all, NULL);
	rows_add(&rows, "sets of cards are counted and joined", check_sets,
	         NULL);
	rows_add(&rows, "the discards become the second pile", check_pile,
	         NULL);
	rows_add(&rows, "all orders of a pile are equally likely",
	         check_shuffled, NULL);
	rows_add(&rows, "the street", check_street, NULL);
	return rows_run("gangster", &rows);
}
