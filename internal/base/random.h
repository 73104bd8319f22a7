/*
 * random.h - random bytes from the system, the only source of randomness.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/*
 * Fill in len bytes, 256 at the most.  False if the system gives none; then the
 * bytes are undefined, and nothing may be dealt or drawn from them.
 */
MUST_CHECK bool random_bytes(void *bytes, size_t len);
