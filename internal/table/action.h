/*
 * action.h - something a player does, as plain bytes.
 *
 * A few verbs are every game's; the others, and what their arguments mean,
 * are the ruleset's.  The bytes are kept with the first event that the action
 * caused, so that a game can be decided again from its log.
 */
#pragma once

#include <stdint.h>

enum verb {
	VERB_NONE,
	VERB_CREATE,  /* a table, and sit down at it: arguments below */
	VERB_JOIN,    /* sit down at the next seat */
	VERB_START,   /* the host's wish */
	VERB_REMATCH, /* after the end: another game is played, named by args */
	VERB_AGAIN,   /* that game begins: arguments below */
	VERB_LEAVE,   /* a seat becomes free: which one, by args */
	VERB_OF_RULESET = 32
};

enum { ACTION_ARGS_MAX = 48 };

struct action {
	uint8_t verb; /* an enum verb, or the ruleset's own */
	uint8_t seat; /* who acts, from 1; 0 for who has no seat yet */
	uint8_t args[ACTION_ARGS_MAX];
};

/* The arguments of VERB_CREATE. */
enum { CREATE_SEATS, CREATE_MODE, CREATE_SHUFFLED };

/*
 * Those of VERB_LEAVE: which seat, and whether its player was away for so long
 * that anybody may remove them.  Else the seat that acts is that one, or the
 * host's.
 */
enum { LEAVE_SEAT, LEAVE_ABSENT };

/* Those of VERB_REMATCH: the id of the other game. */
enum { REMATCH_ID_SIZE = 16 };

/*
 * Those of VERB_AGAIN, with the encoded state that it begins with; and last,
 * whether the game waits for more players although they are enough.
 */
enum {
	AGAIN_SEATS_MAX,
	AGAIN_SEATS,
	AGAIN_HOST,
	AGAIN_LEN,
	AGAIN_STATE,
	AGAIN_WAITS = ACTION_ARGS_MAX - 1,
	AGAIN_STATE_MAX = AGAIN_WAITS - AGAIN_STATE
};
