/*
 * memory.h - malloc that does not fail.
 *
 * Out of memory is a broken invariant, and one that nobody can handle in the
 * middle of a request: the process writes one line to its log and ends,
 * without a core, with MEMORY_STATUS.  All state is in the database, so only
 * the answers under way are lost, and systemd starts the process again.
 *
 * The caller owns what these functions return, and frees it with free().
 */
#pragma once

#include <stddef.h>
#include <stdnoreturn.h>

/* The exit status of a process out of memory: EX_OSERR of sysexits.h. */
enum { MEMORY_STATUS = 71 };

/* As malloc(), calloc() and realloc(), but never NULL, also for size 0. */
void *xmalloc(size_t size);
void *xcalloc(size_t count, size_t size);
void *xrealloc(void *block, size_t size);

/* End the process: a library could not allocate what it must have. */
noreturn void memory_fail(void);

/* End the process if a library could not allocate (NULL). */
static inline void memory_expect(const void *allocated)
{
	if (!allocated)
		memory_fail();
}
