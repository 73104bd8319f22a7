/*
 * operator.h - gangctl's commands on one game.
 *
 * They print their result to stdout and errors to stderr.
 */
#pragma once

#include <stdbool.h>

#include "base/uuid.h"
#include "store/admin.h"

/*
 * Print the view of a seat, or of a spectator for seat 0, as JSON.  False if
 * the game or seat does not exist or cannot be read.
 */
bool operator_show(struct admin *admin, struct uuid id, unsigned seat);

/*
 * Decide every action of the log again, with its seed, and compare the events
 * and the final state with the stored ones, and print a line with the game's
 * id. False at the first difference.
 */
bool operator_replay(struct admin *admin, struct uuid id);

/*
 * Erase the names and avatars of the player whose token is in a file, or on
 * standard input (NULL or "-"), in all games of the chain of rematches.  A
 * player who is seated gets a name such as "Player 2".  Print a line for each
 * game, which has no name.  False, with the reason on stderr, if a game could
 * not be changed, or no seat has the token.
 */
bool operator_erase(struct admin *admin, const char *path);
