/*
 * heap.h - sleeping waiters; the one with the lowest due_ns is first.
 */
#pragma once

#include "live/waiter.h"

struct heap {
	struct waiter **waiters; /* [1..count]; owned */
	size_t count;
	size_t size; /* of waiters[], which grows */
};

void heap_init(struct heap *heap);
void heap_fini(struct heap *heap);

/* Add a waiter whose due_ns is set; remove one that was added. */
void heap_add(struct heap *heap, struct waiter *waiter);
void heap_remove(struct heap *heap, struct waiter *waiter);

/* The waiter that is due first; NULL: the heap is empty. */
struct waiter *heap_first(const struct heap *heap);
