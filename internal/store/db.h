/*
 * db.h - statements on their way to the database and back.
 *
 * store.c makes a statement, db.c carries it: it is queued, sent when the
 * store is flushed and a connection is idle, and finished when its answer is
 * there, or when there will be none.
 *
 * Statements of a kind that are queued at the same time share a sync, and so
 * a transaction.  If one of them fails the server carries none out; the others
 * are then asked again, each alone.
 */
#ifndef STORE_DB_H
#define STORE_DB_H

#include "store/store.h"
#include "store/wire.h"

struct statement;

/*
 * Tell whoever asked.  With STORE_OK there are rows, or an empty result, to
 * be read; else res is NULL.
 */
typedef void (*statement_fn)(const struct statement *statement,
                             enum store_result result, const PGresult *res);

enum statement_kind {
	STATEMENT_ALONE, /* has a transaction of its own */
	STATEMENT_READ,  /* changes nothing */
	STATEMENT_MOVE,  /* changes the one game that is its id */
	STATEMENT_KINDS,
};

struct statement {
	struct statement *behind; /* in its queue */
	const char *name;         /* as in sql/queries; static */
	struct params params;
	enum statement_kind kind;
	uint64_t deadline_ns;
	PGresult *res; /* kept until the sync, when it counts */
	bool has_sync; /* the one that is sent behind it; db.c's own */

	/* What finish needs; db.c does not look at it. */
	statement_fn finish;
	union {
		store_done_fn at;
		store_game_fn game;
		store_id_fn id;
		store_events_fn events;
	} done;
	void *arg;
	struct arena *arena;
	struct uuid id;
	unsigned limit;
};

/* A statement with nothing but its name, to be filled in and queued. */
struct statement *db_take(struct store *store, const char *name);
void db_queue(struct store *store, struct statement *statement);

#endif
