/*
 * gang_player.h - players of The Gang who choose their actions at random, from
 * a seed.
 *
 * The players know all cards, as only a test may, so that they can end a heist
 * rightly or wrongly as often as they like.
 */
#pragma once

#include "games/gang/rules/challenge.h"
#include "games/gang/rules/gang.h"
#include "games/gang/gang_ruleset.h"
#include "games/gang/rules/specialist.h"
#include "games/gang/rules/gang_view.h"
#include "sim.h"
#include "table/table.h"

/* --- a table -------------------------------------------------------------- */

/* A table before its game is created. */
void player_open_table(struct table *table, struct gang *gang);

/* --- players -------------------------------------------------------------- */

/* How the players of one game behave; percentages. */
struct player_policy {
	uint8_t mode; /* what they play, an enum gang_mode */
	bool shuffled;
	bool confirms;     /* rounds end when all have confirmed */
	unsigned nonsense; /* anything a client can send */
	unsigned trouble;  /* chips taken from each other and put back */
	unsigned restless; /* people leave, are removed, and come */
	unsigned eager;    /* to use a specialist */
	unsigned skilled;  /* bit n: heist n ends in the right order */
	unsigned knowing;  /* bit n: its questions are answered rightly */
};

/* A policy of the seed. */
struct player_policy player_policy(struct sim_random *random);

/* The creation of a game of the policy's mode, for a random number of seats. */
struct action player_create(const struct player_policy *policy,
                            struct sim_random *random);

/* A seat from 1 to seats. */
unsigned player_seat(unsigned seats, struct sim_random *random);

/* Any action that a request can be decoded to, mostly wrong ones. */
struct action player_nonsense(unsigned seats, struct sim_random *random);

/* --- skill ---------------------------------------------------------------- */

/* The stars that a seat deserves: one, and one for each weaker hand. */
unsigned player_deserved_stars(const struct gang *gang, unsigned seat);

/* The true answer to a question about the hand with the highest red chip. */
unsigned player_true_answer(const struct heist *heist, unsigned challenge);

/* --- what happens next ---------------------------------------------------- */

/* The next action at a table that is not over; the rules may refuse it. */
struct action player_choose(const struct table *table,
                            const struct player_policy *policy,
                            struct sim_random *random);
