/*
 * handle.h - a store as its loop holds it: opening, running and closing it.
 *
 * store.h says how a store works, and has its statements.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/uuid.h"

struct store;
struct gather_pool;

struct store_config {
	const char *url;      /* a libpq connection string; borrowed */
	unsigned connections; /* 1..250 */
	/*
	 * How many of these carry reads only, since a commit may never be
	 * acknowledged.  A store with one connection keeps none.
	 */
	unsigned for_reads;
	unsigned deadline_ms; /* to wait for a connection, and for an answer */
	/*
	 * Loads or moves in one statement, 1..STORE_BATCH_MAX.  0: one, for
	 * tables that are spread over several servers: each move is a
	 * transaction of its own, statements name one game where they can, and
	 * the server that has the game is asked.  url is the coordinator's
	 * then, and each server has as many connections.
	 */
	unsigned batch_max;
	/* With whose statements its own are gathered; NULL: with none. */
	struct gather_pool *pool;
	bool is_server; /* one of those that placement.h opens */
};

enum { STORE_BATCH_MAX = 128 };

/* Starts to connect and returns at once.  Never fails. */
struct store *store_open(const struct store_config *config);

int store_fd(const struct store *store);
uint64_t store_timeout_ns(const struct store *store); /* UINT64_MAX: never */
void store_run(struct store *store);
void store_flush(struct store *store);

/*
 * The latest time (monotonic, ns) by which the statement that is queued next is
 * answered, even when it waits a whole deadline to be sent and is given another
 * one.  Only a loop that was late is answered later.
 */
void store_set_deadline(struct store *store, uint64_t latest_ns);

/* True while it carries statements of other stores of its pool. */
bool store_has_borrowed(const struct store *store);

/* How many statements it still takes; those beyond are refused. */
unsigned store_room(const struct store *store);

/*
 * True while a connection is up whose schema is the known one, to any server of
 * several.
 */
bool store_is_ready(const struct store *store);

/*
 * False if it is not ready, or if the last commits that it was sent did not
 * come back in time: the server may be frozen.
 */
bool store_answers(const struct store *store);

/*
 * False if the game would lie on a server that does not answer, and another one
 * does: its creator is to draw another id.
 */
bool store_can_create(const struct store *store, struct uuid game);

/* True while statements that change something would end with STORE_HELD. */
bool store_refuses_changes(void);

/*
 * Ends what is queued with STORE_UNAVAILABLE, and waits for what another store
 * of the pool has sent.  NULL is fine.
 */
void store_close(struct store *store);
