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

/* One row with a time; otherwise is what NULL instead of it means. */
static enum store_result read_at(const struct statement *statement,
                                 const PGresult *res,
                                 struct store_answer *answer,
                                 enum store_result otherwise)
{
	struct row row;

	if (PQntuples(res) == 1 && PQgetisnull(res, 0, 0))
		return otherwise;
	row_init(&row, res, 0);
	answer->at_us = row_time_us(&row);
	return row_is_whole(&row) ? STORE_OK : broken(statement);
}

static enum store_result read_time(const struct statement *statement,
                                   const PGresult *res,
                                   struct store_answer *answer)
{
	return read_at(statement, res, answer, STORE_BROKEN);
}

static enum store_result read_create(const struct statement *statement,
                                     const PGresult *res,
                                     struct store_answer *answer)
{
	return read_at(statement, res, answer, STORE_TAKEN);
}

static enum store_result read_keep(const struct statement *statement,
                                   const PGresult *res,
                                   struct store_answer *answer)
{
	return read_at(statement, res, answer, STORE_CONFLICT);
}

static enum store_result read_load(const struct statement *statement,
                                   const PGresult *res,
                                   struct store_answer *answer)
{
	struct store_game *game = arena_zalloc(statement->arena, sizeof(*game));

	answer->game = game;
	return record_read_game(res, statement->id, statement->is_keyed,
	                        statement->arena, game);
}

static enum store_result read_find(const struct statement *statement,
                                   const PGresult *res,
                                   struct store_answer *answer)
{
	struct row row;

	if (PQntuples(res) == 0)
		return STORE_NONE;
	row_init(&row, res, 0);
	answer->id = row_uuid(&row);
	return row_is_whole(&row) ? STORE_OK : broken(statement);
}

static enum store_result read_creation(const struct statement *statement,
                                       const PGresult *res,
                                       struct store_answer *answer)
{
	struct store_key *key = arena_zalloc(statement->arena, sizeof(*key));

	answer->key = key;
	return record_read_creation(res, statement->arena, &answer->id, key);
}

/* One more than the limit was asked for, to see whether there are more. */
static enum store_result read_events(const struct statement *statement,
                                     const PGresult *res,
                                     struct store_answer *answer)
{
	struct store_event *events = NULL;
	enum store_result result =
		record_read_events(res, false, statement->arena, &events,
	                           &answer->count);

	answer->events = events;
	answer->more = answer->count > statement->limit;
	if (answer->more)
		answer->count = statement->limit;
	return result;
}

static enum store_result read_moved(const struct statement *statement,
                                    const PGresult *res,
                                    struct store_answer *answer)
{
	struct store_version *versions = NULL;
	enum store_result result =
		record_read_versions(res, statement->arena, &versions,
	                             &answer->count);

	answer->versions = versions;
	return result;
}

static enum store_result read_lobby(const struct statement *statement,
                                    const PGresult *res,
                                    struct store_answer *answer)
{
	struct record_lobby lobby = { .count = 0 };
	enum store_result result = record_read_lobby(res, statement->limit,
	                                             statement->arena, &lobby);

	answer->listed = lobby.games;
	answer->count = lobby.count;
	answer->next = lobby.next;
	return result;
}

static enum store_result read_presence(const struct statement *statement,
                                       const PGresult *res,
                                       struct store_answer *answer)
{
	struct store_last_seen *players = NULL;
	enum store_result result =
		record_read_last_seen(res, statement->arena, &players,
	                              &answer->count);

	answer->players = players;
	return result;
}

/* No row: nobody sits there with that token. */
static enum store_result read_record_last_seen(
	const struct statement *statement, const PGresult *res,
	struct store_answer *answer)
{
	if (PQntuples(res) == 0)
		return STORE_NONE;
	return read_time(statement, res, answer);
}

static enum store_result read_give_ticket(const struct statement *statement,
                                          const PGresult *res,
                                          struct store_answer *answer)
{
	return read_at(statement, res, answer, STORE_NONE);
}

static enum store_result read_use_ticket(const struct statement *statement,
                                         const PGresult *res,
                                         struct store_answer *answer)
{
	return record_read_hash(res, statement->arena, &answer->token_hash);
}

