/*
 * bot_input.h - what a bot knows when it decides, and what it decides.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"
#include "bot/bot_level.h"
#include "bot/strength.h"
#include "gang/gang_view.h"
#include "table/action.h"
#include "table/event.h"

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

struct bot_input;
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

/* All that one bot knows when it decides. */
struct bot_input {
	const void *view; /* rules->view() of the bot's seat; not of seat 0 */
	/*
	 * As bot_see() wrote them, oldest first; NULL if there are none.  With
	 * more than BOT_EVENTS_MAX the newest are enough: a bot that misses
	 * events plays worse, but never illegally.
	 */
	const struct event *events;
	size_t events_count;
	enum bot_level level;
	uint8_t persons; /* bit n: a person sits at seat n; 0: bots alone */
	uint8_t seed[RNG_SEED_SIZE];
};
enum { BOT_EVENTS_MAX = 512 };

struct bot_decision {
	struct action action; /* of the view's seat; VERB_NONE: nothing to do */
	uint32_t think_ms;    /* that a person would think about it */
};

/* The same, before it is known how fast the bot of a level thinks. */
struct bot_choice {
	struct action action;
	unsigned
		hesitation; /* 0..1000: the share of the level's longest time */
};

/*
 * Tables that decisions share, some hundred kilobytes: one for each thread, as
 * many tables of players as one likes.  It holds functions of open cards only,
 * so a decision does not depend on the decisions before it.
 */
struct bot_work {
	struct strength strength;
	struct beliefs beliefs; /* belief.h; of the decision under way */
};
