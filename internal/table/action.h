/*
 * action.h - one step that a player asks for, as plain bytes.
 *
 * The table handles the verbs below VERB_OF_RULESET; a ruleset defines the
 * others and the meaning of their arguments.  The event log stores the action
 * with the first event that it caused, so that a replay can decide it again.
 */
#pragma once

#include <stdint.h>

/* The numbers are stored in logs: never change one. */
enum verb {
	VERB_NONE,
	VERB_CREATE,        /* create a table and sit down at seat 1 */
	VERB_JOIN,          /* sit down at a free seat */
	VERB_START,         /* the host starts the game */
	VERB_REMATCH,       /* note the id of the game that follows this one */
	VERB_START_REMATCH, /* create that following game */
	VERB_LEAVE,         /* free a seat */
	VERB_CHANGE_PLAYER, /* change a name or avatar, of oneself */
	VERB_RENEW_TOKEN,   /* get another token, for oneself */
	VERB_SEAT_BOT,      /* seat a bot */
	VERB_OF_RULESET = 32
};

enum { ACTION_ARGS_MAX = 64 };

struct action {
	uint8_t verb; /* an enum verb, or the ruleset's own */
	uint8_t seat; /* of the acting player, from 1; 0: has no seat yet */
	uint8_t args[ACTION_ARGS_MAX];
};

/*
 * The arguments of VERB_CREATE: seats; the first options of the ruleset; the
 * number of bots that sit down too; 1 if the game starts at once, else 0; and
 * the other options.  action_options() copies the options out of them.
 */
enum {
	CREATE_SEATS,
	CREATE_OPTIONS,
	CREATE_OPTIONS_FIRST = 3, /* how many are here */
	CREATE_BOTS = CREATE_OPTIONS + CREATE_OPTIONS_FIRST,
	CREATE_STARTS,
	CREATE_OPTIONS_MORE,
	ACTION_OPTIONS_MAX = 16
};

/*
 * The arguments of VERB_LEAVE: the seat to free; and 1 if its player was absent
 * for so long that any player may remove them, else 0.
 */
enum { LEAVE_SEAT, LEAVE_ABSENT };

/* The argument of VERB_SEAT_BOT: 1: the player who acts gives up the seat. */
enum { BOT_INSTEAD };

/* The argument of VERB_CHANGE_PLAYER and VERB_RENEW_TOKEN: the seat. */
enum { CHANGE_SEAT };

/* The arguments of VERB_REMATCH are the id of the following game. */
enum { REMATCH_ID_SIZE = 16 };

/*
 * The arguments of VERB_START_REMATCH; table_start_rematch() fills them in. The
 * encoded state has two places: logs of older programs end after the first.
 */
enum {
	REMATCH_ARG_SEATS_MAX,
	REMATCH_ARG_SEATS, /* players */
	REMATCH_ARG_HOST,
	REMATCH_ARG_LEN,       /* bytes of the encoded state */
	REMATCH_ARG_STATE,     /* the first of them */
	REMATCH_ARG_BOTS = 46, /* bit n: seat n */
	/* 1: wait for more players, though they are enough to start */
	REMATCH_ARG_WAITS,
	REMATCH_ARG_STATE_MORE,
	REMATCH_STATE_FIRST = REMATCH_ARG_BOTS - REMATCH_ARG_STATE,
	REMATCH_STATE_MAX =
		REMATCH_STATE_FIRST + ACTION_ARGS_MAX - REMATCH_ARG_STATE_MORE
};

/*
 * Copy the options of VERB_CREATE, ACTION_OPTIONS_MAX bytes, out of the action
 * or into it; and the encoded state of VERB_START_REMATCH, REMATCH_STATE_MAX
 * bytes.
 */
void action_options(const struct action *action, uint8_t *options);
void action_set_options(struct action *action, const uint8_t *options);
void action_state(const struct action *action, uint8_t *state);
void action_set_state(struct action *action, const uint8_t *state);
