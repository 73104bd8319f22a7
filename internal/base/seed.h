/*
 * seed.h - chance from the kernel, the only source of it.
 */
#ifndef BASE_SEED_H
#define BASE_SEED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/*
 * Fill in len bytes, 256 at the most.  False, and nothing is known of the
 * bytes, when the kernel gives none: then nothing may be dealt or drawn.
 */
MUST_CHECK bool seed_draw(void *bytes, size_t len);

#endif
