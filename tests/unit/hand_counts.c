/*
 * hand_counts.c - counts every hand of a size by its ranking, and compares the
 * counts with a row of hand_counts.def or hand_exhaustive.def.
 *
 * The hands are enumerated by recursion: each card has a higher number than the
 * one before it, so every set of cards is counted once.
 */
#include "hand_counts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "poker/card.h"

/*
 * Count the hands that begin with the first at cards and go on with cards
 * numbered from and higher.
 */
static void counts_add(unsigned *counts, uint8_t *cards, size_t at,
                       size_t count, unsigned from)
{
	if (at == count) {
		counts[hand_value_ranking(hand_value(cards, count))]++;
		return;
	}
	for (unsigned card = from; card < CARD_DECK_COUNT; card++) {
		cards[at] = (uint8_t)card;
		counts_add(counts, cards, at + 1, count, card + 1);
	}
}

void hand_counts_check(void **state)
{
	const struct hand_counts_row *row = *state;
	unsigned counts[RANKING_COUNT] = { 0 };
	uint8_t cards[HAND_CARDS_MAX] = { CARD_JX };
	size_t dealt = row->jx ? 1 : 0;

	counts_add(counts, cards, dealt, dealt + row->cards, 0);

	for (unsigned i = 0; i < RANKING_COUNT; i++) {
		print_message("%12u %s\n", counts[i],
		              ranking_code((enum ranking)i));
	}
	for (unsigned i = 0; i < RANKING_COUNT; i++)
		assert_int_equal(counts[i], row->counts[i]);
}
