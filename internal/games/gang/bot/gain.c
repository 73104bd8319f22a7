/*
 * An announcement divides the pockets that a seat may have into classes.  For
 * each class the sums hold its weight, and its weight times the chance of being
 * above each other seat; from these follow the means of the classes, and from
 * them the variance.  Nothing is kept.
 */
#include "games/gang/bot/gain.h"

#include <string.h>

/* A class of pockets of one seat. */
struct sums {
	float weight;
	float above[HEIST_PLAYERS_MAX]; /* seat 1 is [0]; 0 for the seat itself
	                                 */
};

static void add_pocket(const struct beliefs *all, unsigned seat,
                       unsigned pocket, struct sums *to)
{
	const struct seat_belief *belief = &all->seats[seat - 1];
	float weight = belief->weights[pocket];
	unsigned bin = belief->strengths[pocket] >> BELIEF_BIN_SHIFT;

	to->weight += weight;
	for (unsigned i = 0; i < all->players; i++) {
		if (i + 1 != seat)
			to->above[i] += weight * all->seats[i].below[bin];
	}
}

static void add_sums(struct sums *to, const struct sums *of, float times)
{
	to->weight += times * of->weight;
	for (unsigned i = 0; i < HEIST_PLAYERS_MAX; i++)
		to->above[i] += times * of->above[i];
}

/* The variance of the classes' means, summed over the other seats. */
static float variance(const struct sums *classes, unsigned count)
{
	struct sums total = { 0 };
	float sum = 0;

	for (unsigned i = 0; i < count; i++)
		add_sums(&total, &classes[i], 1);
	if (total.weight <= 0)
		return 0;
	for (unsigned seat = 0; seat < HEIST_PLAYERS_MAX; seat++) {
		float mean = total.above[seat] / total.weight;

		for (unsigned i = 0; i < count; i++) {
			float weight = classes[i].weight;
			float far;

			if (weight <= 0)
				continue;
			far = classes[i].above[seat] / weight - mean;
			sum += weight / total.weight * far * far;
		}
	}
	return sum;
}

float gain_of_ranking(const struct bot_gang_work *work, unsigned seat)
{
	const struct beliefs *all = &work->beliefs;
	const struct seat_belief *belief = &all->seats[seat - 1];
	struct sums classes[RANKING_COUNT] = { { 0 } };

	for (unsigned i = 0; i < strength_count(all->pocket_cards); i++) {
		uint8_t cards[HAND_CARDS_MAX];
		unsigned count = all->pocket_cards;

		if (belief->weights[i] <= 0)
			continue;
		memcpy(cards, strength_pocket(&work->strength, count, i),
		       count);
		memcpy(cards + count, all->board.cards, all->board.count);
		uint32_t value = hand_value(cards, count + all->board.count);
		add_pocket(all, seat, i, &classes[hand_value_ranking(value)]);
	}
	return variance(classes, RANKING_COUNT);
}

struct gain gain_of_count(const struct bot_gang_work *work, unsigned seat)
{
	const struct beliefs *all = &work->beliefs;
	const struct seat_belief *belief = &all->seats[seat - 1];
	struct sums by_count[CARD_RANKS][POCKET_MAX + 1] = { { { 0 } } };
	struct sums total = { 0 };
	struct gain best = { 0 };

	for (unsigned i = 0; i < strength_count(all->pocket_cards); i++) {
		struct sums one = { 0 };
		uint8_t counts[CARD_RANKS] = { 0 };
		const uint8_t *cards;

		if (belief->weights[i] <= 0)
			continue;
		cards = strength_pocket(&work->strength, all->pocket_cards, i);
		for (unsigned j = 0; j < all->pocket_cards; j++)
			counts[card_rank(cards[j])]++;
		add_pocket(all, seat, i, &one);
		add_sums(&total, &one, 1);
		for (unsigned j = 0; j < all->pocket_cards; j++) {
			unsigned rank = card_rank(cards[j]);

			if (counts[rank])
				add_sums(&by_count[rank][counts[rank]], &one,
				         1);
			counts[rank] = 0;
		}
	}
	for (unsigned rank = 0; rank < CARD_RANKS; rank++) {
		struct sums *classes = by_count[rank];
		float worth;

		classes[0] = total;
		for (unsigned i = 1; i <= POCKET_MAX; i++)
			add_sums(&classes[0], &classes[i], -1);
		worth = variance(classes, POCKET_MAX + 1);
		if (worth > best.worth)
			best = (struct gain){ worth, rank };
	}
	return best;
}

static bool is_among(const uint8_t *cards, unsigned count, unsigned card)
{
	for (unsigned i = 0; i < count; i++) {
		if (cards[i] == card)
			return true;
	}
	return false;
}

float gain_error(const struct bot_gang_work *work, unsigned seat, unsigned card,
                 unsigned strength)
{
	const struct beliefs *all = &work->beliefs;
	const struct seat_belief *belief = &all->seats[seat - 1];
	float weight = 0;
	float sum = 0;

	for (unsigned i = 0; i < strength_count(all->pocket_cards); i++) {
		const uint8_t *cards =
			strength_pocket(&work->strength, all->pocket_cards, i);
		float far;

		if (belief->weights[i] <= 0 ||
		    !is_among(cards, all->pocket_cards, card))
			continue;
		far = ((float)belief->strengths[i] - (float)strength) /
		      STRENGTH_MAX;
		weight += belief->weights[i];
		sum += belief->weights[i] * far * far;
	}
	return weight > 0 ? sum / weight : 1;
}
