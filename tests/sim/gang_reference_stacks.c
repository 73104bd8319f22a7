/*
 * gang_reference_stacks.c - draws, puts under and shuffles by the rulebook.
 *
 * A stack is a list of cards from its top, with the set of those that came up
 * since the last shuffle.  The model predicts each card that comes up.  It
 * cannot predict a shuffle: there it checks that the game's stack has the same
 * cards and takes over their order (believe()).
 */
#include "gang_reference_stacks.h"

static unsigned bit_of(unsigned number)
{
	return number ? 1U << number : 0;
}

static unsigned lowest_of(unsigned set)
{
	unsigned number = 1;

	while (!(set >> number & 1))
		number++;
	return number;
}

static unsigned set_of_cards(const uint8_t *cards, unsigned count)
{
	unsigned set = 0;

	for (unsigned i = 0; i < count; i++)
		set |= bit_of(cards[i]);
	return set;
}

/* --- one stack ------------------------------------------------------------ */

static void sort_stack(struct model_stack *known, unsigned last)
{
	*known = (struct model_stack){ 0 };
	for (unsigned number = 1; number <= last; number++)
		known->cards[known->count++] = (uint8_t)number;
}

static void take_at(struct model_stack *known, unsigned at)
{
	CHECK(at < known->count);
	known->seen |= bit_of(known->cards[at]);
	known->count--;
	memmove(&known->cards[at], &known->cards[at + 1], known->count - at);
}

static void take_out(struct model_stack *known, unsigned number)
{
	unsigned at = 0;

	while (at < known->count && known->cards[at] != number)
		at++;
	take_at(known, at);
}

static void put_under(struct model_stack *known, unsigned set)
{
	for (unsigned number = 1; number <= STACK_MAX; number++) {
		if (set >> number & 1)
			known->cards[known->count++] = (uint8_t)number;
	}
}

/*
 * The stack was shuffled before some cards came up: it has the same cards, and
 * perhaps others that were put under it since.
 */
static void believe(struct model_stack *known, const struct stack *stack,
                    unsigned came)
{
	unsigned before = set_of_cards(known->cards, known->count);

	known->count -= (unsigned)__builtin_popcount(came);
	CHECK(stack->is_shuffled && known->count <= stack->count);
	CHECK((came & ~before) == 0 &&
	      set_of_cards(stack->cards, known->count) == (before & ~came));
	known->is_random = true;
	known->seen = (known->seen & ~before) | came;
	memcpy(known->cards, stack->cards, known->count);
}

/* Draw the top card, of those that are played with. */
static void draw(struct model_stack *known, const struct stack *stack,
                 unsigned played, unsigned came)
{
	unsigned at = 0;

	while (at < known->count && !(bit_of(known->cards[at]) & played))
		at++;
	CHECK(at < known->count);
	unsigned top = bit_of(known->cards[at]);
	if (known->seen & top) {
		CHECK((came & played) && !(came & (came - 1)));
		believe(known, stack, came);
		known->reshuffled++;
		return;
	}
	CHECK(came == top);
	take_at(known, at);
}

unsigned model_stack_unseen(const struct model_stack *known, unsigned played)
{
	unsigned set = set_of_cards(known->cards, known->count);

	return (unsigned)__builtin_popcount(set & played & ~known->seen);
}

static void check_stack(const struct model_stack *known,
                        const struct stack *stack)
{
	CHECK(known->count == stack->count);
	CHECK(same_bytes(known->cards, stack->cards, known->count));
	CHECK(known->is_random == stack->is_shuffled);
}

void model_stacks_check(const struct model_stacks *stacks,
                        const struct gang *gang)
{
	check_stack(&stacks->challenges, &gang->challenges);
	check_stack(&stacks->specialists, &gang->specialists);
}

/* --- both, by the modes --------------------------------------------------- */

static bool has_specialists(unsigned mode)
{
	return mode == GANG_MODE_ADVANCED || mode == GANG_MODE_PROFESSIONAL;
}

