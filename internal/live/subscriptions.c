/*
 * A topic is a game with at least one waiter: its id, its newest known version
 * and the list of its waiters.  A hash table finds a topic by the id; a queue
 * of all topics lets the loop poll their versions in turn.
 *
 * A joined waiter is asleep (in a heap, by due_ns), woken (in a queue), or
 * running its request.  Waking moves it from the heap to the queue;
 * subscriptions_run() calls a batch of the queue, so that a thousand spectators
 * of one game do not block all other requests.
 *
 * Other threads read only the filter: a loop that has committed a move sends
 * the version to the loops whose filters count the game.  A waiter joins before
 * its request loads the game, so a loop that reads 0 has committed before that
 * load.
 */
#include "live/subscriptions.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "base/clock.h"
#include "base/memory.h"
#include "live/heap.h"

struct topic {
	LIST_ENTRY(topic) in_bucket;
	TAILQ_ENTRY(topic) in_all;
	struct uuid game;
	uint32_t version; /* the newest that was published */
	LIST_HEAD(waiters, waiter) waiters;
};

LIST_HEAD(bucket, topic);

enum { BUCKETS_LEAST = 64 };

struct subscriptions {
	struct bucket *buckets;
	size_t buckets_count;             /* a power of two */
	size_t count;                     /* of topics */
	TAILQ_HEAD(topics, topic) topics; /* the next in turn is first */
	struct subscriptions_filter *filter;
	struct heap asleep;
	TAILQ_HEAD(queue, waiter) woken; /* the next to call is first */
};

/* --- topics --------------------------------------------------------------- */

/*
 * Drawn once.  A request names any id that its client likes, so without a key
 * clients could fill one bucket.
 */
static uint8_t hash_key[crypto_shorthash_KEYBYTES];

static void draw_key(void)
{
	crypto_shorthash_keygen(hash_key);
}

static size_t hash_of(struct uuid game)
{
	uint64_t hash;

	_Static_assert(sizeof(hash) == crypto_shorthash_BYTES, "all of it");
	(void)crypto_shorthash((uint8_t *)&hash, game.bytes, sizeof(game.bytes),
	                       hash_key);
	return (size_t)hash;
}

static struct bucket *bucket_of(const struct subscriptions *subscriptions,
                                struct uuid game)
{
	size_t bucket = hash_of(game) & (subscriptions->buckets_count - 1);

	return &subscriptions->buckets[bucket];
}

static struct topic *find(const struct subscriptions *subscriptions,
                          struct uuid game)
{
	struct topic *topic = LIST_FIRST(bucket_of(subscriptions, game));

	while (topic && memcmp(&topic->game, &game, sizeof(game)) != 0)
		topic = LIST_NEXT(topic, in_bucket);
	return topic;
}

/* Double the buckets when there are as many topics as buckets. */
static void grow(struct subscriptions *subscriptions)
{
	size_t count = 2 * subscriptions->buckets_count;
	struct topic *topic;

	if (subscriptions->count < subscriptions->buckets_count)
		return;
	free(subscriptions->buckets);
	subscriptions->buckets = xcalloc(count, sizeof(struct bucket));
	subscriptions->buckets_count = count;
	for (topic = TAILQ_FIRST(&subscriptions->topics); topic;
	     topic = TAILQ_NEXT(topic, in_all))
		LIST_INSERT_HEAD(bucket_of(subscriptions, topic->game), topic,
		                 in_bucket);
}

bool subscriptions_filter_has(const struct subscriptions_filter *filter,
                              struct uuid game)
{
	return filter->games[hash_of(game) % SUBSCRIPTIONS_FILTER_SIZE] != 0;
}

static void filter_add(struct subscriptions_filter *filter, struct uuid game,
                       int count)
{
	if (filter)
		filter->games[hash_of(game) % SUBSCRIPTIONS_FILTER_SIZE] +=
			count;
}

static struct topic *add_topic(struct subscriptions *subscriptions,
                               struct uuid game)
{
	struct topic *topic = xcalloc(1, sizeof(*topic));

	grow(subscriptions);
	filter_add(subscriptions->filter, game, 1);
	topic->game = game;
	LIST_INSERT_HEAD(bucket_of(subscriptions, game), topic, in_bucket);
	TAILQ_INSERT_TAIL(&subscriptions->topics, topic, in_all);
	subscriptions->count++;
	return topic;
}

static void remove_topic(struct subscriptions *subscriptions,
                         struct topic *topic)
{
	LIST_REMOVE(topic, in_bucket);
	TAILQ_REMOVE(&subscriptions->topics, topic, in_all);
	subscriptions->count--;
	filter_add(subscriptions->filter, topic->game, -1);
	free(topic);
}

/* --- waiters -------------------------------------------------------------- */

bool waiter_is_asleep(const struct waiter *waiter)
{
	return waiter->place > 0;
}

bool waiter_is_behind(const struct waiter *waiter)
{
	return waiter->topic->version > waiter->seen;
}

uint32_t waiter_news(const struct waiter *waiter)
{
	bool has_news =
		waiter->topic && waiter->seen > 0 && waiter_is_behind(waiter);

	return has_news ? waiter->topic->version : 0;
}

static void wake(struct subscriptions *subscriptions, struct waiter *waiter)
{
	if (!waiter_is_asleep(waiter))
		return;
	heap_remove(&subscriptions->asleep, waiter);
	waiter->is_woken = true;
	TAILQ_INSERT_TAIL(&subscriptions->woken, waiter, in_woken);
}

