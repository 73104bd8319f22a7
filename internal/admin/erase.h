/*
 * erase.h - what gangctl erase asks the database.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "admin/admin.h"

/*
 * The games in which a seat has the token with this hash, in the arena:
 * *count of them, the oldest first.  If it is unknown, the reason is on stderr.
 */
MUST_CHECK enum finding erase_find_games(struct admin *admin,
                                         const uint8_t hash[STORE_HASH_SIZE],
                                         struct arena *arena,
                                         const struct uuid **games,
                                         size_t *count);

/* Is the game there?  If it is unknown, the reason is on stderr. */
MUST_CHECK enum finding erase_find_game(struct admin *admin, struct uuid id);

/* The public data of these events of a game, to be removed. */
struct erase_events {
	struct uuid game;
	const uint32_t *versions;
	size_t count;
};

/*
 * Commit a move that changes a player, or none (NULL).  In the same transaction
 * remove the public data of events, and the player's subscriptions and client
 * reference.  STORE_OK; STORE_CONFLICT, and nothing was written, if the game
 * has another version by now.  With the reason on stderr: STORE_BROKEN, and
 * nothing was written; or STORE_UNAVAILABLE: all or nothing was written.
 */
MUST_CHECK enum store_result erase_commit(struct admin *admin,
                                          const struct store_move *move,
                                          const struct erase_events *events);
