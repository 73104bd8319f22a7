/*
 * stored_game.h - from a game's row to a table that the rules can use.
 */
#pragma once

#include "service/call.h"

/*
 * Decode the loaded row into call->game.  ERR_INTERNAL, and a line in the log,
 * if the row is damaged or belongs to rules that this program does not have.
 */
MUST_CHECK enum err stored_game_decode(struct call *call,
                                       const struct store_game *game);

/* The seats of a game that bots have: bit n for seat n. */
uint8_t stored_game_bots(const struct store_game *game);

/* The view of the caller's seat, in the arena. */
const void *stored_game_view(struct call *call);
