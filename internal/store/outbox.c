/*
 * outbox.c - the statements of subscriptions, and of the notifications that
 * gangd-push delivers.  Commits write notifications (notify_seats.sql); the
 * database alone says which are due.  One that was taken is due again when its
 * lease ends, whatever became of the process that took it.
 */
#include <assert.h>
#include <string.h>

#include "postgres/move_params.h"
#include "store/db.h"
#include "store/queries.h"
#include "store/store.h"

static void add_hashes(struct params *params,
                       const struct encryption_hash *hashes, unsigned count)
{
	params_elements_begin(params, PARAMS_OF_BYTEA, count);
	for (unsigned i = 0; i < count; i++)
		params_elements_add_bytes(params, hashes[i].bytes,
		                          ENCRYPTION_HASH_SIZE);
	params_value_end(params);
}

void store_subscribe(struct store *store,
                     const struct store_subscription *subscription,
                     store_fn done, void *arg)
{
	struct statement *statement =
		statement_make(&query_subscribe, NULL, done, arg);
	struct params *params = &statement->params;
	struct encryption_hash hashes[ENCRYPTION_HASHES_MAX];
	unsigned count =
		encryption_hash_all(subscription->token_hash,
	                            subscription->endpoint_hash, hashes);

	params_uuid(params, subscription->game);
	move_params_hash(params, subscription->token_hash);
	move_params_hash(params, hashes[0].bytes);
	add_hashes(params, hashes + 1, count - 1);
	move_params_sealed(params,
	                   (struct encryption_text_place){
				   .column = ENCRYPTION_SUBSCRIPTION,
				   .token_hash = subscription->token_hash },
	                   subscription->text);
	params_int4(params, STORE_SUBSCRIPTIONS_MAX);
	params_text(params, subscription->service);
	db_queue_game(store, subscription->game, statement);
}

void store_unsubscribe(struct store *store,
                       const struct store_subscription *subscription,
                       store_fn done, void *arg)
{
	struct statement *statement =
		statement_make(&query_unsubscribe, NULL, done, arg);
	struct params *params = &statement->params;
	struct encryption_hash hashes[ENCRYPTION_HASHES_MAX];

	params_uuid(params, subscription->game);
	move_params_hash(params, subscription->token_hash);
	if (subscription->endpoint_hash)
		add_hashes(params, hashes,
		           encryption_hash_all(subscription->token_hash,
		                               subscription->endpoint_hash,
		                               hashes));
	else
		params_null(params);
	db_queue_game(store, subscription->game, statement);
}

void store_forget_target(struct store *store, struct uuid game,
                         const uint8_t target[STORE_HASH_SIZE], store_fn done,
                         void *arg)
{
	struct statement *statement =
		statement_make(&query_unsubscribe, NULL, done, arg);
	struct encryption_hash hash;

	memcpy(hash.bytes, target, sizeof(hash.bytes));
	params_uuid(&statement->params, game);
	params_null(&statement->params);
	add_hashes(&statement->params, &hash, 1);
	db_queue_game(store, game, statement);
}

/* --- taking --------------------------------------------------------------- */

static void add_limits(struct params *params, const struct store_taking *taking)
{
	unsigned limit = taking->push_limit + taking->webhook_limit;

	assert(limit > 0 && limit <= STORE_NOTIFICATIONS_MAX);
	assert(taking->used_count <= STORE_SERVICES_MAX);
	params_int4(params, taking->push_limit);
	params_int4(params, taking->push_delay_ms);
	params_int4(params, taking->webhook_limit);
	params_int4(params, taking->webhook_delay_ms);
}

/*
 * The services of which at least this many are in use.  One whose hash is not
 * known is stored as no bytes.
 */
static void add_services(struct params *params,
                         const struct store_taking *taking, uint32_t least)
{
	size_t count = 0;

	for (size_t i = 0; i < taking->used_count; i++)
		count += taking->used[i].count >= least;
	params_elements_begin(params, PARAMS_OF_BYTEA, count);
	for (size_t i = 0; i < taking->used_count; i++) {
		const store_service *service = &taking->used[i].service;

		if (taking->used[i].count >= least)
			params_elements_add_bytes(params,
			                          (const uint8_t *)service,
			                          *service ? sizeof(*service)
			                                   : 0);
	}
	params_value_end(params);
}

/* Limits, delays and services of one statement. */
static void add_room(struct params *params, const struct store_taking *taking)
{
	params_int4(params, taking->lease_ms);
	params_int4(params, taking->room);
	add_services(params, taking, 0);
	params_elements_begin(params, PARAMS_OF_INT4, taking->used_count);
	for (size_t i = 0; i < taking->used_count; i++)
		params_elements_add_int4(params, taking->used[i].count);
	params_value_end(params);
}

void store_take_notifications(struct store *store,
                              const struct store_taking *taking,
                              struct arena *arena, store_fn done, void *arg)
{
	struct statement *statement =
		statement_make(&query_take_notifications, arena, done, arg);

	add_limits(&statement->params, taking);
	add_room(&statement->params, taking);
	db_queue(store, statement);
}

void store_find_due_notifications(struct store *store,
                                  const struct store_taking *taking,
                                  struct arena *arena, store_fn done, void *arg)
{
	struct statement *statement =
		statement_make(&query_find_due_notifications, arena, done, arg);

	add_limits(&statement->params, taking);
	/* One with little room left would have many games found for it. */
	add_services(&statement->params, taking, taking->room / 2);
	params_int4(&statement->params, STORE_NOTIFICATIONS_MAX);
	db_queue(store, statement);
}

void store_take_game_notifications(struct store *store, struct uuid game,
                                   const struct store_taking *taking,
                                   struct arena *arena, store_fn done,
                                   void *arg)
{
	struct statement *statement =
		statement_make(&query_take_game_notifications, arena, done,
	                       arg);

	params_uuid(&statement->params, game);
	add_limits(&statement->params, taking);
	add_room(&statement->params, taking);
	db_queue_game(store, game, statement);
}

/* --- settling ------------------------------------------------------------- */

/* All parameters after the games, or after the one game. */
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
	db_queue_game(store, game, statement);
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
