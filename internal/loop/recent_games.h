/*
 * recent_games.h - games that this process has just changed, for their next
 * moves.
 *
 * A move is decided on the game from here, in place of a load.  Its commit
 * requires the version and the revision, so that a game which another process
 * has changed is a conflict.  Nothing else may follow from a game from here: a
 * refusal, or the answer of a repeated request, needs a load.
 *
 * All threads may call these functions at any time.
 */
#pragma once

#include "loop/handover.h"

struct recent_games;

struct recent_games *recent_games_open(void);
void recent_games_close(struct recent_games *games);

/* Keep the game as this change left it, or forget it. */
void recent_games_note(struct recent_games *games,
                       const struct committed *committed);

/* Free the games that are too old to be found.  Call this in each tick. */
void recent_games_forget_old(struct recent_games *games);

/*
 * The game, copied to the arena, if it is here with a later version than
 * `after`; else NULL.
 */
const struct store_game *recent_games_find(struct recent_games *games,
                                           struct uuid id, uint32_t after,
                                           struct arena *arena);

/*
 * The game has by now at least this version.  If the one here is older, another
 * process changes the game, too: it is not found for some seconds.
 */
void recent_games_passed(struct recent_games *games, struct uuid id,
                         uint32_t version);
