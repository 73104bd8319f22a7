/*
 * challenge.h - the challenges, which change the rules of a heist.
 *
 * Each is a row of challenge.def and at most one small function of challenge.c,
 * which decides without changing anything.  The rules ask the rows of all
 * active challenges at named moments, lower numbers first; they never ask which
 * challenge is active.
 *
 * A set of challenges has bit n for the card with number n.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "games/gang/rules/chips.h"
#include "games/gang/rules/pocket.h"
#include "games/gang/rules/value.h"

enum challenge_number {
#define CHALLENGE(name, number, ...) CHALLENGE_##name = number,
#include "games/gang/rules/challenge.def"
	CHALLENGE_END, /* the numbers rise from 1 without gaps */
	CHALLENGE_MAX = CHALLENGE_END - 1,
	ALL_CHALLENGES = (1 << CHALLENGE_END) - 2,
};

/* A chip, and the number of chips of its colour. */
struct challenge_chip {
	unsigned color;
	unsigned stars;
	unsigned players;
};

struct challenge {
	const char *code;
	uint8_t skips_round;  /* 1..4: that round has no chips; 0: none */
	uint8_t pocket_cards; /* dealt to each player; 0: the usual two */
	bool hides_chips;     /* of a round, when the next one begins */

	/* True if nobody can move the chip in its round once it was taken. */
	bool (*locks)(struct challenge_chip chip);

	/*
	 * After the flop: the seat that discards its pocket cards and draws as
	 * many; 0: no seat.  White chips, if in play, are settled.
	 */
	unsigned (*redraws)(const uint8_t *flop, const struct chips *white);

	/*
	 * The question about the last hand, and whether an answer is right.
	 * VALUE_NONE: no question.
	 */
	enum value_kind asks;
	bool (*confirms)(const struct pocket *pocket, const struct hand *hand,
	                 unsigned value);
};

/* The row of a challenge: a number of enum challenge_number. */
const struct challenge *gang_challenge_get(unsigned number);

/* The lowest number of a set above another number; 0: none. */
unsigned challenges_next(uint16_t active, unsigned number);

/* Ask a set of active challenges. */
unsigned challenges_pocket_cards(uint16_t active);
bool challenges_skip_round(uint16_t active, unsigned round);
bool challenges_hide_chips(uint16_t active);
bool challenges_lock_chip(uint16_t active, struct challenge_chip chip);

/* The number of the challenge that asks question i, from 0; 0: none. */
unsigned challenges_asking(uint16_t active, unsigned i);

/* True if every bit of the set is a challenge. */
bool challenges_exist(uint16_t active);
