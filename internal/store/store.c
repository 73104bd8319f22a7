/*
 * store.c - one function for each statement: its parameters, in the order in
 * which the file in sql/queries numbers them, and how its answer is read.
 *
 * Parts of a change that are missing, like a key, are NULL.  Parameters are
 * copied when a statement is queued, so that the caller's need not outlive the
 * call; the arena must last until the answer.
 */
#include "store/store.h"

#include <assert.h>

#include "base/macros.h"
#include "metric/metric.h"
#include "postgres/move_params.h"
#include "store/db.h"
#include "store/gather.h"
#include "store/queries.h"

/* How many games are examined for a page of the lobby, by its limit. */
enum { EXAMINED_EACH = 2, EXAMINED_MORE = 20 };

_Static_assert((int)STORE_HASH_SIZE == PARAMS_HASH_SIZE, "hashes in arrays");

enum query_number {
#define QUERY(name, ...) NUMBER_##name,
#include "store/query.def"
	QUERY_COUNT
};

_Static_assert((int)QUERY_COUNT <= (int)METRIC_ROOM_STATEMENT,
               "each has cells");

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
	db_queue_any(store, statement_make(&query_ping, NULL, done, arg));
}

void store_load(struct store *store, const struct store_load *load,
                struct arena *arena, store_fn done, void *arg)
{
	bool is_plain = db_is_spread(store) && !load->key_hash;
	struct statement *statement =
		statement_make(is_plain ? &query_load_spread : &query_load,
	                       arena, done, arg);

	statement->id = load->id;
	statement->may_share = !load->key_hash;
	statement->is_urgent = load->is_urgent;
	params_uuid(&statement->params, load->id);
	params_bool(&statement->params, load->finds_stale);
	if (!is_plain)
		move_params_hash(&statement->params, load->key_hash);
	db_queue_game(store, load->id, statement);
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
		statement_make(&query_create, NULL, done, arg);

	assert(move->join.seat > 0);
	move_params_game(&statement->params, move);
	move_params_joins(&statement->params, move);
	move_params_hash(&statement->params, key->hash);
	move_params_hash(&statement->params, key->request);
	params_bytes(&statement->params, key->sealed, key->sealed_len);
	db_queue_game(store, move->game->id, statement);
}

bool store_changes_seats(const struct store_move *move)
{
	return move->leave.seat || move->join.seat || move->bots_count > 0 ||
	       move->change.seat || move->renewal.seat;
}

/* A renewal has a key: without one a lost answer would lock the player out. */
void store_commit_move(struct store *store, const struct store_move *move,
                       store_fn done, void *arg)
{
	bool has_seats = store_changes_seats(move);
	struct statement *statement =
		statement_make(has_seats ? &query_change_seats
	                                 : &query_commit_move,
	                       NULL, done, arg);
	struct params *params = &statement->params;

	assert(move->key.hash || !move->renewal.seat);
	statement->id = move->game->id;
	if (move->leave.seat)
		statement->kind = STATEMENT_ALONE;
	assert(!has_seats || !move->has_recent_key);
	assert(has_seats || !move->key.hash);
	if (has_seats)
		move_params_seats(params, move);
	else
		move_params_plain(params, move);
	db_queue_game(store, move->game->id, statement);
}

void store_rematch(struct store *store, const struct store_move *ended,
                   const struct store_move *next, store_fn done, void *arg)
{
	const struct store_event *event = &ended->events[0];
	struct statement *statement =
		statement_make(&query_rematch, NULL, done, arg);
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
	move_params_rematch_notices(params, &ended->notices);
	move_params_key(params, &ended->key);
	db_queue_game(store, ended->game->id, statement);
}

void store_delete(struct store *store, struct uuid id, uint32_t version,
                  store_fn done, void *arg)
{
	struct statement *statement =
		statement_make(&query_delete, NULL, done, arg);

	params_uuid(&statement->params, id);
	params_int4(&statement->params, version);
	db_queue_game(store, id, statement);
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

void store_exchange_reports(struct store *store,
                            const struct store_exchange *exchange,
                            struct arena *arena, store_fn done, void *arg)
{
	struct statement *statement =
		statement_make(&query_exchange_reports, arena, done, arg);
	struct params *params = &statement->params;
	const struct store_version *games = exchange->games;
	const struct store_report *seen = exchange->seen;

	assert(exchange->games_count <= STORE_REPORT_MAX);
	params_uuid(params, exchange->process);
	if (exchange->number)
		params_int4(params, exchange->number);
	else
		params_null(params);
	params_array(params, PARAMS_UUID, &games->id, sizeof(*games),
	             exchange->games_count);
	params_array(params, PARAMS_UINT32, &games->version, sizeof(*games),
	             exchange->games_count);
	params_array(params, PARAMS_UUID, &seen->process, sizeof(*seen),
	             exchange->seen_count);
	params_array(params, PARAMS_UINT32, &seen->number, sizeof(*seen),
	             exchange->seen_count);
	params_bool(params, exchange->forgets);
	db_queue(store, statement);
}

void store_lobby(struct store *store, const struct store_wanted *wanted,
                 struct arena *arena, store_fn done, void *arg)
{
	struct statement *statement =
		statement_make(db_is_spread(store) ? &query_lobby_spread
	                                           : &query_lobby,
	                       arena, done, arg);
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
	db_queue_game(store, id, statement);
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
	db_queue_game(store, id, statement);
}

void store_use_ticket(struct store *store, struct uuid id,
                      const uint8_t *ticket_hash, struct arena *arena,
                      store_fn done, void *arg)
{
	struct statement *statement =
		statement_make(&query_use_ticket, arena, done, arg);

	params_uuid(&statement->params, id);
	move_params_hash(&statement->params, ticket_hash);
	db_queue_game(store, id, statement);
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
	db_queue_game(store, transfer->game, statement);
}

void store_find_transfer(struct store *store, struct uuid id,
                         const uint8_t *code_hash, struct arena *arena,
                         store_fn done, void *arg)
{
	struct statement *statement =
		statement_make(&query_find_transfer, arena, done, arg);

	params_uuid(&statement->params, id);
	move_params_hash(&statement->params, code_hash);
	db_queue_game(store, id, statement);
}

void store_claim_transfer(struct store *store, const struct store_claim *claim,
                          struct arena *arena, store_fn done, void *arg)
{
	struct statement *statement =
		statement_make(&query_claim_transfer, arena, done, arg);

	params_uuid(&statement->params, claim->game);
	move_params_hash(&statement->params, claim->code_hash);
	move_params_hash(&statement->params, claim->claimer);
	db_queue_game(store, claim->game, statement);
}

void store_count_waiting(struct store *store, const uint8_t *creator_address,
                         store_fn done, void *arg)
{
	struct statement *statement =
		statement_make(db_is_spread(store) ? &query_count_waiting_spread
	                                           : &query_count_waiting,
	                       NULL, done, arg);

	params_bytes(&statement->params, creator_address, STORE_ADDRESS_SIZE);
	db_queue(store, statement);
}

void store_count_games(struct store *store, struct arena *arena, store_fn done,
                       void *arg)
{
	db_queue(store, statement_make(&query_count_games, arena, done, arg));
}
