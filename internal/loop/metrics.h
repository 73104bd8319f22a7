/*
 * metrics.h - the listener at which metrics are scraped, with a thread of its
 * own.  metric/metric.h says what metrics may reveal.
 */
#pragma once

#include "base/setting.h"
#include "loop/game_count.h"
#include "loop/mailbox.h"

struct metrics;

struct metrics_config {
	int listen_fd;        /* bound and listening; taken over */
	unsigned clients_max; /* connections of clients */
	unsigned database_connections;
	struct mailbox *mailbox; /* of the first loop, which counts games */
	const struct exporter *exporter; /* NULL: there are no traces */
};

/* Turn metrics on, before the loops start.  Ends the process on failure. */
struct metrics *metrics_open(const struct metrics_config *config);

/* For the first loop to count games with; owned by the metrics. */
struct game_count *metrics_game_count(struct metrics *metrics);

/* After the loops have ended.  NULL is fine. */
void metrics_close(struct metrics *metrics);
