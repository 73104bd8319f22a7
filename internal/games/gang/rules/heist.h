/*
 * heist.h - the state of one heist: the challenges and the specialist that it
 * is played with, and the places of its cards and chips.
 *
 * Every card is in exactly one place: the deck, a player's pocket, the
 * community cards, the discards, or drawn for a choice.  Seats are numbered
 * from 1; a set of seats has bit n for seat n.
 *
 * A plain value.  deal.h moves its cards; rounds.h, ability.h, choice.h and
 * showdown.h change the rest.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "games/gang/rules/chips.h"
#include "games/gang/rules/color.h"
#include "games/gang/rules/pocket.h"
#include "poker/card.h"
#include "table/event.h"

/* Two redraws and an exchange discard that many. */
enum { HEIST_ROUNDS = 4, HEIST_DISCARDS_MAX = 2 * POCKET_MAX + 1 };

/* The ruleset's own types of events. */
enum gang_event {
#define EVENT(name, number, ...) EVENT_##name = number,
#include "games/gang/rules/gang_event.def"
};

/* States store the numbers. */
enum ability_state {
	ABILITY_AVAILABLE,
	ABILITY_PROPOSED,
	ABILITY_CHOOSING,
	ABILITY_USED
};

/* The use of a specialist, as a player proposes it to the others. */
struct proposal {
	uint8_t by;     /* the proposing seat */
	uint8_t seat;   /* the seat that uses the specialist */
	uint8_t target; /* a second seat; 0 if the card asks for none */
	uint8_t value;  /* of a rank (value.h); 0 if the card asks for none */
	uint8_t agreed; /* the seats that agree */
};

/* The announcement of an ability; 0 for each part that the card keeps secret.
 */
struct announcement {
	uint8_t seat; /* the seat whose cards are meant; 0: none */
	uint8_t target;
	uint8_t value;
	uint8_t count;
};

struct ability {
	uint8_t specialist; /* 0: none, and all other members are unused */
	uint8_t state;      /* an enum ability_state */
	struct proposal proposal; /* zeros before the first one */
	uint8_t choosing;         /* seats that owe a private choice */

	/* The cards of private choices; CARD_NONE or an empty pocket: unset. */
	uint8_t drawn; /* to be exchanged for a pocket card, or discarded */
	uint8_t shown; /* the card that proposal.seat showed to the target */
	uint8_t laid_out[HEIST_PLAYERS_MAX]; /* to be passed; seat 1 is [0] */
	struct pocket former[HEIST_PLAYERS_MAX]; /* before a reshuffle */

	uint8_t announcements_count;
	struct announcement announcements[HEIST_PLAYERS_MAX];
};

/*
 * States and events store the numbers.  A heist is abandoned when a player is
 * removed: it has no showdown and is dealt again.
 */
enum outcome {
	OUTCOME_OPEN,
	OUTCOME_SUCCEEDED,
	OUTCOME_FAILED,
	OUTCOME_ABANDONED
};

enum { QUESTIONS_MAX = 2 };

/* Values are those of value.h, of the kind that the challenge asks for. */
struct question {
	uint8_t agreed; /* the value on which all agree; 0: they do not */
	uint8_t answers[HEIST_PLAYERS_MAX]; /* seat 1 is [0]; 0: none */
};

/* The cards and seats that a heist is played with. */
struct heist_setup {
	uint8_t number; /* of the heist, from 1; 0: there is none */
	uint8_t deal;   /* from 1, counts repeated deals too; stays at 255 */
	uint8_t players;
	uint16_t challenges; /* bit n: the card with number n is active */
	uint16_t permanent;  /* those of them that stay for the whole game */
	uint8_t specialist;  /* 0: none */
	uint8_t vacant;      /* the seats without a player */
	bool confirms;       /* rounds end when all players have confirmed */
};

struct heist {
	struct heist_setup setup;
	uint8_t round;   /* 1..HEIST_ROUNDS */
	uint8_t outcome; /* an enum outcome */
	/*
	 * The seats that have confirmed the end of the round; all seats once
	 * the red round is over.  Empty without setup.confirms.
	 */
	uint8_t confirmed;
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

/* The setup's specialist as a set: bit n is number n; empty without one. */
uint16_t heist_setup_specialists(const struct heist_setup *setup);

/* A heist without cards and chips; the caller deals it. */
void heist_init(struct heist *heist, const struct heist_setup *setup);

/* Make the setup's specialist available, as if it had done nothing. */
void heist_reset_ability(struct heist *heist);

/* All seats; and the seats with a player, who may vote and answer. */
unsigned heist_seats(const struct heist *heist);
unsigned heist_voters(const struct heist *heist);

/* A player takes over a vacant seat. */
void heist_occupy(struct heist *heist, unsigned seat);

/*
 * Abandon an open heist, because a player was removed from this seat.  Only the
 * setup and the round remain, so the next player of the seat learns nothing
 * that the removed one knew.
 */
void heist_abandon(struct heist *heist, unsigned seat);

/* True from the end of the red round on; and while it waits for answers. */
bool heist_has_showdown(const struct heist *heist);
bool heist_is_asking(const struct heist *heist);

/* True if every question that these challenges ask has its answer. */
bool questions_agreed(const struct question *questions, uint16_t challenges);

/* Append an event of this heist; or one of its present round. */
struct event *heist_emit(const struct heist *heist, unsigned type,
                         unsigned seat, struct events *events);
struct event *heist_emit_round(const struct heist *heist, unsigned type,
                               unsigned seat, struct events *events);
