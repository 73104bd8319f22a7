#include "store/store.h"

#include <assert.h>
#include <stddef.h>

#include "base/log.h"
#include "store/db.h"
#include "store/record.h"

/* How many games are examined for a page of the lobby, by its limit. */
enum { EXAMINED_EACH = 2, EXAMINED_MORE = 20 };

/* --- reading the answers -------------------------------------------------- */

static enum store_result broken(const struct statement *statement)
{
	LOG(LOG_ERROR, "row_damaged", LOG_TEXT("statement", statement->name));
	return STORE_BROKEN;
}

/* One row with a time; without it, otherwise says what that means. */
static void finish_at(const struct statement *statement,
                      enum store_result result, const PGresult *res,
                      enum store_result otherwise)
{
	int64_t at_us = 0;

	if (result == STORE_OK && PQntuples(res) == 1 &&
	    PQgetisnull(res, 0, 0)) {
		result = otherwise;
	} else if (result == STORE_OK) {
		struct row row;

		row_init(&row, res, 0);
		at_us = row_time_us(&row);
		if (!row_is_whole(&row))
			result = broken(statement);
	}
	statement->done.at(statement->arg, result,
	                   result == STORE_OK ? at_us : 0);
}

static void finish_time(const struct statement *statement,
                        enum store_result result, const PGresult *res)
{
	finish_at(statement, result, res, STORE_BROKEN);
}

static void finish_create(const struct statement *statement,
                          enum store_result result, const PGresult *res)
{
	finish_at(statement, result, res, STORE_TAKEN);
}

static void finish_keep(const struct statement *statement,
                        enum store_result result, const PGresult *res)
{
	finish_at(statement, result, res, STORE_CONFLICT);
}

static void finish_load(const struct statement *statement,
                        enum store_result result, const PGresult *res)
{
	struct store_game *game = NULL;

	if (result == STORE_OK) {
		game = arena_zalloc(statement->arena, sizeof(*game));
		result = record_read_game(res, statement->id,
		                          statement->is_keyed, statement->arena,
		                          game);
	}
	statement->done.game(statement->arg, result,
	                     result == STORE_OK ? game : NULL);
}

static void finish_find(const struct statement *statement,
                        enum store_result result, const PGresult *res)
{
	struct uuid id = { { 0 } };

	if (result == STORE_OK && PQntuples(res) == 0) {
		result = STORE_NONE;
	} else if (result == STORE_OK) {
		struct row row;

		row_init(&row, res, 0);
		id = row_uuid(&row);
		if (!row_is_whole(&row))
			result = broken(statement);
	}
	statement->done.id(statement->arg, result, id);
}

static void finish_creation(const struct statement *statement,
                            enum store_result result, const PGresult *res)
{
	struct store_key key = { .hash = NULL };
	struct uuid id = { { 0 } };

	if (result == STORE_OK)
		result = record_read_creation(res, statement->arena, &id, &key);
	statement->done.key(statement->arg, result, id,
	                    result == STORE_OK ? &key : NULL);
}

/* One more than the limit was asked for, to see whether there are more. */
static void finish_events(const struct statement *statement,
                          enum store_result result, const PGresult *res)
{
	struct store_event *events = NULL;
	size_t count = 0;

	if (result == STORE_OK)
		result = record_read_events(res, false, statement->arena,
		                            &events, &count);
	bool more = count > statement->limit;
	statement->done.events(statement->arg, result, events,
	                       more ? statement->limit : count, more);
}

static void finish_moved(const struct statement *statement,
                         enum store_result result, const PGresult *res)
{
	struct store_version *games = NULL;
	size_t count = 0;

	if (result == STORE_OK)
		result = record_read_versions(res, statement->arena, &games,
		                              &count);
	statement->done.moved(statement->arg, result, games, count);
}

static void finish_lobby(const struct statement *statement,
                         enum store_result result, const PGresult *res)
{
	struct record_lobby lobby = { .count = 0 };

	if (result == STORE_OK)
		result = record_read_lobby(res, statement->limit,
		                           statement->arena, &lobby);
	statement->done.lobby(statement->arg, result, lobby.games, lobby.count,
	                      lobby.next);
}

static void finish_presence(const struct statement *statement,
                            enum store_result result, const PGresult *res)
{
	struct store_last_seen *players = NULL;
	size_t count = 0;

	if (result == STORE_OK)
		result = record_read_last_seen(res, statement->arena, &players,
		                               &count);
	statement->done.presence(statement->arg, result, players, count);
}

/* No row: nobody sits there with that token. */
static void finish_record_last_seen(const struct statement *statement,
                                    enum store_result result,
                                    const PGresult *res)
{
	if (result == STORE_OK && PQntuples(res) == 0)
		statement->done.at(statement->arg, STORE_NONE, 0);
	else
		finish_time(statement, result, res);
}

