/*
 * subscriptions.h - requests that wait for a game to change.
 *
 * Each event loop has one struct subscriptions, and only that loop's thread
 * calls it.  A waiter joins before its request loads the game, so that no
 * version is missed in between; then it sleeps until a version above the loaded
 * one is published, or until its time is up, and subscriptions_run() wakes it
 * by one call.  A loop publishes its own commits at once and those of other
 * loops and replicas as it learns of them; publishing a version twice does no
 * harm.
 *
 * Knows neither HTTP nor SQL.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/uuid.h"
#include "live/waiter.h"

struct subscriptions;
struct topic;

/* The version of a game that was deleted: above all others. */
#define SUBSCRIPTIONS_GONE UINT32_MAX

/*
 * Counts which games have waiters, so that other threads need not send versions
 * that nobody waits for.  A yes may be wrong, a no is right.  Zeroed at first;
 * may outlive the subscriptions that keep it.
 */
enum { SUBSCRIPTIONS_FILTER_SIZE = 1 << 16 };
struct subscriptions_filter {
	_Atomic uint16_t games[SUBSCRIPTIONS_FILTER_SIZE]; /* by their hash */
};

/* True if the game may have waiters.  Any thread may ask. */
bool subscriptions_filter_has(const struct subscriptions_filter *filter,
                              struct uuid game);

/* The filter is borrowed, and NULL if no other thread asks. */
struct subscriptions *subscriptions_open(struct subscriptions_filter *filter);

/* All waiters must have left.  NULL is fine. */
void subscriptions_close(struct subscriptions *subscriptions);

/* From now on the waiter notices what is published of the game. */
void subscriptions_join(struct subscriptions *subscriptions,
                        struct waiter *waiter, struct uuid game);

/* Wake the waiter once: at a version above seen, or at due_ns. */
void subscriptions_sleep(struct subscriptions *subscriptions,
                         struct waiter *waiter, uint32_t seen, uint64_t due_ns);

/* Wake the waiter once: when the game is gone, or at due_ns. */
void subscriptions_pause(struct subscriptions *subscriptions,
                         struct waiter *waiter, uint64_t due_ns);

/* Forget the waiter, whether it has joined or not. */
void subscriptions_leave(struct subscriptions *subscriptions,
                         struct waiter *waiter);

/* The game has reached a version, or is gone: wake its waiters. */
void subscriptions_publish(struct subscriptions *subscriptions,
                           struct uuid game, uint32_t version);

/* True while the waiter sleeps and is not in the queue to be woken. */
bool waiter_is_asleep(const struct waiter *waiter);

/* True if its game is known to be past the version it has seen. */
bool waiter_has_moved(const struct waiter *waiter);

/* Let the next subscriptions_run() wake all waiters. */
void subscriptions_wake_all(struct subscriptions *subscriptions);

/* Call at most this many of the waiters that are woken or due. */
void subscriptions_run(struct subscriptions *subscriptions, size_t most);

/* Nanoseconds until subscriptions_run() is due; UINT64_MAX: never. */
uint64_t subscriptions_timeout_ns(const struct subscriptions *subscriptions);

/* How many games have waiters. */
size_t subscriptions_count(const struct subscriptions *subscriptions);

/*
 * Up to max games that have waiters, each with the newest version known of it,
 * going on where the last call ended.  Leaves out games that are gone: they do
 * not come back.  Returns how many.
 */
size_t subscriptions_list(struct subscriptions *subscriptions,
                          struct uuid *games, uint32_t *versions, size_t max);
