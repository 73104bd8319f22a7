/*
 * bots_due.c - the statements by which daemons share the work of playing for
 * bots.  The database alone says which games are due: a game that is taken is
 * due again when its lease ends, whatever became of the daemon that took it.
 */
#include "store/store.h"

#include "store/db.h"
#include "store/queries.h"

void store_take_bots(struct store *store, unsigned limit, struct arena *arena,
                     store_fn done, void *arg)
{
	struct statement *statement =
		statement_make(&query_take_bots, arena, done, arg);

	params_int4(&statement->params, limit);
	db_queue(store, statement);
}

void store_find_due_bots(struct store *store, unsigned limit,
                         struct arena *arena, store_fn done, void *arg)
{
	struct statement *statement =
		statement_make(&query_find_due_bots, arena, done, arg);

	params_int4(&statement->params, limit);
	db_queue(store, statement);
}

void store_take_bot(struct store *store, struct uuid game, struct arena *arena,
                    store_fn done, void *arg)
{
	struct statement *statement =
		statement_make(&query_take_bot, arena, done, arg);

	statement->id = game;
	params_uuid(&statement->params, game);
	db_queue_game(store, game, statement);
}

void store_rest_bots(struct store *store, struct store_version game,
                     int rest_ms, store_fn done, void *arg)
{
	struct statement *statement =
		statement_make(&query_rest_bots, NULL, done, arg);

	statement->id = game.id;
	params_uuid(&statement->params, game.id);
	params_int4(&statement->params, game.version);
	if (rest_ms == STORE_REST_ON)
		params_null(&statement->params);
	else
		params_int4(&statement->params, (uint32_t)rest_ms);
	db_queue_game(store, game.id, statement);
}

void store_find_bot_limit(struct store *store, unsigned games, store_fn done,
                          void *arg)
{
	struct statement *statement =
		statement_make(db_is_spread(store)
	                               ? &query_find_bot_limit_spread
	                               : &query_find_bot_limit,
	                       NULL, done, arg);

	params_int4(&statement->params, games);
	db_queue(store, statement);
}
