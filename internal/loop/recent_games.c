/*
 * recent_games.c - an entry is in a list by age, and in a bucket by its game,
 * of which it is the only one.  Its game is NULL while another process changes
 * the game, too.
 *
 * Entries end with their lifetime, since their rows have hidden cards in the
 * clear, or when there are too many.
 */
#include "loop/recent_games.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "loop/game_copy.h"

/* At some 1.5 KiB each. */
enum { GAMES_MAX = 16 * 1024, BUCKETS = 8 * 1024 };

static const uint64_t lifetime_ns = 60 * CLOCK_NS_PER_S;
static const uint64_t shared_ns = 5 * CLOCK_NS_PER_S;
static const uint64_t look_ns = CLOCK_NS_PER_S;

struct recent_game {
	LIST_ENTRY(recent_game) in_bucket;
	TAILQ_ENTRY(recent_game) in_all;
	uint64_t made_ns;
	struct uuid id;
	struct store_game *game; /* owned; NULL: it is shared */
};

struct recent_games {
	_Atomic uint64_t look_at_ns; /* when to look for old ones again */
	pthread_mutex_t lock;        /* guards all that follows */
	LIST_HEAD(recent_bucket, recent_game) buckets[BUCKETS];
	TAILQ_HEAD(recent_list, recent_game) all; /* the oldest first */
	unsigned count;
};

struct recent_games *recent_games_open(void)
{
	struct recent_games *games = xcalloc(1, sizeof(*games));

	(void)pthread_mutex_init(&games->lock, NULL);
	for (unsigned i = 0; i < BUCKETS; i++)
		LIST_INIT(&games->buckets[i]);
	TAILQ_INIT(&games->all);
	return games;
}

static void lock(struct recent_games *games)
{
	(void)pthread_mutex_lock(&games->lock);
}

static void unlock(struct recent_games *games)
{
	(void)pthread_mutex_unlock(&games->lock);
}

static void forget(struct recent_games *games, struct recent_game *entry)
{
	LIST_REMOVE(entry, in_bucket);
	TAILQ_REMOVE(&games->all, entry, in_all);
	games->count--;
	free(entry->game);
	free(entry);
}

void recent_games_close(struct recent_games *games)
{
	struct recent_game *oldest;
	struct recent_game *next;

	if (!games)
		return;
	for (oldest = TAILQ_FIRST(&games->all); oldest; oldest = next) {
		next = TAILQ_NEXT(oldest, in_all);
		forget(games, oldest);
	}
	(void)pthread_mutex_destroy(&games->lock);
	free(games);
}

/* The games were moved here, so clients cannot choose the ids. */
static unsigned bucket_of(struct uuid id)
{
	size_t last = sizeof(id.bytes) - 1;

	return (id.bytes[last] | (unsigned)id.bytes[last - 1] << 8) % BUCKETS;
}

static struct recent_game *find(struct recent_games *games, struct uuid id)
{
	struct recent_game *entry = LIST_FIRST(&games->buckets[bucket_of(id)]);

	while (entry && memcmp(&entry->id, &id, sizeof(id)) != 0)
		entry = LIST_NEXT(entry, in_bucket);
	return entry;
}

static bool is_shared(const struct recent_game *entry, uint64_t now_ns)
{
	return !entry->game && entry->made_ns + shared_ns > now_ns;
}

static void forget_old(struct recent_games *games, uint64_t now_ns)
{
	struct recent_game *oldest = TAILQ_FIRST(&games->all);
	struct recent_game *next;

	for (; oldest && (games->count > GAMES_MAX ||
	                  oldest->made_ns + lifetime_ns <= now_ns);
	     oldest = next) {
		next = TAILQ_NEXT(oldest, in_all);
		forget(games, oldest);
	}
}

void recent_games_forget_old(struct recent_games *games)
{
	uint64_t now_ns = clock_monotonic_ns();

	if (now_ns < games->look_at_ns)
		return;
	games->look_at_ns = now_ns + look_ns;
	lock(games);
	forget_old(games, now_ns);
	unlock(games);
}

/* Take ownership of the game; it is the newest entry from now on. */
static void put(struct recent_games *games, struct recent_game *entry,
                struct uuid id, struct store_game *game, uint64_t now_ns)
{
	if (entry) {
		TAILQ_REMOVE(&games->all, entry, in_all);
		free(entry->game);
	} else {
		entry = xcalloc(1, sizeof(*entry));
		entry->id = id;
		LIST_INSERT_HEAD(&games->buckets[bucket_of(id)], entry,
		                 in_bucket);
		games->count++;
	}
	entry->game = game;
	entry->made_ns = now_ns;
	TAILQ_INSERT_TAIL(&games->all, entry, in_all);
}

static struct store_game *copy_of(const struct committed *committed)
{
	const struct store_game *from = committed->move->game;
	struct store_game *game =
		game_copy(from, xmalloc(game_copy_size(from)));

	game->updated_us = committed->at_us;
	return game;
}

/* Commits of two loops may be noted in another order than they were made. */
static bool is_newer(const struct recent_game *entry, uint32_t version)
{
	return entry && entry->game && entry->game->version > version;
}

void recent_games_note(struct recent_games *games,
                       const struct committed *committed)
{
	struct store_game *game = committed->move ? copy_of(committed) : NULL;
	uint64_t now_ns = clock_monotonic_ns();
	struct recent_game *entry;

	lock(games);
	entry = find(games, committed->game);
	if (!game && entry)
		forget(games, entry);
	if (game && !is_newer(entry, game->version) &&
	    !(entry && is_shared(entry, now_ns))) {
		put(games, entry, committed->game, game, now_ns);
		game = NULL;
	}
	forget_old(games, now_ns);
	unlock(games);
	free(game);
}

const struct store_game *recent_games_find(struct recent_games *games,
                                           struct uuid id, uint32_t after,
                                           struct arena *arena)
{
	const struct store_game *game = NULL;
	uint64_t now_ns = clock_monotonic_ns();

	lock(games);
	const struct recent_game *entry = find(games, id);
	if (entry && entry->game && entry->game->version > after &&
	    entry->made_ns + lifetime_ns > now_ns)
		game = game_copy_to(arena, entry->game);
	unlock(games);
	return game;
}

void recent_games_passed(struct recent_games *games, struct uuid id,
                         uint32_t version)
{
	lock(games);
	struct recent_game *entry = find(games, id);
	if (entry && entry->game && entry->game->version < version)
		put(games, entry, id, NULL, clock_monotonic_ns());
	unlock(games);
}
