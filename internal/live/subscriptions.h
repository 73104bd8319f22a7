/*
 * subscriptions.h - requests that wait for a game to change.
 *
 * Each event loop has its own struct subscriptions; no other thread uses it.  A
 * waiter joins before its request loads the game, so that no version is missed
 * in between.  It sleeps until a version above the loaded one is published or
 * its deadline passes; then subscriptions_run() calls its wake() once.  A loop
 * publishes its own commits, and the commits of other loops and replicas when
 * it learns of them; publishing a version twice does no harm.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/uuid.h"
#include "live/waiter.h"

struct subscriptions;
struct topic;

/* The version of a deleted game, above all others. */
#define SUBSCRIPTIONS_DELETED UINT32_MAX

/*
 * Counts the games with waiters by a hash of their ids, so that other threads
 * need not send versions without waiters.  Owned by the caller, zeroed at
 * first; may outlive its subscriptions.
 */
enum { SUBSCRIPTIONS_FILTER_SIZE = 1 << 16 };
struct subscriptions_filter {
	_Atomic uint16_t games[SUBSCRIPTIONS_FILTER_SIZE];
};

/* False if the game has no waiters; true if it may have.  For any thread. */
bool subscriptions_filter_has(const struct subscriptions_filter *filter,
                              struct uuid game);

/* The filter is borrowed; NULL: no other thread needs one. */
struct subscriptions *subscriptions_open(struct subscriptions_filter *filter);

/* All waiters must have left.  Does nothing for NULL. */
void subscriptions_close(struct subscriptions *subscriptions);

/* From now on, versions published for the game count for the waiter. */
void subscriptions_join(struct subscriptions *subscriptions,
                        struct waiter *waiter, struct uuid game);

/* Wake the waiter once: at a version above seen, or at due_ns (monotonic). */
void subscriptions_sleep(struct subscriptions *subscriptions,
                         struct waiter *waiter, uint32_t seen, uint64_t due_ns);

/* Wake the waiter once: when the game is deleted, or at due_ns. */
void subscriptions_pause(struct subscriptions *subscriptions,
                         struct waiter *waiter, uint64_t due_ns);

/* Forget the waiter; does nothing if it has not joined. */
void subscriptions_leave(struct subscriptions *subscriptions,
                         struct waiter *waiter);

/* Wake the waiters of the game that have not seen this version. */
void subscriptions_publish(struct subscriptions *subscriptions,
                           struct uuid game, uint32_t version);

/* True while the waiter sleeps and is not in the queue to be woken. */
bool waiter_is_asleep(const struct waiter *waiter);

/* True if a newer version than the waiter has seen is known. */
bool waiter_is_behind(const struct waiter *waiter);

/*
 * The newest known version, if the waiter has slept and it is newer than what
 * the waiter had seen then; else 0.
 */
uint32_t waiter_news(const struct waiter *waiter);

/* Move all sleeping waiters to the queue of subscriptions_run(). */
void subscriptions_wake_all(struct subscriptions *subscriptions);

/* Call wake() of the woken and due waiters, but of at most this many. */
void subscriptions_run(struct subscriptions *subscriptions, size_t most);

/*
 * When subscriptions_run() has a waiter to wake, by clock_monotonic_ns(); 0:
 * now; UINT64_MAX: no waiter is due.
 */
uint64_t subscriptions_due_ns(const struct subscriptions *subscriptions);

/* True if the game has a waiter. */
bool subscriptions_has(const struct subscriptions *subscriptions,
                       struct uuid game);

/* The number of games with waiters. */
size_t subscriptions_count(const struct subscriptions *subscriptions);

/*
 * The next game with waiters, each in its turn, and its newest known version.
 * There must be one.
 */
uint32_t subscriptions_next(struct subscriptions *subscriptions,
                            struct uuid *game);
