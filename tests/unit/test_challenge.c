/*
 * test_challenge.c - sets of active challenges change a heist at the right
 * moments: pocket cards, skipped rounds, locked and hidden chips, questions.
 * Rows are in challenge.def.
 */
#include "games/gang/rules/challenge.h"

#include <stdio.h>
#include <string.h>

#include "games/gang/rules/color.h"
#include "games/gang/rules/heist.h"
#include "rows.h"

#define SET0()     (0U)
#define SET1(a)    (1U << (a))
#define SET2(a, b) (1U << (a) | 1U << (b))

struct bends_row {
	const char *name;
	unsigned set;
	unsigned pocket_cards;
	const char *skipped;
	const char *locked;
	bool hides;
	const char *asks;
};

static struct bends_row bends_rows[] = {
#define BENDS(...) { __VA_ARGS__ },
#include "challenge.def"
};

static void name_skipped(uint16_t set, char *text)
{
	for (unsigned round = 1; round <= 4; round++) {
		if (challenges_skip_round(set, round))
			*text++ = (char)('0' + round);
	}
	*text = '\0';
}

static void name_locked(uint16_t set, char *text)
{
	struct challenge_chip chip = { .players = 4 };

	for (chip.color = 0; chip.color < COLOR_COUNT; chip.color++) {
		for (chip.stars = 1; chip.stars <= 4; chip.stars++) {
			if (!challenges_lock_chip(set, chip))
				continue;
			*text++ = *color_code((enum color)chip.color);
			*text++ = (char)('0' + chip.stars);
			*text++ = ' ';
		}
	}
	*text = '\0';
}

static void name_asks(uint16_t set, char *text)
{
	unsigned number;

	for (unsigned i = 0; (number = challenges_asking(set, i)); i++)
		text += sprintf(text, "%u ", number);
	*text = '\0';
}

static void check_bends(void **state)
{
	const struct bends_row *row = *state;
	uint16_t set = (uint16_t)row->set;
	char skipped[8];
	char locked[64];
	char asks[16];

	name_skipped(set, skipped);
	name_locked(set, locked);
	name_asks(set, asks);
	assert_true(challenges_exist(set));
	assert_int_equal(challenges_pocket_cards(set), row->pocket_cards);
	assert_string_equal(skipped, row->skipped);
	assert_string_equal(locked, row->locked);
	assert_int_equal(challenges_hide_chips(set), row->hides);
	assert_string_equal(asks, row->asks);
}

/* Each bit by itself: those of challenge.def are challenges, others not. */
static void check_exist(void **state)
{
	unsigned known = 0;

	(void)state;
#define CHALLENGE(name, number, ...) known |= 1U << (number);
#include "games/gang/rules/challenge.def"
	for (unsigned bit = 0; bit < 16; bit++)
		assert_int_equal(challenges_exist((uint16_t)(1U << bit)),
		                 known >> bit & 1);
	assert_true(challenges_exist((uint16_t)known));
	assert_false(challenges_exist(0xffff));
}

static void check_codes(void **state)
{
	(void)state;
#define CHALLENGE(name, number, text, ...) \
	assert_string_equal(gang_challenge_get(number)->code, text);
#include "games/gang/rules/challenge.def"
	assert_string_equal(gang_challenge_get(CHALLENGE_QUICK_ACCESS)->code,
	                    "quick_access");
	assert_string_equal(
		gang_challenge_get(CHALLENGE_SECURITY_CAMERAS)->code,
		"security_cameras");
}

int main(void)
{
	static struct rows rows;

	ROWS_ADD(&rows, bends_rows, check_bends);
	rows_add(&rows, "the numbers of the cards that exist", check_exist,
	         NULL);
	rows_add(&rows, "cards are found by their codes", check_codes, NULL);
	return rows_run("challenge", &rows);
}