static enum store_result read_waiting(const struct statement *statement,
                                      const PGresult *res,
                                      struct store_answer *answer)
{
	struct row row;

	row_init(&row, res, 0);
	answer->waiting.of_address = row_int4(&row);
	answer->waiting.of_site = row_int4(&row);
	return row_is_whole(&row) ? STORE_OK : broken(statement);
}

/* --- asking --------------------------------------------------------------- */

void store_ping(struct store *store, store_fn done, void *arg)
{
	struct statement *statement = db_take(store, "ping");

	statement->may_share = true;
	statement->kind = STATEMENT_READ;
	statement->read = read_time;
	statement->done = done;
	statement->arg = arg;
	db_queue(store, statement);
}

void store_load(struct store *store, struct uuid id, const uint8_t *key_hash,
                struct arena *arena, store_fn done, void *arg)
{
	struct statement *statement =
		db_take(store, key_hash ? "load_idempotent" : "load");

	params_uuid(&statement->params, id);
	if (key_hash)
		params_bytes(&statement->params, key_hash, STORE_HASH_SIZE);
	statement->is_keyed = key_hash != NULL;
	statement->may_share = !key_hash;
	statement->kind = STATEMENT_READ;
	statement->read = read_load;
	statement->done = done;
	statement->arg = arg;
	statement->arena = arena;
	statement->id = id;
	db_queue(store, statement);
}

void store_find_creation(struct store *store, const uint8_t *key_hash,
                         struct arena *arena, store_fn done, void *arg)
{
	struct statement *statement = db_take(store, "find_creation");

	params_bytes(&statement->params, key_hash, STORE_HASH_SIZE);
	statement->kind = STATEMENT_READ;
	statement->read = read_creation;
	statement->done = done;
	statement->arg = arg;
	statement->arena = arena;
	db_queue(store, statement);
}

void store_create(struct store *store, const struct store_move *move,
                  store_fn done, void *arg)
{
	struct statement *statement =
		db_take(store, move->key.hash ? "create_idempotent" : "create");

	record_write_new(&statement->params, move);
	statement->read = read_create;
	statement->done = done;
	statement->arg = arg;
	db_queue(store, statement);
}

void store_commit_move(struct store *store, const struct store_move *move,
                       store_fn done, void *arg)
{
	struct statement *statement =
		db_take(store, move->key.hash ? "commit_move_idempotent"
	                                      : "commit_move");

	record_write_move(&statement->params, move);
	statement->kind = STATEMENT_COMMIT;
	statement->id = move->game->id;
	statement->read = read_keep;
	statement->done = done;
	statement->arg = arg;
	db_queue(store, statement);
}

void store_leave(struct store *store, const struct store_move *move,
                 store_fn done, void *arg)
{
	struct statement *statement =
		db_take(store, move->key.hash ? "leave_idempotent" : "leave");

	record_write_leave(&statement->params, move);
	statement->read = read_keep;
	statement->done = done;
	statement->arg = arg;
	db_queue(store, statement);
}

void store_rematch(struct store *store, const struct store_move *ended,
                   const struct store_move *next, store_fn done, void *arg)
{
	struct statement *statement =
		db_take(store,
	                ended->key.hash ? "rematch_idempotent" : "rematch");

	record_write_rematch(&statement->params, ended, next);
	statement->read = read_keep;
	statement->done = done;
	statement->arg = arg;
	db_queue(store, statement);
}

void store_delete(struct store *store, struct uuid id, uint32_t version,
                  store_fn done, void *arg)
{
	struct statement *statement = db_take(store, "delete");

	params_uuid(&statement->params, id);
	params_int4(&statement->params, version);
	statement->read = read_keep;
	statement->done = done;
	statement->arg = arg;
	db_queue(store, statement);
}

void store_find_invitation(struct store *store, const char *code, store_fn done,
                           void *arg)
{
	struct statement *statement = db_take(store, "find_invitation");

	params_text(&statement->params, code);
	statement->kind = STATEMENT_READ;
	statement->read = read_find;
	statement->done = done;
	statement->arg = arg;
	db_queue(store, statement);
}

