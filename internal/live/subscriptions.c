#include "live/subscriptions.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"

/* A game that somebody waits for. */
struct watched {
	struct watched *next;  /* of the same bucket */
	struct watched *older; /* of all, in a ring */
	struct watched *newer;
	struct uuid game;
	uint32_t version; /* the newest that was told */
	struct waiter *waiters;
};

enum { BUCKETS_LEAST = 64, HEAP_LEAST = 64 };

struct subscriptions {
	struct watched **buckets; /* a power of two of them */
	size_t buckets_count;
	size_t count;
	struct watched *at; /* where the list goes on */
	struct subscriptions_filter *filter;

	struct waiter *woken; /* to be called, the first first */
	struct waiter *last_woken;

	/* Those who sleep, a heap: who is due first is [1]. */
	struct waiter **heap;
	size_t heap_count;
	size_t heap_size;
};

/* --- time ----------------------------------------------------------------- */

static void put(struct subscriptions *live, size_t place, struct waiter *waiter)
{
	live->heap[place] = waiter;
	waiter->place = place;
}

static void sift_up(struct subscriptions *live, size_t place)
{
	struct waiter *waiter = live->heap[place];

	for (; place > 1; place /= 2) {
		struct waiter *above = live->heap[place / 2];

		if (above->due_ns <= waiter->due_ns)
			break;
		put(live, place, above);
	}
	put(live, place, waiter);
}

static void sift_down(struct subscriptions *live, size_t place)
{
	struct waiter *waiter = live->heap[place];

	for (;;) {
		size_t below = 2 * place;

		if (below < live->heap_count &&
		    live->heap[below + 1]->due_ns < live->heap[below]->due_ns)
			below++;
		if (below > live->heap_count ||
		    live->heap[below]->due_ns >= waiter->due_ns)
			break;
		put(live, place, live->heap[below]);
		place = below;
	}
	put(live, place, waiter);
}

static void start_timer(struct subscriptions *live, struct waiter *waiter)
{
	if (live->heap_count + 1 >= live->heap_size) {
		live->heap_size = 2 * live->heap_size;
		live->heap =
			xrealloc(live->heap,
		                 live->heap_size * sizeof(struct waiter *));
	}
	live->heap_count++;
	put(live, live->heap_count, waiter);
	sift_up(live, waiter->place);
}

static void stop_timer(struct subscriptions *live, struct waiter *waiter)
{
	size_t place = waiter->place;

	if (!place)
		return;
	waiter->place = 0;
	struct waiter *last = live->heap[live->heap_count--];
	if (last == waiter)
		return;
	put(live, place, last);
	sift_up(live, place);
	sift_down(live, last->place);
}

/* --- games ---------------------------------------------------------------- */

/* Ids end in chance. */
static size_t hash_of(struct uuid game)
{
	uint64_t bits;

	memcpy(&bits, game.bytes + sizeof(game.bytes) - sizeof(bits),
	       sizeof(bits));
	return (size_t)bits;
}

static struct watched **bucket_of(const struct subscriptions *live,
                                  struct uuid game)
{
	return &live->buckets[hash_of(game) & (live->buckets_count - 1)];
}

static struct watched *find(const struct subscriptions *live, struct uuid game)
{
	struct watched *watched = *bucket_of(live, game);

	while (watched && memcmp(&watched->game, &game, sizeof(game)) != 0)
		watched = watched->next;
	return watched;
}

static void put_in_bucket(struct subscriptions *live, struct watched *watched)
{
	struct watched **bucket = bucket_of(live, watched->game);

	watched->next = *bucket;
	*bucket = watched;
}

static void grow(struct subscriptions *live)
{
	struct watched **old = live->buckets;
	size_t count = live->buckets_count;

	if (live->count < count)
		return;
	live->buckets_count = 2 * count;
	live->buckets = xcalloc(live->buckets_count, sizeof(struct watched *));
	for (size_t i = 0; i < count; i++) {
		while (old[i]) {
			struct watched *watched = old[i];

			old[i] = watched->next;
			put_in_bucket(live, watched);
		}
	}
	free(old);
}

