/*
 * famiglia_expected_error.h - which error the contract has for an action in
 * Famiglia, given the reference model of the game.
 *
 * This is written a second time, from the contract and not from the rules:
 * where the two differ, one of them is wrong.
 */
#pragma once

#include "famiglia_reference_model.h"

/* --- bodies that are wrong whatever the game ------------------------------ */

/* One to four different cards at the beginning; 0 if it is not so. */
unsigned famiglia_cards_count(const uint8_t *list);

/* False of arguments that no body of a request can be decoded to. */
bool famiglia_body_is_valid(const struct action *action);

/* --- steps ---------------------------------------------------------------- */

enum err expected_refill_error(const struct fam_model *model,
                               const uint8_t *args);

/* The contract's result of an action of the ruleset. */
enum err famiglia_expected_error(const struct fam_model *model,
                                 const struct action *action);
