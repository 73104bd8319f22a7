/*
 * outcomes.h - the outcomes of notifications, recorded together by one
 * statement.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "sender/delivery.h"
#include "store/store.h"

enum { OUTCOMES_MAX = 2 * STORE_NOTIFICATIONS_MAX };

struct outcomes {
	struct store *store;
	uint32_t delay_ms; /* GANGD_PUSH_DELAY_MS */
	size_t count;
	struct store_settled list[OUTCOMES_MAX];
};

void outcomes_add(struct outcomes *outcomes,
                  const struct store_notification_key *key, uint8_t attempts,
                  enum store_fate fate, uint32_t rest_ms);

/* No more tries; a webhook's notification is kept, for gangctl webhooks replay.
 */
void outcomes_add_last(struct outcomes *outcomes,
                       const struct store_notification_key *key,
                       enum delivery_target target, uint8_t attempts);

/* Record the outcomes in the database. */
void outcomes_flush(struct outcomes *outcomes);
