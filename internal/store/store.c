/*
 * store.c - one function for each statement: its parameters, in the order in
 * which the file in sql/queries numbers them, and how its answer is read.
 *
 * A change that is asked for under a key has a statement of its own, which
 * takes the key as further parameters and records it in the same transaction.
 * Parameters are copied when a statement is queued, so that the caller's need
 * not outlive the call; the arena must last until the answer.
 */
#include "store/store.h"

#include <assert.h>

#include "base/macros.h"
#include "metric/metric.h"
#include "store/db.h"
#include "store/gather.h"
#include "store/move_params.h"
#include "store/queries.h"

/* How many games are examined for a page of the lobby, by its limit. */
enum { EXAMINED_EACH = 2, EXAMINED_MORE = 20 };

_Static_assert((int)STORE_HASH_SIZE == PARAMS_HASH_SIZE, "hashes in arrays");

enum query_number {
#define QUERY(name, ...) NUMBER_##name,
#include "store/query.def"
	QUERIES
};

_Static_assert((int)QUERIES <= (int)METRIC_ROOM_STATEMENT, "each has cells");

#define QUERY(name, kind, reader, if_none, may_share, gathering) \
	const struct query query_##name = { #name,               \
		                            NUMBER_##name,       \
		                            STATEMENT_##kind,    \
		                            rows_read_##reader,  \
		                            STORE_##if_none,     \
		                            may_share,           \
		                            gathering };
#include "store/query.def"

void store_name_metrics(void)
{
	static const char *const statements[] = {
#define QUERY(name, ...) #name,
#include "store/query.def"
	};
	static const char *const results[] = {
		[STORE_OK] = "ok",
		[STORE_NONE] = "none",
		[STORE_CONFLICT] = "conflict",
		[STORE_TAKEN] = "taken",
		[STORE_UNAVAILABLE] = "unavailable",
		[STORE_REFUSED] = "refused",
		[STORE_HELD] = "held",
		[STORE_BROKEN] = "broken",
	};

	for (unsigned i = 0; i < ARRAY_LEN(statements); i++)
		metric_name_pair(METRIC_LABEL_STATEMENT, i, "statement",
		                 statements[i]);
	for (unsigned i = 0; i < ARRAY_LEN(results); i++)
		metric_name_pair(METRIC_LABEL_RESULT, i, "result", results[i]);
}

/* --- statements ----------------------------------------------------------- */

void store_ping(struct store *store, store_fn done, void *arg)
{
	db_queue(store, statement_make(&query_ping, NULL, done, arg));
}

void store_load(struct store *store, const struct store_load *load,
                struct arena *arena, store_fn done, void *arg)
{
	struct statement *statement =
		statement_make(load->key_hash ? &query_load_idempotent
	                                      : &query_load,
	                       arena, done, arg);

	statement->id = load->id;
	statement->may_gather = true;
	params_uuid(&statement->params, load->id);
	params_bool(&statement->params, load->finds_stale);
	if (load->key_hash)
		move_params_hash(&statement->params, load->key_hash);
	db_queue(store, statement);
}

void store_find_creation(struct store *store, const uint8_t *key_hash,
                         struct arena *arena, store_fn done, void *arg)
{
	struct statement *statement =
		statement_make(&query_find_creation, arena, done, arg);

	move_params_hash(&statement->params, key_hash);
	db_queue(store, statement);
}

void store_create(struct store *store, const struct store_move *move,
                  store_fn done, void *arg)
{
	const struct store_key *key = &move->key;
	struct statement *statement =
		statement_make(key->hash ? &query_create_idempotent
	                                 : &query_create,
	                       NULL, done, arg);

	assert(move->join.seat > 0);
	move_params_game(&statement->params, move);
	move_params_joins(&statement->params, move);
	if (key->hash) {
		move_params_hash(&statement->params, key->hash);
		move_params_hash(&statement->params, key->request);
		params_bytes(&statement->params, key->sealed, key->sealed_len);
	}
	db_queue(store, statement);
}

/* A renewal has a key: without one a lost answer would lock the player out. */
static const struct query *query_of(const struct store_move *move)
{
	bool has_key = move->key.hash != NULL;

	if (move->join.seat)
		return has_key ? &query_join_idempotent : &query_join;
	if (move->change.seat)
		return has_key ? &query_change_player_idempotent
		               : &query_change_player;
	assert(has_key || !move->renewal.seat);
	if (move->renewal.seat)
		return &query_renew_token_idempotent;
	return has_key ? &query_commit_move_idempotent : &query_commit_move;
}

/*
 * A move of which seats are told.  Only games in which some want to be told
 * have such moves, so one statement does for all kinds of them.  One by which a
 * seat becomes free has a transaction of its own, as in leave.sql.
 */
