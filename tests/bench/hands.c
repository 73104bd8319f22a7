/*
 * hands.c - how many random hands of seven cards a second on one core.
 *
 * Prints the number.  The hands are dealt beforehand, so many that no
 * processor learns them: neither the dealing nor a pattern is measured.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/rng.h"
#include "base/clock.h"
#include "poker/card.h"
#include "poker/hand.h"

enum { HANDS = 1 << 20, TIMES = 40, CARDS = 7 };

static uint8_t hands[HANDS][CARDS];

static void deal_all(void)
{
	static const uint8_t seed[RNG_SEED_SIZE] = { 1 };
	struct rng rng;

	rng_init(&rng, seed);
	for (size_t i = 0; i < HANDS; i++) {
		uint8_t deck[CARD_DECK_COUNT];

		for (unsigned c = 0; c < CARD_DECK_COUNT; c++)
			deck[c] = (uint8_t)c;
		for (unsigned c = 0; c < CARDS; c++) {
			unsigned other =
				c + rng_below(&rng, CARD_DECK_COUNT - c);
			hands[i][c] = deck[other];
			deck[other] = deck[c];
		}
	}
}

int main(void)
{
	uint64_t sum = 0;

	deal_all();
	uint64_t begun = clock_monotonic_ns();
	for (unsigned time = 0; time < TIMES; time++) {
		for (size_t i = 0; i < HANDS; i++)
			sum += hand_value(hands[i], CARDS);
	}
	uint64_t taken = clock_monotonic_ns() - begun;
	if (sum == 0)
		return EXIT_FAILURE;
	printf("%.0f\n", (double)HANDS * TIMES * 1e9 / (double)taken);
	return EXIT_SUCCESS;
}
