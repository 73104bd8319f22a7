/*
 * famiglia.h - a whole game of Famiglia: two players recruit from one street,
 * turn by turn, until the cards have run out or both have passed.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "games/famiglia/rules/famiglia_state.h"
#include "games/famiglia/rules/turn.h"
#include "table/action.h"
#include "table/event.h"
#include "table/ruleset.h"

/* The verbs of a player, and the arguments of each. */
enum famiglia_verb {
	VERB_REFILL = VERB_OF_RULESET, /* the gangster to put away */
	VERB_SWAP,                     /* the accountant, give, take */
	VERB_THREATEN,                 /* the brute, the target, by */
	VERB_TAKE,                     /* the gangster, pay, keep */
	VERB_PASS,                     /* nothing */
};
enum { ARG_PLAYED };
enum {
	ARG_GIVE = ARG_PLAYED + 1, /* SWAP_MAX each, padded with 0 */
	ARG_TAKEN = ARG_GIVE + SWAP_MAX,
};
enum { ARG_THREATENED = ARG_PLAYED + 1, ARG_BY };
enum { ARG_PAY = ARG_PLAYED + 1, ARG_KEEP = ARG_PAY + RECRUIT_PAY };

/*
 * The functions of struct ruleset, which documents them.  A state is a struct
 * famiglia.
 *
 * famiglia_start() appends the first street to EVENT_GAME_STARTED.
 *
 * famiglia_apply() refuses, in this order, with ERR_NO_SUCH_SEAT and
 * ERR_INVALID (only a damaged log holds such actions), ERR_GAME_OVER,
 * ERR_NOT_YOUR_TURN; then as turn.h says.
 *
 * famiglia_start_rematch(): the other player begins.
 *
 * famiglia_vacate(): the player who left or was removed forfeits the game.
 * Rules version 1 went on with a vacant seat, so a player may still take over
 * the seat of such a game.
 */
MUST_CHECK bool famiglia_init(void *state, const struct options *options);
void famiglia_start(void *state, unsigned players, struct rng *rng,
                    struct events *events);
MUST_CHECK enum err famiglia_apply(void *state, const struct action *action,
                                   struct rng *rng, struct events *events);
MUST_CHECK bool famiglia_start_rematch(void *state, const void *before,
                                       const char *mode);
void famiglia_vacate(void *state, unsigned seat, bool is_removed,
                     struct events *events);
void famiglia_occupy(void *state, unsigned seat);
struct standing famiglia_standing(const void *state);
size_t famiglia_encode(const void *state, uint8_t *bytes);
MUST_CHECK bool famiglia_decode(void *state, const uint8_t *bytes, size_t len);

/*
 * The fault that an action has in every state: no such card, the same card
 * twice, not as many given as taken.  The state may be NULL.
 */
struct fault famiglia_fault(const void *state, const struct action *action);

/* The error that famiglia_apply() would return; nothing is changed. */
MUST_CHECK enum err famiglia_check(const struct famiglia *game,
                                   const struct action *action);

/* Details of such faults; the decoders of bodies use them too. */
extern const char famiglia_no_card[];
extern const char famiglia_other_count[];
extern const char famiglia_not_shown[];

/*
 * True if the rules can continue from this state: numbers are within bounds and
 * every gangster is in one place.  Not every such state can be reached by play.
 */
bool famiglia_valid(const struct famiglia *game);
