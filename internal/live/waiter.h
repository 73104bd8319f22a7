/*
 * waiter.h - a request or stream that waits for a game to change.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct topic;

/*
 * Owned by the caller, zeroed at first.  It must stay at its address between
 * subscriptions_join() and subscriptions_leave().
 */
struct waiter {
	void (*wake)(void *arg); /* may let it sleep again, or leave */
	void *arg;

	/* For the files of this folder alone. */
	struct topic *topic;   /* NULL: has not joined */
	struct waiter *before; /* waiters of the same game */
	struct waiter *after;
	struct waiter *next_woken;
	bool is_woken; /* is in the queue of woken waiters */
	uint32_t seen; /* a version above this one wakes it */
	uint64_t due_ns;
	size_t place; /* in the heap, from 1; 0: not asleep */
};
