/*
 * seed.h - chance from the kernel, the only source of it.
 */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/*
 * Fill in len bytes, 256 at the most.  False, and nothing is known of the
 * bytes, when the kernel gives none: then nothing may be dealt or drawn.
 */
MUST_CHECK bool random_bytes(void *bytes, size_t len);

#endif
