/*
 * stack.h - a stack of challenges or of specialists, face down.
 *
 * The cards are numbers from 1; a set of them is bits, bit n for number n.
 * Cards come up from the top and go back under the stack, so cards that have
 * not come up lie above those that have.  When the top card has come up before,
 * the stack is shuffled, and all of it counts as not having come up.
 *
 * Some modes play without some cards.  Those stay in the stack and are passed
 * over, so that a gang finds its stack in order in whatever mode it plays next.
 *
 * A plain value.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/rng.h"

/* As many numbers as a set has bits for. */
enum { STACK_MAX = 15 };

struct stack {
	uint16_t all;     /* the cards that belong to it, also those in play */
	uint16_t seen;    /* have come up since it was sorted or shuffled */
	bool is_shuffled; /* ever was */
	uint8_t count;
	uint8_t cards[STACK_MAX]; /* the top one is [0] */
};

/* A sorted stack of these cards, the lowest on top. */
void stack_init(struct stack *stack, uint16_t all);

/* Shuffle the cards in the stack, and forget that they have come up. */
void stack_shuffle(struct stack *stack, struct rng *rng);

/*
 * Draw the top card, or any card with the same chance, of those in the set
 * "of".  At least one of them is in the stack.
 */
unsigned stack_draw(struct stack *stack, uint16_t of, struct rng *rng);
unsigned stack_draw_any(struct stack *stack, uint16_t of, struct rng *rng);

/* Put cards back under it, the lowest number first. */
void stack_put_under(struct stack *stack, uint16_t cards);

/*
 * Put in what is missing on top, in order, as cards that have not come up: all
 * of a stack that was stored without them.  The cards in play are not missing.
 */
void stack_complete(struct stack *stack, uint16_t in_play);

/* How many cards of those in the set have not come up. */
unsigned stack_unseen(const struct stack *stack, uint16_t of);

/*
 * True if the stack and the cards in play together hold each card exactly once.
 */
bool stack_valid(const struct stack *stack, uint16_t in_play);
