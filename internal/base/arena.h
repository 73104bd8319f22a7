/*
 * arena.h - memory that lives as long as one request.
 *
 * What a request decodes or loads is taken from its arena and never freed
 * piece by piece; arena_reset() gives everything back at once.  Out of memory
 * ends the process, see memory.h.
 *
 * The first block is small, so that what waits for long with little in its
 * arena, after arena_rewind(), holds little memory.
 *
 * An arena belongs to one thread at a time.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *blocks; /* newest first; owned */
	size_t used;                /* bytes taken from the newest one */
	struct arena_block *spare;  /* kept for later, or NULL; owned */
};

/* Begin empty; nothing is allocated yet. */
void arena_init(struct arena *arena);

/* Take size bytes, zeroed and aligned for anything.  Never fails. */
void *arena_zalloc(struct arena *arena, size_t size);

/* The same, but not zeroed: for what is about to be written. */
void *arena_alloc(struct arena *arena, size_t size);

/* A copy of len bytes with a zero byte behind them. */
char *arena_strndup(struct arena *arena, const char *text, size_t len);

/* printf into the arena. */
char *arena_printf(struct arena *arena, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Where an arena stands, and back to there: what was taken since is gone. */
struct arena_mark {
	struct arena_block *newest;
	size_t used;
};
struct arena_mark arena_mark(const struct arena *arena);
void arena_rewind(struct arena *arena, struct arena_mark mark);

/* Forget everything, but keep a small and a large block for the next request.
 */
void arena_reset(struct arena *arena);

/* Give all memory back.  The arena is empty again. */
void arena_fini(struct arena *arena);

#endif
