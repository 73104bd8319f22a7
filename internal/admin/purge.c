/*
 * purge.c - deletes games that have reached their age, old idempotency keys and
 * expired tickets, while daemons serve.
 *
 * A page of games is read, without locking any; then each is deleted by a
 * transaction of its own, if it still has the version that was read.  So a
 * purge holds the lock of one game at a time, and cannot be in a circle of
 * transactions that wait for each other.  The deletes of a page are on their
 * way at once (pipeline mode), and wait for no flush to disk: what a crash
 * brings back is purged by the next run.  Then the purge pauses for as long as
 * the page took, so that it takes half of one connection's time at the most.
 *
 * An advisory lock of the session lets one purge work at a time; it ends with
 * the connection.  Its number is arbitrary.
 */
#include "admin/purge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "admin/admin_query.h"
#include "base/clock.h"
#include "postgres/schema.h"

/* A page of purge.sql, and what became of its games. */
struct page {
	struct uuid last; /* none: the first page is still to be read */
	uint64_t count;
	uint64_t deleted;
	uint64_t open; /* deletes that were sent, and have no answer */
};

/* With enable_seqscan each page might read the whole table. */
static const char begin_text[] =
	"SELECT pg_try_advisory_lock(7453010309),"
	" set_config('enable_seqscan', 'off', false),"
	" set_config('synchronous_commit', 'off', false),"
	" set_config('lock_timeout', '200ms', false)";

static const char end_text[] = "SELECT pg_advisory_unlock(7453010309)";

static bool begin(const struct admin *admin, bool *is_alone)
{
	struct params none = { .bytes = NULL };
	PGresult *res = admin_query(admin, begin_text, &none);
	struct row row;

	if (!res)
		return false;
	row_init(&row, res, 0);
	*is_alone = row_bool(&row);
	PQclear(res);
	return true;
}

/* The unnamed statement, which the reading of the next page replaces. */
static bool prepare(const struct admin *admin)
{
	PGresult *res =
		PQprepare(admin->pg, "", schema_query_text("delete"), 0, NULL);
	bool good = PQresultStatus(res) == PGRES_COMMAND_OK;

	if (!good)
		admin_report(admin, res);
	PQclear(res);
	return good;
}

static PGresult *read_page(const struct admin *admin,
                           const struct purge_ages *ages, struct uuid behind)
{
	struct params params = { .bytes = NULL };

	params_uuid(&params, behind);
	params_int4(&params, ages->lobby_days);
	params_int4(&params, ages->finished_days);
	params_int4(&params, ages->abandoned_days);
	return admin_query(admin, schema_query_text("purge"), &params);
}

/* --- deleting the games of a page ----------------------------------------- */

/* Send a row of the page with the parameters of delete.sql. */
static bool send_delete(PGconn *pg, const PGresult *games, int number)
{
	struct params params = { .bytes = NULL };
	struct params_list list;
	struct row row;

	row_init(&row, games, number);
	params_uuid(&params, row_uuid(&row));
	params_int4(&params, row_int4(&row));
	params_list(&params, &list);
	bool good = row_is_whole(&row) &&
	            PQsendQueryPrepared(pg, "", (int)params.count, list.values,
	                                params.lens, list.formats, 1) == 1 &&
	            PQpipelineSync(pg) == 1;
	params_fini(&params);
	return good;
}

/*
 * Count the games that were deleted, up to the sync after the last of those
 * that were sent.  A game that is locked, or has changed, is left; any other
 * error ends the purge, once the answers to the others are read.
 */
static bool read_deletes(const struct admin *admin, struct page *page)
{
	bool good = true;

	while (page->open > 0) {
		PGresult *res = PQgetResult(admin->pg);
		const char *state = PQresultErrorField(res, PG_DIAG_SQLSTATE);
		bool is_locked = state && strcmp(state, "55P03") == 0;

		if (PQresultStatus(res) == PGRES_PIPELINE_SYNC)
			page->open--;
		else if (PQresultStatus(res) == PGRES_TUPLES_OK)
			page->deleted += !PQgetisnull(res, 0, 0);
		else if (good && !is_locked && (res || admin_is_lost(admin))) {
			admin_report(admin, res);
			good = false;
		}
		PQclear(res);
		if (admin_is_lost(admin))
			return false;
	}
	return good;
}

