/*
 * operator.h - what gangctl does with a single game.
 *
 * Each writes to stdout what it finds and to stderr why it cannot.
 */
#pragma once

#include <stdbool.h>

#include "base/uuid.h"
#include "store/admin.h"

/*
 * Print the game as JSON, as a seat sees it, or with seat 0 as a spectator
 * would.  False if there is no such game or seat.
 */
bool operator_show(struct admin *admin, struct uuid id, unsigned seat);

/*
 * Decide every action of the log again, with its seed, and compare the events
 * and at last the state with what is stored.  False at the first difference.
 */
bool operator_replay(struct admin *admin, struct uuid id);
