#include "gang/stack.h"

#include <assert.h>
#include <string.h>

static unsigned lowest(uint16_t cards)
{
	assert(cards);
	return (unsigned)__builtin_ctz(cards);
}

static uint16_t bit(unsigned card)
{
	return (uint16_t)(1U << card);
}

void stack_put_under(struct stack *stack, uint16_t cards)
{
	for (; cards; cards &= (uint16_t)(cards - 1)) {
		assert(stack->count < STACK_MAX);
		stack->cards[stack->count++] = (uint8_t)lowest(cards);
	}
}

void stack_init(struct stack *stack, uint16_t all)
{
	*stack = (struct stack){ .all = all };
	stack_put_under(stack, all);
}

void stack_shuffle(struct stack *stack, struct chance *chance)
{
	chance_shuffle(chance, stack->cards, stack->count);
	stack->is_shuffled = true;
	for (unsigned i = 0; i < stack->count; i++)
		stack->seen &= (uint16_t)~bit(stack->cards[i]);
}

static unsigned draw_at(struct stack *stack, unsigned at)
{
	assert(at < stack->count);

	unsigned card = stack->cards[at];
	stack->count--;
	memmove(&stack->cards[at], &stack->cards[at + 1], stack->count - at);
	stack->cards[stack->count] = 0;
	stack->seen |= bit(card);
	return card;
}

unsigned stack_draw(struct stack *stack, struct chance *chance)
{
	unsigned first = lowest(stack->all);

	assert(stack->count > 0);
	if (!stack->is_shuffled && stack->cards[0] == first &&
	    stack->seen & bit(first))
		stack_shuffle(stack, chance);
	return draw_at(stack, 0);
}

unsigned stack_draw_any(struct stack *stack, struct chance *chance)
{
	assert(stack->count > 0);
	return draw_at(stack, chance_below(chance, stack->count));
}

unsigned stack_unseen(const struct stack *stack)
{
	unsigned count = 0;

	for (unsigned i = 0; i < stack->count; i++)
		count += !(stack->seen & bit(stack->cards[i]));
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
