/*
 * test_pocket.c - what specialists count in pocket cards, and values as texts.
 * Rows are in pocket.def.
 */
#include "games/gang/rules/pocket.h"

#include <string.h>

#include "games/gang/rules/value.h"
#include "rows.h"

struct pocket_row {
	const char *name;
	unsigned faces;
	unsigned sum;
};

static struct pocket_row pocket_rows[] = {
#define POCKET(...) { __VA_ARGS__ },
#include "pocket.def"
};

static struct pocket pocket_of(const char *cards)
{
	struct pocket pocket = { 0 };

	for (; *cards; cards += CARD_TEXT_LEN)
		assert_true(card_parse(cards, CARD_TEXT_LEN,
		                       &pocket.cards[pocket.count++]));
	return pocket;
}

static void check_counts(void **state)
{
	const struct pocket_row *row = *state;
	struct pocket pocket = pocket_of(row->name);
	unsigned of_ranks = 0;

	assert_int_equal(pocket_count_faces(&pocket), row->faces);
	assert_int_equal(pocket_sum(&pocket), row->sum);
	for (unsigned rank = 0; rank < CARD_RANKS; rank++)
		of_ranks += pocket_count_rank(&pocket, rank);
	assert_int_equal(of_ranks, pocket.count);
	for (unsigned card = 0; card < CARD_COUNT; card++) {
		char text[CARD_TEXT_LEN + 1] = "";

		memcpy(text, card_text((uint8_t)card), CARD_TEXT_LEN);
		assert_int_equal(pocket_has(&pocket, card),
		                 strstr(row->name, text) != NULL);
	}
}

static void check_ranks(void **state)
{
	struct pocket pocket = pocket_of("JcJx2d");

	(void)state;
	assert_int_equal(pocket_count_rank(&pocket, RANK_JACK), 2);
	assert_int_equal(pocket_count_rank(&pocket, 0), 1);
	assert_int_equal(pocket_count_rank(&pocket, RANK_ACE), 0);
}

/* The new card gets the place of the old one. */
static void check_replace(void **state)
{
	struct pocket pocket = pocket_of("2c3d4h");
	struct pocket other = pocket_of("2cJx4h");

	(void)state;
	pocket_replace(&pocket, pocket.cards[1], CARD_JX);
	assert_memory_equal(&pocket, &other, sizeof(pocket));
	pocket_replace(&pocket, CARD_JX, pocket_of("3d").cards[0]);
	other = pocket_of("2c3d4h");
	assert_memory_equal(&pocket, &other, sizeof(pocket));
}

static void check_hand(void **state)
{
	struct pocket pocket = pocket_of("2c2d");
	struct pocket three = pocket_of("3c3d3h");
	struct pocket board = pocket_of("2h5d5s");

	(void)state;
	assert_int_equal(pocket_hand(&pocket, board.cards, 0).ranking,
	                 RANKING_PAIR);
	assert_int_equal(pocket_hand(&pocket, board.cards, 1).ranking,
	                 RANKING_THREE_OF_A_KIND);
	assert_int_equal(pocket_hand(&pocket, board.cards, 3).ranking,
	                 RANKING_FULL_HOUSE);
	assert_int_equal(pocket_hand(&three, board.cards, 3).best_count, 5);
}

/* The first that is not new, or is too high, ends it. */
static void check_mark(void **state)
{
	struct pocket pockets[] = { pocket_of("2c3d"), pocket_of("Jx4h") };
	const uint64_t all = UINT64_C(1) << CARD_JX | 1 << 0 | 1 << 5 | 1 << 10;
	uint64_t seen = 0;

	(void)state;
	assert_true(pockets_mark(pockets, 2, 2, &seen));
	assert_true(seen == all);
	assert_true(cards_mark(NULL, 0, CARD_COUNT, &seen));
	assert_true(seen == all);
	assert_false(cards_mark(pockets[1].cards, 1, CARD_COUNT, &seen));
	seen = 0;
	assert_false(cards_mark(pockets[1].cards, 1, CARD_DECK_COUNT, &seen));
	assert_false(cards_mark((uint8_t[]){ 200 }, 1, CARD_COUNT, &seen));
	assert_true(seen == 0);
	pockets[1].count = 1;
	assert_false(pockets_mark(pockets, 2, 2, &seen));
	pockets[1] = pocket_of("4h2c");
	seen = 0;
	assert_false(pockets_mark(pockets, 2, 2, &seen));
}

/* --- values --------------------------------------------------------------- */

static void check_values_of(enum value_kind kind, unsigned max,
                            const char *first, const char *last)
{
	assert_int_equal(gang_value_max(kind), max);
	assert_string_equal(gang_value_text(kind, 1), first);
	assert_string_equal(gang_value_text(kind, max), last);
	for (unsigned i = 2; i <= max; i++)
		assert_string_not_equal(gang_value_text(kind, i - 1),
		                        gang_value_text(kind, i));
}

static void check_values(void **state)
{
	(void)state;
	assert_int_equal(gang_value_max(VALUE_NONE), 0);
	check_values_of(VALUE_RANK, 13, "2", "A");
	check_values_of(VALUE_RANKING, 10, "high_card", "royal_flush");
}

int main(void)
{
	static struct rows rows;

	ROWS_ADD(&rows, pocket_rows, check_counts);
	rows_add(&rows, "ranks in a pocket are counted", check_ranks, NULL);
	rows_add(&rows, "a card is replaced in its place", check_replace, NULL);
	rows_add(&rows, "hands", check_hand, NULL);
	rows_add(&rows, "a card that is marked twice is found", check_mark,
	         NULL);
	rows_add(&rows, "values as texts", check_values, NULL);
	return rows_run("pocket", &rows);
}
