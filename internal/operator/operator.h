/*
 * operator.h - gangctl's commands on one game.
 *
 * They print their result to stdout and errors to stderr.
 */
#pragma once

#include "admin/admin.h"
#include "base/macros.h"
#include "base/uuid.h"
#include "base/verdict.h"

/*
 * Print the view of a seat, or of a spectator for seat 0, as JSON.
 * VERDICT_BAD: there is no such game or seat, or its state is damaged.
 */
MUST_CHECK enum verdict operator_show(struct admin *admin, struct uuid id,
                                      unsigned seat);

/*
 * Decide every action of the log again, with its seed, and compare the events
 * and the final state with the stored ones, and print a line with the game's
 * id.  VERDICT_BAD at the first difference, or if there is no such game.
 */
MUST_CHECK enum verdict operator_replay(struct admin *admin, struct uuid id);

/*
 * Erase the names and avatars of the player whose token is in a file, or on
 * standard input (NULL or "-"), in all games of the chain of rematches.  A
 * player who is seated gets a name such as "Player 2".  Print a line for each
 * game, which has no name.  Unless all is done the reason is on stderr, and the
 * same command can be run again; VERDICT_BAD: no seat has the token, or a
 * stored state is damaged.
 */
MUST_CHECK enum verdict operator_erase(struct admin *admin, const char *path);
