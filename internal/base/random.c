/*
 * The system's random bytes.  Up to 256 of them come whole, and no signal
 * interrupts getrandom(); so there is no loop and no state.
 */
#include "base/random.h"

#include <assert.h>
#include <sys/random.h>

bool random_bytes(void *bytes, size_t len)
{
	assert(len <= 256);
	return getrandom(bytes, len, 0) == (ssize_t)len;
}
