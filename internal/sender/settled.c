/*
 * A statement that fails says nothing: the leases end, and the notifications
 * are taken again.
 */
#include "sender/settled.h"

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

/* By games, so that the store can settle each by a statement. */
void settled_flush(struct settled *settled)
{
	size_t done = 0;

	qsort(settled->list, settled->count, sizeof(*settled->list),
	      compare_games);
	while (done < settled->count) {
		size_t part = settled->count - done;

		if (part > STORE_NOTIFICATIONS_MAX)
			part = STORE_NOTIFICATIONS_MAX;
		store_settle_notifications(settled->store, &settled->list[done],
		                           part, settled->delay_ms, on_settled,
		                           NULL);
		done += part;
	}
	settled->count = 0;
}

void settled_add(struct settled *settled,
                 const struct store_notification_key *key, uint8_t attempts,
                 enum store_fate fate, uint32_t rest_ms)
{
	if (settled->count == SETTLED_MAX)
		settled_flush(settled);
	settled->list[settled->count++] = (struct store_settled){
		.key = *key,
		.attempts = attempts,
		.fate = (uint8_t)fate,
		.rest_ms = rest_ms,
	};
}

void settled_for_good(struct settled *settled,
                      const struct store_notification_key *key,
                      enum delivery_target target, uint8_t attempts)
{
	settled_add(settled, key, attempts,
	            target == DELIVERY_WEBHOOK ? STORE_STAYS : STORE_DELETED,
	            0);
}
