/*
 * commits.c - whether commits come back.
 *
 * The state is a few atomic words, which the loops, the thread of the bots and
 * tests share: they all have one database.  A store that finds an answer
 * missing does not ask the others; one that finds "refused" set, by whichever
 * store, sends no change.
 *
 * "probing" is the right to have a probe under way.  A store returns it when
 * the probe is answered or lost.  It is free again, too, when any commit that
 * was overdue is answered: the probe's own connection may be the one that is
 * dead.
 */
#include "store/commits.h"

#include <stdatomic.h>

#include "base/clock.h"
#include "base/log.h"
#include "metric/metric.h"

/* With this many overdue commits the fault is not that of one connection. */
enum { FEW = 3 };

static const uint64_t pause_ns = 500 * CLOCK_NS_PER_MS; /* between probes */

static atomic_uint stores;
static atomic_uint overdue; /* of all stores, as they have reported */
static atomic_uint most;
static atomic_bool refused;
static atomic_bool probing;
static _Atomic uint64_t probe_at_ns;
static _Atomic uint64_t proven_ns;
static _Atomic uint64_t answered_ns;

static bool stop_refusing(void)
{
	bool was_refused = atomic_exchange(&refused, false);

	if (was_refused)
		metric_add(METRIC_COMMITS_REFUSED, 0, -1);
	return was_refused;
}

void commits_open(void)
{
	stores++;
}

void commits_close(void)
{
	if (--stores > 0)
		return;
	(void)stop_refusing();
	probing = false;
	probe_at_ns = 0;
}

bool commits_are_held(void)
{
	return refused;
}

void commits_report(struct commits_share *reported,
                    struct commits_share present, bool is_probe)
{
	/* Unsigned numbers wrap: the sums are right again at the end. */
	unsigned more = present.overdue - reported->overdue;
	unsigned all = atomic_fetch_add(&overdue, more) + more;
	more = present.most - reported->most;
	unsigned allowed = atomic_fetch_add(&most, more) + more;
	unsigned few = allowed < FEW ? allowed : FEW;

	*reported = present;
	if (present.overdue == 0 || (all < few && !is_probe) ||
	    atomic_exchange(&refused, true))
		return;
	metric_add(METRIC_COMMITS_REFUSED, 0, 1);
	LOG(LOG_WARNING, "commits_refused",
	    LOG_TEXT("reason", "the database does not acknowledge commits; "
	                       "reading goes on"));
}

bool commits_are_overdue(void)
{
	return overdue > 0;
}

void commits_note_late_answer(void)
{
	probing = false;
}

bool commits_begin_probe(uint64_t now_ns)
{
	if (now_ns < probe_at_ns || atomic_exchange(&probing, true))
		return false;
	probe_at_ns = now_ns + pause_ns;
	return true;
}

/* Log the end of a refusal; an error may mean that our role may not probe. */
static void note_answer(enum commits_end end)
{
	if (end == COMMITS_BACK)
		LOG(LOG_INFO, "commits_accepted",
		    LOG_TEXT("reason", "the database acknowledges commits "
		                       "again"));
	else
		LOG(LOG_WARNING, "commits_accepted",
		    LOG_TEXT("reason", "the database answers, but refuses a "
		                       "commit that changes nothing; see "
		                       "gangctl check"));
}

void commits_end_probe(uint64_t sent_ns, enum commits_end end)
{
	if (end == COMMITS_BACK)
		proven_ns = sent_ns;
	if (end != COMMITS_UNKNOWN) {
		answered_ns = clock_monotonic_ns();
		if (stop_refusing())
			note_answer(end);
	}
	probing = false;
}

uint64_t commits_proven_ns(void)
{
	return proven_ns;
}

uint64_t commits_answered_ns(void)
{
	return answered_ns;
}
