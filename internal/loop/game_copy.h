/*
 * game_copy.h - copies of a game's row that outlive the request.
 *
 * A copy lacks the parts that belong to one request: the key under which a
 * change was made, which seats are stale, and the address of a creation.
 */
#pragma once

#include "store/store.h"

/* The bytes that a copy takes. */
size_t game_copy_size(const struct store_game *game);

/*
 * Copy a game into so many bytes, aligned for any type; returns the copy, which
 * is all of them.
 */
struct store_game *game_copy(const struct store_game *game, void *memory);

/* The same, in an arena. */
struct store_game *game_copy_to(struct arena *arena,
                                const struct store_game *game);