static bool is_notified(const struct store_move *move)
{
	return move->told.count > 0 || move->told.done_count > 0;
}

static void commit_notified(struct store *store, const struct store_move *move,
                            store_fn done, void *arg)
{
	struct statement *statement =
		statement_make(move->key.hash
	                               ? &query_commit_notified_idempotent
	                               : &query_commit_notified,
	                       NULL, done, arg);
	struct params *params = &statement->params;

	assert(!move->change.seat && !move->renewal.seat);
	statement->id = move->game->id;
	if (move->leave.seat)
		statement->kind = STATEMENT_ALONE;
	statement->may_gather =
		!move->leave.seat && !move->join.seat && move->bots_count == 0;
	move_params_move(params, move);
	move_params_leave(params, move);
	move_params_joins(params, move);
	params_int4(params, move->game->version);
	move_params_told(params, &move->told);
	move_params_done(params, &move->told);
	params_bool(params, move->told.for_webhook);
	if (move->key.hash)
		move_params_key(params, &move->key);
	db_queue(store, statement);
}

void store_commit_move(struct store *store, const struct store_move *move,
                       store_fn done, void *arg)
{
	if (is_notified(move)) {
		commit_notified(store, move, done, arg);
		return;
	}
	struct statement *statement =
		statement_make(query_of(move), NULL, done, arg);

	statement->id = move->game->id;
	statement->may_gather = statement->query->gathering != NULL;
	move_params_move(&statement->params, move);
	if (move->join.seat)
		move_params_joins(&statement->params, move);
	if (move->change.seat)
		move_params_change(&statement->params, &move->change);
	if (move->renewal.seat)
		move_params_renewal(&statement->params, &move->renewal);
	if (move->key.hash)
		move_params_key(&statement->params, &move->key);
	db_queue(store, statement);
}

void store_leave(struct store *store, const struct store_move *move,
                 store_fn done, void *arg)
{
	if (is_notified(move)) {
		commit_notified(store, move, done, arg);
		return;
	}
	struct statement *statement =
		statement_make(move->key.hash ? &query_leave_idempotent
	                                      : &query_leave,
	                       NULL, done, arg);
	struct params *params = &statement->params;

	assert(move->leave.seat > 0);
	move_params_move(params, move);
	move_params_leave(params, move);
	if (move->key.hash)
		move_params_key(params, &move->key);
	db_queue(store, statement);
}

void store_replace(struct store *store, const struct store_move *move,
                   store_fn done, void *arg)
{
	if (is_notified(move)) {
		commit_notified(store, move, done, arg);
		return;
	}
	struct statement *statement =
		statement_make(move->key.hash ? &query_replace_idempotent
	                                      : &query_replace,
	                       NULL, done, arg);
	struct params *params = &statement->params;

	assert(move->leave.seat > 0 && move->join.seat > 0);
	move_params_move(params, move);
	params_int2(params, move->leave.seat);
	params_bool(params, move->leave.closes_up);
	move_params_joins(params, move);
	if (move->key.hash)
		move_params_key(params, &move->key);
	db_queue(store, statement);
}

static const struct query *rematch_query_of(const struct store_move *ended)
{
	bool has_key = ended->key.hash != NULL;

	if (ended->told.count > 0)
		return has_key ? &query_rematch_notified_idempotent
		               : &query_rematch_notified;
	return has_key ? &query_rematch_idempotent : &query_rematch;
}

void store_rematch(struct store *store, const struct store_move *ended,
                   const struct store_move *next, store_fn done, void *arg)
{
	const struct store_event *event = &ended->events[0];
	struct statement *statement =
		statement_make(rematch_query_of(ended), NULL, done, arg);
	struct params *params = &statement->params;

	move_params_check(ended);
	assert(ended->events_count == 1);
	params_uuid(params, ended->game->id);
	params_int4(params, ended->game->version - 1);
	params_int2(params, event->type);
	params_int2(params, event->seat);
	params_bytes(params, event->public_data, event->public_len);
	move_params_replay(params, ended);
	move_params_game(params, next);
	if (ended->told.count > 0) {
		move_params_told(params, &ended->told);
		params_bool(params, ended->told.for_webhook);
	}
	if (ended->key.hash)
		move_params_key(params, &ended->key);
	db_queue(store, statement);
}

void store_delete(struct store *store, struct uuid id, uint32_t version,
                  store_fn done, void *arg)
{
	struct statement *statement =
		statement_make(&query_delete, NULL, done, arg);

	params_uuid(&statement->params, id);
	params_int4(&statement->params, version);
	db_queue(store, statement);
}

