/*
 * The events are followed in their order with a board, the holders of the
 * round's chips, and weights for each seat.  A take is judged by bins of
 * strength: for each bin the chances of each number of stars follow from what
 * is believed of the other seats, and the taken chip's chance, compared with
 * those of all chips, is the likelihood of the bin.  A player may also go by
 * their own hand alone; how likely that is for a seat follows from its takes
 * too. "below" is kept for the present board; it is renewed whenever weights
 * change.
 *
 * The weights hold only what everybody saw.  The viewer's own knowledge (dead
 * cards, a card that a seat must have) is kept apart and used in belief_own().
 */
#include "games/gang/bot/belief.h"

#include <assert.h>
#include <string.h>

#define ALMOST_ZERO 1e-9F

/* How likely a whim is, and how much less a chip appeals that another has. */
#define WHIM         0.01F
#define STEAL_WEIGHT 0.7F

static unsigned bin_of(unsigned strength)
{
	return strength >> BELIEF_BIN_SHIFT;
}

static unsigned pockets_of(const struct beliefs *all)
{
	return strength_count(all->pocket_cards);
}

static struct pocket pocket_at(const struct bot_gang_work *work, unsigned i)
{
	unsigned count = work->beliefs.pocket_cards;
	struct pocket pocket = { .count = (uint8_t)count };

	memcpy(pocket.cards, strength_pocket(&work->strength, count, i), count);
	return pocket;
}

static uint64_t set_of(const uint8_t *cards, unsigned count)
{
	uint64_t set = 0;

	for (unsigned i = 0; i < count; i++)
		set |= UINT64_C(1) << cards[i];
	return set;
}

/* --- weights -------------------------------------------------------------- */

/* Renew "below" and let the weights sum to 1. */
static void settle(const struct beliefs *all, struct seat_belief *seat)
{
	float bins[BELIEF_BINS] = { 0 };
	float sum = 0;

	for (unsigned i = 0; i < pockets_of(all); i++) {
		if (seat->strengths[i] == STRENGTH_NONE)
			seat->weights[i] = 0;
		else
			bins[bin_of(seat->strengths[i])] += seat->weights[i];
	}
	for (unsigned bin = 0; bin < BELIEF_BINS; bin++)
		sum += bins[bin];
	if (sum < ALMOST_ZERO) {
		/* Not even a whim explains it: nothing is known. */
		for (unsigned i = 0; i < pockets_of(all); i++)
			seat->weights[i] = 1;
		memset(bins, 0, sizeof(bins));
		sum = 0;
		for (unsigned i = 0; i < pockets_of(all); i++) {
			if (seat->strengths[i] == STRENGTH_NONE)
				continue;
			bins[bin_of(seat->strengths[i])] += 1;
			sum += 1;
		}
	}
	float below = 0;
	for (unsigned bin = 0; bin < BELIEF_BINS; bin++) {
		seat->below[bin] = (below + bins[bin] / 2) / sum;
		below += bins[bin];
	}
	for (unsigned i = 0; i < pockets_of(all); i++)
		seat->weights[i] /= sum;
}

void belief_forget(const struct beliefs *all, struct seat_belief *seat)
{
	for (unsigned i = 0; i < pockets_of(all); i++)
		seat->weights[i] = 1;
	seat->must_have = CARD_NONE;
	settle(all, seat);
}

void belief_look(struct bot_gang_work *work)
{
	struct beliefs *all = &work->beliefs;

	for (unsigned i = 0; i < all->players; i++) {
		struct seat_belief *seat = &all->seats[i];

		all->board.strengthened = seat->is_strengthened;
		seat->strengths = strength_at(&work->strength, &all->board);
		settle(all, seat);
	}
	all->board.strengthened = false;
}

void belief_keep(struct bot_gang_work *work, struct seat_belief *seat,
                 belief_test *matches, unsigned value)
{
	for (unsigned i = 0; i < pockets_of(&work->beliefs); i++) {
		struct pocket pocket = pocket_at(work, i);

		if (seat->weights[i] > 0 &&
		    !matches(&pocket, &work->beliefs.board, value))
			seat->weights[i] = 0;
	}
	settle(&work->beliefs, seat);
}

float belief_share(const struct bot_gang_work *work, unsigned seat,
                   uint64_t dead, belief_test *matches, unsigned value)
{
	const struct beliefs *all = &work->beliefs;
	const float *weights = all->seats[seat - 1].weights;
	float matching = 0;
	float sum = 0;

	for (unsigned i = 0; i < pockets_of(all); i++) {
		struct pocket pocket = pocket_at(work, i);

		if (weights[i] <= 0 ||
		    set_of(pocket.cards, pocket.count) & dead)
			continue;
		sum += weights[i];
		if (matches(&pocket, &all->board, value))
			matching += weights[i];
	}
	return sum < ALMOST_ZERO ? 0 : matching / sum;
}

