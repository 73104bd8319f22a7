/*
 * heist.h - one heist as it stands: what it is played with, and where its cards
 * and chips are.
 *
 * Every card is in exactly one place: the deck, a player's pocket, the
 * community cards, the discards, or drawn and waiting for a choice.  Seats are
 * numbered from 1; a set of seats is bits, bit n for seat n.
 *
 * A plain value.  The modules above change it: deal moves its cards, ability
 * and showdown carry out their parts, rounds leads through all of it.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "gang/chips.h"
#include "gang/color.h"
#include "gang/pocket.h"
#include "poker/card.h"
#include "table/event.h"

/* As many as two redraws and an exchange discard. */
enum { HEIST_ROUNDS = 4, HEIST_DISCARDS_MAX = 2 * POCKET_MAX + 1 };

/* The ruleset's own types of events. */
enum gang_event {
#define EVENT(name, number, ...) EVENT_##name = number,
#include "gang/gang_event.def"
};

/* Kept in states by number. */
enum ability_state {
	ABILITY_AVAILABLE,
	ABILITY_PROPOSED,
	ABILITY_CHOOSING,
	ABILITY_USED
};

/* A use that a player proposes to the group. */
struct proposal {
	uint8_t by;     /* the proposing seat */
	uint8_t seat;   /* the seat that uses it */
	uint8_t target; /* with whom; 0 where the card asks for nobody */
	uint8_t value;  /* of a rank (value.h); 0 where it asks for none */
	uint8_t agreed; /* seats */
};

/* The announcement of a use; 0 where the card announces nothing. */
struct announcement {
	uint8_t seat; /* 0: of nobody's */
	uint8_t target;
	uint8_t value;
	uint8_t count;
};

struct ability {
	uint8_t specialist; /* 0: there is none, and nothing of the rest */
	uint8_t state;      /* an enum ability_state */
	struct proposal proposal; /* from being made on; else zero */
	uint8_t choosing;         /* seats that owe a private choice */

	/* Of the choices; CARD_NONE, or zero, where there is none. */
	uint8_t drawn; /* is exchanged for a pocket card, or goes again */
	uint8_t shown; /* a card that proposal.seat showed to the target */
	uint8_t laid_out[HEIST_PLAYERS_MAX]; /* to be passed; seat 1 is [0] */
	struct pocket former[HEIST_PLAYERS_MAX]; /* before a new deal */

	uint8_t announcements_count;
	struct announcement announcements[HEIST_PLAYERS_MAX];
};

/*
 * Kept in states and events by number.  An abandoned heist had no showdown: a
 * player was removed, and the same heist is dealt again.
 */
enum outcome {
	OUTCOME_OPEN,
	OUTCOME_SUCCEEDED,
	OUTCOME_FAILED,
	OUTCOME_ABANDONED
};

enum { QUESTIONS_MAX = 2 };

/* Values are those of value.h; the challenge says of which kind. */
struct question {
	uint8_t agreed; /* once all have said the same; else 0 */
	uint8_t answers[HEIST_PLAYERS_MAX]; /* seat 1 is [0]; 0: none */
};

/* The cards and seats that a heist is played with. */
struct plan {
	uint8_t number; /* from 1; 0: there is none */
	uint8_t deal;   /* of the game, from 1: an abandoned heist is dealt */
			/* again.  It stays at 255, and no more is told apart */
	uint8_t players;
	uint16_t challenges; /* bit n: the card with number n is active */
	uint16_t permanent;  /* those of them that stay for the whole game */
	uint8_t specialist;  /* 0: none */
	uint8_t vacant;      /* seats at which nobody sits: bit n, seat n */
};

struct heist {
	struct plan plan;
	uint8_t round;                            /* 1..HEIST_ROUNDS */
	uint8_t outcome;                          /* an enum outcome */
	struct pocket pockets[HEIST_PLAYERS_MAX]; /* seat 1 is [0] */
	uint8_t community_count;
	uint8_t community[COMMUNITY_MAX];
	uint8_t deck_count;
	uint8_t deck[CARD_DECK_COUNT]; /* the top card is the last */
	uint8_t discards_count;
	uint8_t discards[HEIST_DISCARDS_MAX]; /* face down */
	struct chips chips[COLOR_COUNT];
	struct ability ability;
	struct question questions[QUESTIONS_MAX];
};

/* The plan's specialist as a set: bit n is number n; empty without one. */
uint16_t plan_specialists(const struct plan *plan);

/* A heist that is to be dealt, with no card or chip in it yet. */
void heist_init(struct heist *heist, const struct plan *plan);

/* The plan's specialist has done nothing yet. */
void heist_reset_ability(struct heist *heist);

/* All seats; and the seats with a player, who may vote and answer. */
unsigned heist_seats(const struct heist *heist);
unsigned heist_voters(const struct heist *heist);

/* Somebody sits down at a vacant seat. */
void heist_occupy(struct heist *heist, unsigned seat);

/*
 * Abandon an open heist, because a player was removed from this seat.  Every
 * card, chip and use is forgotten: the next player of the seat finds nothing
 * of the one before.  Only the plan and the round remain.
 */
void heist_abandon(struct heist *heist, unsigned seat);

/* True from the last red chip on; and while the showdown waits for answers. */
bool heist_has_showdown(const struct heist *heist);
bool heist_is_asking(const struct heist *heist);

/* True if every question that these challenges ask has its answer. */
bool questions_agreed(const struct question *questions, uint16_t challenges);

/* Append an event of this heist; or one of its present round. */
struct event *heist_emit(const struct heist *heist, unsigned type,
                         unsigned seat, struct events *events);
struct event *heist_emit_round(const struct heist *heist, unsigned type,
                               unsigned seat, struct events *events);
