/*
 * heist.h - one heist: cards, four rounds of chips, and what came of it.
 *
 * Every card is in exactly one place: the deck, a player's pocket, the
 * community cards, the discards, or drawn and waiting for a choice.  Seats
 * are numbered from 1.  A plain value that only the functions here and those
 * of deal.h, ability.h and showdown.h change.
 */
#ifndef GANG_HEIST_H
#define GANG_HEIST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/rng.h"
#include "base/err.h"
#include "gang/chips.h"
#include "gang/color.h"
#include "gang/pocket.h"
#include "gang/showdown.h"
#include "gang/ability.h"
#include "poker/card.h"
#include "table/event.h"

/* As many as two redraws and an exchange discard. */
enum { HEIST_ROUNDS = 4, HEIST_DISCARDS_MAX = 8 };

/* What sort of thing happened: the ruleset's own types of events. */
enum gang_event {
#define EVENT(name, number, type) EVENT_##name = number,
#include "gang/gang_event.def"
};

/* What a heist is played with. */
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

/* A chip that a player wants to move. */
struct chip_move {
	uint8_t seat; /* who */
	uint8_t color;
	uint8_t stars;
	uint8_t from; /* where it should be: a seat, CHIPS_CENTER, or: */
};
enum { CHIP_FROM_ANYWHERE = 255 };

/* Deal a heist, up to its first chips. */
void heist_start(struct heist *heist, const struct plan *plan, struct rng *rng,
                 struct events *events);

/*
 * Take a chip from the centre or from its holder; the one that the seat held
 * goes back.  Return a chip to the centre.  The round ends at once when all
 * hold a chip, and the showdown follows the last one.
 *
 * Refuses, in this order, with ERR_HEIST_OVER, ERR_NO_SUCH_CHIP,
 * ERR_ROUND_OVER (colour ended or skipped, or in the showdown),
 * ERR_NOT_ALLOWED_NOW (not yet begun), ERR_CHOICE_DUE (chips wait for private
 * choices), ERR_CHIP_ALREADY_HELD or ERR_CHIP_NOT_HELD, ERR_CHIP_MOVED,
 * ERR_CHIP_LOCKED.
 */
MUST_CHECK enum err heist_check_take(const struct heist *heist,
                                     struct chip_move move);
MUST_CHECK enum err heist_check_return(const struct heist *heist,
                                       struct chip_move move);
void heist_take(struct heist *heist, struct chip_move move,
                struct events *events);
void heist_return(struct heist *heist, struct chip_move move,
                  struct events *events);

/* Make a private choice, as ability_check_choose() allows, and go on. */
void heist_choose(struct heist *heist, unsigned seat, unsigned card,
                  struct rng *rng, struct events *events);

/*
 * Somebody leaves: cards and chips stay where they are, but what all others
 * have agreed to already happens.  Or somebody sits down there again.
 */
void heist_vacate(struct heist *heist, unsigned seat, struct events *events);
void heist_occupy(struct heist *heist, unsigned seat);

/*
 * Abandon an open heist, because a player was removed from this seat.  Every
 * card, chip and use is forgotten: whoever takes the seat over finds nothing
 * of the player before.  Only the plan and the round remain.
 */
void heist_abandon(struct heist *heist, unsigned seat);

/* True if the chip cannot be moved: its round is over, or a card locks it. */
bool heist_chip_is_locked(const struct heist *heist, enum color color,
                          unsigned stars);

/* True if a challenge locks the chip for the round once a seat has taken it. */
bool heist_chip_is_dark(const struct heist *heist, enum color color,
                        unsigned stars);

/*
 * All seats, those at which somebody sits (who has a vote and an answer), and
 * those that owe something: bit n stands for seat n.
 */
unsigned heist_seats(const struct heist *heist);
unsigned heist_voters(const struct heist *heist);
unsigned heist_waiting_for(const struct heist *heist);

/* Append an event of this heist; or one of its present round. */
struct event *heist_emit(const struct heist *heist, unsigned type,
                         unsigned seat, struct events *events);
struct event *heist_emit_round(const struct heist *heist, unsigned type,
                               unsigned seat, struct events *events);

/* True if every card is in one place and the chips fit the round. */
bool heist_valid(const struct heist *heist);

#endif
