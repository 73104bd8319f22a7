/*
 * heap.h - waiters asleep, in the order in which they are due.
 */
#pragma once

#include "live/waiter.h"

struct heap {
	struct waiter **waiters; /* from [1] on */
	size_t count;
	size_t size;
};

void heap_init(struct heap *heap);
void heap_fini(struct heap *heap);

/* Add a waiter whose due_ns is set; remove one that was added. */
void heap_add(struct heap *heap, struct waiter *waiter);
void heap_remove(struct heap *heap, struct waiter *waiter);

/* The waiter that is due first; NULL: there is none. */
struct waiter *heap_first(const struct heap *heap);
