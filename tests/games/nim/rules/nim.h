/*
 * nim.h - a game for tests: stones lie in a bag, and nobody sees how many.  Each
 * player knows one number that is at least as great.  In turn they take one to
 * three stones; the player who takes the last one has lost.
 *
 * A state is a struct nim; the functions are those of struct ruleset.
 */
#pragma once

#include "games/nim/rules/nim_view.h"

struct nim {
	uint8_t players;  /* 0 in the lobby */
	uint8_t mover;    /* the seat whose turn it is */
	uint8_t stones;   /* that are left */
	uint8_t loser;    /* 0 while the game is played */
	uint8_t vacant;   /* bit n: the player of seat n has left */
	uint8_t bounds[NIM_SEATS_MAX]; /* that each seat knows; seat 1 is [0] */
};

extern const struct ruleset nim_rules;
