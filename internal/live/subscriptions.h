/*
 * live.h - who waits for which game to move on.
 *
 * One for each event loop.  A waiter joins before its game is read, so that
 * nothing that happens meanwhile is missed; then it sleeps until the game is
 * past the version that was read, or its time is up, and is woken by one call
 * from subscriptions_run().  Moves are told by subscriptions_publish(): those
 * of the own loop at once, those of others as they become known; telling one
 * twice does no harm.
 *
 * Knows neither HTTP nor SQL.
 */
#ifndef LIVE_SUBSCRIPTIONS_H
#define LIVE_SUBSCRIPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/uuid.h"

struct subscriptions;
struct watched;

/* A version above all: the game is gone. */
#define SUBSCRIPTIONS_GONE UINT32_MAX

/*
 * In the memory of who waits, zeroed at first.  Between subscriptions_join()
 * and subscriptions_leave() it must stay where it is.
 */
struct waiter {
	void (*wake)(void *arg); /* may sleep again, or leave */
	void *arg;

	/* live.c's own. */
	struct watched *watched; /* NULL: has not joined */
	struct waiter *before;   /* of the same game */
	struct waiter *after;
	struct waiter *next_woken;
	uint32_t seen; /* it sleeps until there is more */
	bool sleeps;
	bool is_woken; /* is in the list of those to be called */
	size_t place;  /* among those whose time is measured, from 1 */
	uint64_t due_ns;
};

/*
 * Which games are watched, for other threads to ask before they tell of a move.
 * A yes may be wrong, a no is right.  Zeroed at first; changed by the one live
 * that has it, and may outlive it.
 */
enum { SUBSCRIPTIONS_FILTER_SIZE = 1 << 16 };
struct subscriptions_filter {
	_Atomic uint16_t games[SUBSCRIPTIONS_FILTER_SIZE]; /* by their hash */
};
bool subscriptions_filter_has(const struct subscriptions_filter *filter,
                              struct uuid game);

/* The filter is borrowed; NULL: nobody asks. */
struct subscriptions *subscriptions_open(struct subscriptions_filter *filter);

/* Nobody waits any more.  NULL is fine. */
void subscriptions_close(struct subscriptions *live);

/* Notice from now on what happens in a game. */
void subscriptions_join(struct subscriptions *live, struct waiter *waiter,
                        struct uuid game);

/* Be woken once when the game is past seen, or at due_ns. */
void subscriptions_sleep(struct subscriptions *live, struct waiter *waiter,
                         uint32_t seen, uint64_t due_ns);

/* Be woken once when the game is gone, or at due_ns, whatever else happens. */
void subscriptions_pause(struct subscriptions *live, struct waiter *waiter,
                         uint64_t due_ns);

/* Forget it; a waiter that has not joined may leave too. */
void subscriptions_leave(struct subscriptions *live, struct waiter *waiter);

/* A game has come to a version, or is gone. */
void subscriptions_publish(struct subscriptions *live, struct uuid game,
                           uint32_t version);

/* True while it sleeps and nothing is on its way to wake it. */
bool waiter_is_asleep(const struct waiter *waiter);

/* True if its game is past what it has seen. */
bool waiter_has_moved(const struct waiter *waiter);

/* Wake all, in the next subscriptions_run(). */
void subscriptions_wake_all(struct subscriptions *live);

/* Wake who is to be woken, so many at most. */
void subscriptions_run(struct subscriptions *live, size_t most);

/* Until subscriptions_run() is due; 0 if it is now, UINT64_MAX: never. */
uint64_t subscriptions_timeout_ns(const struct subscriptions *live);

/* How many games are watched. */
size_t subscriptions_count(const struct subscriptions *live);

/*
 * Some of the watched games with the newest versions that are known of them,
 * max at most, beginning where the last call ended.  Those that are gone are
 * left out: they do not come back.
 */
size_t subscriptions_list(struct subscriptions *live, struct uuid *games,
                          uint32_t *versions, size_t max);

#endif
