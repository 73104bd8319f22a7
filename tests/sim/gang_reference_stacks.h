/*
 * gang_reference_stacks.h - the two stacks of a gang, kept by the rulebook.
 *
 * The model predicts what the next heist is played with: by the mode, by how
 * the last heist ended, and by how the stacks lie.  Only a shuffle cannot be
 * predicted; there the game's order is taken over, after a check that the cards
 * are the same.
 */
#pragma once

#include "gang_player.h"

/* A stack as the players know it. */
struct model_stack {
	unsigned count;
	uint8_t cards[STACK_MAX]; /* the top one is [0] */
	unsigned seen;            /* have come up since the last shuffle */
	bool is_random;
	unsigned reshuffled; /* so often */
};

struct model_stacks {
	struct model_stack challenges;
	struct model_stack specialists;
};

/* --- one stack ------------------------------------------------------------ */

/* Those that have not come up, of the cards that are played with. */
unsigned model_stack_unseen(const struct model_stack *known, unsigned played);

/* Check that both stacks lie as the model says. */
void model_stacks_check(const struct model_stacks *stacks,
                        const struct gang *gang);

/* --- both, by the modes --------------------------------------------------- */

/* The challenges that a mode plays with: Quick Access in one only. */
unsigned model_stacks_challenges(unsigned mode);

/* The specialists that a mode plays with. */
unsigned model_stacks_specialists(unsigned mode);

/* A gang's first game: sorted. */
void model_stacks_sort(struct model_stacks *stacks);

/* The first heist of a game. */
void model_stacks_begin(struct model_stacks *stacks, const struct gang *gang,
                        bool is_shuffled);

/* The heist after one that was played with these and succeeded or not. */
void model_stacks_next_heist(struct model_stacks *stacks,
                             const struct gang *gang,
                             const struct heist_setup *last, bool succeeded);

/* An abandoned heist is dealt again: no card moves. */
void model_stacks_repeat_heist(const struct model_stacks *stacks,
                               const struct gang *gang,
                               const struct heist_setup *last);

/* The game is over, and the gang plays again. */
void model_stacks_rematch(struct model_stacks *stacks,
                          const struct heist_setup *last,
                          const struct gang *next);
