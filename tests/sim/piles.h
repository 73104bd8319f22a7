/*
 * piles.h - the two stacks of a gang, as its players would keep them.
 *
 * What the next heist is played with is told from the rulebook: by the mode,
 * by how the last heist ended, and by how the stacks lie.  Only where chance
 * decides is the game believed, and then looked at: the same cards, in another
 * order from then on, of which none counts as seen.
 */
#ifndef TESTS_SIM_PILES_H
#define TESTS_SIM_PILES_H

#include "check.h"

struct pile {
	unsigned count;
	uint8_t cards[STACK_MAX]; /* the top one is [0] */
	unsigned seen;            /* have come up since the last shuffle */
	bool is_random;
	unsigned reshuffled; /* so often */
};

struct piles {
	struct pile challenges;
	struct pile specialists;
};

static inline unsigned bit_of(unsigned number)
{
	return number ? 1U << number : 0;
}

static inline unsigned lowest_of(unsigned set)
{
	unsigned number = 1;

	while (!(set >> number & 1))
		number++;
	return number;
}

static inline unsigned set_of_cards(const uint8_t *cards, unsigned count)
{
	unsigned set = 0;

	for (unsigned i = 0; i < count; i++)
		set |= bit_of(cards[i]);
	return set;
}

/* --- one stack ------------------------------------------------------------ */

static inline void pile_sort(struct pile *pile, unsigned last)
{
	*pile = (struct pile){ 0 };
	for (unsigned number = 1; number <= last; number++)
		pile->cards[pile->count++] = (uint8_t)number;
}

static inline void pile_take(struct pile *pile, unsigned at)
{
	CHECK(at < pile->count);
	pile->seen |= bit_of(pile->cards[at]);
	pile->count--;
	memmove(&pile->cards[at], &pile->cards[at + 1], pile->count - at);
}

static inline void pile_take_out(struct pile *pile, unsigned number)
{
	unsigned at = 0;

	while (at < pile->count && pile->cards[at] != number)
		at++;
	pile_take(pile, at);
}

static inline void pile_put_under(struct pile *pile, unsigned set)
{
	for (unsigned number = 1; number <= STACK_MAX; number++) {
		if (set >> number & 1)
			pile->cards[pile->count++] = (uint8_t)number;
	}
}

/*
 * The stack was shuffled before some cards came up: it has the same cards, and
 * perhaps others that were put under it since.
 */
static inline void pile_believe(struct pile *pile, const struct stack *stack,
                                unsigned came)
{
	unsigned before = set_of_cards(pile->cards, pile->count);

	pile->count -= (unsigned)__builtin_popcount(came);
	CHECK(stack->is_shuffled && pile->count <= stack->count);
	CHECK((came & ~before) == 0 &&
	      set_of_cards(stack->cards, pile->count) == (before & ~came));
	pile->is_random = true;
	pile->seen = (pile->seen & ~before) | came;
	memcpy(pile->cards, stack->cards, pile->count);
}

/* What comes up from the top, of the cards that are played with. */
static inline void pile_draw(struct pile *pile, const struct stack *stack,
                             unsigned played, unsigned came)
{
	unsigned at = 0;

	while (at < pile->count && !(bit_of(pile->cards[at]) & played))
		at++;
	CHECK(at < pile->count);
	unsigned top = bit_of(pile->cards[at]);
	if (pile->seen & top) {
		CHECK((came & played) && !(came & (came - 1)));
		pile_believe(pile, stack, came);
		pile->reshuffled++;
		return;
	}
	CHECK(came == top);
	pile_take(pile, at);
}

/* Those that have not come up, of the cards that are played with. */
static inline unsigned pile_unseen(const struct pile *pile, unsigned played)
{
	unsigned set = set_of_cards(pile->cards, pile->count);

	return (unsigned)__builtin_popcount(set & played & ~pile->seen);
}

static inline void check_pile(const struct pile *pile,
                              const struct stack *stack)
{
	CHECK(pile->count == stack->count);
	CHECK(same_bytes(pile->cards, stack->cards, pile->count));
	CHECK(pile->is_random == stack->is_shuffled);
}

static inline void check_piles(const struct piles *piles,
                               const struct gang *gang)
{
	check_pile(&piles->challenges, &gang->challenges);
	check_pile(&piles->specialists, &gang->specialists);
}

