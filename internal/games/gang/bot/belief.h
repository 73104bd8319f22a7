/*
 * belief.h - what the seats of a heist are likely to hold, by what they took.
 *
 * Each seat has a weight for each pocket.  A seat that takes a chip makes those
 * pockets likelier for which the chip would be right, given what everybody
 * believed of the others then.  These weights follow from what all seats saw;
 * a seat that knows more, as its own cards, asks with that knowledge.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "bot/bot_input.h"
#include "games/gang/bot/strength.h"
#include "games/gang/rules/gang_view.h"

/* Bins of strengths. */
enum { BELIEF_BINS = 128, BELIEF_BIN_SHIFT = 9 };

/* The belief about one seat; see belief.c. */
struct seat_belief {
	const uint16_t *strengths; /* of pockets, at the present board */
	uint8_t must_have;         /* a card that the viewer knows of */
	uint8_t steals;            /* in the present round */
	uint8_t takes;             /* likewise, from the centre too */
	bool is_strengthened;
	float simple; /* the chance that it goes by its own hand alone */
	float weights[STRENGTH_POCKETS_MAX];
	float below[BELIEF_BINS]; /* the share of weaker pockets */
};

struct beliefs {
	/* The input that they follow from, in the decision under way; NULL:
	 * none. */
	const struct bot_input *of;
	unsigned players;
	unsigned round; /* 0: before the first one */
	unsigned pocket_cards;
	struct board board;
	uint8_t holders[CHIPS_MAX + 1]; /* by stars, of the round's chips */
	uint64_t dead;                  /* cards that no other seat holds */
	struct pocket own;              /* as it was dealt, or drawn, last */
	uint8_t passed;                 /* the card that the viewer passed on */
	struct seat_belief seats[HEIST_PLAYERS_MAX]; /* seat 1 is [0] */
};

/*
 * Tables that decisions share, some hundred kilobytes.  It holds functions of
 * open cards only, so a decision does not depend on the decisions before it.
 */
struct bot_gang_work {
	struct strength strength;
	struct beliefs beliefs; /* of the decision under way */
};

/*
 * Chances, in 0..1, that each number of stars is right for a seat; [0] is not
 * used.
 */
struct chances {
	float of[CHIPS_MAX + 1];
};

/* A test of a pocket at a board. */
typedef bool belief_test(const struct pocket *pocket, const struct board *board,
                         unsigned value);

/* Nothing is known of the seat's cards but the board. */
void belief_forget(const struct beliefs *all, struct seat_belief *seat);

/* Look at the present board: pockets have other strengths now. */
void belief_look(struct bot_gang_work *work);

/* Only pockets for which matches() is true stay. */
void belief_keep(struct bot_gang_work *work, struct seat_belief *seat,
                 belief_test *matches, unsigned value);

/*
 * The share, in 0..1, of the pockets that match, among those that a seat may
 * hold and that have no dead card (a set, bit n for card n); 0 if the seat may
 * hold no such pocket.
 */
float belief_share(const struct bot_gang_work *work, unsigned seat,
                   uint64_t dead, belief_test *matches, unsigned value);

/* A seat takes a chip of the present round. */
void belief_take(struct beliefs *all, unsigned seat, unsigned stars);

/* The chances of the bot's seat in the present round. */
struct chances belief_own(const struct bot_input *input,
                          struct bot_gang_work *work);

/*
 * How much the bot would doubt which hand is the stronger one, its own or
 * that of another seat, with this pocket: 0..1/4, 0 if it would be sure, or if
 * the hands were equal.
 */
struct doubts {
	float of[HEIST_PLAYERS_MAX + 1]; /* by seat; 0 for the bot's */
	float sum;
};
struct doubts belief_doubts(const struct gang_view *view,
                            struct bot_gang_work *work,
                            const struct pocket *pocket, bool strengthened);
