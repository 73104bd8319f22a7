/*
 * action.h - something a player does, as plain bytes.
 *
 * A few verbs are every game's; the others, and what their arguments mean,
 * are the ruleset's.  The bytes are kept with the first event that the action
 * caused, so that a game can be decided again from its log.
 */
#ifndef TABLE_ACTION_H
#define TABLE_ACTION_H

#include <stdint.h>

enum verb {
	VERB_NONE,
	VERB_CREATE, /* a table, and sit down at it: arguments below */
	VERB_JOIN,   /* sit down at the next seat */
	VERB_START,  /* the host's wish */
	VERB_OF_RULESET = 32
};

enum { ACTION_ARGS_MAX = 16 };

struct action {
	uint8_t verb; /* an enum verb, or the ruleset's own */
	uint8_t seat; /* who acts, from 1; 0 for who has no seat yet */
	uint8_t args[ACTION_ARGS_MAX];
};

/* The arguments of VERB_CREATE. */
enum { CREATE_SEATS, CREATE_MODE, CREATE_SHUFFLED };

/* Moves that one player can have at a time. */
enum { LEGAL_MAX = 128 };

#endif