/* --- both, by the modes --------------------------------------------------- */

static inline bool has_specialists(unsigned mode)
{
	return mode == GANG_MODE_ADVANCED || mode == GANG_MODE_PROFESSIONAL;
}

/* The challenges that a mode plays with: Quick Access in one only. */
static inline unsigned played_challenges(unsigned mode)
{
	unsigned all = (2U << CHALLENGE_MAX) - 2;

	if (mode == GANG_MODE_BASIC)
		return 0;
	return mode == GANG_MODE_ADVANCED
	               ? all
	               : all & ~bit_of(CHALLENGE_QUICK_ACCESS);
}

static inline unsigned played_specialists(unsigned mode)
{
	return has_specialists(mode) ? (2U << SPECIALIST_MAX) - 2 : 0;
}

/* A gang's first game: sorted. */
static inline void piles_sort(struct piles *piles)
{
	pile_sort(&piles->challenges, CHALLENGE_MAX);
	pile_sort(&piles->specialists, SPECIALIST_MAX);
}

/* The first heist of a game. */
static inline void piles_begin(struct piles *piles, const struct gang *gang,
                               bool is_shuffled)
{
	const struct plan *plan = &gang->heist.plan;
	unsigned count = 0;

	CHECK(plan->number == 1 && plan->specialist == 0);
	for (unsigned number = 1; number <= STACK_MAX; number++)
		count += plan->challenges >> number & 1;
	CHECK(count == (gang->mode == GANG_MODE_PROFESSIONAL   ? 1
	                : gang->mode == GANG_MODE_MASTER_THIEF ? 2
	                                                       : 0));
	CHECK(plan->permanent ==
	      (gang->mode == GANG_MODE_PROFESSIONAL ? plan->challenges : 0));
	CHECK(!(plan->challenges & ~played_challenges(gang->mode)));
	if (is_shuffled && !piles->challenges.is_random) {
		pile_believe(&piles->challenges, &gang->challenges,
		             plan->challenges);
		pile_believe(&piles->specialists, &gang->specialists, 0);
	} else {
		for (unsigned number = 1; number <= STACK_MAX; number++) {
			if (plan->challenges >> number & 1)
				pile_take_out(&piles->challenges, number);
		}
	}
	check_piles(piles, gang);
}

/* The heist after one that was played with these and succeeded or not. */
static inline void piles_go_on(struct piles *piles, const struct gang *gang,
                               const struct plan *last, bool succeeded)
{
	const struct plan *plan = &gang->heist.plan;
	bool thief = gang->mode == GANG_MODE_MASTER_THIEF;
	unsigned stay =
		thief ? last->challenges & ~bit_of(lowest_of(last->challenges))
		      : last->permanent;
	unsigned came = plan->challenges & ~stay;

	CHECK(plan->number == last->number + 1);
	CHECK(plan->permanent == last->permanent);
	CHECK((plan->challenges & stay) == stay);
	if (thief || (succeeded && has_specialists(gang->mode)))
		pile_draw(&piles->challenges, &gang->challenges,
		          played_challenges(gang->mode), came);
	else
		CHECK(came == 0);
	if (!succeeded && has_specialists(gang->mode))
		pile_draw(&piles->specialists, &gang->specialists,
		          played_specialists(gang->mode),
		          bit_of(plan->specialist));
	else
		CHECK(plan->specialist == 0);
	pile_put_under(&piles->challenges, last->challenges & ~stay);
	pile_put_under(&piles->specialists, bit_of(last->specialist));
	check_piles(piles, gang);
}

/* An abandoned heist is dealt again: no card moves. */
static inline void piles_repeat(const struct piles *piles,
                                const struct gang *gang,
                                const struct plan *last)
{
	const struct plan *plan = &gang->heist.plan;

	CHECK(plan->number == last->number);
	CHECK(plan->challenges == last->challenges);
	CHECK(plan->permanent == last->permanent);
	CHECK(plan->specialist == last->specialist);
	check_piles(piles, gang);
}

/* The game is over, and the gang plays again. */
static inline void piles_again(struct piles *piles, const struct plan *last,
                               const struct gang *next)
{
	pile_put_under(&piles->challenges, last->challenges);
	pile_put_under(&piles->specialists, bit_of(last->specialist));
	check_piles(piles, next);
}

#endif
