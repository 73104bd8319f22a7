/*
 * outbox.c - the statements of subscriptions, and of the notifications that
 * gangd-push delivers.  Commits write notifications (commit_notified.sql); the
 * database alone says which are due.  One that was taken is due again when its
 * lease ends, whatever became of the process that took it.
 */
#include <assert.h>

#include "store/db.h"
#include "store/move_params.h"
#include "store/queries.h"
#include "store/store.h"

static void add_hash(struct params *params, const uint8_t *hash)
{
	if (hash)
		move_params_hash(params, hash);
	else
		params_null(params);
}

void store_subscribe(struct store *store,
                     const struct store_subscription *subscription,
                     store_fn done, void *arg)
{
	struct statement *statement =
		statement_make(&query_subscribe, NULL, done, arg);
	struct params *params = &statement->params;

	params_uuid(params, subscription->game);
	move_params_hash(params, subscription->token_hash);
	move_params_hash(params, subscription->endpoint_hash);
	move_params_sealed(params, ENCRYPTION_SUBSCRIPTION, subscription->text);
	params_int4(params, STORE_SUBSCRIPTIONS_MAX);
	db_queue(store, statement);
}

void store_unsubscribe(struct store *store,
                       const struct store_subscription *subscription,
                       store_fn done, void *arg)
{
	struct statement *statement =
		statement_make(&query_unsubscribe, NULL, done, arg);

	params_uuid(&statement->params, subscription->game);
	add_hash(&statement->params, subscription->token_hash);
	add_hash(&statement->params, subscription->endpoint_hash);
	db_queue(store, statement);
}

void store_take_notifications(struct store *store, struct store_taking taking,
                              struct arena *arena, store_fn done, void *arg)
{
	struct statement *statement =
		statement_make(&query_take_notifications, arena, done, arg);

	assert(taking.limit > 0 && taking.limit <= STORE_NOTIFICATIONS_MAX);
	params_int4(&statement->params, taking.limit);
	params_int4(&statement->params, taking.delay_ms);
	params_int4(&statement->params, taking.lease_ms);
	db_queue(store, statement);
}

void store_settle_notifications(struct store *store,
                                const struct store_settled *settled,
                                size_t count, uint32_t delay_ms, store_fn done,
                                void *arg)
{
	struct statement *statement =
		statement_make(&query_settle_notifications, NULL, done, arg);
	struct params *params = &statement->params;
	const struct store_notification_key *key = &settled->key;
	size_t stride = sizeof(*settled);

	assert(count > 0 && count <= STORE_NOTIFICATIONS_MAX);
	params_array(params, PARAMS_UUID, &key->game, stride, count);
	params_array(params, PARAMS_UINT32, &key->version, stride, count);
	params_array(params, PARAMS_UINT8, &key->seat, stride, count);
	params_array(params, PARAMS_HASH, &key->target, stride, count);
	params_array(params, PARAMS_UINT8, &settled->attempts, stride, count);
	params_array(params, PARAMS_UINT8, &settled->fate, stride, count);
	params_array(params, PARAMS_UINT32, &settled->rest_ms, stride, count);
	params_array(params, PARAMS_UINT32, &key->lease, stride, count);
	params_int4(params, delay_ms);
	db_queue(store, statement);
}
