/*
 * settled.h - what became of notifications, gathered to be said in one
 * statement.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "sender/delivery.h"
#include "store/store.h"

enum { SETTLED_MAX = 2 * STORE_NOTIFICATIONS_MAX };

struct settled {
	struct store *store;
	uint32_t delay_ms; /* GANGD_PUSH_DELAY_MS */
	size_t count;
	struct store_settled list[SETTLED_MAX];
};

void settled_add(struct settled *settled,
                 const struct store_notification_key *key, uint8_t attempts,
                 enum store_fate fate, uint32_t rest_ms);

/* No more tries; what was for the webhook stays, to be sent again if asked for.
 */
void settled_for_good(struct settled *settled,
                      const struct store_notification_key *key,
                      enum delivery_target target, uint8_t attempts);

/* Say it to the database. */
void settled_flush(struct settled *settled);
