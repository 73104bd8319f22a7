/*
 * famiglia_state.h - a game of Famiglia as it stands: whose turn it is, and
 * where the gangsters are.
 *
 * Every gangster is in exactly one place: the pile, the discards, the street,
 * or a player's hand or display.  A plain value; turn.h and famiglia.h change
 * it.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "famiglia/pile.h"
#include "famiglia/score.h"
#include "famiglia/street.h"

enum famiglia_event {
#define EVENT(name, number, ...) EVENT_##name = number,
#include "famiglia/famiglia_event.def"
};

/* An accountant swaps as many cards as its rank. */
enum { SWAP_MAX = GANGSTER_RANK_MAX };
struct swap {
	uint8_t accountant;
	uint8_t give[SWAP_MAX]; /* from the hand; filled up with none */
	uint8_t take[SWAP_MAX]; /* from the own display; as many */
};

/* A brute threatens by as much as its rank. */
struct threat {
	uint8_t brute;
	uint8_t target; /* in the street */
	uint8_t by;     /* its rank is lowered for this turn */
};

struct turn {
	uint8_t number; /* from 1, of both players; 0 before the game */
	uint8_t refills;
	bool refilled_again;  /* in the second pass, where it goes once */
	struct swap swap;     /* accountant is none: none was played */
	struct threat threat; /* likewise */
};

struct famiglia {
	uint8_t starter;   /* the seat that begins, known in the lobby too */
	uint8_t players;   /* 0 until started, and so is all that follows */
	uint8_t vacant;    /* bit n: nobody sits at seat n */
	uint8_t last_turn; /* after which the game is over; 0: not known yet */
	uint8_t ending;    /* an enum ending */
	uint8_t forfeiter; /* the seat whose player forfeited the game, or 0 */
	bool has_passed;   /* whoever had the turn before this one */
	struct pile pile;
	struct street street;
	struct turn turn;
	struct side sides[FAMIGLIA_SEATS]; /* seat 1 is [0] */
};

/* The one of the two seats that is not this one. */
unsigned famiglia_other_seat(unsigned seat);

/* The seat whose turn it is; 0 before the game, and after it. */
unsigned famiglia_mover(const struct famiglia *game);
