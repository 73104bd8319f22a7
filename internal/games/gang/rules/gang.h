/*
 * gang.h - a whole game of The Gang: heists until three vaults are open, or
 * as many alarms have gone off as the mode allows.
 *
 * A plain value that only the functions here change.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/rng.h"
#include "games/gang/rules/ability.h"
#include "games/gang/rules/choice.h"
#include "games/gang/rules/mode.h"
#include "games/gang/rules/rounds.h"
#include "games/gang/rules/showdown.h"
#include "games/gang/rules/stack.h"
#include "table/action.h"
#include "table/event.h"
#include "table/ruleset.h"

enum { GANG_HEISTS_MAX = 5, GANG_PLAYERS_MIN = 3, GANG_PLAYERS_MAX = 6 };

/* The bytes of struct options: a number of mode.def; 0 or 1; 0 or 1. */
enum {
	GANG_OPTION_MODE,
	GANG_OPTION_SHUFFLED,
	GANG_OPTION_CONFIRMS,
	GANG_OPTION_COUNT
};
_Static_assert((int)GANG_OPTION_COUNT <= (int)RULESET_OPTIONS_MAX, "they fit");

/* The verbs of a player, and the arguments of each. */
enum gang_verb {
	VERB_TAKE = VERB_OF_RULESET, /* color, stars, from */
	VERB_RETURN,                 /* color, stars */
	VERB_NEXT_HEIST,             /* nothing */
	VERB_PROPOSE,                /* seat, target, value (ability.h) */
	VERB_VOTE,                   /* agrees: 0 or 1 */
	VERB_CHOOSE,                 /* card, or CHOICE_LOOKED */
	VERB_ANSWER,                 /* the challenge's number, value */
	VERB_CONFIRM_ROUND,          /* nothing */
};
enum { ARG_COLOR, ARG_STARS, ARG_FROM };
enum { ARG_SEAT, ARG_TARGET, ARG_VALUE };
enum { ARG_AGREES };
enum { ARG_CARD };
enum { ARG_QUESTION, ARG_ANSWER };

struct gang {
	uint8_t mode; /* an enum gang_mode */
	bool shuffled_stacks;
	bool confirms_rounds;
	uint8_t players; /* 0 until started */
	uint8_t vaults;  /* that are open */
	uint8_t alarms;  /* that have gone off */
	struct stack challenges;
	struct stack specialists;
	struct heist heist; /* the present one */
	/*
	 * By seat, the last deal before a player was removed from it: the next
	 * player of the seat may not read the private data of events up to that
	 * deal.  Seat 1 is [0]; 0: no player was removed.
	 */
	uint8_t closed_deals[GANG_PLAYERS_MAX];
	uint8_t ended_count; /* heists before the present one */
	struct summary ended[GANG_HEISTS_MAX - 1];
};

/*
 * The functions of struct ruleset, which documents them.  A state is a struct
 * gang.
 *
 * gang_apply() refuses with ERR_NO_SUCH_SEAT for a seat without a player and
 * with ERR_GAME_OVER before all else, then as rounds.h, ability.h, choice.h and
 * showdown.h say.  Any player deals the next heist: ERR_SHOWDOWN_NOT_REACHED
 * while the present one is open.  An abandoned heist is dealt again, with a
 * fresh deck.
 *
 * gang_vacate(): if the player left, the heist goes on without them; if
 * somebody removed the player, an open heist is abandoned.
 */
MUST_CHECK bool gang_init(void *state, const struct options *options);
void gang_start(void *state, unsigned players, struct rng *rng,
                struct events *events);
MUST_CHECK enum err gang_apply(void *state, const struct action *action,
                               struct rng *rng, struct events *events);
struct fault gang_fault(const void *state, const struct action *action);
MUST_CHECK bool gang_start_rematch(void *state, const void *before,
                                   const char *mode);
void gang_vacate(void *state, unsigned seat, bool is_removed,
                 struct events *events);
void gang_occupy(void *state, unsigned seat);
struct standing gang_standing(const void *state);
size_t gang_encode(const void *state, uint8_t *bytes);
MUST_CHECK bool gang_decode(void *state, const uint8_t *bytes, size_t len);

enum status gang_status(const struct gang *gang);

/* The error that gang_apply() would return; nothing is changed. */
MUST_CHECK enum err gang_check(const struct gang *gang,
                               const struct action *action);

/*
 * True if the rules can continue from this state: numbers are within bounds and
 * every card is in one place.  Not every such state can be reached by play.
 */
bool gang_valid(const struct gang *gang);