unsigned model_stacks_challenges(unsigned mode)
{
	unsigned all = (2U << CHALLENGE_MAX) - 2;

	if (mode == GANG_MODE_BASIC)
		return 0;
	return mode == GANG_MODE_ADVANCED
	               ? all
	               : all & ~bit_of(CHALLENGE_QUICK_ACCESS);
}

unsigned model_stacks_specialists(unsigned mode)
{
	return has_specialists(mode) ? (2U << SPECIALIST_MAX) - 2 : 0;
}

void model_stacks_sort(struct model_stacks *stacks)
{
	sort_stack(&stacks->challenges, CHALLENGE_MAX);
	sort_stack(&stacks->specialists, SPECIALIST_MAX);
}

void model_stacks_begin(struct model_stacks *stacks, const struct gang *gang,
                        bool is_shuffled)
{
	const struct heist_setup *setup = &gang->heist.setup;
	unsigned count = 0;

	CHECK(setup->number == 1 && setup->specialist == 0);
	for (unsigned number = 1; number <= STACK_MAX; number++)
		count += setup->challenges >> number & 1;
	CHECK(count == (gang->mode == GANG_MODE_PROFESSIONAL   ? 1
	                : gang->mode == GANG_MODE_MASTER_THIEF ? 2
	                                                       : 0));
	CHECK(setup->permanent ==
	      (gang->mode == GANG_MODE_PROFESSIONAL ? setup->challenges : 0));
	CHECK(!(setup->challenges & ~model_stacks_challenges(gang->mode)));
	if (is_shuffled && !stacks->challenges.is_random) {
		believe(&stacks->challenges, &gang->challenges,
		        setup->challenges);
		believe(&stacks->specialists, &gang->specialists, 0);
	} else {
		for (unsigned number = 1; number <= STACK_MAX; number++) {
			if (setup->challenges >> number & 1)
				take_out(&stacks->challenges, number);
		}
	}
	model_stacks_check(stacks, gang);
}

void model_stacks_next_heist(struct model_stacks *stacks,
                             const struct gang *gang,
                             const struct heist_setup *last, bool succeeded)
{
	const struct heist_setup *setup = &gang->heist.setup;
	bool thief = gang->mode == GANG_MODE_MASTER_THIEF;
	unsigned stay =
		thief ? last->challenges & ~bit_of(lowest_of(last->challenges))
		      : last->permanent;
	unsigned came = setup->challenges & ~stay;

	CHECK(setup->number == last->number + 1);
	CHECK(setup->permanent == last->permanent);
	CHECK((setup->challenges & stay) == stay);
	if (thief || (succeeded && has_specialists(gang->mode)))
		draw(&stacks->challenges, &gang->challenges,
		     model_stacks_challenges(gang->mode), came);
	else
		CHECK(came == 0);
	if (!succeeded && has_specialists(gang->mode))
		draw(&stacks->specialists, &gang->specialists,
		     model_stacks_specialists(gang->mode),
		     bit_of(setup->specialist));
	else
		CHECK(setup->specialist == 0);
	put_under(&stacks->challenges, last->challenges & ~stay);
	put_under(&stacks->specialists, bit_of(last->specialist));
	model_stacks_check(stacks, gang);
}

void model_stacks_repeat_heist(const struct model_stacks *stacks,
                               const struct gang *gang,
                               const struct heist_setup *last)
{
	const struct heist_setup *setup = &gang->heist.setup;

	CHECK(setup->number == last->number);
	CHECK(setup->challenges == last->challenges);
	CHECK(setup->permanent == last->permanent);
	CHECK(setup->specialist == last->specialist);
	model_stacks_check(stacks, gang);
}

void model_stacks_rematch(struct model_stacks *stacks,
                          const struct heist_setup *last,
                          const struct gang *next)
{
	put_under(&stacks->challenges, last->challenges);
	put_under(&stacks->specialists, bit_of(last->specialist));
	model_stacks_check(stacks, next);
}
