/*
 * challenge.h - the cards that bend a heist.
 *
 * A heist asks at named moments what its active challenges say, and never
 * which they are.  Each card is a row of challenge.def and at most one small
 * function in challenge.c, which looks and decides; the heist carries it out.
 * Where two act at the same moment, the lower number acts first.
 *
 * A set of challenges is bits, bit n for the card with number n.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "gang/chips.h"
#include "gang/pocket.h"
#include "gang/value.h"

enum challenge_number {
#define CHALLENGE(name, number, ...) CHALLENGE_##name = number,
#include "gang/challenge.def"
	CHALLENGE_END, /* the numbers rise from 1 without gaps */
	CHALLENGE_MAX = CHALLENGE_END - 1,
	ALL_CHALLENGES = (1 << CHALLENGE_END) - 2,
};

/* A chip, and how many of its colour there are. */
struct challenge_chip {
	unsigned color;
	unsigned stars;
	unsigned players;
};

struct challenge {
	const char *code;
	uint8_t skips_round;  /* 1..4: that round has no chips; 0: none */
	uint8_t pocket_cards; /* dealt to each player; 0: as always */
	bool hides_chips;     /* of a round, when the next one begins */

	/* True if the chip, once taken, stays where it is for the round. */
	bool (*locks)(struct challenge_chip chip);

	/*
	 * When the flop has been revealed: the seat that discards its pocket
	 * cards and draws as many; 0 for none.  White chips were settled, or
	 * there are none.
	 */
	unsigned (*redraws)(const uint8_t *flop, const struct chips *white);

	/*
	 * The value of the last hand that the others have to agree on before
	 * it is revealed.
	 */
	enum value_kind asks;
	bool (*confirms)(const struct pocket *pocket, const struct hand *hand,
	                 unsigned value);
};

/* The row of a challenge: a number of enum challenge_number. */
const struct challenge *gang_challenge_get(unsigned number);

/* The lowest number of a set that is above another number; 0: none. */
unsigned challenges_next(uint16_t active, unsigned number);

/* The moments, asked of a set of active challenges. */
unsigned challenges_pocket_cards(uint16_t active);
bool challenges_skip_round(uint16_t active, unsigned round);
bool challenges_hide_chips(uint16_t active);
bool challenges_lock_chip(uint16_t active, struct challenge_chip chip);

/* The challenge of a set that asks question i, from 0; 0: none does. */
unsigned challenges_asking(uint16_t active, unsigned i);

/* True if every bit of the set is a challenge. */
bool challenges_exist(uint16_t active);
