/*
 * purge.h - deletes what has reached its age.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/macros.h"
#include "base/verdict.h"

struct admin;

/* Whole days, 1..PURGE_DAYS_MAX. */
enum { PURGE_DAYS_MAX = 36500 };
struct purge_ages {
	unsigned lobby_days;        /* of games that were never started */
	unsigned finished_days;     /* of those that have ended */
	unsigned abandoned_days;    /* of all others */
	unsigned notification_days; /* of what the webhook was sent */
};

/* The rows that a run has deleted, as far as the server has said so. */
struct purge_counts {
	bool is_alone;  /* false: another purge works, and this one did nothing
	                 */
	uint64_t open;  /* games whose deletion has no answer */
	uint64_t games; /* a dry run counts these alone */
	uint64_t keys;
	uint64_t creation_keys;
	uint64_t tickets;
	uint64_t transfers;
	uint64_t notifications;
};

/*
 * Delete the games that have reached their age (those that have changed, or are
 * locked, are left for the next run), idempotency keys that are older than a
 * day, expired tickets and transfers, and old notifications; with dry_run only
 * count the games.  A game in the lobby has the age of its last change or of
 * its players' last request, if that is later.  If another purge works on the
 * database, nothing is done, and stderr says so.  VERDICT_UNKNOWN, with the
 * reason on stderr: it was not finished; the counts say what was done, and the
 * next run goes on.
 */
MUST_CHECK enum verdict purge_run(struct admin *admin,
                                  const struct purge_ages *ages, bool dry_run,
                                  struct purge_counts *counts);
