/*
 * db.h - statements on their way to the database and back.
 *
 * store.c makes a statement, and db.c carries it: queues it, sends it when the
 * store is flushed and a connection is idle, and calls its caller when its
 * result counts, or when no result can come.
 */
#pragma once

#include "store/handle.h"
#include "store/statement.h"

/* True if the tables may be spread over several servers (GANGD_BATCH=0). */
bool db_is_spread(const struct store *store);

/* Takes ownership of the statement. */
void db_queue(struct store *store, struct statement *statement);

/* The same, of a statement that any server of several can answer. */
void db_queue_any(struct store *store, struct statement *statement);

/* The same, of a statement that names this game alone. */
void db_queue_game(struct store *store, struct uuid game,
                   struct statement *statement);
