/*
 * stack.h - a stack of challenges or of specialists, face down.
 *
 * The cards are numbers from 1; a set of them is bits, bit n for number n.
 * Cards come up from the top and go back under the stack.  A stack that is
 * sorted at first is shuffled when its lowest card would come up for the
 * second time, and is in no order from then on.  A plain value.
 */
#ifndef GANG_STACK_H
#define GANG_STACK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/chance.h"

/* As many numbers as a set has bits for. */
enum { STACK_MAX = 15 };

struct stack {
	uint16_t all;  /* the cards that belong to it, also those in play */
	uint16_t seen; /* have come up since it was sorted or shuffled */
	bool is_shuffled;
	uint8_t count;
	uint8_t cards[STACK_MAX]; /* the top one is [0] */
};

/* A sorted stack of these cards, the lowest on top. */
void stack_init(struct stack *stack, uint16_t all);

/* Shuffle what lies in it, and forget that those cards have come up. */
void stack_shuffle(struct stack *stack, struct chance *chance);

/* The card that comes up from the top; there is one. */
unsigned stack_draw(struct stack *stack, struct chance *chance);

/* A card from anywhere in it. */
unsigned stack_draw_any(struct stack *stack, struct chance *chance);

/* Put cards back under it, the lowest number first. */
void stack_put_under(struct stack *stack, uint16_t cards);

/* How many cards of it have not come up. */
unsigned stack_unseen(const struct stack *stack);

/* True if it holds what belongs to it but for those in play, each once. */
bool stack_valid(const struct stack *stack, uint16_t in_play);

#endif
