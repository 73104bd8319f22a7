/*
 * memory.h - ends the process when memory, descriptors or threads run out.
 *
 * The process writes one line to its log that names the missing resource, and
 * exits, without a core, with MEMORY_STATUS.  All state is in the database, so
 * only the responses under way are lost, and systemd restarts the process.
 *
 * The caller owns the memory and frees it with free().
 */
#pragma once

#include <stddef.h>
#include <stdnoreturn.h>

/* The exit status: EX_OSERR of sysexits.h. */
enum { MEMORY_STATUS = 71 };

/* As malloc(), calloc() and realloc(), but never NULL, even for size 0. */
void *xmalloc(size_t size);
void *xcalloc(size_t count, size_t size);
void *xrealloc(void *block, size_t size);

/* Exit as above: a library could not allocate memory ("out_of_memory"). */
noreturn void memory_fail(void);

/* Exit as above if the descriptor is -1, with errno ("out_of_descriptors"). */
void memory_expect_descriptor(int descriptor);

/* Exit as above if pthread_create() returned an error ("out_of_threads"). */
void memory_expect_thread(int error);

/* Exit as above if the pointer, which a library allocated, is NULL. */
static inline void memory_expect(const void *allocated)
{
	if (!allocated)
		memory_fail();
}
