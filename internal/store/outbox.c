/*
 * outbox.c - the statements of subscriptions, and of the notifications that
 * gangd-push delivers.  Commits write notifications (commit_notified.sql); the
 * database alone says which are due.  One that was taken is due again when its
 * lease ends, whatever became of the process that took it.
 */
#include <assert.h>
#include <string.h>

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

static void add_taking(struct statement *statement, struct store_taking taking)
{
	struct params *params = &statement->params;

	assert(taking.limit > 0 && taking.limit <= STORE_NOTIFICATIONS_MAX);
	params_int4(params, taking.limit);
	params_int4(params, taking.push_delay_ms);
	params_int4(params, taking.webhook_delay_ms);
}

void store_take_notifications(struct store *store, struct store_taking taking,
                              struct arena *arena, store_fn done, void *arg)
{
	struct statement *statement =
		statement_make(&query_take_notifications, arena, done, arg);

	add_taking(statement, taking);
	params_int4(&statement->params, taking.lease_ms);
	db_queue(store, statement);
}

void store_find_due_notifications(struct store *store,
                                  struct store_taking taking,
                                  struct arena *arena, store_fn done, void *arg)
{
	struct statement *statement =
		statement_make(&query_find_due_notifications, arena, done, arg);

	add_taking(statement, taking);
	db_queue(store, statement);
}

void store_take_game_notifications(struct store *store, struct uuid game,
                                   struct store_taking taking,
                                   struct arena *arena, store_fn done,
                                   void *arg)
{
	struct statement *statement =
		statement_make(&query_take_game_notifications, arena, done,
	                       arg);

	params_uuid(&statement->params, game);
	add_taking(statement, taking);
	params_int4(&statement->params, taking.lease_ms);
	db_queue(store, statement);
}

/* All parameters behind the games, or the one. */
static void add_settled(struct params *params,
                        const struct store_settled *settled, size_t count,
                        uint32_t delay_ms)
{
	const struct store_notification_key *key = &settled->key;
	size_t stride = sizeof(*settled);

	params_array(params, PARAMS_UINT32, &key->version, stride, count);
	params_array(params, PARAMS_UINT8, &key->seat, stride, count);
	params_array(params, PARAMS_HASH, &key->target, stride, count);
	params_array(params, PARAMS_UINT8, &settled->attempts, stride, count);
	params_array(params, PARAMS_UINT8, &settled->fate, stride, count);
	params_array(params, PARAMS_UINT32, &settled->rest_ms, stride, count);
	params_array(params, PARAMS_UINT32, &key->lease, stride, count);
	params_int4(params, delay_ms);
}

/* Settle those in front that are of one game; how many these are. */
static size_t settle_game(struct store *store,
                          const struct store_settled *settled, size_t count,
                          uint32_t delay_ms, store_fn done, void *arg)
{
	struct statement *statement =
		statement_make(&query_settle_game_notifications, NULL, done,
	                       arg);
	struct uuid game = settled->key.game;
	size_t same = 1;

	while (same < count &&
	       memcmp(&settled[same].key.game, &game, sizeof(game)) == 0)
		same++;
	params_uuid(&statement->params, game);
	add_settled(&statement->params, settled, same, delay_ms);
	db_queue(store, statement);
	return same;
}

void store_settle_notifications(struct store *store,
                                const struct store_settled *settled,
                                size_t count, uint32_t delay_ms, store_fn done,
                                void *arg)
{
	assert(count > 0 && count <= STORE_NOTIFICATIONS_MAX);
	if (db_is_spread(store)) {
		for (size_t i = 0; i < count;)
			i += settle_game(store, &settled[i], count - i,
			                 delay_ms, done, arg);
		return;
	}
	struct statement *statement =
		statement_make(&query_settle_notifications, NULL, done, arg);
	params_array(&statement->params, PARAMS_UUID, &settled->key.game,
	             sizeof(*settled), count);
	add_settled(&statement->params, settled, count, delay_ms);
	db_queue(store, statement);
}
