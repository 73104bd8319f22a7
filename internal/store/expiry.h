/*
 * expiry.h - giving up what has waited for too long, and what follows.
 *
 * db.c calls it in every run of a store, whose insides both know.
 */
#pragma once

#include "store/batch.h"
#include "store/commits.h"
#include "store/connection.h"
#include "store/connector.h"
#include "store/gather_pool.h"
#include "store/handle.h"

struct placement;

struct store {
	struct store_config config;
	int epoll_fd;
	struct connector *connector;
	struct connection connections[CONNECTOR_MAX];
	unsigned up;            /* connections that are open */
	uint64_t down_since_ns; /* if none is */
	uint64_t look_at_ns;    /* when to look at the other hosts again */
	struct commits_share reported;
	struct batch_queues queues;
	struct statement_queue lost;
	unsigned unanswered; /* statements, its own wherever they are, and those
	                      * that it has borrowed */
	unsigned borrowed;
	uint64_t next_latest_ns; /* of the statement that is queued next */
	struct gather_pool *pool;
	bool owns_pool;
	struct placement *placement; /* NULL: all games are on one server */
	unsigned member;             /* its number in the pool */
	uint64_t lent_until_ns;      /* what it has lent waits; 0: it has lent
	                              * nothing */
};

/* Read what has come, and answer what is complete. */
void db_read(struct store *store, struct connection *connection);

/* Give up a connection that has failed. */
void db_lose(struct store *store, struct connection *connection);

/* How many connections carry a commit, and how many may at a time. */
unsigned expiry_commits(const struct store *store);
unsigned expiry_most_commits(const struct store *store);

/* A connection with nothing on its way, or NULL. */
struct connection *expiry_find_idle(struct store *store);

/*
 * True while changes are held.  A server of several has connections of its own,
 * which its commits take up if they do not come back; the others go on.
 */
bool expiry_holds(const struct store *store);

/* Refuse a statement that was not sent, or whose transaction has failed. */
void expiry_hold(struct store *store, struct statement *statement);

/* Move a queue's statements to those that are lost. */
void expiry_lose_all(struct store *store, struct statement_queue *queue);

/* Give up what is too late, and send probes and pings. */
void expiry_run(struct store *store);

/* When to run next (monotonic, ns). */
uint64_t expiry_next_ns(const struct store *store);
