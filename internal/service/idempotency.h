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
 * Fill in the row to be committed with the change, if there is a key.
 * ERR_INTERNAL if the system gave no random bytes.
 */
MUST_CHECK enum err idempotency_record(struct call *call,
                                       struct store_key *key);

/*
 * Take in what was done under the key before.  The request becomes a replay:
 * only the answer is made again, after its game is loaded.
 * ERR_IDEMPOTENCY_KEY_REUSED if another request had that key.
 */
MUST_CHECK enum err idempotency_replay(struct call *call,
                                       const struct store_key *key);
