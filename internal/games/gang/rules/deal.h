/*
 * deal.h - moves the cards of a heist: from the deck to pockets and community
 * cards, to the discards, and from one player to another.
 */
#pragma once

#include "base/rng.h"
#include "games/gang/rules/heist.h"

/* Shuffle a whole deck and deal as many pocket cards as the setup has. */
void deal_pockets(struct heist *heist, struct rng *rng, struct events *events);

/* Take the top card of the deck. */
uint8_t deal_draw(struct heist *heist);

/* Put a card face down onto the discards. */
void deal_discard(struct heist *heist, unsigned card);

/* Reveal community cards until there are count. */
void deal_community(struct heist *heist, unsigned count);

/* A seat discards its pocket cards for a challenge, and draws as many. */
void deal_redraw_pocket(struct heist *heist, unsigned seat, unsigned challenge,
                        struct events *events);

/* Each seat gives the card that it chose to its left neighbour. */
void deal_pass(struct heist *heist, const uint8_t *cards,
               struct events *events);

/* Shuffle all pocket cards, and only those, and deal them again. */
void deal_reshuffle_pockets(struct heist *heist, struct rng *rng,
                            struct events *events);

/* True if every card of 52, and Jx if it is in play, is in one place. */
bool deal_valid(const struct heist *heist, bool has_jack);
