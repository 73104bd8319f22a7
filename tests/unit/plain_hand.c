/*
 * plain_hand.c - evaluates a hand as a player would at the table.
 *
 * It looks at every way to choose five of the cards, sorts the five by groups
 * and ranks, and reads off what they are.  It shares no code and no idea with
 * poker/hand.c.
 */
#include "plain_hand.h"

#include <stdbool.h>
#include <string.h>

#include "poker/card.h"

/* True if card a lies before card b: groups, then rank, then number. */
static bool plain_before(const struct plain_hand *plain, uint8_t a, uint8_t b)
{
	unsigned rank_a = card_rank(a);
	unsigned rank_b = card_rank(b);

	if (plain->times[rank_a] != plain->times[rank_b])
		return plain->times[rank_a] > plain->times[rank_b];
	if (rank_a != rank_b)
		return rank_a > rank_b;
	return a < b;
}

static void plain_sort(struct plain_hand *plain)
{
	for (size_t i = 0; i < plain->count; i++)
		plain->times[card_rank(plain->cards[i])]++;

	for (size_t i = 1; i < plain->count; i++) {
		uint8_t card = plain->cards[i];
		size_t at = i;

		while (at > 0 &&
		       plain_before(plain, card, plain->cards[at - 1])) {
			plain->cards[at] = plain->cards[at - 1];
			at--;
		}
		plain->cards[at] = card;
	}
}

static bool plain_is_flush(const struct plain_hand *plain)
{
	if (plain->count < 5)
		return false;
	for (size_t i = 0; i < plain->count; i++) {
		if (plain->cards[i] == CARD_JX)
			return false;
		if (plain->cards[i] % 4 != plain->cards[0] % 4)
			return false;
	}
	return true;
}

/* The ranks are 5-4-3-2-A when sorted A-5-4-3-2. */
static bool plain_is_wheel(const struct plain_hand *plain)
{
	static const unsigned wheel[] = { RANK_ACE, 3, 2, 1, 0 };

	for (size_t i = 0; i < 5; i++) {
		if (plain->count < 5 || card_rank(plain->cards[i]) != wheel[i])
			return false;
	}
	return true;
}

static bool plain_is_straight(const struct plain_hand *plain)
{
	if (plain->count < 5)
		return false;
	for (size_t i = 1; i < 5; i++) {
		if (card_rank(plain->cards[i - 1]) !=
		    card_rank(plain->cards[i]) + 1)
			return plain_is_wheel(plain);
	}
	return true;
}

static enum ranking plain_ranking(const struct plain_hand *plain)
{
	unsigned top = card_rank(plain->cards[0]);
	unsigned first = plain->times[top];
	unsigned second = 0;
	bool straight = plain_is_straight(plain);
	bool flush = plain_is_flush(plain);

	if (plain->count > first)
		second = plain->times[card_rank(plain->cards[first])];

	if (straight && flush)
		return top == RANK_ACE && !plain_is_wheel(plain)
		               ? RANKING_ROYAL_FLUSH
		               : RANKING_STRAIGHT_FLUSH;
	if (first >= 4)
		return RANKING_FOUR_OF_A_KIND;
	if (first == 3 && second == 2)
		return RANKING_FULL_HOUSE;
	if (flush)
		return RANKING_FLUSH;
	if (straight)
		return RANKING_STRAIGHT;
	if (first == 3)
		return RANKING_THREE_OF_A_KIND;
	if (first == 2 && second == 2)
		return RANKING_TWO_PAIR;
	return first == 2 ? RANKING_PAIR : RANKING_HIGH_CARD;
}

/* Lay the cards out and judge them. */
static void plain_judge(struct plain_hand *plain)
{
	plain_sort(plain);
	plain->key = plain_ranking(plain);

	if (plain_is_wheel(plain)) {
		uint8_t ace = plain->cards[0];

		memmove(plain->cards, plain->cards + 1, 4);
		plain->cards[4] = ace;
	}
	for (size_t i = 0; i < HAND_BEST_MAX; i++) {
		plain->key <<= 4;
		if (i < plain->count)
			plain->key |= card_rank(plain->cards[i]) + 1;
	}
}

struct plain_hand plain_hand_best(const uint8_t *cards, size_t count)
{
	size_t wanted = count < HAND_BEST_MAX ? count : HAND_BEST_MAX;
	struct plain_hand best = { 0 };

	for (unsigned choice = 0; choice < 1U << count; choice++) {
		struct plain_hand plain = { 0 };

		if ((size_t)__builtin_popcount(choice) != wanted)
			continue;
		for (size_t i = 0; i < count; i++) {
			if (choice >> i & 1)
				plain.cards[plain.count++] = cards[i];
		}
		plain_judge(&plain);
		if (best.count == 0 || plain.key > best.key ||
		    (plain.key == best.key &&
		     memcmp(plain.cards, best.cards, plain.count) < 0))
			best = plain;
	}
	return best;
}
