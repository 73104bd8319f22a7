/*
 * random.h - random bytes from the system, the only source of randomness.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/macros.h"

/*
 * Write len random bytes, at most 256.  False if the system gave no random
 * bytes: then the buffer is undefined and must not be used.
 */
MUST_CHECK bool random_bytes(void *bytes, size_t len);