/* --- chances -------------------------------------------------------------- */

/* Add a seat that is below with that chance to the distribution of counts. */
static void add_seat(float *counts, unsigned seats, float below)
{
	counts[seats + 1] = counts[seats] * below;
	for (unsigned i = seats; i > 0; i--)
		counts[i] = counts[i] * (1 - below) + counts[i - 1] * below;
	counts[0] *= 1 - below;
}

/* The chances of a strength in a bin, from what everybody knows. */
static void chances_of_bin(const struct beliefs *all, unsigned seat,
                           unsigned bin, float *counts)
{
	unsigned seats = 0;

	counts[0] = 1;
	for (unsigned other = 1; other <= all->players; other++) {
		if (other != seat)
			add_seat(counts, seats++,
			         all->seats[other - 1].below[bin]);
	}
}

/* --- takes ---------------------------------------------------------------- */

/* How a player may choose chips: by beliefs, or by their own hand alone. */
enum { BELIEVER, SIMPLE, KIND_COUNT };

/* The appeal of each chip to a player of each kind. */
struct appeals {
	float of[KIND_COUNT][CHIPS_MAX + 1];
};

static void appeals_of(const struct beliefs *all, unsigned seat, unsigned taken,
                       unsigned bin, struct appeals *appeals)
{
	float counts[CHIPS_MAX + 1];
	float wanted = 1 + ((float)bin + 0.5F) * (float)(all->players - 1) /
	                           BELIEF_BINS;

	chances_of_bin(all, seat, bin, counts);
	for (unsigned i = 1; i <= all->players; i++) {
		float far = (float)i - wanted;
		float near = 1 / (1 + 4 * far * far);

		appeals->of[BELIEVER][i] = counts[i - 1] * counts[i - 1] *
		                           counts[i - 1] * counts[i - 1];
		appeals->of[SIMPLE][i] = near * near;
		if (i != taken && all->holders[i] && all->holders[i] != seat) {
			appeals->of[BELIEVER][i] *= STEAL_WEIGHT;
			appeals->of[SIMPLE][i] *= STEAL_WEIGHT;
		}
	}
}

/* How likely players of each kind take the chip, by their strength. */
struct likelihoods {
	float of[KIND_COUNT][BELIEF_BINS];
};

static void likelihoods_of(const struct beliefs *all, unsigned seat,
                           unsigned stars, struct likelihoods *likely)
{
	for (unsigned bin = 0; bin < BELIEF_BINS; bin++) {
		struct appeals appeals;

		appeals_of(all, seat, stars, bin, &appeals);
		for (unsigned kind = 0; kind < KIND_COUNT; kind++) {
			const float *of = appeals.of[kind];
			float sum = ALMOST_ZERO;

			for (unsigned i = 1; i <= all->players; i++)
				sum += of[i];
			likely->of[kind][bin] = of[stars] / sum + WHIM;
		}
	}
}

/* The share of a seat's weight in each bin. */
static void fill_bins(const struct beliefs *all, const struct seat_belief *seat,
                      float bins[BELIEF_BINS])
{
	memset(bins, 0, BELIEF_BINS * sizeof(*bins));
	for (unsigned i = 0; i < pockets_of(all); i++) {
		if (seat->weights[i] > 0)
			bins[bin_of(seat->strengths[i])] += seat->weights[i];
	}
}

void belief_take(struct beliefs *all, unsigned seat, unsigned stars)
{
	struct seat_belief *taker = &all->seats[seat - 1];
	struct likelihoods likely;
	float evidence[KIND_COUNT] = { 0 };
	float mixed[BELIEF_BINS];
	float bins[BELIEF_BINS];
	float simple = taker->simple;

	likelihoods_of(all, seat, stars, &likely);
	fill_bins(all, taker, bins);
	for (unsigned bin = 0; bin < BELIEF_BINS; bin++) {
		for (unsigned kind = 0; kind < KIND_COUNT; kind++)
			evidence[kind] += bins[bin] * likely.of[kind][bin];
		mixed[bin] = simple * likely.of[SIMPLE][bin] +
		             (1 - simple) * likely.of[BELIEVER][bin];
	}
	taker->simple =
		simple * evidence[SIMPLE] /
		(simple * evidence[SIMPLE] + (1 - simple) * evidence[BELIEVER]);
	for (unsigned i = 0; i < pockets_of(all); i++) {
		if (taker->weights[i] > 0)
			taker->weights[i] *= mixed[bin_of(taker->strengths[i])];
	}
	settle(all, taker);
}

