/*
 * test_hand.c - what hands are worth.  Rows cover each rule, all hands of five
 * and six cards are counted by ranking, and random hands are compared with a
 * plain evaluator.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "hand_counts.h"
#include "plain_hand.h"

/* Cards from "Ah Kd"; their count. */
static size_t read_cards(const char *text, size_t len, uint8_t *cards)
{
	size_t count = 0;

	for (size_t at = 0; at < len; at += CARD_TEXT_LEN + 1) {
		assert_true(count < HAND_CARDS_MAX);
		assert_true(at + CARD_TEXT_LEN <= len);
		assert_true(
			card_parse(text + at, CARD_TEXT_LEN, &cards[count]));
		count++;
	}
	return count;
}

/* The text of cards, a blank between two. */
static void print_cards(const uint8_t *cards, size_t count, char *text)
{
	for (size_t i = 0; i < count; i++) {
		memcpy(text, card_text(cards[i]), CARD_TEXT_LEN);
		text += CARD_TEXT_LEN;
		*text++ = ' ';
	}
	text[-1] = '\0';
}

/* --- rankings and the best five ------------------------------------------ */

struct best_row {
	const char *name;
	const char *cards;
	const char *ranking;
	const char *best;
};

static struct best_row best_rows[] = {
#define BEST(...) { __VA_ARGS__ },
#include "hand_best.def"
};

static void check_hand(const uint8_t *cards, size_t count,
                       const struct best_row *row)
{
	struct hand hand = hand_of(cards, count);
	char best[HAND_BEST_MAX * (CARD_TEXT_LEN + 1)];

	assert_int_equal(hand.best_count, count < 5 ? count : 5);
	print_cards(hand.best, hand.best_count, best);
	assert_string_equal(best, row->best);
	assert_string_equal(ranking_code((enum ranking)hand.ranking),
	                    row->ranking);
	assert_int_equal(hand.value, hand_value(cards, count));
	assert_int_equal(hand.ranking, hand_value_ranking(hand.value));
}

/* The best five do not depend on the order of the cards. */
static void check_best(void **state)
{
	const struct best_row *row = *state;
	uint8_t cards[2 * HAND_CARDS_MAX];
	uint8_t back[HAND_CARDS_MAX];
	size_t count = read_cards(row->cards, strlen(row->cards), cards);

	memcpy(cards + count, cards, count);
	for (size_t i = 0; i < count; i++)
		back[i] = cards[count - 1 - i];

	for (size_t i = 0; i < count; i++)
		check_hand(cards + i, count, row);
	check_hand(back, count, row);
}

/* --- order ---------------------------------------------------------------- */

struct order_row {
	const char *name;
	const char *hands;
};

static struct order_row order_rows[] = {
#define ORDER(...) { __VA_ARGS__ },
#include "hand_order.def"
};

static void check_order(void **state)
{
	const struct order_row *row = *state;
	const char *text = row->hands;
	uint32_t before = 0;
	char sign = '<'; /* the first hand is worth more than nothing */

	while (sign) {
		uint8_t cards[HAND_CARDS_MAX];
		size_t len = strcspn(text, "<=");
		char next = text[len];
		/* A blank precedes a sign, and one follows it. */
		size_t count = read_cards(text, next ? len - 1 : len, cards);
		uint32_t value = hand_value(cards, count);

		if (sign == '<' ? value <= before : value != before)
			fail_msg("not so: %c %s", sign, text);
		before = value;
		sign = next;
		text += next ? len + 2 : len;
	}
}

/* --- all hands of a size -------------------------------------------------- */

static struct hand_counts_row counts_rows[] = {
#define COUNTS(name, cards, jx, ...) { (name), (cards), (jx), { __VA_ARGS__ } },
#include "hand_counts.def"
};

/* --- random hands against the plain evaluator ----------------------------- */

enum { SEED = 20260131 };

struct random_row {
	const char *name;
	const char *ranks;
	const char *suits;
	size_t fewest;
	size_t most;
	unsigned jx_percent;
	size_t hands;
};

static struct random_row random_rows[] = {
#define RANDOM(...) { __VA_ARGS__ },
#include "hand_random.def"
};

/* A hand's worth by the plain evaluator and by the one under test. */
struct worth {
	uint32_t key;
	uint32_t value;
	uint8_t cards[HAND_CARDS_MAX];
	size_t count;
};

/* Numbers that look random, always the same (splitmix64). */
static unsigned random_below(uint64_t *state, size_t below)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	assert(below > 0);
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return (unsigned)((z ^ z >> 31) % below);
}

