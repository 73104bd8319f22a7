/*
 * poll_versions.h - find what other replicas committed.
 *
 * While somebody waits for a game here, the database is asked every 100 ms
 * which of the games that are waited for have another version by now.
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

/* Ask, if it is time and somebody waits. */
void poll_versions_run(struct poll_versions *poll);

/* When poll_versions_run() is due; UINT64_MAX: nobody waits. */
uint64_t poll_versions_due_ns(const struct poll_versions *poll);
