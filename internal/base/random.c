/*
 * getrandom() gives up to 256 bytes at once, and no signal interrupts it, so no
 * loop is needed.
 */
#include "base/random.h"

#include <assert.h>
#include <sys/random.h>

bool random_bytes(void *bytes, size_t len)
{
	assert(len <= 256);
	return getrandom(bytes, len, 0) == (ssize_t)len;
}
