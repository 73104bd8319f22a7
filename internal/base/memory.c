/*
 * memory_fail() must not allocate: log_write() uses the stack, and _Exit() runs
 * no exit handlers.
 */
#include "base/memory.h"

#include <stdlib.h>

#include "base/log.h"

void memory_fail(void)
{
	log_write(LOG_ERROR, "out_of_memory", NULL, 0);
	_Exit(MEMORY_STATUS);
}

/* malloc(0) may return NULL. */
static size_t at_least_one(size_t size)
{
	return size > 0 ? size : 1;
}

void *xmalloc(size_t size)
{
	void *block = malloc(at_least_one(size));

	memory_expect(block);
	return block;
}

void *xcalloc(size_t count, size_t size)
{
	void *block = calloc(at_least_one(count), at_least_one(size));

	memory_expect(block);
	return block;
}

void *xrealloc(void *block, size_t size)
{
	void *resized = realloc(block, at_least_one(size));

	memory_expect(resized);
	return resized;
}
