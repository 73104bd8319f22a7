/*
 * test_stack.c - the stacks of challenges and specialists.  Cards come up from
 * the top and go back under it.  Rows are in stack.def.
 */
#include "games/gang/rules/stack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"

struct stack_row {
	const char *name;
	unsigned lowest;
	unsigned highest;
	const char *script;
	const char *drawn;
	const char *stack;
	unsigned unseen;
};

static struct stack_row stack_rows[] = {
#define STACK(...) { __VA_ARGS__ },
#include "stack.def"
};

enum { TEXT_MAX = 64 };

static uint16_t set_of(unsigned lowest, unsigned highest)
{
	uint16_t set = 0;

	for (unsigned card = lowest; card <= highest; card++)
		set |= (uint16_t)(1U << card);
	return set;
}

/* The cards that are drawn, after one more word; of is played with. */
static uint16_t do_word(struct stack *stack, struct rng *rng, const char *word,
                        uint16_t *of, uint16_t drawn)
{
	uint16_t back = drawn;

	switch (*word) {
	case 'd':
		return drawn | (uint16_t)(1U << stack_draw(stack, *of, rng));
	case 'a':
		return drawn |
		       (uint16_t)(1U << stack_draw_any(stack, *of, rng));
	case 'p':
		*of = stack->all;
		if (word[1])
			*of &= (uint16_t) ~(1U << (word[1] - '0'));
		return drawn;
	case 's':
		stack_shuffle(stack, rng);
		return drawn;
	}
	assert_int_equal(*word, 'u');
	if (word[1])
		back = (uint16_t)(1U << (word[1] - '0'));
	assert_int_equal(back & ~drawn, 0);
	stack_put_under(stack, back);
	return drawn & (uint16_t)~back;
}

static uint16_t play(struct stack *stack, const char *script, uint16_t *of)
{
	static const uint8_t seed[RNG_SEED_SIZE];
	struct rng rng;
	uint16_t drawn = 0;
	char words[TEXT_MAX];
	char *rest;

	rng_init(&rng, seed);
	assert_true(strlen(script) < sizeof(words));
	memcpy(words, script, strlen(script) + 1);
	for (char *word = strtok_r(words, " ", &rest); word;
	     word = strtok_r(NULL, " ", &rest)) {
		drawn = do_word(stack, &rng, word, of, drawn);
		assert_true(stack_valid(stack, drawn));
	}
	return drawn;
}

static void print_set(char *text, uint16_t set)
{
	size_t len = 0;

	for (unsigned card = 1; card <= STACK_MAX; card++) {
		if (set >> card & 1)
			len += (size_t)sprintf(text + len, "%s%u",
			                       len ? " " : "", card);
	}
}

static void print_stack(char *text, const struct stack *stack)
{
	size_t len = 0;

	for (unsigned i = 0; i < stack->count; i++)
		len += (size_t)sprintf(text + len, "%s%u", i ? " " : "",
		                       stack->cards[i]);
}

static void check_stack(void **state)
{
	const struct stack_row *row = *state;
	char text[TEXT_MAX] = "";
	struct stack stack;
	uint16_t drawn;
	uint16_t of;

	stack_init(&stack, set_of(row->lowest, row->highest));
	assert_true(stack_valid(&stack, 0));
	of = stack.all;
	drawn = play(&stack, row->script, &of);
	print_stack(text, &stack);
	assert_string_equal(text, row->stack);
	text[0] = '\0';
	print_set(text, drawn);
	assert_string_equal(text, row->drawn);
	assert_int_equal(stack_unseen(&stack, of), row->unseen);
}

/* A pass of the stack brings up each card once. */
static void check_passes(void **state)
{
	struct rng rng;
	struct stack stack;

	(void)state;
	rng_init(&rng, (uint8_t[RNG_SEED_SIZE]){ 0 });
	stack_init(&stack, set_of(1, 10));
	for (unsigned pass = 0; pass < 100; pass++) {
		uint16_t met = 0;

		for (unsigned i = 0; i < 10; i++) {
			unsigned card = stack_draw(&stack, stack.all, &rng);

			met |= (uint16_t)(1U << card);
			stack_put_under(&stack, (uint16_t)(1U << card));
		}
		assert_int_equal(met, stack.all);
		assert_int_equal(stack.is_shuffled, pass > 0);
	}
}

/* Each pass but the first is in an order of its own. */
static void check_orders(void **state)
{
	uint8_t before[STACK_MAX] = { 0 };
	struct rng rng;
	struct stack stack;

	(void)state;
	rng_init(&rng, (uint8_t[RNG_SEED_SIZE]){ 0 });
	stack_init(&stack, set_of(1, 10));
	for (unsigned pass = 0; pass < 20; pass++) {
		for (unsigned i = 0; i < 10; i++)
			stack_put_under(&stack,
			                (uint16_t)(1U << stack_draw(&stack,
			                                            stack.all,
			                                            &rng)));
		assert_memory_not_equal(stack.cards, before, 10);
		memcpy(before, stack.cards, sizeof(before));
	}
}

/* Any card comes first as often as any other. */
static void check_any(void **state)
{
	unsigned shuffled[STACK_MAX + 1] = { 0 };
	unsigned drawn[STACK_MAX + 1] = { 0 };
	uint8_t seed[RNG_SEED_SIZE] = { 0 };

	(void)state;
	for (unsigned i = 0; i < 9000; i++) {
		struct rng rng;
		struct stack stack;

		memcpy(seed, &i, sizeof(i));
		rng_init(&rng, seed);
		stack_init(&stack, set_of(2, 10));
		drawn[stack_draw_any(&stack, stack.all, &rng)]++;
		stack_init(&stack, set_of(2, 10));
		stack_shuffle(&stack, &rng);
		shuffled[stack_draw(&stack, stack.all, &rng)]++;
	}
	/* A thousand, and five standard deviations of it. */
	for (unsigned card = 2; card <= 10; card++) {
		assert_in_range(drawn[card], 851, 1149);
		assert_in_range(shuffled[card], 851, 1149);
	}
}

/* A damaged state may say that a stack has more cards than there are. */
static void check_damaged_count(void **state)
{
	struct stack stack;

	(void)state;
	stack_init(&stack, set_of(1, 10));
	stack.count = STACK_MAX + 1;
	assert_false(stack_valid(&stack, 0));
}

/* A damaged state may have an invalid card: no card is put on top of it. */
static void check_damaged_card(void **state)
{
	struct stack stack;
	struct stack before;

	(void)state;
	stack_init(&stack, set_of(1, 10));
	stack.count = 1;
	stack.cards[0] = STACK_MAX + 1;
	before = stack;
	stack_complete(&stack, 0);
	assert_memory_equal(&stack, &before, sizeof(stack));
	assert_false(stack_valid(&stack, 0));
}

int main(void)
{
	static struct rows rows;

	ROWS_ADD(&rows, stack_rows, check_stack);
	rows_add(&rows, "each card once in a pass", check_passes, NULL);
	rows_add(&rows, "every pass in another order", check_orders, NULL);
	rows_add(&rows, "any card comes first equally often", check_any, NULL);
	rows_add(&rows, "too many cards are refused", check_damaged_count,
	         NULL);
	rows_add(&rows, "a damaged card is refused", check_damaged_card, NULL);
	return rows_run("stack", &rows);
}
