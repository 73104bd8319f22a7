/*
 * poll_versions.c - one statement at a time asks for up to GAMES_MAX games;
 * with more games than that, each statement asks for the next ones.  An answer
 * is published like any other change.  After a poll that fails the next one
 * comes within a second; its games are asked about in the next round.
 */
#include "loop/poll_versions.h"

#include "base/clock.h"

enum { GAMES_MAX = 4096 };

static const uint64_t period_ns = 100 * CLOCK_NS_PER_MS;

/* With complete reports: the time for all games, and between looks at them. */
static const uint64_t round_ns = 60 * CLOCK_NS_PER_S;
static const uint64_t look_ns = CLOCK_NS_PER_S;

void poll_versions_init(struct poll_versions *poll, struct store *store,
                        struct subscriptions *subscriptions,
                        struct commit_reports *reports)
{
	*poll = (struct poll_versions){
		.store = store,
		.subscriptions = subscriptions,
		.reports = reports,
	};
	arena_init(&poll->arena);
}

void poll_versions_fini(struct poll_versions *poll)
{
	arena_fini(&poll->arena);
}

static void on_polled(void *arg, const struct store_answer *answer)
{
	struct poll_versions *poll = arg;

	for (size_t i = 0; answer->result == STORE_OK && i < answer->count; i++)
		subscriptions_publish(poll->subscriptions,
		                      answer->versions[i].id,
		                      answer->versions[i].version);
	if (answer->result != STORE_OK)
		poll->round_due_ns = 0;
	arena_reset(&poll->arena);
	poll->is_asking = false;
}

/* Ask about the next games with waiters; returns how many there are. */
static size_t ask(struct poll_versions *poll)
{
	size_t most = subscriptions_count(poll->subscriptions);
	struct store_version *seen;
	size_t count = 0;

	if (most > GAMES_MAX)
		most = GAMES_MAX;
	seen = arena_alloc(&poll->arena, most * sizeof(*seen));
	for (size_t i = 0; i < most; i++) {
		struct store_version *next = &seen[count];

		next->version =
			subscriptions_next(poll->subscriptions, &next->id);
		count += next->version != SUBSCRIPTIONS_DELETED;
	}
	if (count == 0) {
		arena_reset(&poll->arena);
		return most;
	}
	poll->is_asking = true;
	store_poll_versions(poll->store, seen, count, &poll->arena, on_polled,
	                    poll);
	return most;
}

/* Reports may cease to be complete at any time. */
void poll_versions_run(struct poll_versions *poll)
{
	uint64_t now_ns = clock_monotonic_ns();
	bool is_complete =
		poll->reports && commit_reports_are_complete(poll->reports);

	if (now_ns < poll_versions_due_ns(poll))
		return;
	poll->due_ns = now_ns + (is_complete ? look_ns : period_ns);
	if (!is_complete || now_ns >= poll->round_due_ns) {
		size_t count = subscriptions_count(poll->subscriptions);

		poll->round_due_ns = now_ns + round_ns / count * ask(poll);
	}
	if (is_complete && poll->round_due_ns < poll->due_ns)
		poll->due_ns = poll->round_due_ns;
}

uint64_t poll_versions_due_ns(const struct poll_versions *poll)
{
	if (!subscriptions_count(poll->subscriptions) || poll->is_asking)
		return UINT64_MAX;
	return poll->due_ns;
}
