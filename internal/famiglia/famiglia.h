/*
 * famiglia.h - a whole game of Famiglia: two players recruit from one street,
 * turn by turn, until the cards have run out or both have passed.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "famiglia/famiglia_state.h"
#include "famiglia/turn.h"
#include "table/action.h"
#include "table/event.h"
#include "table/ruleset.h"

/* The verbs of a player, and the arguments of each. */
enum famiglia_verb {
	VERB_REFILL = VERB_OF_RULESET, /* which one goes */
	VERB_SWAP,                     /* the accountant, give, take */
	VERB_THREATEN,                 /* the brute, the target, by */
	VERB_RECRUIT,                  /* which one, pay, keep */
	VERB_PASS,                     /* nothing */
};
enum { ARG_PLAYED };
enum {
	ARG_GIVE = ARG_PLAYED + 1, /* up to SWAP_MAX, then as many none */
	ARG_TAKEN = ARG_GIVE + SWAP_MAX,
};
enum { ARG_THREATENED = ARG_PLAYED + 1, ARG_BY };
enum { ARG_PAY = ARG_PLAYED + 1, ARG_KEEP = ARG_PAY + RECRUIT_PAY };

MUST_CHECK bool famiglia_init(struct famiglia *game,
                              const struct options *options);

/* Appends the first street to the newest event, EVENT_GAME_STARTED. */
void famiglia_start(struct famiglia *game, unsigned players, struct rng *rng,
                    struct events *events);
enum status famiglia_status(const struct famiglia *game);

/*
 * Nobody sits at a seat any more: a game that is being played is forfeited.
 * Games of rules version 1 were not, so some have a vacant seat while they are
 * played; somebody may sit down there.
 */
void famiglia_vacate(struct famiglia *game, unsigned seat,
                     struct events *events);
void famiglia_occupy(struct famiglia *game, unsigned seat);

/* A game that waits to be played by the same two: the other one begins. */
void famiglia_start_rematch(struct famiglia *game,
                            const struct famiglia *before);

/*
 * Apply an action. Refuses, in this order, with ERR_NO_SUCH_SEAT and
 * ERR_INVALID, which only a damaged action comes to, ERR_GAME_OVER,
 * ERR_NOT_YOUR_TURN; then as turn.h says.
 */
MUST_CHECK enum err famiglia_apply(struct famiglia *game,
                                   const struct action *action, struct rng *rng,
                                   struct events *events);

/* The error that famiglia_apply() would return; nothing is changed. */
MUST_CHECK enum err famiglia_check(const struct famiglia *game,
                                   const struct action *action);

/*
 * The fault that an action has in any game: no such card, the same one twice,
 * not as many given as taken.  Its member is NULL if nothing is.
 */
struct fault famiglia_fault(const struct action *action);

/* Details of such faults; the decoders of bodies use them too. */
extern const char famiglia_no_card[];
extern const char famiglia_other_count[];
extern const char famiglia_not_shown[];

/*
 * True if the rules can go on from it: numbers are within their bounds, and
 * every gangster is in one place.  Whether play reaches it is a question for
 * the simulation.
 */
bool famiglia_valid(const struct famiglia *game);

/* The state as bytes, and back; see struct ruleset. */
size_t famiglia_encode(const struct famiglia *game, uint8_t *bytes);
MUST_CHECK bool famiglia_decode(struct famiglia *game, const uint8_t *bytes,
                                size_t len);
