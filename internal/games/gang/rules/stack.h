/*
 * stack.h - a stack of challenges or of specialists, face down.
 *
 * The cards are numbers from 1; a set of cards has bit n for number n.  Cards
 * are drawn from the top and put back under the stack, so unseen cards lie
 * above seen ones.  When the top card was seen before, the stack is shuffled,
 * and all its cards are unseen again.
 *
 * Some modes play without some cards.  A draw passes over those, so that they
 * are in place when the rematch has another mode.
 *
 * A plain value.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/rng.h"

/* The highest bit of a set. */
enum { STACK_MAX = 15 };

struct stack {
	uint16_t all;     /* its cards, also those in play */
	uint16_t seen;    /* the cards drawn since it was sorted or shuffled */
	bool is_shuffled; /* at least once */
	uint8_t count;
	uint8_t cards[STACK_MAX]; /* the top one is [0] */
};

/* A sorted stack of these cards, the lowest on top. */
void stack_init(struct stack *stack, uint16_t all);

/* Shuffle the cards in the stack; they are unseen again. */
void stack_shuffle(struct stack *stack, struct rng *rng);

/*
 * Draw the top card, or a random one, among those in the set "of".  The stack
 * has at least one of them.
 */
unsigned stack_draw(struct stack *stack, uint16_t of, struct rng *rng);
unsigned stack_draw_any(struct stack *stack, uint16_t of, struct rng *rng);

/* Put cards back under it, the lowest number first. */
void stack_put_under(struct stack *stack, uint16_t cards);

/*
 * Put the missing cards on top, the lowest first, as unseen ones.  Formats 1
 * and 2 of a state store stacks without the cards that their mode does not use.
 */
void stack_complete(struct stack *stack, uint16_t in_play);

/* The number of unseen cards in the stack, of those in the set. */
unsigned stack_unseen(const struct stack *stack, uint16_t of);

/* True if each card is once in the stack or in play. */
bool stack_valid(const struct stack *stack, uint16_t in_play);
