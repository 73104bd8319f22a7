/*
 * arena.h - memory that lives as long as one request.
 *
 * Single allocations are not freed: arena_reset() frees all of them at once.
 * Allocation never fails: without memory the process ends (memory.h).  One
 * thread at a time uses an arena.
 *
 * The first block is small, so that a sleeping waiter, whose request has
 * rewound its arena, holds little memory.
 */
#pragma once

#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *blocks; /* newest first; owned */
	size_t used;                /* bytes used of the newest block */
	struct arena_block *spares; /* free blocks; owned */
	unsigned spares_count;
};

/* Make an empty arena; allocates nothing. */
void arena_init(struct arena *arena);

/* Allocate size bytes, zeroed and aligned for any type. */
void *arena_zalloc(struct arena *arena, size_t size);

/* Allocate size bytes, aligned for any type, not zeroed. */
void *arena_alloc(struct arena *arena, size_t size);

/* Copy len bytes and append a zero byte. */
char *arena_strndup(struct arena *arena, const char *text, size_t len);

/* Format a string as printf does. */
char *arena_printf(struct arena *arena, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* A point in time; arena_rewind() frees all that was allocated after it. */
struct arena_mark {
	struct arena_block *newest;
	size_t used;
};
struct arena_mark arena_mark(const struct arena *arena);
void arena_rewind(struct arena *arena, struct arena_mark mark);

/* Free all allocations; a few blocks are kept for the next request. */
void arena_reset(struct arena *arena);

/* Free all allocations and all blocks.  The arena is empty again. */
void arena_fini(struct arena *arena);
