/*
 * failing.c - an allocator, and a source of random bytes, that fail at a test's
 * command.
 *
 * Linked into the daemon it makes gangd_failing.  A test maps the file that
 * GANGD_FAILING names: it writes there what is to fail and when, and reads how
 * often that has happened (tests/torture/failing.py).  While nothing is to
 * fail, this daemon behaves as gangd does.
 *
 * The libraries call the program's malloc() too.  The caller's address shows
 * who allocates: "ours" is base/memory.c.
 *
 * Allocations of json-c's parser never fail: Debian's json-c 0.16 does not
 * check for NULL there.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/types.h>

/* The sorts of failure; bits. */
enum { FAIL_OURS = 1, FAIL_LIBRARIES = 2, FAIL_CHANCE = 4 };

struct control {
	_Atomic int64_t what;    /* 0: nothing fails */
	_Atomic int64_t skipped; /* how many still succeed before that */
	_Atomic int64_t lasting; /* how many then fail */
	_Atomic int64_t failed;  /* how many have failed */
};

static struct control *control;
static _Thread_local bool exempt;

/* NOLINTBEGIN(bugprone-reserved-identifier): libc's and the linker's names */

/* The program's own code, as the linker lays it out. */
extern const char __executable_start;
extern const char etext;

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *taken, size_t size);
ssize_t __real_getrandom(void *bytes, size_t len, unsigned flags);
void *__real_json_tokener_parse_ex(void *tokener, const char *text, int len);
ssize_t __wrap_getrandom(void *bytes, size_t len, unsigned flags);
void *__wrap_json_tokener_parse_ex(void *tokener, const char *text, int len);

/* Before main(); what libraries allocated when they were loaded is past. */
__attribute__((constructor)) static void open_control(void)
{
	const char *path = getenv("GANGD_FAILING");
	int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;

	if (fd < 0)
		return;
	void *mapped = mmap(NULL, sizeof(*control), PROT_READ | PROT_WRITE,
	                    MAP_SHARED, fd, 0);
	(void)close(fd);
	if (mapped != MAP_FAILED)
		control = mapped;
}

static bool fails(int64_t what)
{
	if (!control || exempt || (control->what & what) == 0)
		return false;
	int64_t skipped = atomic_fetch_sub(&control->skipped, 1);
	if (skipped > 0 || skipped <= -control->lasting)
		return false;
	control->failed++;
	return true;
}

static bool allocation_fails(const char *caller)
{
	bool ours = caller >= &__executable_start && caller < &etext;

	if (!fails(ours ? FAIL_OURS : FAIL_LIBRARIES))
		return false;
	errno = ENOMEM;
	return true;
}

void *malloc(size_t size)
{
	if (allocation_fails(__builtin_return_address(0)))
		return NULL;
	return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	if (allocation_fails(__builtin_return_address(0)))
		return NULL;
	return __libc_calloc(count, size);
}

void *realloc(void *taken, size_t size)
{
	if (allocation_fails(__builtin_return_address(0)))
		return NULL;
	return __libc_realloc(taken, size);
}

ssize_t __wrap_getrandom(void *bytes, size_t len, unsigned flags)
{
	if (fails(FAIL_CHANCE)) {
		errno = ENOSYS;
		return -1;
	}
	return __real_getrandom(bytes, len, flags);
}

void *__wrap_json_tokener_parse_ex(void *tokener, const char *text, int len)
{
	exempt = true;
	void *parsed = __real_json_tokener_parse_ex(tokener, text, len);
	exempt = false;
	return parsed;
}

/* NOLINTEND(bugprone-reserved-identifier) */
