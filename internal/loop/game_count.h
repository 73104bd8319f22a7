/*
 * game_count.h - counts the games in the database that are not over, for
 * metrics.
 *
 * A scrape requests a count; then the first loop sends one statement, at least
 * 15 s after the last one ended, and at least 100 times as long after it as it
 * took: counting takes at most 1 % of a processor.  A scrape never waits for
 * it: it shows the last count, with its time.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "store/store.h"

/* The statuses of the label OPEN of metric.def. */
enum { GAME_COUNT_LOBBY, GAME_COUNT_PLAYING };

struct game_count {
	atomic_bool is_wanted; /* any thread sets it */
	/* The rest is the loop's. */
	bool is_asking;
	uint64_t asked_ns; /* monotonic */
	uint64_t due_ns;   /* when the next statement may be sent */
	struct arena arena;
};

/* Zeroed at first. */
void game_count_init(struct game_count *count);
void game_count_fini(struct game_count *count);

/* Send the statement if it is due.  Does nothing for NULL. */
void game_count_run(struct game_count *count, struct store *store);
