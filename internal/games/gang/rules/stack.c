/*
 * Cards lie in the order in which they are drawn, the top one first.  A set
 * remembers the cards that were seen.  When the top card is one of them, so are
 * all below it, and the stack is shuffled.
 */
#include "games/gang/rules/stack.h"

#include <assert.h>
#include <string.h>

static uint16_t bit(unsigned card)
{
	return (uint16_t)(1U << card);
}

void stack_put_under(struct stack *stack, uint16_t cards)
{
	for (; cards; cards &= (uint16_t)(cards - 1)) {
		assert(stack->count < STACK_MAX);
		stack->cards[stack->count++] = (uint8_t)__builtin_ctz(cards);
	}
}

void stack_init(struct stack *stack, uint16_t all)
{
	*stack = (struct stack){ .all = all };
	stack_put_under(stack, all);
}

void stack_shuffle(struct stack *stack, struct rng *rng)
{
	rng_shuffle(rng, stack->cards, stack->count);
	stack->is_shuffled = true;
	for (unsigned i = 0; i < stack->count; i++)
		stack->seen &= (uint16_t)~bit(stack->cards[i]);
}

static bool is_in(const struct stack *stack, unsigned at, uint16_t set)
{
	return set & bit(stack->cards[at]);
}

/* The place of the nth card, from 0, of a set. */
static unsigned find(const struct stack *stack, uint16_t set, unsigned nth)
{
	unsigned at = 0;

	for (;; at++) {
		assert(at < stack->count);
		if (is_in(stack, at, set) && nth-- == 0)
			return at;
	}
}

static unsigned draw_at(struct stack *stack, unsigned at)
{
	unsigned card = stack->cards[at];

	stack->count--;
	memmove(&stack->cards[at], &stack->cards[at + 1], stack->count - at);
	stack->cards[stack->count] = 0;
	stack->seen |= bit(card);
	return card;
}

unsigned stack_draw(struct stack *stack, uint16_t of, struct rng *rng)
{
	if (is_in(stack, find(stack, of, 0), stack->seen))
		stack_shuffle(stack, rng);
	return draw_at(stack, find(stack, of, 0));
}

unsigned stack_draw_any(struct stack *stack, uint16_t of, struct rng *rng)
{
	unsigned count = 0;

	for (unsigned at = 0; at < stack->count; at++)
		count += is_in(stack, at, of);
	return draw_at(stack, find(stack, of, rng_below(rng, count)));
}

void stack_complete(struct stack *stack, uint16_t in_play)
{
	struct stack below = *stack;
	uint16_t missing = stack->all & (uint16_t)~in_play;

	for (unsigned at = 0; at < below.count; at++) {
		if (below.cards[at] > STACK_MAX)
			return; /* which stack_valid() refuses */
		missing &= (uint16_t)~bit(below.cards[at]);
	}
	stack->count = 0;
	stack_put_under(stack, missing);
	for (unsigned at = 0; at < below.count && stack->count < STACK_MAX;
	     at++)
		stack->cards[stack->count++] = below.cards[at];
}

unsigned stack_unseen(const struct stack *stack, uint16_t of)
{
	uint16_t unseen = (uint16_t)(of & ~(unsigned)stack->seen);
	unsigned count = 0;

	for (unsigned at = 0; at < stack->count; at++)
		count += is_in(stack, at, unseen);
	return count;
}

bool stack_valid(const struct stack *stack, uint16_t in_play)
{
	uint16_t found = in_play;

	if (stack->count > STACK_MAX || in_play & ~stack->all ||
	    stack->seen & ~stack->all)
		return false;
	for (unsigned i = 0; i < stack->count; i++) {
		unsigned card = stack->cards[i];

		if (card > STACK_MAX || !(stack->all & bit(card)) ||
		    found & bit(card))
			return false;
		found |= bit(card);
	}
	return found == stack->all;
}