/* --- the viewer's own chances --------------------------------------------- */

/* Shares of a seat's pockets that a hand beats, ties with, loses to. */
struct odds {
	float lower;
	float equal;
};

/* The knowledge of the viewer alone. */
struct knowledge {
	uint64_t dead;      /* cards that the seat cannot have */
	uint64_t must_have; /* cards that it has */
};

static struct odds odds_against(const struct bot_gang_work *work,
                                const struct seat_belief *seat,
                                struct knowledge knows, unsigned strength)
{
	unsigned size = work->beliefs.pocket_cards;
	float parts[3] = { 0 };

	for (unsigned i = 0; i < pockets_of(&work->beliefs); i++) {
		const uint8_t *cards =
			strength_pocket(&work->strength, size, i);
		uint64_t set;

		if (seat->weights[i] <= 0)
			continue;
		set = set_of(cards, size);
		if (set & knows.dead || (knows.must_have & ~set))
			continue;
		parts[seat->strengths[i] < strength    ? 0
		      : seat->strengths[i] == strength ? 1
		                                       : 2] += seat->weights[i];
	}
	float sum = parts[0] + parts[1] + parts[2];
	if (sum < ALMOST_ZERO)
		return (struct odds){ .lower = (float)strength / STRENGTH_MAX };
	return (struct odds){ parts[0] / sum, parts[1] / sum };
}

/* Chances of how many seats are below, and how many are equal. */
struct places {
	float of[HEIST_PLAYERS_MAX + 1][HEIST_PLAYERS_MAX + 1];
};

static void add_odds(struct places *places, struct odds odds)
{
	struct places next = { { { 0 } } };

	for (unsigned low = 0; low < HEIST_PLAYERS_MAX; low++) {
		for (unsigned same = 0; low + same < HEIST_PLAYERS_MAX;
		     same++) {
			float chance = places->of[low][same];

			next.of[low + 1][same] += chance * odds.lower;
			next.of[low][same + 1] += chance * odds.equal;
			next.of[low][same] +=
				chance * (1 - odds.lower - odds.equal);
		}
	}
	*places = next;
}

/* The odds against another seat, by all that the viewer knows. */
static struct odds own_odds(const struct bot_gang_work *work, unsigned other,
                            const struct pocket *pocket, unsigned strength)
{
	const struct beliefs *all = &work->beliefs;
	const struct seat_belief *seat = &all->seats[other - 1];
	struct knowledge knows = { .dead = all->dead };

	knows.dead |= set_of(pocket->cards, pocket->count);
	if (seat->must_have < CARD_DECK_COUNT)
		knows.must_have = UINT64_C(1) << seat->must_have;
	return odds_against(work, seat, knows, strength);
}

/* The strength of a pocket at the present board. */
static unsigned own_strength(struct bot_gang_work *work,
                             const struct pocket *pocket, bool strengthened)
{
	struct board board = work->beliefs.board;

	board.strengthened = strengthened;
	return strength_of(&work->strength, &board, pocket);
}

struct chances belief_own(const struct bot_input *input,
                          struct bot_gang_work *work)
{
	const struct gang_view *view = input->view;
	struct beliefs *all = &work->beliefs;
	struct places places = { { { 1 } } };
	struct chances chances = { { 0 } };
	unsigned strength =
		own_strength(work, &view->pocket,
	                     all->seats[view->seat - 1].is_strengthened);

	for (unsigned other = 1; other <= all->players; other++) {
		if (other != view->seat)
			add_odds(&places, own_odds(work, other, &view->pocket,
			                           strength));
	}
	for (unsigned low = 0; low < all->players; low++) {
		for (unsigned same = 0; low + same < all->players; same++) {
			for (unsigned i = low; i <= low + same; i++)
				chances.of[i + 1] += places.of[low][same];
		}
	}
	return chances;
}

struct doubts belief_doubts(const struct gang_view *view,
                            struct bot_gang_work *work,
                            const struct pocket *pocket, bool strengthened)
{
	unsigned strength = own_strength(work, pocket, strengthened);
	struct doubts doubts = { { 0 } };

	for (unsigned other = 1; other <= work->beliefs.players; other++) {
		struct odds odds;
		float higher;

		if (other == view->seat)
			continue;
		odds = own_odds(work, other, pocket, strength);
		/* Equal hands may stand in either order. */
		higher = 1 - odds.lower - odds.equal;
		doubts.of[other] = odds.lower * higher;
		doubts.sum += doubts.of[other];
	}
	return doubts;
}
