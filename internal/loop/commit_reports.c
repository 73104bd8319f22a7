/*
 * commit_reports.c - noted has the changes since the last report, and sent
 * those of a report that the database has not acknowledged: they are reported
 * again, with another number, since nobody reads a number below one that was
 * read.
 *
 * Reports can be relied on as follows.  A process exchanges reports at least
 * every HEARTBEAT.  Each report shows others for OTHERS that it runs, and so
 * they report what they commit.  So a process whose heartbeats began at least
 * LEARNING ago, and of which none failed, gets all reports; a process that was
 * stopped meanwhile finds its last heartbeat too old, before the others have
 * forgotten it.
 *
 * A process that is not heard of for SILENT has ended before it reported its
 * last changes, or its first loop hangs while others commit.  Until it is heard
 * again, or its rows are gone from the database, reports are not complete, and
 * poll_versions.h soon finds its changes.  The same goes for a while after a
 * change in doubt.  At last the poll finds changes that nobody has reported.
 */
#include "loop/commit_reports.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/random.h"
#include "live/subscriptions.h"

enum { PROCESSES_MAX = 64 };

static const uint64_t period_ns = 50 * CLOCK_NS_PER_MS;
static const uint64_t heartbeat_ns = 2 * CLOCK_NS_PER_S;
static const uint64_t learning_ns = 5 * CLOCK_NS_PER_S;
static const uint64_t trusted_ns = 5 * CLOCK_NS_PER_S;
static const uint64_t others_ns = 8 * CLOCK_NS_PER_S;
static const uint64_t silent_ns = 5 * CLOCK_NS_PER_S;

/* Rows of a process that has ended are deleted after a minute. */
static const uint64_t gone_ns = 70 * CLOCK_NS_PER_S;

/* In place of a game: the process has changed more than it reports. */
static const struct store_version not_all = { .id = { { 0 } }, .version = 1 };

struct changes {
	struct store_version games[STORE_REPORT_MAX];
	size_t count;
};

struct commit_reports {
	commit_reports_fn found;
	commit_reports_sooner_fn sooner;
	void *arg;

	/* For any thread. */
	_Atomic bool has_others;
	_Atomic bool has_changes;       /* noted since the last exchange */
	_Atomic unsigned waiting_loops; /* that have waiters */
	_Atomic uint64_t complete_from_ns;
	_Atomic uint64_t complete_until_ns;
	pthread_mutex_t lock; /* guards these two */
	struct changes noted;
	bool is_full; /* other changes had no room */

	/* For the first loop alone. */
	struct uuid process;
	uint32_t number; /* of the last report */
	struct changes sent;
	struct store_report seen[PROCESSES_MAX]; /* the last of each */
	uint64_t heard_ns[PROCESSES_MAX];        /* when it came */
	size_t seen_count;
	struct arena arena; /* of the statement on its way */
	bool is_asking;     /* there is one */
	bool is_reporting;  /* it has a report */
	uint64_t asked_ns;  /* 0: never */
	uint64_t heartbeat_due_ns;
	uint64_t others_until_ns;
};

struct commit_reports *commit_reports_open(commit_reports_fn found,
                                           commit_reports_sooner_fn sooner,
                                           void *arg)
{
	struct commit_reports *reports = xcalloc(1, sizeof(*reports));

	reports->found = found;
	reports->sooner = sooner;
	reports->arg = arg;
	reports->complete_from_ns = UINT64_MAX;
	(void)pthread_mutex_init(&reports->lock, NULL);
	arena_init(&reports->arena);
	if (random_bytes(reports->process.bytes,
	                 sizeof(reports->process.bytes)))
		return reports;
	commit_reports_close(reports);
	return NULL;
}

void commit_reports_close(struct commit_reports *reports)
{
	if (!reports)
		return;
	arena_fini(&reports->arena);
	(void)pthread_mutex_destroy(&reports->lock);
	free(reports);
}

void commit_reports_note(struct commit_reports *reports,
                         struct store_version version)
{
	struct changes *noted = &reports->noted;

	if (!reports || !reports->has_others)
		return;
	if (version.version > STORE_REPORT_GONE)
		version.version = STORE_REPORT_GONE;
	(void)pthread_mutex_lock(&reports->lock);
	if (noted->count < STORE_REPORT_MAX)
		noted->games[noted->count++] = version;
	else
		reports->is_full = true;
	(void)pthread_mutex_unlock(&reports->lock);
	if (!atomic_exchange(&reports->has_changes, true))
		reports->sooner(reports->arg);
}

void commit_reports_set_waiting(struct commit_reports *reports, bool waits)
{
	if (!reports)
		return;
	if (!waits)
		reports->waiting_loops--;
	else if (reports->waiting_loops++ == 0)
		reports->sooner(reports->arg);
}

void commit_reports_doubt(struct commit_reports *reports)
{
	if (reports)
		reports->complete_from_ns = clock_monotonic_ns() + learning_ns;
}

bool commit_reports_are_complete(struct commit_reports *reports)
{
	uint64_t now_ns = clock_monotonic_ns();

	return now_ns >= reports->complete_from_ns &&
	       now_ns < reports->complete_until_ns;
}

