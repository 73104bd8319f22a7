/*
 * ICU's checker is made once, for all threads, and is only read from then on.
 * If it cannot be made, for lack of memory or of ICU's data, the process ends.
 */
#include "auth/skeleton.h"

#include <pthread.h>
#include <stddef.h>

#include <unicode/uspoof.h>

#include "base/memory.h"

enum { USUAL_ROOM = 256 };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static USpoofChecker *checker;

static void expect_success(UErrorCode status)
{
	if (U_FAILURE(status))
		memory_fail();
}

static void open_checker(void)
{
	UErrorCode status = U_ZERO_ERROR;

	checker = uspoof_open(&status);
	expect_success(status);
}

const char *skeleton_of(const char *text, struct arena *arena)
{
	UErrorCode status = U_ZERO_ERROR;
	size_t room = USUAL_ROOM;
	char *written = arena_alloc(arena, room);

	pthread_once(&once, open_checker);
	int32_t len = uspoof_getSkeletonUTF8(checker, 0, text, -1, written,
	                                     (int32_t)room, &status);
	if (status == U_BUFFER_OVERFLOW_ERROR ||
	    status == U_STRING_NOT_TERMINATED_WARNING) {
		room = (size_t)len + 1;
		written = arena_alloc(arena, room);
		status = U_ZERO_ERROR;
		(void)uspoof_getSkeletonUTF8(checker, 0, text, -1, written,
		                             (int32_t)room, &status);
	}
	expect_success(status);
	return written;
}
