/*
 * A binary heap: waiters[n] is due no later than waiters[2n] and
 * waiters[2n + 1], so waiters[1] is first.  A waiter knows its place, so that
 * it can be removed from the middle; place 0: it is not in the heap.
 */
#include "live/heap.h"

#include <stdlib.h>

#include "base/memory.h"

enum { SIZE_LEAST = 64 };

void heap_init(struct heap *heap)
{
	heap->count = 0;
	heap->size = SIZE_LEAST;
	heap->waiters = xmalloc(SIZE_LEAST * sizeof(struct waiter *));
}

void heap_fini(struct heap *heap)
{
	free(heap->waiters);
}

struct waiter *heap_first(const struct heap *heap)
{
	return heap->count ? heap->waiters[1] : NULL;
}

static void put(struct heap *heap, size_t place, struct waiter *waiter)
{
	heap->waiters[place] = waiter;
	waiter->place = place;
}

static void sift_up(struct heap *heap, size_t place)
{
	struct waiter *waiter = heap->waiters[place];

	for (; place > 1; place /= 2) {
		struct waiter *above = heap->waiters[place / 2];

		if (above->due_ns <= waiter->due_ns)
			break;
		put(heap, place, above);
	}
	put(heap, place, waiter);
}

static void sift_down(struct heap *heap, size_t place)
{
	struct waiter **waiters = heap->waiters;
	struct waiter *waiter = waiters[place];

	for (;;) {
		size_t below = 2 * place;

		if (below < heap->count &&
		    waiters[below + 1]->due_ns < waiters[below]->due_ns)
			below++;
		if (below > heap->count ||
		    waiters[below]->due_ns >= waiter->due_ns)
			break;
		put(heap, place, waiters[below]);
		place = below;
	}
	put(heap, place, waiter);
}

void heap_add(struct heap *heap, struct waiter *waiter)
{
	if (heap->count + 1 >= heap->size) {
		heap->size *= 2;
		heap->waiters = xrealloc(heap->waiters,
		                         heap->size * sizeof(struct waiter *));
	}
	put(heap, ++heap->count, waiter);
	sift_up(heap, waiter->place);
}

void heap_remove(struct heap *heap, struct waiter *waiter)
{
	size_t place = waiter->place;

	waiter->place = 0;
	struct waiter *last = heap->waiters[heap->count--];
	if (last == waiter)
		return;
	put(heap, place, last);
	sift_up(heap, place);
	sift_down(heap, last->place);
}
