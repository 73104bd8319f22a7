/*
 * sealed.h - what is kept of a decision so that it can be decided again: the
 * action, and the seed if it used chance.  Never shown to anybody.
 */
#ifndef SERVICE_SEALED_H
#define SERVICE_SEALED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/chance.h"
#include "base/err.h"
#include "table/action.h"

enum { SEALED_MAX = 96 };

/* Write into SEALED_MAX bytes; how many were needed. */
size_t sealed_write(const struct action *action, const struct chance *chance,
                    uint8_t *bytes);

/*
 * Read it again; has_seed tells whether there was one.  False, and nothing
 * touched, if it is nothing that was written.
 */
MUST_CHECK bool sealed_read(const uint8_t *bytes, size_t len,
                            struct action *action, struct chance *chance,
                            bool *has_seed);

#endif
