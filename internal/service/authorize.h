/* authorize.h - authenticate the caller, and check the route's guard. */
#pragma once

#include "service/call.h"

/*
 * Take in the loaded game, or NULL if it does not exist: decode it, and find
 * the caller's seat, or the earlier use of the request's idempotency key.
 * A caller outside gets the same error for a private game as for one that does
 * not exist.
 */
MUST_CHECK enum err authorize_find_caller(struct call *call,
                                          const struct store_game *game);

/*
 * Check that the caller may do it: the game's state and the route's guard,
 * If-Match and If-None-Match allow the request.  A replayed request always may.
 */
MUST_CHECK enum err authorize(struct call *call);

/* The refusal of a stream ticket that is invalid: ERR_INVALID_TOKEN. */
MUST_CHECK enum err authorize_refuse_ticket(struct call *call);

/* The taken seat with this hash of a token, from 1; 0: none. */
unsigned authorize_seat_of(const struct store_game *game,
                           const uint8_t hash[TOKEN_HASH_SIZE]);
