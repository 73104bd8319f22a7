/*
 * keyed.h - what a request is known by, so that it is carried out once.
 */
#ifndef SERVICE_IDEMPOTENCY_H
#define SERVICE_IDEMPOTENCY_H

#include "service/call.h"

/*
 * Read the Idempotency-Key of what changes something and gives an answer that
 * can be lost.  It counts for the token's seat; without one, for the route.
 * What cannot be a key is a fault of the request.
 */
void idempotency_read(struct call *call);

/*
 * The key that what is loaded is looked through for; NULL: there is none.
 */
const uint8_t *idempotency_hash(const struct call *call);

/* What is to be kept with the change.  ERR_INTERNAL without chance. */
MUST_CHECK enum err idempotency_record(struct call *call,
                                       struct store_key *key);

/*
 * Take in what was done under the key before: its answer is to be given again,
 * once the game is loaded that it is about.  ERR_IDEMPOTENCY_KEY_REUSED if it
 * was another request.
 */
MUST_CHECK enum err idempotency_replay(struct call *call,
                                       const struct store_key *key);

#endif
