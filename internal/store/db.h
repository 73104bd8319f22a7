/*
 * db.h - statements on their way to the database and back.
 *
 * store.c makes a statement, db.c carries it: it is queued, sent when the
 * store is flushed and a connection is idle, and finished when its answer is
 * there, or when there will be none.
 *
 * Statements of a kind that are queued at the same time share a sync, and so
 * a transaction.  If one of them fails the server carries none out; then all
 * are asked again, each alone, and only what fails alone has failed.
 *
 * To wait for a lock that somebody else has is to fail, after a part of the
 * statement's time: so a locked game delays those that are moved with it, but
 * leaves them enough to be kept.
 */
#ifndef STORE_DB_H
#define STORE_DB_H

#include "store/statement.h"

/*
 * A statement of the query, without parameters: add them and queue it.  arena
 * is NULL if the answer has no rows to be kept.
 */
struct statement *db_take(struct store *store, const struct query *query,
                          struct arena *arena, store_fn done, void *arg);
void db_queue(struct store *store, struct statement *statement);

#endif