static void finish_give_ticket(const struct statement *statement,
                               enum store_result result, const PGresult *res)
{
	finish_at(statement, result, res, STORE_NONE);
}

static void finish_use_ticket(const struct statement *statement,
                              enum store_result result, const PGresult *res)
{
	const uint8_t *hash = NULL;

	if (result == STORE_OK)
		result = record_read_hash(res, statement->arena, &hash);
	statement->done.hash(statement->arg, result, hash);
}

static void finish_waiting(const struct statement *statement,
                           enum store_result result, const PGresult *res)
{
	struct store_waiting waiting = { 0, 0 };

	if (result == STORE_OK) {
		struct row row;

		row_init(&row, res, 0);
		waiting.of_address = row_int4(&row);
		waiting.of_site = row_int4(&row);
		if (!row_is_whole(&row))
			result = broken(statement);
	}
	statement->done.waiting(statement->arg, result, waiting);
}

/* --- asking --------------------------------------------------------------- */

void store_ping(struct store *store, store_done_fn done, void *arg)
{
	struct statement *statement = db_take(store, "ping");

	statement->may_share = true;
	statement->kind = STATEMENT_READ;
	statement->finish = finish_time;
	statement->done.at = done;
	statement->arg = arg;
	db_queue(store, statement);
}

void store_load(struct store *store, struct uuid id, const uint8_t *key_hash,
                struct arena *arena, store_game_fn done, void *arg)
{
	struct statement *statement =
		db_take(store, key_hash ? "load_idempotent" : "load");

	params_uuid(&statement->params, id);
	if (key_hash)
		params_bytes(&statement->params, key_hash, STORE_HASH_SIZE);
	statement->is_keyed = key_hash != NULL;
	statement->may_share = !key_hash;
	statement->kind = STATEMENT_READ;
	statement->finish = finish_load;
	statement->done.game = done;
	statement->arg = arg;
	statement->arena = arena;
	statement->id = id;
	db_queue(store, statement);
}

void store_find_creation(struct store *store, const uint8_t *key_hash,
                         struct arena *arena, store_key_fn done, void *arg)
{
	struct statement *statement = db_take(store, "find_creation");

	params_bytes(&statement->params, key_hash, STORE_HASH_SIZE);
	statement->kind = STATEMENT_READ;
	statement->finish = finish_creation;
	statement->done.key = done;
	statement->arg = arg;
	statement->arena = arena;
	db_queue(store, statement);
}

void store_create(struct store *store, const struct store_move *move,
                  store_done_fn done, void *arg)
{
	struct statement *statement =
		db_take(store, move->key.hash ? "create_idempotent" : "create");

	record_write_new(&statement->params, move);
	statement->finish = finish_create;
	statement->done.at = done;
	statement->arg = arg;
	db_queue(store, statement);
}

void store_commit_move(struct store *store, const struct store_move *move,
                       store_done_fn done, void *arg)
{
	struct statement *statement =
		db_take(store, move->key.hash ? "commit_move_idempotent"
	                                      : "commit_move");

	record_write_move(&statement->params, move);
	statement->kind = STATEMENT_COMMIT;
	statement->id = move->game->id;
	statement->finish = finish_keep;
	statement->done.at = done;
	statement->arg = arg;
	db_queue(store, statement);
}

void store_leave(struct store *store, const struct store_move *move,
                 store_done_fn done, void *arg)
{
	struct statement *statement =
		db_take(store, move->key.hash ? "leave_idempotent" : "leave");

	record_write_leave(&statement->params, move);
	statement->finish = finish_keep;
	statement->done.at = done;
	statement->arg = arg;
	db_queue(store, statement);
}

void store_rematch(struct store *store, const struct store_move *ended,
                   const struct store_move *next, store_done_fn done, void *arg)
{
	struct statement *statement =
		db_take(store,
	                ended->key.hash ? "rematch_idempotent" : "rematch");

	record_write_rematch(&statement->params, ended, next);
	statement->finish = finish_keep;
	statement->done.at = done;
	statement->arg = arg;
	db_queue(store, statement);
}

void store_delete(struct store *store, struct uuid id, uint32_t version,
                  store_done_fn done, void *arg)
{
	struct statement *statement = db_take(store, "delete");

	params_uuid(&statement->params, id);
	params_int4(&statement->params, version);
	statement->finish = finish_keep;
	statement->done.at = done;
	statement->arg = arg;
	db_queue(store, statement);
}

void store_find_invitation(struct store *store, const char *code,
                           store_id_fn done, void *arg)
{
	struct statement *statement = db_take(store, "find_invitation");

	params_text(&statement->params, code);
	statement->kind = STATEMENT_READ;
	statement->finish = finish_find;
	statement->done.id = done;
	statement->arg = arg;
	db_queue(store, statement);
}

