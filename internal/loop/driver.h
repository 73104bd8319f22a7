/*
 * driver.h - takes a request through its stages.
 *
 * The only place that knows both the database and HTTP: it starts a stage,
 * and goes on when the store calls back.  What the stages mean is in
 * service/call.h.  A driver belongs to one event loop.
 */
#ifndef LOOP_DRIVER_H
#define LOOP_DRIVER_H

#include <stdbool.h>
#include <stdint.h>

#include "http/http.h"
#include "live/subscriptions.h"
#include "loop/last_seen.h"
#include "service/quotas.h"
#include "store/store.h"

/* Told of each change that was kept. */
typedef void (*driver_moved_fn)(void *arg, struct uuid game, uint32_t version);

struct driver {
	struct store *store;        /* borrowed */
	struct subscriptions *live; /* likewise, as are the next two */
	struct last_seen *presence;
	const struct quotas *limited;
	driver_moved_fn moved;
	void *arg;
	uint64_t deadline_ns; /* of a statement of the store */
	bool has_docs;        /* there is a page at /docs */
	uint64_t ticked_ns;   /* when driver_tick() was called; 0 before */
	uint64_t stalled_ns;  /* before it, in which the loop was to run */
	bool draining;        /* /readyz says so */
	bool ending;          /* nobody is to wait for anything any more */
	bool closed;          /* the store is gone: refuse everything */
};

/*
 * Called before and after each wait of the loop.  Since the last call it was
 * to wait for at most so long: 0 if it was to run, -1 for any time.
 */
void driver_tick(struct driver *driver, int waited_ms);

/*
 * For how long the loop was to run and did not, in all: there was no processor
 * for it, or the process was stopped, perhaps in the midst of a request.
 */
uint64_t driver_stalled_ns(const struct driver *driver);

/* What struct http_config has of the same names; arg is the struct driver. */
MUST_CHECK enum err driver_on_path(struct http_request *req, void *arg);
void driver_on_request(struct http_request *req, void *arg);
MUST_CHECK enum err driver_on_refused(struct http_request *req, void *arg);
void driver_on_gone(struct http_request *req, void *arg);
bool driver_on_connect(const uint8_t *address, void *arg);
void driver_on_disconnect(const uint8_t *address, void *arg);

#endif
