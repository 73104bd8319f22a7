/*
 * waiter.h - a request or stream that waits for a game to change.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

struct topic;

/*
 * Owned by the caller, zeroed at first.  It must not move in memory between
 * subscriptions_join() and subscriptions_leave().
 */
struct waiter {
	void (*wake)(void *arg); /* may let the waiter sleep again, or leave */
	void *arg;

	/* Private to this folder. */
	struct topic *topic; /* of its game; NULL: has not joined */
	LIST_ENTRY(waiter) in_topic;
	TAILQ_ENTRY(waiter) in_woken;
	bool is_woken;   /* is in the queue of woken waiters */
	uint32_t seen;   /* a version above it wakes the waiter */
	uint64_t due_ns; /* clock_monotonic_ns() wakes it then */
	size_t place;    /* in the heap, from 1; 0: not asleep */
};
