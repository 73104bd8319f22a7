/*
 * rounds.h - how a heist goes on: dealt, then four rounds of chips with what
 * specialists do in between, then the showdown.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/rng.h"
#include "gang/heist.h"

/* A chip that a player wants to move. */
struct chip_move {
	uint8_t seat; /* who */
	uint8_t color;
	uint8_t stars;
	uint8_t from; /* where it should be: a seat, CHIPS_CENTER, or: */
};
enum { CHIP_FROM_ANYWHERE = 255 };

/* Deal a heist, up to its first chips. */
void rounds_start(struct heist *heist, const struct plan *plan, struct rng *rng,
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
MUST_CHECK enum err rounds_check_take(const struct heist *heist,
                                      struct chip_move move);
MUST_CHECK enum err rounds_check_return(const struct heist *heist,
                                        struct chip_move move);
void rounds_take(struct heist *heist, struct chip_move move,
                 struct events *events);
void rounds_return(struct heist *heist, struct chip_move move,
                   struct events *events);

/* Make a private choice, as choice_check() allows, and go on. */
void rounds_choose(struct heist *heist, unsigned seat, unsigned card,
                   struct rng *rng, struct events *events);

/*
 * Somebody leaves: cards and chips stay where they are, but what all others
 * have agreed to already happens.
 */
void rounds_vacate(struct heist *heist, unsigned seat, struct events *events);

/* True if the chip cannot be moved: its round is over, or a card locks it. */
bool rounds_chip_is_locked(const struct heist *heist, enum color color,
                           unsigned stars);

/* True if a challenge locks the chip for the round once a seat has taken it. */
bool rounds_chip_is_dark(const struct heist *heist, enum color color,
                         unsigned stars);

/* The seats that owe something. */
unsigned rounds_waiting_for(const struct heist *heist);

/* True if every card is in one place and each colour has its chips. */
bool rounds_valid(const struct heist *heist);