static void leave_queue(struct subscriptions *subscriptions,
                        struct waiter *waiter)
{
	TAILQ_REMOVE(&subscriptions->woken, waiter, in_woken);
	waiter->is_woken = false;
}

static void publish(struct subscriptions *subscriptions, struct topic *topic,
                    uint32_t version)
{
	struct waiter *waiter = LIST_FIRST(&topic->waiters);

	if (topic->version >= version)
		return;
	topic->version = version;
	for (; waiter; waiter = LIST_NEXT(waiter, in_topic)) {
		if (waiter->seen < version)
			wake(subscriptions, waiter);
	}
}

void subscriptions_publish(struct subscriptions *subscriptions,
                           struct uuid game, uint32_t version)
{
	struct topic *topic = find(subscriptions, game);

	if (topic)
		publish(subscriptions, topic, version);
}

void subscriptions_join(struct subscriptions *subscriptions,
                        struct waiter *waiter, struct uuid game)
{
	struct topic *topic = find(subscriptions, game);

	assert(!waiter->topic);
	if (!topic)
		topic = add_topic(subscriptions, game);
	waiter->topic = topic;
	LIST_INSERT_HEAD(&topic->waiters, waiter, in_topic);
}

void subscriptions_leave(struct subscriptions *subscriptions,
                         struct waiter *waiter)
{
	struct topic *topic = waiter->topic;

	if (!topic)
		return;
	if (waiter->is_woken)
		leave_queue(subscriptions, waiter);
	if (waiter_is_asleep(waiter))
		heap_remove(&subscriptions->asleep, waiter);
	LIST_REMOVE(waiter, in_topic);
	waiter->topic = NULL;
	if (LIST_EMPTY(&topic->waiters))
		remove_topic(subscriptions, topic);
}

static void fall_asleep(struct subscriptions *subscriptions,
                        struct waiter *waiter, uint32_t seen, uint64_t due_ns)
{
	assert(waiter->topic && !waiter_is_asleep(waiter) && !waiter->is_woken);
	waiter->seen = seen;
	waiter->due_ns = due_ns;
	heap_add(&subscriptions->asleep, waiter);
	if (waiter_is_behind(waiter))
		wake(subscriptions, waiter);
}

void subscriptions_sleep(struct subscriptions *subscriptions,
                         struct waiter *waiter, uint32_t seen, uint64_t due_ns)
{
	fall_asleep(subscriptions, waiter, seen, due_ns);
	/* This version may be new to the other waiters of the game. */
	publish(subscriptions, waiter->topic, seen);
}

void subscriptions_pause(struct subscriptions *subscriptions,
                         struct waiter *waiter, uint64_t due_ns)
{
	fall_asleep(subscriptions, waiter, SUBSCRIPTIONS_DELETED - 1, due_ns);
}

void subscriptions_wake_all(struct subscriptions *subscriptions)
{
	struct waiter *waiter;

	while ((waiter = heap_first(&subscriptions->asleep)))
		wake(subscriptions, waiter);
}

void subscriptions_run(struct subscriptions *subscriptions, size_t most)
{
	uint64_t now_ns = clock_monotonic_ns();
	struct waiter *waiter;

	while ((waiter = heap_first(&subscriptions->asleep)) &&
	       waiter->due_ns <= now_ns)
		wake(subscriptions, waiter);
	/* A waiter that is woken again during the batch waits for the next. */
	struct waiter *last = TAILQ_LAST(&subscriptions->woken, queue);
	for (; (waiter = TAILQ_FIRST(&subscriptions->woken)) && most > 0;
	     most--) {
		bool was_last = waiter == last;

		leave_queue(subscriptions, waiter);
		waiter->wake(waiter->arg); /* may free the waiter */
		if (was_last)
			break;
	}
}

uint64_t subscriptions_due_ns(const struct subscriptions *subscriptions)
{
	const struct waiter *waiter = heap_first(&subscriptions->asleep);

	if (!TAILQ_EMPTY(&subscriptions->woken))
		return 0;
	return waiter ? waiter->due_ns : UINT64_MAX;
}

/* --- all topics ----------------------------------------------------------- */

bool subscriptions_has(const struct subscriptions *subscriptions,
                       struct uuid game)
{
	return find(subscriptions, game) != NULL;
}

size_t subscriptions_count(const struct subscriptions *subscriptions)
{
	return subscriptions->count;
}

uint32_t subscriptions_next(struct subscriptions *subscriptions,
                            struct uuid *game)
{
	struct topic *topic = TAILQ_FIRST(&subscriptions->topics);

	TAILQ_REMOVE(&subscriptions->topics, topic, in_all);
	TAILQ_INSERT_TAIL(&subscriptions->topics, topic, in_all);
	*game = topic->game;
	return topic->version;
}

struct subscriptions *subscriptions_open(struct subscriptions_filter *filter)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct subscriptions *subscriptions =
		xcalloc(1, sizeof(*subscriptions));

	(void)pthread_once(&once, draw_key);
	subscriptions->filter = filter;
	subscriptions->buckets_count = BUCKETS_LEAST;
	subscriptions->buckets = xcalloc(BUCKETS_LEAST, sizeof(struct bucket));
	TAILQ_INIT(&subscriptions->topics);
	TAILQ_INIT(&subscriptions->woken);
	heap_init(&subscriptions->asleep);
	return subscriptions;
}

void subscriptions_close(struct subscriptions *subscriptions)
{
	if (!subscriptions)
		return;
	assert(subscriptions->count == 0);
	free(subscriptions->buckets);
	heap_fini(&subscriptions->asleep);
	free(subscriptions);
}