/* Under valgrind only one in this many hands is tried. */
static size_t share(void)
{
	const char *text = getenv("HAND_SHARE");
	unsigned long share = text ? strtoul(text, NULL, 10) : 1;

	assert_in_range(share, 1, 100);
	return share;
}

static size_t make_deck(const struct random_row *row, uint8_t *deck)
{
	size_t count = 0;

	for (const char *rank = row->ranks; *rank; rank++) {
		for (const char *suit = row->suits; *suit; suit++) {
			const char text[CARD_TEXT_LEN] = { *rank, *suit };

			assert_true(
				card_parse(text, CARD_TEXT_LEN, &deck[count]));
			count++;
		}
	}
	return count;
}

/* Deal a hand, Jx wherever it falls. */
static void deal(const struct random_row *row, uint8_t *deck, size_t deck_count,
                 uint64_t *random, struct worth *hand)
{
	hand->count =
		row->fewest + random_below(random, row->most - row->fewest + 1);
	for (size_t i = 0; i < hand->count; i++) {
		size_t other = i + random_below(random, deck_count - i);
		uint8_t card = deck[other];

		deck[other] = deck[i];
		deck[i] = card;
		hand->cards[i] = card;
	}
	if (random_below(random, 100) < row->jx_percent) {
		size_t place = random_below(random, hand->count + 1);

		hand->cards[hand->count++] = hand->cards[place];
		hand->cards[place] = CARD_JX;
	}
}

static void fail_hands(const struct worth *a, const struct worth *b)
{
	char text_a[HAND_CARDS_MAX * (CARD_TEXT_LEN + 1)];
	char text_b[HAND_CARDS_MAX * (CARD_TEXT_LEN + 1)];

	print_cards(a->cards, a->count, text_a);
	print_cards(b->cards, b->count, text_b);
	fail_msg("seed %d: %s (plain %06x, value %08x), "
	         "%s (plain %06x, value %08x)",
	         SEED, text_a, a->key, a->value, text_b, b->key, b->value);
}

/* Both evaluators agree on the ranking and on the five cards, in order. */
static void judge(struct worth *worth)
{
	struct plain_hand plain = plain_hand_best(worth->cards, worth->count);
	struct hand hand = hand_of(worth->cards, worth->count);

	worth->key = plain.key;
	worth->value = hand_value(worth->cards, worth->count);
	if (hand.value != worth->value || hand.ranking != plain.key >> 20 ||
	    hand_value_ranking(worth->value) != plain.key >> 20 ||
	    hand.best_count != plain.count ||
	    memcmp(hand.best, plain.cards, plain.count) != 0)
		fail_hands(worth, worth);
}

static int compare_keys(const void *a, const void *b)
{
	const struct worth *worth_a = a;
	const struct worth *worth_b = b;

	return (worth_a->key > worth_b->key) - (worth_a->key < worth_b->key);
}

/*
 * Sorted by what the plain evaluator says, the values must rise where it says
 * more and stay where it says equal: so all hands are compared with all.
 */
static void check_random(void **state)
{
	const struct random_row *row = *state;
	uint64_t random = SEED + (uint64_t)(row - random_rows);
	uint8_t deck[CARD_DECK_COUNT];
	size_t deck_count = make_deck(row, deck);
	size_t hands = row->hands / share();
	struct worth *worths = calloc(hands, sizeof(*worths));

	assert_non_null(worths);
	for (size_t i = 0; i < hands; i++) {
		deal(row, deck, deck_count, &random, &worths[i]);
		judge(&worths[i]);
	}
	qsort(worths, hands, sizeof(*worths), compare_keys);
	for (size_t i = 1; i < hands; i++) {
		const struct worth *a = &worths[i - 1];
		const struct worth *b = &worths[i];

		if (a->key == b->key ? a->value != b->value
		                     : a->value >= b->value)
			fail_hands(a, b);
	}
	free(worths);
}

/* --- the list ------------------------------------------------------------- */

#define ADD(tests, rows, check)                        \
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) { \
		*(tests)++ = (struct CMUnitTest){      \
			.name = (rows)[i].name,        \
			.test_func = (check),          \
			.initial_state = &(rows)[i],   \
		};                                     \
	}

int main(void)
{
	struct CMUnitTest tests[ARRAY_LEN(best_rows) + ARRAY_LEN(order_rows) +
	                        ARRAY_LEN(counts_rows) +
	                        ARRAY_LEN(random_rows)];
	struct CMUnitTest *test = tests;

	ADD(test, best_rows, check_best)
	ADD(test, order_rows, check_order)
	ADD(test, counts_rows, hand_counts_check)
	ADD(test, random_rows, check_random)
	return cmocka_run_group_tests_name("hand", tests, NULL, NULL);
}
