/*
 * idempotency.h - a request that is repeated under its key is carried out once.
 */
#pragma once

#include "service/call.h"

/*
 * Read the Idempotency-Key of a request that changes something, into
 * call->idempotency.  A key belongs to the token; without a token, to the path.
 * A field that cannot be a key is a fault of the request.
 */
void idempotency_read(struct call *call);

/* The hash of the key to look for in the database; NULL: there is none. */
const uint8_t *idempotency_hash(const struct call *call);

/*
 * Have the key committed with the decided move, if there is one: among the
 * recent keys of the game, or in a row of its own if the answer holds a secret,
 * the seats change, or the move ends in a rematch.  ERR_INTERNAL if the system
 * gave no random bytes.
 */
MUST_CHECK enum err idempotency_record(struct call *call);

/*
 * Take in what was done under the key before.  The request becomes a replay:
 * only the answer is made again, after its game is loaded.
 * ERR_IDEMPOTENCY_KEY_REUSED if another request had that key.
 */
MUST_CHECK enum err idempotency_replay(struct call *call,
                                       const struct store_key *key);

/*
 * The same by the recent keys of the loaded game, which may have the key or
 * not.
 */
MUST_CHECK enum err idempotency_find_recent(struct call *call);

/* True if the key is among the recent keys of the game. */
bool idempotency_is_recent(const struct call *call,
                           const struct store_game *game);