bool subscriptions_filter_has(const struct subscriptions_filter *filter,
                              struct uuid game)
{
	return filter->games[hash_of(game) % SUBSCRIPTIONS_FILTER_SIZE] != 0;
}

/* Before the game is read by whoever waits: a move is not missed. */
static void note_in_filter(struct subscriptions *live, struct uuid game)
{
	if (live->filter)
		live->filter
			->games[hash_of(game) % SUBSCRIPTIONS_FILTER_SIZE]++;
}

static void drop_from_filter(struct subscriptions *live, struct uuid game)
{
	if (live->filter)
		live->filter
			->games[hash_of(game) % SUBSCRIPTIONS_FILTER_SIZE]--;
}

static struct watched *watch(struct subscriptions *live, struct uuid game)
{
	struct watched *watched = xcalloc(1, sizeof(*watched));

	grow(live);
	note_in_filter(live, game);
	watched->game = game;
	put_in_bucket(live, watched);
	if (!live->at) {
		watched->older = watched->newer = watched;
		live->at = watched;
	} else {
		watched->newer = live->at;
		watched->older = live->at->older;
		watched->older->newer = watched;
		live->at->older = watched;
	}
	live->count++;
	return watched;
}

static void unwatch(struct subscriptions *live, struct watched *watched)
{
	struct watched **at = bucket_of(live, watched->game);

	while (*at != watched)
		at = &(*at)->next;
	*at = watched->next;
	if (live->at == watched)
		live->at = watched->newer == watched ? NULL : watched->newer;
	watched->older->newer = watched->newer;
	watched->newer->older = watched->older;
	live->count--;
	drop_from_filter(live, watched->game);
	free(watched);
}

/* --- waiters -------------------------------------------------------------- */

static void wake(struct subscriptions *live, struct waiter *waiter)
{
	if (!waiter->sleeps)
		return;
	waiter->sleeps = false;
	stop_timer(live, waiter);
	waiter->is_woken = true;
	waiter->next_woken = NULL;
	if (live->last_woken)
		live->last_woken->next_woken = waiter;
	else
		live->woken = waiter;
	live->last_woken = waiter;
}

/* A newer version is known, from whomever: those who have an older one wake. */
static void tell(struct subscriptions *live, struct watched *watched,
                 uint32_t version)
{
	if (watched->version >= version)
		return;
	watched->version = version;
	for (struct waiter *waiter = watched->waiters; waiter;
	     waiter = waiter->after) {
		if (waiter->seen < version)
			wake(live, waiter);
	}
}

void subscriptions_join(struct subscriptions *live, struct waiter *waiter,
                        struct uuid game)
{
	struct watched *watched = find(live, game);

	assert(!waiter->watched);
	if (!watched)
		watched = watch(live, game);
	waiter->watched = watched;
	waiter->before = NULL;
	waiter->after = watched->waiters;
	if (watched->waiters)
		watched->waiters->before = waiter;
	watched->waiters = waiter;
}

static void fall_asleep(struct subscriptions *live, struct waiter *waiter,
                        uint32_t seen, uint64_t due_ns)
{
	assert(waiter->watched && !waiter->sleeps && !waiter->is_woken);
	waiter->seen = seen;
	waiter->due_ns = due_ns;
	waiter->sleeps = true;
	start_timer(live, waiter);
	if (waiter->watched->version > seen)
		wake(live, waiter);
}

void subscriptions_sleep(struct subscriptions *live, struct waiter *waiter,
                         uint32_t seen, uint64_t due_ns)
{
	fall_asleep(live, waiter, seen, due_ns);
	/* Who has read it knows the version as well as who was told. */
	tell(live, waiter->watched, seen);
}

