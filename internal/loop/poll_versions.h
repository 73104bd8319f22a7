/*
 * poll_versions.h - find what other replicas committed.
 *
 * While this loop has waiters, it asks the database every 100 ms which of their
 * games have a newer version.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "live/subscriptions.h"
#include "store/store.h"

struct poll_versions {
	struct store *store;                 /* borrowed */
	struct subscriptions *subscriptions; /* likewise */
	struct arena arena;                  /* of the statement on its way */
	bool is_asking;                      /* there is one */
	uint64_t due_ns;                     /* for the next one, monotonic */
};

void poll_versions_init(struct poll_versions *poll, struct store *store,
                        struct subscriptions *subscriptions);
void poll_versions_fini(struct poll_versions *poll);

/* Send the poll, if it is due and the loop has waiters. */
void poll_versions_run(struct poll_versions *poll);

/* When poll_versions_run() is due; UINT64_MAX: no waiters. */
uint64_t poll_versions_due_ns(const struct poll_versions *poll);