void store_find_invitation(struct store *store, const char *code, store_fn done,
                           void *arg)
{
	struct statement *statement =
		statement_make(&query_find_invitation, NULL, done, arg);

	params_text(&statement->params, code);
	db_queue(store, statement);
}

void store_poll_versions(struct store *store, const struct store_version *seen,
                         size_t count, struct arena *arena, store_fn done,
                         void *arg)
{
	struct statement *statement =
		statement_make(&query_poll_versions, arena, done, arg);

	params_array(&statement->params, PARAMS_UUID, &seen->id, sizeof(*seen),
	             count);
	params_array(&statement->params, PARAMS_UINT32, &seen->version,
	             sizeof(*seen), count);
	db_queue(store, statement);
}

void store_lobby(struct store *store, const struct store_wanted *wanted,
                 struct arena *arena, store_fn done, void *arg)
{
	struct statement *statement =
		statement_make(&query_lobby, arena, done, arg);
	struct params *params = &statement->params;

	assert(wanted->limit > 0 && wanted->limit <= STORE_LISTED_MAX);
	statement->limit = wanted->limit;
	params_uuid(params, wanted->before);
	if (wanted->ruleset)
		params_int2(params, wanted->ruleset);
	else
		params_null(params);
	params_text(params, wanted->mode);
	params_int4(params, wanted->free_seats);
	params_int4(params, EXAMINED_EACH * wanted->limit + EXAMINED_MORE);
	db_queue(store, statement);
}

void store_events(struct store *store, struct uuid id, struct store_page page,
                  struct arena *arena, store_fn done, void *arg)
{
	struct statement *statement =
		statement_make(&query_events, arena, done, arg);

	assert(page.limit > 0 && page.limit <= STORE_PAGE_MAX);
	statement->id = id;
	statement->limit = page.limit;
	params_uuid(&statement->params, id);
	params_int4(&statement->params, page.after);
	params_int4(&statement->params, page.up_to);
	/* One more row shows whether a next page exists. */
	params_int4(&statement->params, page.limit + 1);
	db_queue(store, statement);
}

void store_give_ticket(struct store *store, struct uuid id,
                       const uint8_t *ticket_hash, const uint8_t *token_hash,
                       store_fn done, void *arg)
{
	struct statement *statement =
		statement_make(&query_give_ticket, NULL, done, arg);

	params_uuid(&statement->params, id);
	move_params_hash(&statement->params, ticket_hash);
	move_params_hash(&statement->params, token_hash);
	db_queue(store, statement);
}

void store_use_ticket(struct store *store, struct uuid id,
                      const uint8_t *ticket_hash, struct arena *arena,
                      store_fn done, void *arg)
{
	struct statement *statement =
		statement_make(&query_use_ticket, arena, done, arg);

	params_uuid(&statement->params, id);
	move_params_hash(&statement->params, ticket_hash);
	db_queue(store, statement);
}

void store_give_transfer(struct store *store,
                         const struct store_transfer *transfer, store_fn done,
                         void *arg)
{
	struct statement *statement =
		statement_make(&query_give_transfer, NULL, done, arg);

	params_uuid(&statement->params, transfer->game);
	move_params_hash(&statement->params, transfer->token_hash);
	move_params_hash(&statement->params, transfer->code_hash);
	params_bytes(&statement->params, transfer->sealed,
	             transfer->sealed_len);
	db_queue(store, statement);
}

void store_find_transfer(struct store *store, struct uuid id,
                         const uint8_t *code_hash, struct arena *arena,
                         store_fn done, void *arg)
{
	struct statement *statement =
		statement_make(&query_find_transfer, arena, done, arg);

	params_uuid(&statement->params, id);
	move_params_hash(&statement->params, code_hash);
	db_queue(store, statement);
}

void store_claim_transfer(struct store *store, const struct store_claim *claim,
                          struct arena *arena, store_fn done, void *arg)
{
	struct statement *statement =
		statement_make(&query_claim_transfer, arena, done, arg);

	params_uuid(&statement->params, claim->game);
	move_params_hash(&statement->params, claim->code_hash);
	move_params_hash(&statement->params, claim->claimer);
	db_queue(store, statement);
}

void store_count_waiting(struct store *store, const uint8_t *creator_address,
                         store_fn done, void *arg)
{
	struct statement *statement =
		statement_make(&query_count_waiting, NULL, done, arg);

	params_bytes(&statement->params, creator_address, STORE_ADDRESS_SIZE);
	db_queue(store, statement);
}

void store_count_games(struct store *store, struct arena *arena, store_fn done,
                       void *arg)
{
	db_queue(store, statement_make(&query_count_games, arena, done, arg));
}