void store_poll_versions(struct store *store, const struct store_version *seen,
                         size_t count, struct arena *arena, store_fn done,
                         void *arg)
{
	struct statement *statement = db_take(store, "poll_versions");

	record_write_versions(&statement->params, seen, count);
	statement->kind = STATEMENT_READ;
	statement->read = read_moved;
	statement->done = done;
	statement->arg = arg;
	statement->arena = arena;
	db_queue(store, statement);
}

void store_lobby(struct store *store, const struct store_wanted *wanted,
                 struct arena *arena, store_fn done, void *arg)
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
	statement->read = read_lobby;
	statement->done = done;
	statement->arg = arg;
	statement->arena = arena;
	statement->limit = wanted->limit;
	db_queue(store, statement);
}

void store_events(struct store *store, struct uuid id, struct store_page page,
                  struct arena *arena, store_fn done, void *arg)
{
	struct statement *statement = db_take(store, "events");

	assert(page.limit > 0 && page.limit <= STORE_PAGE_MAX);
	params_uuid(&statement->params, id);
	params_int4(&statement->params, page.after);
	params_int4(&statement->params, page.up_to);
	params_int4(&statement->params, page.limit + 1);
	statement->kind = STATEMENT_READ;
	statement->may_share = true;
	statement->read = read_events;
	statement->done = done;
	statement->arg = arg;
	statement->arena = arena;
	statement->limit = page.limit;
	db_queue(store, statement);
}

void store_last_seen(struct store *store, struct uuid id, struct arena *arena,
                     store_fn done, void *arg)
{
	struct statement *statement = db_take(store, "last_seen");

	params_uuid(&statement->params, id);
	statement->kind = STATEMENT_READ;
	statement->read = read_presence;
	statement->done = done;
	statement->arg = arg;
	statement->arena = arena;
	db_queue(store, statement);
}

void store_update_last_seen(struct store *store, const struct store_seen *heard,
                            size_t count, store_fn done, void *arg)
{
	struct statement *statement = db_take(store, "update_last_seen");

	assert(count > 0 && count <= STORE_SEEN_MAX);
	record_write_seen(&statement->params, heard, count);
	statement->read = read_time;
	statement->done = done;
	statement->arg = arg;
	db_queue(store, statement);
}

void store_record_last_seen(struct store *store, struct uuid id,
                            const uint8_t *token_hash, store_fn done, void *arg)
{
	struct statement *statement = db_take(store, "record_last_seen");

	params_uuid(&statement->params, id);
	params_bytes(&statement->params, token_hash, STORE_HASH_SIZE);
	statement->read = read_record_last_seen;
	statement->done = done;
	statement->arg = arg;
	db_queue(store, statement);
}

void store_give_ticket(struct store *store, struct uuid id,
                       const uint8_t *ticket_hash, const uint8_t *token_hash,
                       store_fn done, void *arg)
{
	struct statement *statement = db_take(store, "give_ticket");

	params_uuid(&statement->params, id);
	params_bytes(&statement->params, ticket_hash, STORE_HASH_SIZE);
	params_bytes(&statement->params, token_hash, STORE_HASH_SIZE);
	statement->read = read_give_ticket;
	statement->done = done;
	statement->arg = arg;
	db_queue(store, statement);
}

void store_use_ticket(struct store *store, struct uuid id,
                      const uint8_t *ticket_hash, struct arena *arena,
                      store_fn done, void *arg)
{
	struct statement *statement = db_take(store, "use_ticket");

	params_uuid(&statement->params, id);
	params_bytes(&statement->params, ticket_hash, STORE_HASH_SIZE);
	statement->read = read_use_ticket;
	statement->done = done;
	statement->arg = arg;
	statement->arena = arena;
	db_queue(store, statement);
}

void store_count_waiting(struct store *store, const uint8_t *creator_address,
                         store_fn done, void *arg)
{
	struct statement *statement = db_take(store, "count_waiting");

	params_bytes(&statement->params, creator_address, STORE_ADDRESS_SIZE);
	statement->kind = STATEMENT_READ;
	statement->read = read_waiting;
	statement->done = done;
	statement->arg = arg;
	db_queue(store, statement);
}