void store_poll_versions(struct store *store, const struct store_version *seen,
                         size_t count, struct arena *arena,
                         store_versions_fn done, void *arg)
{
	struct statement *statement = db_take(store, "poll_versions");

	record_write_versions(&statement->params, seen, count);
	statement->kind = STATEMENT_READ;
	statement->finish = finish_moved;
	statement->done.moved = done;
	statement->arg = arg;
	statement->arena = arena;
	db_queue(store, statement);
}

void store_lobby(struct store *store, const struct store_wanted *wanted,
                 struct arena *arena, store_lobby_fn done, void *arg)
{
	struct statement *statement = db_take(store, "lobby");

	assert(wanted->limit > 0 && wanted->limit <= STORE_LISTED_MAX);
	params_uuid(&statement->params, wanted->before);
	if (wanted->ruleset)
		params_int2(&statement->params, wanted->ruleset);
	else
		params_null(&statement->params);
	params_text(&statement->params, wanted->mode);
	params_int4(&statement->params, wanted->free_seats);
	params_int4(&statement->params,
	            EXAMINED_EACH * wanted->limit + EXAMINED_MORE);
	statement->kind = STATEMENT_READ;
	statement->finish = finish_lobby;
	statement->done.lobby = done;
	statement->arg = arg;
	statement->arena = arena;
	statement->limit = wanted->limit;
	db_queue(store, statement);
}

void store_events(struct store *store, struct uuid id, struct store_page page,
                  struct arena *arena, store_events_fn done, void *arg)
{
	struct statement *statement = db_take(store, "events");

	assert(page.limit > 0 && page.limit <= STORE_PAGE_MAX);
	params_uuid(&statement->params, id);
	params_int4(&statement->params, page.after);
	params_int4(&statement->params, page.up_to);
	params_int4(&statement->params, page.limit + 1);
	statement->kind = STATEMENT_READ;
	statement->may_share = true;
	statement->finish = finish_events;
	statement->done.events = done;
	statement->arg = arg;
	statement->arena = arena;
	statement->limit = page.limit;
	db_queue(store, statement);
}

void store_last_seen(struct store *store, struct uuid id, struct arena *arena,
                     store_last_seen_fn done, void *arg)
{
	struct statement *statement = db_take(store, "last_seen");

	params_uuid(&statement->params, id);
	statement->kind = STATEMENT_READ;
	statement->finish = finish_presence;
	statement->done.presence = done;
	statement->arg = arg;
	statement->arena = arena;
	db_queue(store, statement);
}

void store_update_last_seen(struct store *store, const struct store_seen *heard,
                            size_t count, store_done_fn done, void *arg)
{
	struct statement *statement = db_take(store, "update_last_seen");

	assert(count > 0 && count <= STORE_SEEN_MAX);
	record_write_seen(&statement->params, heard, count);
	statement->finish = finish_time;
	statement->done.at = done;
	statement->arg = arg;
	db_queue(store, statement);
}

void store_record_last_seen(struct store *store, struct uuid id,
                            const uint8_t *token_hash, store_done_fn done,
                            void *arg)
{
	struct statement *statement = db_take(store, "record_last_seen");

	params_uuid(&statement->params, id);
	params_bytes(&statement->params, token_hash, STORE_HASH_SIZE);
	statement->finish = finish_record_last_seen;
	statement->done.at = done;
	statement->arg = arg;
	db_queue(store, statement);
}

void store_give_ticket(struct store *store, struct uuid id,
                       const uint8_t *ticket_hash, const uint8_t *token_hash,
                       store_done_fn done, void *arg)
{
	struct statement *statement = db_take(store, "give_ticket");

	params_uuid(&statement->params, id);
	params_bytes(&statement->params, ticket_hash, STORE_HASH_SIZE);
	params_bytes(&statement->params, token_hash, STORE_HASH_SIZE);
	statement->finish = finish_give_ticket;
	statement->done.at = done;
	statement->arg = arg;
	db_queue(store, statement);
}

void store_use_ticket(struct store *store, struct uuid id,
                      const uint8_t *ticket_hash, struct arena *arena,
                      store_hash_fn done, void *arg)
{
	struct statement *statement = db_take(store, "use_ticket");

	params_uuid(&statement->params, id);
	params_bytes(&statement->params, ticket_hash, STORE_HASH_SIZE);
	statement->finish = finish_use_ticket;
	statement->done.hash = done;
	statement->arg = arg;
	statement->arena = arena;
	db_queue(store, statement);
}

void store_count_waiting(struct store *store, const uint8_t *creator_address,
                         store_waiting_fn done, void *arg)
{
	struct statement *statement = db_take(store, "count_waiting");

	params_bytes(&statement->params, creator_address, STORE_ADDRESS_SIZE);
	statement->kind = STATEMENT_READ;
	statement->finish = finish_waiting;
	statement->done.waiting = done;
	statement->arg = arg;
	db_queue(store, statement);
}
