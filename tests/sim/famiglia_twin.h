/*
 * famiglia_twin.h - pairs of games that a viewer must not be able to tell
 * apart.
 */
#pragma once

#include "games/famiglia/rules/famiglia.h"
#include "sim.h"

/*
 * Copy a game, with the draw pile in another order and with other cards in the
 * hands that the viewer, a seat or 0, does not see.  Returns how many cards of
 * hands were exchanged.
 */
unsigned fam_twin_make(struct famiglia *twin, const struct famiglia *original,
                       unsigned viewer, struct sim_random *random);
