/*
 * admin.h - the database for the operator's tool, which may wait.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/uuid.h"
#include "store/store.h"

struct admin;

/* url is valid.  NULL, with the reason on stderr: the server is not reached. */
struct admin *admin_open(const char *url);

/* NULL is fine. */
void admin_close(struct admin *admin);

/*
 * Bring the schema up to what this program knows: the migrations that are
 * missing, each in a transaction, then the functions.  Safe to run twice and
 * from several machines at once.  Writes to stdout what it does; false, with
 * the reason on stderr, if it cannot.
 */
MUST_CHECK bool admin_migrate(struct admin *admin);

/*
 * Load a game; and all its events, with their replay_data.  False, with the
 * reason on stderr, if it cannot.
 */
MUST_CHECK bool admin_load(struct admin *admin, struct uuid id,
                           struct arena *arena, struct store_game *game);
MUST_CHECK bool admin_events(struct admin *admin, struct uuid id,
                             struct arena *arena,
                             const struct store_event **events, size_t *count);

/*
 * Delete the games that have reached their age (those that have changed, or are
 * locked, are left for the next run), idempotency keys that are older than a
 * day, and expired tickets; with dry_run only count the games.  A game in the
 * lobby has the age of its last change or of its players' last request, if that
 * is later.  All are whole days, 1..ADMIN_DAYS_MAX.  If another purge works on
 * the database, nothing is done, and stderr says so.  False, with the reason on
 * stderr, if it cannot.
 */
enum { ADMIN_DAYS_MAX = 36500 };
struct admin_ages {
	unsigned lobby_days;     /* never started */
	unsigned finished_days;  /* ended */
	unsigned abandoned_days; /* neither */
};
MUST_CHECK bool admin_purge(struct admin *admin, const struct admin_ages *ages,
                            bool dry_run, uint64_t *games);
