/*
 * gang_twin.h - pairs of games that a viewer must not be able to tell apart.
 *
 * A twin is a copy of a game in which everything that its viewer may not see is
 * different.  gang_twin.c alone says what that is: twin_sort() and the
 * functions below it of a state, twin_event() of a log.  A new place for cards
 * needs a line there; assertions fail if one is forgotten.  The tests of
 * secrecy use it, here and over HTTP.
 */
#pragma once

#include "games/gang/rules/gang_view.h"
#include "gang_player.h"

/* --- scenes --------------------------------------------------------------- */

/* A game at some moment. */
struct scene {
	struct table table;
	struct gang gang;
	struct rng rng;       /* of the last action */
	struct events events; /* of the last action */
};

void scene_copy(struct scene *to, const struct scene *from);

enum err scene_act(struct scene *scene, const struct action *action,
                   const uint8_t seed[RNG_SEED_SIZE]);

void swap_cards(uint8_t *a, uint8_t *b);

/* --- what else is hidden of a state --------------------------------------- */

/*
 * Exchange what is hidden in a copy; false if the copy is no game that can
 * be.  The card that comes up next may stay where it is, so that both can go
 * on together when it does.
 */
MUST_CHECK bool twin_make(struct scene *twin, const struct scene *original,
                          unsigned viewer, struct sim_random *random);

/*
 * The same action in the twin: who chooses a card that the viewer may not see
 * chooses the one in its place.  Jx is never an option.
 */
struct action twin_action(const struct scene *twin,
                          const struct scene *original, unsigned viewer,
                          struct action action);

/*
 * True once the rules have opened what the two differ in, to all or to the
 * viewer: cards, what a specialist says of them, what a heist is played with.
 */
bool twins_are_opened(const struct scene *one, const struct scene *other,
                      unsigned viewer);

/* --- what is hidden of a log ---------------------------------------------- */

void random_cards(uint8_t *cards, unsigned count, struct sim_random *random);

/* An event as it might have been, for all that the viewer may know now. */
void twin_event(struct event *event, const struct heist *heist, unsigned viewer,
                struct sim_random *random);

/* --- what was met --------------------------------------------------------- */

enum { TWIN_PHASES = PHASE_OVER + 1 };

struct twin_tally {
	unsigned viewers[GANG_PLAYERS_MAX + 1][GANG_PLAYERS_MAX + 1];
	unsigned phases[STATUS_COUNT][COLOR_COUNT + 2];
	unsigned modes[GANG_MODE_MASTER_THIEF + 1][TWIN_PHASES];
	unsigned challenges[CHALLENGE_MAX + 1];
	unsigned blackouts;    /* that hide chips at this moment */
	unsigned confirmed[2]; /* rounds, by whether the viewer has done so */
	/* By state, and whether the viewer owes a choice. */
	unsigned specialists[SPECIALIST_MAX + 1][ABILITY_USED + 1][2];
};

enum phase twin_phase(const struct heist *heist);

void twin_tally_pair(struct twin_tally *tally, const struct scene *scene,
                     unsigned viewer);

/* Every seat and a spectator of every table, every round and every end. */
void twin_tally_check(const struct twin_tally *tally);
