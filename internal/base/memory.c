#include "base/memory.h"

#include <stdlib.h>

#include "base/log.h"

void memory_fail(void)
{
	log_write(LOG_ERROR, "out_of_memory", NULL, 0);
	/* Handlers and buffers of libraries may want to allocate: no exit(). */
	_Exit(MEMORY_STATUS);
}

/* Of nothing, malloc() may give NULL or not. */
static size_t at_least_one(size_t size)
{
	return size > 0 ? size : 1;
}

void *memory_take(size_t size)
{
	void *taken = malloc(at_least_one(size));

	memory_expect(taken);
	return taken;
}

void *memory_take_zeroed(size_t size)
{
	void *taken = calloc(1, at_least_one(size));

	memory_expect(taken);
	return taken;
}

void *memory_resize(void *taken, size_t size)
{
	void *resized = realloc(taken, at_least_one(size));

	memory_expect(resized);
	return resized;
}
