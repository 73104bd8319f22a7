/*
 * famiglia_state.h - the state of a game of Famiglia: the present turn, and the
 * places of the gangsters.
 *
 * Every gangster is in exactly one place: the pile, the discards, the street,
 * or a player's hand or display.  A plain value; turn.h and famiglia.h change
 * it.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "games/famiglia/rules/pile.h"
#include "games/famiglia/rules/score.h"
#include "games/famiglia/rules/street.h"

enum famiglia_event {
#define EVENT(name, number, ...) EVENT_##name = number,
#include "games/famiglia/rules/famiglia_event.def"
};

/* An accountant swaps as many cards as its rank, or fewer. */
enum { SWAP_MAX = GANGSTER_RANK_MAX };
struct swap {
	uint8_t accountant;     /* GANGSTER_NONE: no swap */
	uint8_t give[SWAP_MAX]; /* from the hand; padded with 0 */
	uint8_t take[SWAP_MAX]; /* as many from the player's display */
};

/* A brute threatens by its rank, or less. */
struct threat {
	uint8_t brute;  /* GANGSTER_NONE: no threat */
	uint8_t target; /* in the street */
	uint8_t by;     /* lowers the target's rank during this turn */
};

struct turn {
	uint8_t number; /* from 1, of both players; 0 before the game */
	uint8_t refills;
	bool refilled_again; /* in the second pass, which allows one refill */
	struct swap swap;
	struct threat threat;
};

struct famiglia {
	uint8_t starter;   /* the seat that begins, known in the lobby too */
	uint8_t players;   /* 0 in the lobby: the members below are zero */
	uint8_t vacant;    /* bit n: seat n has no player */
	uint8_t last_turn; /* its number; 0: not known yet */
	uint8_t ending;    /* an enum ending */
	uint8_t forfeiter; /* the seat whose player forfeited the game, or 0 */
	bool has_passed;   /* the turn before this one was a pass */
	struct pile pile;
	struct street street;
	struct turn turn;
	struct side sides[FAMIGLIA_SEATS]; /* seat 1 is [0] */
};

/* The seat of the other player. */
unsigned famiglia_other_seat(unsigned seat);

/* The seat whose turn it is; 0 before the game, and after it. */
unsigned famiglia_mover(const struct famiglia *game);