static bool delete_games(const struct admin *admin, const PGresult *games,
                         struct page *page)
{
	uint64_t count = (uint64_t)PQntuples(games);

	if (!prepare(admin) || !PQenterPipelineMode(admin->pg))
		return false;
	while (page->open < count &&
	       send_delete(admin->pg, games, (int)page->open))
		page->open++;
	bool all_sent = page->open == count;
	bool good = read_deletes(admin, page) && all_sent;
	return PQexitPipelineMode(admin->pg) == 1 && good;
}

static void pause_ns(uint64_t ns)
{
	struct timespec time = { .tv_sec = (time_t)(ns / CLOCK_NS_PER_S),
		                 .tv_nsec = (long)(ns % CLOCK_NS_PER_S) };

	(void)nanosleep(&time, NULL);
}

/* Read a page, and delete its games unless dry_run. */
static bool purge_page(const struct admin *admin, const struct purge_ages *ages,
                       bool dry_run, struct page *page)
{
	uint64_t began_ns = clock_monotonic_ns();
	PGresult *games = read_page(admin, ages, page->last);
	bool good = games != NULL;
	struct row row;

	page->count = page->deleted = page->open = 0;
	if (good && PQntuples(games) > 0) {
		page->count = (uint64_t)PQntuples(games);
		row_init(&row, games, PQntuples(games) - 1);
		page->last = row_uuid(&row);
		good = dry_run || delete_games(admin, games, page);
	}
	PQclear(games);
	if (good && page->count > 0)
		pause_ns(clock_monotonic_ns() - began_ns);
	return good;
}

/* --- all of it ------------------------------------------------------------ */

static bool purge_games(const struct admin *admin,
                        const struct purge_ages *ages, bool dry_run,
                        struct purge_counts *counts)
{
	struct page page = { .last = { { 0 } } };
	bool good;

	do {
		good = purge_page(admin, ages, dry_run, &page);
		counts->games += dry_run ? page.count : page.deleted;
		counts->open += page.open;
	} while (good && page.count > 0);
	return good;
}

/* Run a statement that deletes, and count its rows; days 0: no parameter. */
static bool delete_rows(const struct admin *admin, const char *name,
                        unsigned days, uint64_t *deleted)
{
	struct params params = { .bytes = NULL };

	if (days)
		params_int4(&params, days);
	PGresult *res = admin_query(admin, schema_query_text(name), &params);

	if (!res)
		return false;
	*deleted = strtoull(PQcmdTuples(res), NULL, 10);
	PQclear(res);
	return true;
}

static bool purge_others(const struct admin *admin,
                         const struct purge_ages *ages,
                         struct purge_counts *counts)
{
	return delete_rows(admin, "purge_keys", 0, &counts->keys) &&
	       delete_rows(admin, "purge_creation_keys", 0,
	                   &counts->creation_keys) &&
	       delete_rows(admin, "purge_tickets", 0, &counts->tickets) &&
	       delete_rows(admin, "purge_transfers", 0, &counts->transfers) &&
	       delete_rows(admin, "purge_notifications",
	                   ages->notification_days, &counts->notifications);
}

enum verdict purge_run(struct admin *admin, const struct purge_ages *ages,
                       bool dry_run, struct purge_counts *counts)
{
	struct params none = { .bytes = NULL };

	*counts = (struct purge_counts){ .is_alone = false };
	if (!begin(admin, &counts->is_alone))
		return VERDICT_UNKNOWN;
	if (!counts->is_alone) {
		fprintf(stderr, "another gangctl purges this database now\n");
		return VERDICT_DONE;
	}
	bool good = purge_games(admin, ages, dry_run, counts) &&
	            (dry_run || purge_others(admin, ages, counts));
	/* If this fails, the lock ends with the connection. */
	bool is_unlocked = admin_change(admin, end_text, &none);
	return good && is_unlocked ? VERDICT_DONE : VERDICT_UNKNOWN;
}