/* Move what was noted to what is sent, after what is to be sent again. */
static void gather(struct commit_reports *reports)
{
	struct changes *noted = &reports->noted;
	struct changes *sent = &reports->sent;

	(void)pthread_mutex_lock(&reports->lock);
	size_t room = STORE_REPORT_MAX - sent->count;
	size_t count = noted->count < room ? noted->count : room;
	memcpy(sent->games + sent->count, noted->games,
	       count * sizeof(*sent->games));
	if (reports->is_full || count < noted->count)
		sent->games[0] = not_all;
	sent->count += count;
	noted->count = 0;
	reports->is_full = false;
	(void)pthread_mutex_unlock(&reports->lock);
}

static struct store_report *find_seen(struct commit_reports *reports,
                                      struct uuid process)
{
	for (size_t i = 0; i < reports->seen_count; i++) {
		if (memcmp(&reports->seen[i].process, &process,
		           sizeof(process)) == 0)
			return &reports->seen[i];
	}
	/* Those that are forgotten are read again, which does no harm. */
	if (reports->seen_count == PROCESSES_MAX)
		reports->seen_count = 0;
	struct store_report *seen = &reports->seen[reports->seen_count++];
	*seen = (struct store_report){ .process = process };
	return seen;
}

static void take(struct commit_reports *reports,
                 const struct store_answer *answer)
{
	for (size_t i = 0; i < answer->count; i++) {
		const struct store_report *report = &answer->reports[i];
		struct store_report *seen = find_seen(reports, report->process);

		if (report->number > seen->number) {
			seen->number = report->number;
			reports->heard_ns[seen - reports->seen] =
				clock_monotonic_ns();
		}
		struct store_version game = report->game;
		if (game.version == STORE_REPORT_GONE)
			game.version = SUBSCRIPTIONS_DELETED;
		if (game.version && uuid_is_none(game.id))
			commit_reports_doubt(reports);
		else if (game.version)
			reports->found(reports->arg, game);
	}
}

/* From now on, changes are noted, and exchanged soon. */
static void note_others(struct commit_reports *reports)
{
	reports->others_until_ns = clock_monotonic_ns() + others_ns;
	reports->has_others = true;
}

/* The report was written after it was sent, and before it was answered. */
static void note_heartbeat(struct commit_reports *reports)
{
	uint64_t asked_ns = reports->asked_ns;

	reports->sent.count = 0;
	if (asked_ns >= reports->complete_until_ns)
		commit_reports_doubt(reports);
	reports->complete_until_ns = asked_ns + trusted_ns;
	reports->heartbeat_due_ns = asked_ns + heartbeat_ns;
}

static void on_exchanged(void *arg, const struct store_answer *answer)
{
	struct commit_reports *reports = arg;

	reports->is_asking = false;
	if (answer->result == STORE_OK && reports->is_reporting)
		note_heartbeat(reports);
	if (answer->result == STORE_OK)
		take(reports, answer);
	/* Without an answer others run as far as is known. */
	if (answer->count > 0 ||
	    (answer->result != STORE_OK && reports->has_others))
		note_others(reports);
	else if (clock_monotonic_ns() >= reports->others_until_ns)
		reports->has_others = false;
	arena_reset(&reports->arena);
}

/* The changes of a silent process are unknown.  One that ended is forgotten. */
static void look_for_silence(struct commit_reports *reports, uint64_t now_ns)
{
	for (size_t i = reports->seen_count; i-- > 0;) {
		uint64_t since_ns = now_ns - reports->heard_ns[i];

		if (since_ns >= silent_ns)
			commit_reports_doubt(reports);
		if (since_ns < gone_ns)
			continue;
		size_t last = --reports->seen_count;
		reports->seen[i] = reports->seen[last];
		reports->heard_ns[i] = reports->heard_ns[last];
	}
}

void commit_reports_run(struct commit_reports *reports, struct store *store)
{
	uint64_t now_ns = clock_monotonic_ns();

	if (now_ns < commit_reports_due_ns(reports))
		return;
	look_for_silence(reports, now_ns);
	bool is_heartbeat = now_ns >= reports->heartbeat_due_ns;
	reports->has_changes = false;
	gather(reports);
	reports->is_reporting = is_heartbeat || reports->sent.count > 0;
	const struct store_exchange exchange = {
		.process = reports->process,
		.number = reports->is_reporting ? ++reports->number : 0,
		.games = reports->sent.games,
		.games_count = reports->sent.count,
		.seen = reports->seen,
		.seen_count = reports->seen_count,
		.forgets = is_heartbeat,
	};
	reports->is_asking = true;
	reports->asked_ns = now_ns;
	store_exchange_reports(store, &exchange, &reports->arena, on_exchanged,
	                       reports);
}

/* Only waiters need what others report. */
static bool is_urgent(const struct commit_reports *reports)
{
	return reports->has_others &&
	       (reports->waiting_loops > 0 || reports->has_changes ||
	        reports->sent.count > 0);
}

uint64_t commit_reports_due_ns(const struct commit_reports *reports)
{
	if (reports->is_asking)
		return UINT64_MAX;
	if (!reports->asked_ns)
		return 0;
	return reports->asked_ns +
	       (is_urgent(reports) ? period_ns : heartbeat_ns);
}
