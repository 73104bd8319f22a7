/*
 * pocket.h - the pocket cards of one player.
 *
 * A plain value.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "poker/card.h"
#include "poker/hand.h"

enum {
	HEIST_PLAYERS_MAX = 6,
	POCKET_MAX = 3,
	FLOP_CARDS = 3,
	COMMUNITY_MAX = 5,
	CARD_NONE = 255,
};

struct pocket {
	uint8_t count;
	uint8_t cards[POCKET_MAX];
};

/* True if the card is one of them. */
bool pocket_has(const struct pocket *pocket, unsigned card);

/* Another card in the place of one that is there. */
void pocket_replace(struct pocket *pocket, unsigned card, unsigned by);

/* How many are of a rank, and how many are face cards: J, Q, K. */
unsigned pocket_count_rank(const struct pocket *pocket, unsigned rank);
unsigned pocket_count_faces(const struct pocket *pocket);

/* The sum of 2..10 as they are, ten for J, Q, K, eleven for an ace. */
unsigned pocket_sum(const struct pocket *pocket);

/* The best hand with count community cards; zeros for an empty pocket. */
struct hand pocket_hand(const struct pocket *pocket, const uint8_t *community,
                        unsigned count);

/*
 * Mark cards as seen, to find that each is in one place: false if one is not
 * below limit, or was seen before.  Or those of all pockets, which are to have
 * count cards each.
 */
MUST_CHECK bool cards_mark(const uint8_t *cards, unsigned count, unsigned limit,
                           uint64_t *seen);
MUST_CHECK bool pockets_mark(const struct pocket *pockets, unsigned players,
                             unsigned count, uint64_t *seen);
