/*
 * test_card.c - cards as numbers and as texts.  Every number has one text, and
 * no other text is a card.  Rows are in card.def and rank.def.
 */
#include "poker/card.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

struct refused_row {
	const char *name;
	const char *text;
	size_t len;
};

static struct refused_row refused_rows[] = {
#define REFUSED(...) { __VA_ARGS__ },
#include "card.def"
};

struct rank_row {
	unsigned rank;
	char c;
	bool face;
	const char *name;
};

static struct rank_row rank_rows[] = {
#define RANK(rank, c, face) { (rank), (c), (face), "rank " #c },
#include "rank.def"
};

static void check_refused(void **state)
{
	const struct refused_row *row = *state;
	uint8_t card = 77;

	assert_false(card_parse(row->text, row->len, &card));
	assert_int_equal(card, 77);
}

static void check_rank(void **state)
{
	const struct rank_row *row = *state;
	const char *suits = "cdhs";

	for (unsigned suit = 0; suit < CARD_SUITS; suit++) {
		uint8_t card = (uint8_t)(4 * row->rank + suit);
		/* No zero byte: only len says where it ends. */
		const char text[2] = { row->c, suits[suit] };
		uint8_t parsed = 77;

		assert_int_equal(card_rank(card), row->rank);
		assert_int_equal(card_is_face(card), row->face);
		assert_memory_equal(card_text(card), text, sizeof(text));
		assert_int_equal(card_text(card)[2], '\0');
		assert_true(card_parse(text, sizeof(text), &parsed));
		assert_int_equal(parsed, card);
	}
}

static void check_jx(void **state)
{
	uint8_t card = 77;

	(void)state;
	assert_string_equal(card_text(CARD_JX), "Jx");
	assert_true(card_parse("Jx", 2, &card));
	assert_int_equal(card, CARD_JX);
	assert_int_equal(card_rank(CARD_JX), RANK_JACK);
	assert_true(card_is_face(CARD_JX));
}

/* Among all texts of two bytes only the 53 cards are read. */
static void check_all_texts(void **state)
{
	unsigned cards = 0;

	(void)state;
	for (unsigned i = 0; i < 0x10000; i++) {
		const char text[2] = { (char)(i >> 8), (char)(i & 0xff) };
		uint8_t card = 77;

		if (card_parse(text, sizeof(text), &card)) {
			assert_memory_equal(card_text(card), text, 2);
			cards++;
		} else {
			assert_int_equal(card, 77);
		}
	}
	assert_int_equal(cards, CARD_COUNT);
}

int main(void)
{
	enum {
		REFUSED = ARRAY_LEN(refused_rows),
		RANKS = ARRAY_LEN(rank_rows)
	};
	struct CMUnitTest tests[REFUSED + RANKS + 2] = {
		{ .name = "the suitless jack", .test_func = check_jx },
		{ .name = "all texts of two", .test_func = check_all_texts },
	};
	struct CMUnitTest *test = tests + 2;

	for (size_t i = 0; i < REFUSED; i++) {
		*test++ = (struct CMUnitTest){
			.name = refused_rows[i].name,
			.test_func = check_refused,
			.initial_state = &refused_rows[i],
		};
	}
	for (size_t i = 0; i < RANKS; i++) {
		*test++ = (struct CMUnitTest){
			.name = rank_rows[i].name,
			.test_func = check_rank,
			.initial_state = &rank_rows[i],
		};
	}
	return cmocka_run_group_tests_name("card", tests, NULL, NULL);
}
