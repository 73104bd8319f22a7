/*
 * If a statement fails, the outcomes are lost: the leases end, and the
 * notifications are taken again.
 */
#include "sender/outcomes.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"

static void on_settled(void *arg, const struct store_answer *answer)
{
	(void)arg;
	if (answer->result != STORE_OK)
		LOG(LOG_WARNING, "push_not_settled",
		    LOG_INT("result", answer->result));
}

static int compare_games(const void *a, const void *b)
{
	const struct store_settled *one = a;
	const struct store_settled *other = b;

	return memcmp(&one->key.game, &other->key.game, sizeof(one->key.game));
}

/* Sorted by game, so that the store can settle each game by a statement. */
void outcomes_flush(struct outcomes *outcomes)
{
	size_t done = 0;

	qsort(outcomes->list, outcomes->count, sizeof(*outcomes->list),
	      compare_games);
	while (done < outcomes->count) {
		size_t part = outcomes->count - done;

		if (part > STORE_NOTIFICATIONS_MAX)
			part = STORE_NOTIFICATIONS_MAX;
		store_settle_notifications(outcomes->store,
		                           &outcomes->list[done], part,
		                           outcomes->delay_ms, on_settled,
		                           NULL);
		done += part;
	}
	outcomes->count = 0;
}

void outcomes_add(struct outcomes *outcomes,
                  const struct store_notification_key *key, uint8_t attempts,
                  enum store_fate fate, uint32_t rest_ms)
{
	if (outcomes->count == OUTCOMES_MAX)
		outcomes_flush(outcomes);
	outcomes->list[outcomes->count++] = (struct store_settled){
		.key = *key,
		.attempts = attempts,
		.fate = (uint8_t)fate,
		.rest_ms = rest_ms,
	};
}

void outcomes_add_last(struct outcomes *outcomes,
                       const struct store_notification_key *key,
                       enum delivery_target target, uint8_t attempts)
{
	outcomes_add(outcomes, key, attempts,
	             target == DELIVERY_WEBHOOK ? STORE_STAYS : STORE_DELETED,
	             0);
}
