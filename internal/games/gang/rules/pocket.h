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

/* Replace a card that is there by another one. */
void pocket_replace(struct pocket *pocket, unsigned card, unsigned by);

/* The number of cards of a rank, and of face cards: J, Q, K. */
unsigned pocket_count_rank(const struct pocket *pocket, unsigned rank);
unsigned pocket_count_faces(const struct pocket *pocket);

/* The sum of all ranks: 2..10 count as they are, J, Q, K ten, an ace eleven. */
unsigned pocket_sum(const struct pocket *pocket);

/* The best hand with count community cards; zeros for an empty pocket. */
struct hand pocket_hand(const struct pocket *pocket, const uint8_t *community,
                        unsigned count);

/*
 * Add cards to the set seen; false if one is not below limit or was seen
 * before. pockets_mark() adds all pockets; false also for a pocket without
 * count cards.
 */
MUST_CHECK bool cards_mark(const uint8_t *cards, unsigned count, unsigned limit,
                           uint64_t *seen);
MUST_CHECK bool pockets_mark(const struct pocket *pockets, unsigned players,
                             unsigned count, uint64_t *seen);
