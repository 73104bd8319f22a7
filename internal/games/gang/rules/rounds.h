/*
 * rounds.h - the course of a heist: the deal, four rounds of chips, and the
 * showdown.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/rng.h"
#include "games/gang/rules/heist.h"

/* A chip that a player asks to move. */
struct chip_move {
	uint8_t seat; /* of the player */
	uint8_t color;
	uint8_t stars;
	uint8_t from; /* its expected holder: a seat, CHIPS_CENTER or any */
};
enum { CHIP_FROM_ANYWHERE = 255 };

/* Deal a heist and start its first round that has chips. */
void rounds_start(struct heist *heist, const struct heist_setup *setup,
                  struct rng *rng, struct events *events);

/*
 * Take a chip from the centre or from its holder; the chip that the seat held
 * goes back.  Return a chip to the centre.  The round ends when every seat
 * holds a chip; the showdown follows the last round.  If rounds are confirmed,
 * a move withdraws all confirmations.
 *
 * Refuses, in this order, with ERR_HEIST_OVER, ERR_NO_SUCH_CHIP,
 * ERR_ROUND_OVER (the colour's round is over or skipped, or the showdown has
 * begun), ERR_NOT_ALLOWED_NOW (its round has not begun), ERR_CHOICE_DUE,
 * ERR_CHIP_ALREADY_HELD or ERR_CHIP_NOT_HELD, ERR_CHIP_MOVED, ERR_CHIP_LOCKED.
 */
MUST_CHECK enum err rounds_check_take(const struct heist *heist,
                                      struct chip_move move);
MUST_CHECK enum err rounds_check_return(const struct heist *heist,
                                        struct chip_move move);
void rounds_take(struct heist *heist, struct chip_move move,
                 struct events *events);
void rounds_return(struct heist *heist, struct chip_move move,
                   struct events *events);

/*
 * Confirm the end of the round.  It ends when every seat holds a chip and every
 * player has confirmed.
 *
 * Refuses, in this order, with ERR_ROUND_ENDS_AT_ONCE, ERR_HEIST_OVER,
 * ERR_ROUND_OVER (the showdown has begun), ERR_CHOICE_DUE, ERR_CHIPS_NOT_HELD,
 * ERR_ALREADY_CONFIRMED.
 */
MUST_CHECK enum err rounds_check_confirm(const struct heist *heist,
                                         unsigned seat);
void rounds_confirm(struct heist *heist, unsigned seat, struct events *events);

/* Make a private choice that choice_check() allows. */
void rounds_choose(struct heist *heist, unsigned seat, unsigned card,
                   struct rng *rng, struct events *events);

/*
 * Make a seat vacant.  Its cards and chips stay; a use or an answer on which
 * all other players agree takes effect.
 */
void rounds_vacate(struct heist *heist, unsigned seat, struct events *events);

/* True if a seat holds the chip and nobody can move it. */
bool rounds_chip_is_locked(const struct heist *heist, enum color color,
                           unsigned stars);

/* True if a challenge locks the chip as soon as a seat takes it. */
bool rounds_chip_is_dark(const struct heist *heist, enum color color,
                         unsigned stars);

/* The seats that owe a chip, a confirmation, a vote, a choice or an answer. */
unsigned rounds_waiting_for(const struct heist *heist);

/* True if every card is in one place and each colour has its chips. */
bool rounds_valid(const struct heist *heist);
