/*
 * test_chips.c - the chips of one color.  Each seat holds at most one, and
 * each chip is in one place.  Rows are in chips.def; chips_valid.def has
 * decoded ones.
 */
#include "games/gang/rules/chips.h"

#include <string.h>

#include "rows.h"

struct chips_row {
	const char *name;
	const char *moves;
	const char *held;
	bool settled;
};

static struct chips_row chips_rows[] = {
#define CHIPS(...) { __VA_ARGS__ },
#include "chips.def"
};

static void check_chips(void **state)
{
	const struct chips_row *row = *state;
	char held[] = "---";
	struct chips chips;

	chips_deal(&chips, 3);
	for (const char *at = row->moves; *at; at += at[2] ? 3 : 2) {
		unsigned stars = (unsigned)(at[1] - '0');
		unsigned seat = (unsigned)(at[0] - 'A' + 1);
		if (*at == '-')
			chips_put_back(&chips, stars);
		else
			chips_give(&chips, stars, seat);
		assert_int_equal(chips_holder(&chips, stars),
		                 *at == '-' ? CHIPS_CENTER : seat);
		assert_true(chips_valid(&chips));
	}
	for (unsigned seat = 1; seat <= 3; seat++) {
		unsigned stars = chips_held(&chips, seat);
		if (stars)
			held[seat - 1] = (char)('0' + stars);
	}
	assert_string_equal(held, row->held);
	assert_int_equal(chips_settled(&chips), row->settled);
}

struct valid_row {
	const char *name;
	unsigned count;
	const char *holders;
	bool good;
};

static struct valid_row valid_rows[] = {
#define VALID(...) { __VA_ARGS__ },
#include "chips_valid.def"
};

static void check_valid(void **state)
{
	const struct valid_row *row = *state;
	struct chips chips = { .count = (uint8_t)row->count };

	for (unsigned i = 0; i < row->count && i < CHIPS_MAX; i++)
		chips.holder[i] = (uint8_t)row->holders[i];
	assert_int_equal(chips_valid(&chips), row->good);
}

int main(void)
{
	static struct rows rows;

	ROWS_ADD(&rows, chips_rows, check_chips);
	ROWS_ADD(&rows, valid_rows, check_valid);
	return rows_run("chips", &rows);
}
