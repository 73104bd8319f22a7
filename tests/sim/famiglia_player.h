/*
 * famiglia_player.h - players of Famiglia who choose their actions at random,
 * from a seed.
 */
#pragma once

#include "games/famiglia/rules/famiglia.h"
#include "games/famiglia/rules/famiglia_print.h"
#include "games/famiglia/famiglia_ruleset.h"
#include "games/famiglia/rules/famiglia_view.h"
#include "sim.h"
#include "table/table.h"

/* A table before its game is created. */
void fam_open_table(struct table *table, struct famiglia *game);

/* How the players of one game behave; percentages. */
struct fam_policy {
	unsigned nonsense; /* anything a client can send */
	unsigned restless; /* somebody leaves, or is to be removed */
	unsigned refills;
	unsigned swaps;
	unsigned threatens;
	unsigned passes; /* though there may be something to take */
	unsigned saves;  /* takes what is free, or the cheapest */
};

/* A policy of the seed. */
struct fam_policy fam_policy(struct sim_random *random);

/* --- what comes to mind --------------------------------------------------- */

unsigned fam_any_card(struct sim_random *random);

/* One of a set, or of all if it is empty. */
unsigned fam_one_of(uint64_t set, struct sim_random *random);

/* Fill the list with up to count different cards of a set. */
void fam_some_of(uint64_t set, unsigned count, uint8_t *list,
                 struct sim_random *random);

/* An action without arguments by the player whose turn it is. */
struct action fam_act(const struct famiglia *game, unsigned verb);

/* --- blunders ------------------------------------------------------------- */

/* A step that is nearly right. */
struct action fam_near(const struct famiglia *game, struct sim_random *random);

/* Any bytes at all, or nearly right but for one of them. */
struct action fam_nonsense(const struct famiglia *game,
                           struct sim_random *random);

/* --- late in a game ------------------------------------------------------- */

/*
 * A game that has come far, as random play hardly ever does: most cards are
 * taken, few lie in the street, and the pile is low.
 */
void fam_late(struct famiglia *game, struct sim_random *random);

/* --- what happens next ---------------------------------------------------- */

/* The next action at a table that is not over; the rules may refuse it. */
struct action fam_next(const struct table *table,
                       const struct fam_policy *policy,
                       struct sim_random *random);
