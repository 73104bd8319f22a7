/*
 * presence.h - of whom something was heard, gathered until it is noted.
 *
 * One for each event loop.  A player is noted once in ten seconds, whatever
 * they ask; what is too much for one note is noted with the next request.
 */
#ifndef LOOP_PRESENCE_H
#define LOOP_PRESENCE_H

#include <stdint.h>

#include "base/uuid.h"
#include "store/store.h"

struct presence;

struct presence *presence_open(void);

/* NULL is fine. */
void presence_close(struct presence *presence);

/* Somebody with this token was heard of. */
void presence_hear(struct presence *presence, struct uuid game,
                   const uint8_t token_hash[STORE_HASH_SIZE]);

/* Have the store note who is to be noted, if it is time. */
void presence_flush(struct presence *presence, struct store *store);

/* Until presence_flush() is due; UINT64_MAX: nobody is to be noted. */
uint64_t presence_timeout_ns(const struct presence *presence);

#endif
