/*
 * commit_reports.h - what other processes committed, by their own reports.
 *
 * A process writes the games that it has changed into the database, and reads
 * what others wrote: twenty times a second while others run and it has waiters
 * or changes to report, else every two seconds.  So the cost grows with the
 * changes, and not with the games that are waited for.  A process that runs
 * alone only says so.
 *
 * The first loop runs the exchange.  Any thread may note a change, and ask
 * whether the reports are complete.
 */
#pragma once

#include "store/store.h"

struct commit_reports;

/*
 * Called by the first loop's thread with what another process committed.  The
 * version may be SUBSCRIPTIONS_DELETED, here and below.
 */
typedef void (*commit_reports_fn)(void *arg, struct store_version version);

/*
 * Called by any thread when an exchange is due sooner than it was: the first
 * loop is to ask again when.
 */
typedef void (*commit_reports_sooner_fn)(void *arg);

/* Random bytes name the process: NULL if the system gives none. */
struct commit_reports *commit_reports_open(commit_reports_fn found,
                                           commit_reports_sooner_fn sooner,
                                           void *arg);
void commit_reports_close(struct commit_reports *reports);

/* Note a change that this process has committed.  Does nothing for NULL. */
void commit_reports_note(struct commit_reports *reports,
                         struct store_version version);

/*
 * A loop calls this when it gets its first waiter, and when its last one has
 * left.  For any thread.  Does nothing for NULL.
 */
void commit_reports_set_waiting(struct commit_reports *reports, bool waits);

/*
 * A change was perhaps made, or its waiters were not told: for some seconds the
 * reports are not complete, so that the poll finds it.  Does nothing for NULL.
 */
void commit_reports_doubt(struct commit_reports *reports);

/*
 * False if other processes may not know yet that this one runs, so that they
 * may not report all that they commit; and while one of them is silent.
 */
bool commit_reports_are_complete(struct commit_reports *reports);

/* Exchange reports, if it is due. */
void commit_reports_run(struct commit_reports *reports, struct store *store);

/* When commit_reports_run() is due, monotonic. */
uint64_t commit_reports_due_ns(const struct commit_reports *reports);