void subscriptions_pause(struct subscriptions *live, struct waiter *waiter,
                         uint64_t due_ns)
{
	fall_asleep(live, waiter, SUBSCRIPTIONS_GONE - 1, due_ns);
}

static void leave_woken(struct subscriptions *live, struct waiter *waiter)
{
	struct waiter *before = NULL;

	for (struct waiter *at = live->woken; at != waiter; at = at->next_woken)
		before = at;
	if (before)
		before->next_woken = waiter->next_woken;
	else
		live->woken = waiter->next_woken;
	if (live->last_woken == waiter)
		live->last_woken = before;
	waiter->is_woken = false;
}

void subscriptions_leave(struct subscriptions *live, struct waiter *waiter)
{
	struct watched *watched = waiter->watched;

	if (!watched)
		return;
	if (waiter->is_woken)
		leave_woken(live, waiter);
	stop_timer(live, waiter);
	waiter->sleeps = false;
	if (waiter->before)
		waiter->before->after = waiter->after;
	else
		watched->waiters = waiter->after;
	if (waiter->after)
		waiter->after->before = waiter->before;
	waiter->watched = NULL;
	if (!watched->waiters)
		unwatch(live, watched);
}

void subscriptions_publish(struct subscriptions *live, struct uuid game,
                           uint32_t version)
{
	struct watched *watched = find(live, game);

	if (watched)
		tell(live, watched, version);
}

bool waiter_is_asleep(const struct waiter *waiter)
{
	return waiter->sleeps;
}

bool waiter_has_moved(const struct waiter *waiter)
{
	return waiter->watched->version > waiter->seen;
}

void subscriptions_wake_all(struct subscriptions *live)
{
	while (live->heap_count)
		wake(live, live->heap[1]);
}

void subscriptions_run(struct subscriptions *live, size_t most)
{
	uint64_t now_ns = clock_monotonic_ns();

	while (live->heap_count && live->heap[1]->due_ns <= now_ns)
		wake(live, live->heap[1]);
	/* Who is woken may sleep again: those are called the next time. */
	struct waiter *last = live->last_woken;
	for (; live->woken && most > 0; most--) {
		struct waiter *waiter = live->woken;
		bool was_last = waiter == last;

		leave_woken(live, waiter);
		waiter->wake(waiter->arg);
		if (was_last)
			break;
	}
}

uint64_t subscriptions_timeout_ns(const struct subscriptions *live)
{
	uint64_t now_ns;

	if (live->woken)
		return 0;
	if (!live->heap_count)
		return UINT64_MAX;
	now_ns = clock_monotonic_ns();
	return live->heap[1]->due_ns > now_ns ? live->heap[1]->due_ns - now_ns
	                                      : 0;
}

/* --- all of them ---------------------------------------------------------- */

size_t subscriptions_count(const struct subscriptions *live)
{
	return live->count;
}

size_t subscriptions_list(struct subscriptions *live, struct uuid *games,
                          uint32_t *versions, size_t max)
{
	size_t count = 0;

	for (size_t i = 0; i < live->count && count < max; i++) {
		games[count] = live->at->game;
		versions[count] = live->at->version;
		count += live->at->version != SUBSCRIPTIONS_GONE;
		live->at = live->at->newer;
	}
	return count;
}

struct subscriptions *subscriptions_open(struct subscriptions_filter *filter)
{
	struct subscriptions *live = xcalloc(1, sizeof(*live));

	live->filter = filter;
	live->buckets_count = BUCKETS_LEAST;
	live->buckets = xcalloc(BUCKETS_LEAST, sizeof(struct watched *));
	live->heap_size = HEAP_LEAST;
	live->heap = xmalloc(HEAP_LEAST * sizeof(struct waiter *));
	return live;
}

void subscriptions_close(struct subscriptions *live)
{
	if (!live)
		return;
	assert(live->count == 0);
	free(live->buckets);
	free(live->heap);
	free(live);
}
