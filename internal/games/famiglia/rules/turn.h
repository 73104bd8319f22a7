/*
 * turn.h - the present turn and its steps.
 *
 * The steps of a turn have an order: refill the street, play an accountant,
 * play a brute, and take a gangster or pass, which ends the turn.  A player may
 * leave steps out; a later step closes the earlier ones.  Each step has a
 * check, which refuses with the errors listed here in their order, and a
 * function that carries out a checked step.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/rng.h"
#include "games/famiglia/rules/famiglia_state.h"
#include "games/famiglia/rules/recruit.h"
#include "table/event.h"

/*
 * In a list of SWAP_MAX: the number of gangsters at its beginning; and true if
 * they differ and nothing follows them.
 */
unsigned swap_count(const uint8_t *gangsters);
bool swap_is_list(const uint8_t *gangsters);

/* The effective rank of a gangster in this turn: a threat lowers it. */
unsigned turn_rank(const struct turn *turn, unsigned gangster);

/*
 * Check a step without its arguments.  Refill: ERR_STEP_OVER,
 * ERR_ZERO_IN_STREET, ERR_REFILL_USED, ERR_PILE_EMPTY.  Accountant and brute:
 * ERR_ALREADY_USED, ERR_STEP_OVER.
 */
MUST_CHECK enum err turn_check_refill_step(const struct famiglia *game);
MUST_CHECK enum err turn_check_swap_step(const struct turn *turn);
MUST_CHECK enum err turn_check_threat_step(const struct turn *turn);

/* The cards of a hand with the ability of a family: those above rank 0. */
uint64_t turn_able(uint64_t hand, enum family family);

/* After turn_check_refill_step(): ERR_NOT_IN_STREET. */
MUST_CHECK enum err turn_check_refill(const struct famiglia *game,
                                      unsigned gangster);
void turn_refill(struct famiglia *game, unsigned gangster, struct rng *rng,
                 struct events *events);

/*
 * After turn_check_swap_step(): ERR_NOT_IN_HAND, ERR_WRONG_FAMILY,
 * ERR_NO_ABILITY, ERR_PLAYED_CARD, ERR_NOT_IN_HAND, ERR_NOT_IN_DISPLAY,
 * ERR_SWAP_TOO_LARGE.
 */
MUST_CHECK enum err turn_check_swap(const struct famiglia *game,
                                    struct swap swap);
void turn_swap(struct famiglia *game, struct swap swap, struct events *events);

/*
 * After turn_check_threat_step(): ERR_NOT_IN_HAND, ERR_WRONG_FAMILY,
 * ERR_NO_ABILITY, ERR_NOT_IN_STREET, ERR_BRUTE_TOO_WEAK, ERR_BELOW_ZERO.
 */
MUST_CHECK enum err turn_check_threat(const struct famiglia *game,
                                      struct threat threat);
void turn_threaten(struct famiglia *game, struct threat threat,
                   struct events *events);

/* ERR_NOT_IN_STREET, then as recruit_check() says. */
MUST_CHECK enum err turn_check_take(const struct famiglia *game,
                                    struct recruit recruit);
void turn_take(struct famiglia *game, struct recruit recruit, struct rng *rng,
               struct events *events);

void turn_pass(struct famiglia *game, struct rng *rng, struct events *events);

/* True if its gangsters exist and no threat exceeds its target's rank. */
bool turn_valid(const struct turn *turn);
