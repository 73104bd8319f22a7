/*
 * memory.h - malloc that does not fail.
 *
 * Out of memory is a broken invariant, and one that nobody can handle in the
 * middle of a request: the process says so in one line of its log and ends,
 * without a core, with MEMORY_STATUS.  All state is in the database, so
 * nothing is lost but the answers under way, and systemd starts it again.
 *
 * What is taken here is the caller's, who gives it back by free().
 */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>
#include <stdnoreturn.h>

/* The exit status of a process out of memory: EX_OSERR of sysexits.h. */
enum { MEMORY_STATUS = 71 };

/* Never NULL, also when size is 0. */
void *memory_take(size_t size);
void *memory_take_zeroed(size_t size);
void *memory_resize(void *taken, size_t size);

/* End the process: a library could not allocate what must be there. */
noreturn void memory_fail(void);

/* What a library allocated; NULL ends the process. */
static inline void memory_expect(const void *given)
{
	if (!given)
		memory_fail();
}

#endif
