#include "base/random.h"

#include <assert.h>
#include <sys/random.h>

bool random_bytes(void *bytes, size_t len)
{
	assert(len <= 256);
	/* Up to 256 bytes come whole, and no signal interrupts them. */
	return getrandom(bytes, len, 0) == (ssize_t)len;
}
