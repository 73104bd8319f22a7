/*
 * connector.h - makes a store's connections, in a thread of its own.
 *
 * To connect may take seconds: names are looked up, hosts tried in turn, the
 * schema compared, statements prepared.  The thread does all of it, again
 * and again until it succeeds; the store takes the connections that are ready.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <libpq-fe.h>

#include "base/macros.h"

enum { CONNECTOR_MAX = 250 };

struct connector;

/*
 * Start the thread, which makes this many connections, 1 to CONNECTOR_MAX.  A
 * statement on them waits no longer than lock_ms milliseconds for a lock.  With
 * is_spread the server chooses how statements are planned.  url is borrowed.
 * Never fails.
 */
struct connector *connector_open(const char *url, unsigned wanted,
                                 unsigned lock_ms, bool is_spread);

/* Readable while there may be a connection to take. */
int connector_fd(const struct connector *connector);

/* A connection in non-blocking pipeline mode with every statement prepared. */
struct connector_ready {
	PGconn *pg;
	/* When it was sent the commit that it has acknowledged, if the
	 * connection string names several hosts; else 0. */
	uint64_t proven_ns;
	bool is_elsewhere; /* found by connector_look_elsewhere(), not wanted */
};

/* Take a ready connection, whose pg belongs to the caller; false: none. */
MUST_CHECK bool connector_take(struct connector *connector,
                               struct connector_ready *ready);

/*
 * A connection that was taken is lost, for this reason: make another one.  The
 * caller closes lost afterwards.
 */
void connector_replace(struct connector *connector, const PGconn *lost,
                       const char *reason);

/*
 * Look once whether another of the hosts than that of this connection takes
 * commits; if one does, a connection to it becomes ready.
 */
void connector_look_elsewhere(struct connector *connector, const PGconn *here);

/* End the thread, after the attempt that is being made, and free all. */
void connector_close(struct connector *connector);
