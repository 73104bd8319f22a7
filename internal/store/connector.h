/*
 * connector.h - makes a store's connections, in a thread of its own.
 *
 * To connect may take seconds: names are looked up, hosts tried in turn, the
 * schema compared, statements prepared.  The thread does all of it, again
 * and again until it succeeds; the store takes the connections that are ready.
 */
#pragma once

#include <stdbool.h>

#include <libpq-fe.h>

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

/*
 * A connection in non-blocking pipeline mode with every statement prepared;
 * it belongs to the caller.  NULL when there is none.  *has_hosts says whether
 * the connection string names several hosts.
 */
PGconn *connector_take(struct connector *connector, bool *has_hosts);

/*
 * A connection that was taken is lost, for this reason: make another one.  The
 * caller closes lost afterwards.
 */
void connector_replace(struct connector *connector, const PGconn *lost,
                       const char *reason);

/* End the thread, after the attempt that is being made, and free all. */
void connector_close(struct connector *connector);
