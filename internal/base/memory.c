/*
 * The failure path allocates nothing: log_write() and strerror_r() use the
 * stack, and _Exit() runs no exit handlers.
 */
#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"

enum { TEXT_SIZE = 64 };

void memory_fail(void)
{
	log_write(LOG_ERROR, "out_of_memory", NULL, 0);
	_Exit(MEMORY_STATUS);
}

/* The kernel needs memory for a descriptor and for a thread, too. */
static noreturn void fail(const char *event, int error)
{
	char text[TEXT_SIZE];

	if (error == ENOMEM)
		memory_fail();
	if (strerror_r(error, text, sizeof(text)) != 0)
		text[0] = '\0';
	LOG(LOG_ERROR, event, LOG_TEXT("error", text),
	    LOG_INT("errno", (uint64_t)error));
	_Exit(MEMORY_STATUS);
}

void memory_expect_descriptor(int descriptor)
{
	if (descriptor < 0)
		fail("out_of_descriptors", errno);
}

void memory_expect_thread(int error)
{
	if (error != 0)
		fail("out_of_threads", error);
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
