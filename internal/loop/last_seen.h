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

/* A request of the caller was received, and is answered with its version. */
void last_seen_note(struct last_seen *last_seen,
                    const struct store_caller *caller);

/*
 * True if a load has looked not long ago whether the player is stale, and the
 * player was noted since, so that the next load need not look.
 */
bool last_seen_is_checked(const struct last_seen *last_seen, struct uuid game,
                          const uint8_t token_hash[STORE_HASH_SIZE]);

/*
 * A load has looked just now, and the player is not stale: it was last seen
 * less than half of absence_s seconds ago (0: no player is ever absent).  The
 * look counts until 40 s are left of the other half, 10 minutes at most: a
 * player who was answered a moment before cannot be removed as absent for that
 * time, even if the request is never recorded.  That the player was noted does
 * not count, since a seat that is locked is not recorded.  Does nothing if the
 * player is not noted.
 */
void last_seen_note_check(struct last_seen *last_seen, struct uuid game,
                          const uint8_t token_hash[STORE_HASH_SIZE],
                          uint32_t absence_s);

/* The player is stale, and could not be recorded: look in the next step. */
void last_seen_note_failure(struct last_seen *last_seen, struct uuid game,
                            const uint8_t token_hash[STORE_HASH_SIZE]);

/* Have the store record the players that were noted, if it is time. */
void last_seen_flush(struct last_seen *last_seen, struct store *store);

/* When last_seen_flush() is due; UINT64_MAX: no player was noted. */
uint64_t last_seen_due_ns(const struct last_seen *last_seen);
