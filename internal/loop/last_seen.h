/*
 * presence.h - of whom something was heard, gathered until it is noted.
 *
 * One for each event loop.  A player is noted once in ten seconds, whatever
 * they ask; what is too much for one note is noted with the next request.
 */
#ifndef LOOP_LAST_SEEN_H
#define LOOP_LAST_SEEN_H

#include <stdint.h>

#include "base/uuid.h"
#include "store/store.h"

struct last_seen;

struct last_seen *last_seen_open(void);

/* NULL is fine. */
void last_seen_close(struct last_seen *presence);

/* Somebody with this token was heard of. */
void last_seen_note(struct last_seen *presence, struct uuid game,
                    const uint8_t token_hash[STORE_HASH_SIZE]);

/* Have the store note who is to be noted, if it is time. */
void last_seen_flush(struct last_seen *presence, struct store *store);

/* Until last_seen_flush() is due; UINT64_MAX: nobody is to be noted. */
uint64_t last_seen_timeout_ns(const struct last_seen *presence);

#endif
