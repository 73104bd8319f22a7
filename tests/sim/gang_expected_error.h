/*
 * gang_expected_error.h - which error the contract has for an action in The
 * Gang, given only what the acting player may see.
 *
 * This is written a second time, from the contract and not from the rules:
 * where the two differ, one of them is wrong.
 */
#pragma once

#include "gang_player.h"

/* True if the challenge is active in the viewed heist. */
bool view_has_challenge(const struct gang_view *view, unsigned challenge);

/* --- chips ---------------------------------------------------------------- */

/* True of a taken chip that a challenge does not let go. */
bool chip_is_stuck(const struct gang_view *view, unsigned color,
                   unsigned stars);

/* --- specialists ---------------------------------------------------------- */

/* False of specialists that act by themselves, without a proposal. */
bool specialist_is_proposed(unsigned specialist);

/* --- all ------------------------------------------------------------------ */

/* The contract's result of an action; view is that of the acting seat. */
enum err gang_expected_error(const struct table *table,
                             const struct gang_view *view,
                             const struct action *action);
