/*
 * arena.h - memory that lives as long as one request.
 *
 * A request allocates what it decodes or loads from its arena and never frees a
 * piece of it; arena_reset() frees everything at once.  Running out of memory
 * ends the process, see memory.h.
 *
 * The first block is small: a waiter, which rewinds its arena before it sleeps,
 * holds little memory.
 *
 * An arena belongs to one thread at a time.
 */
#pragma once

#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *blocks; /* newest first; owned */
	size_t used;                /* bytes allocated of the newest one */
	struct arena_block *spare;  /* kept for later, or NULL; owned */
};

/* Begin empty; nothing is allocated yet. */
void arena_init(struct arena *arena);

/* Allocate size bytes, zeroed and aligned for any type.  Never fails. */
void *arena_zalloc(struct arena *arena, size_t size);

/* The same, not zeroed: for bytes that are about to be written. */
void *arena_alloc(struct arena *arena, size_t size);

/* A copy of len bytes with a zero byte behind them. */
char *arena_strndup(struct arena *arena, const char *text, size_t len);

/* printf into the arena. */
char *arena_printf(struct arena *arena, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* A point in an arena; arena_rewind() frees all that was allocated after it. */
struct arena_mark {
	struct arena_block *newest;
	size_t used;
};
struct arena_mark arena_mark(const struct arena *arena);
void arena_rewind(struct arena *arena, struct arena_mark mark);

/* Free everything but two blocks, which the next request uses. */
void arena_reset(struct arena *arena);

/* Free all memory.  The arena is empty again. */
void arena_fini(struct arena *arena);
