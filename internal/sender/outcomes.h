/*
 * outcomes.h - what became of notifications, gathered to be said in one
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

/* No more tries; what was for the webhook stays, to be sent again if asked for.
 */
void outcomes_add_last(struct outcomes *outcomes,
                       const struct store_notification_key *key,
                       enum delivery_target target, uint8_t attempts);

/* Say it to the database. */
void outcomes_flush(struct outcomes *outcomes);
