/*
 * poll_versions.h - find the commits of other replicas that no report names.
 *
 * While this loop has waiters, it asks the database which of their games have a
 * newer version: every 100 ms, or with complete reports (commit_reports.h)
 * about each game once a minute.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "live/subscriptions.h"
#include "loop/commit_reports.h"
#include "store/store.h"

struct poll_versions {
	struct store *store;                 /* borrowed */
	struct subscriptions *subscriptions; /* likewise */
	struct commit_reports *reports;      /* likewise; NULL: off */
	struct arena arena;                  /* of the statement on its way */
	bool is_asking;                      /* there is one */
	uint64_t due_ns;       /* to look whether to ask, monotonic */
	uint64_t round_due_ns; /* to ask about the next games of a round */
};

void poll_versions_init(struct poll_versions *poll, struct store *store,
                        struct subscriptions *subscriptions,
                        struct commit_reports *reports);
void poll_versions_fini(struct poll_versions *poll);

/* Send the poll, if it is due and the loop has waiters. */
void poll_versions_run(struct poll_versions *poll);

/* When poll_versions_run() is due; UINT64_MAX: no waiters. */
uint64_t poll_versions_due_ns(const struct poll_versions *poll);
