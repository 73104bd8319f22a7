/*
 * last_seen.h - which players sent a request, gathered until it is recorded.
 *
 * One for each event loop.  A player is recorded at most once in
 * STORE_LAST_SEEN_STEP_S seconds, and many players by one statement, so that it
 * costs a request next to nothing.  A player with notifications is recorded
 * with each newer version, too, at most once a second: a player who was sent a
 * change needs no notification of it.  When the table is full the player is
 * recorded by the next request.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/uuid.h"
#include "store/store.h"

struct last_seen;

struct last_seen *last_seen_open(void);

/* NULL is fine. */
void last_seen_close(struct last_seen *last_seen);

/*
 * A request with this token was received, and is answered with this version of
 * the game; 0: the version does not count.
 */
void last_seen_note(struct last_seen *last_seen, struct uuid game,
                    const uint8_t token_hash[STORE_HASH_SIZE],
                    uint32_t version);

/*
 * True if the player was noted in this time step or the one before, less than
 * 20 seconds ago.  A player is stale after a minute at the earliest, half of
 * the least absence_seconds, so the load need not check it.
 */
bool last_seen_is_noted(const struct last_seen *last_seen, struct uuid game,
                        const uint8_t token_hash[STORE_HASH_SIZE]);

/* Have the store record the players that were noted, if it is time. */
void last_seen_flush(struct last_seen *last_seen, struct store *store);

/* When last_seen_flush() is due; UINT64_MAX: no player was noted. */
uint64_t last_seen_due_ns(const struct last_seen *last_seen);
