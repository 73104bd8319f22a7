/*
 * An arena is a list of blocks, newest first; an allocation moves used forward
 * in the newest one.  The first block holds an incoming request, a second one
 * the loaded game, further ones a view and its JSON; a larger allocation gets a
 * block of its own size.  A reset keeps the first block and some of the others
 * as spares, so that most requests call no malloc().
 */
#include "base/arena.h"

#include <assert.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { FIRST_SIZE = 1536, BLOCK_SIZE = 8 * 1024 - 64, SPARES_MAX = 3 };

struct arena_block {
	struct arena_block *older;
	size_t size;
	alignas(max_align_t) unsigned char bytes[];
};

void arena_init(struct arena *arena)
{
	*arena = (struct arena){ .blocks = NULL };
}

static struct arena_block *take_block(struct arena *arena, size_t size)
{
	size_t least = arena->blocks ? BLOCK_SIZE : FIRST_SIZE;
	struct arena_block *block = arena->spares;

	if (size < least)
		size = least;
	if (block && block->size == size) {
		arena->spares = block->older;
		arena->spares_count--;
		return block;
	}
	block = xmalloc(sizeof(*block) + size);
	block->size = size;
	return block;
}

static void add_block(struct arena *arena, size_t size)
{
	struct arena_block *block = take_block(arena, size);

	block->older = arena->blocks;
	arena->blocks = block;
	arena->used = 0;
}

void *arena_alloc(struct arena *arena, size_t size)
{
	size_t align = alignof(max_align_t);

	assert(size < SIZE_MAX / 2);
	size = (size + align - 1) & ~(align - 1);
	if (!arena->blocks || arena->blocks->size - arena->used < size)
		add_block(arena, size);

	void *taken = arena->blocks->bytes + arena->used;
	arena->used += size;
	return taken;
}

void *arena_zalloc(struct arena *arena, size_t size)
{
	return memset(arena_alloc(arena, size), 0, size);
}

char *arena_strndup(struct arena *arena, const char *text, size_t len)
{
	char *copy = arena_alloc(arena, len + 1);

	memcpy(copy, text, len);
	copy[len] = '\0';
	return copy;
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
	va_list args;
	va_list again;

	va_start(args, format);
	va_copy(again, args);
	int len = vsnprintf(NULL, 0, format, args);
	va_end(args);
	assert(len >= 0);
	char *text = arena_alloc(arena, (size_t)len + 1);
	(void)vsnprintf(text, (size_t)len + 1, format, again);
	va_end(again);
	return text;
}

struct arena_mark arena_mark(const struct arena *arena)
{
	return (struct arena_mark){ arena->blocks, arena->used };
}

void arena_rewind(struct arena *arena, struct arena_mark mark)
{
	while (arena->blocks != mark.newest) {
		struct arena_block *block = arena->blocks;
		assert(block);
		arena->blocks = block->older;
		free(block);
	}
	arena->used = mark.used;
}

static void keep_spare(struct arena *arena, struct arena_block *block)
{
	block->older = arena->spares;
	arena->spares = block;
	arena->spares_count++;
}

static void free_blocks(struct arena_block *blocks)
{
	while (blocks) {
		struct arena_block *block = blocks;
		blocks = block->older;
		free(block);
	}
}

void arena_reset(struct arena *arena)
{
	struct arena_block *first = NULL;

	while (arena->blocks) {
		struct arena_block *block = arena->blocks;
		arena->blocks = block->older;
		if (!first && block->size == FIRST_SIZE)
			first = block;
		else if (arena->spares_count < SPARES_MAX &&
		         block->size == BLOCK_SIZE)
			keep_spare(arena, block);
		else
			free(block);
	}
	if (first)
		first->older = NULL;
	arena->blocks = first;
	arena->used = 0;
}

void arena_fini(struct arena *arena)
{
	free_blocks(arena->blocks);
	free_blocks(arena->spares);
	arena_init(arena);
}
