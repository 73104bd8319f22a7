/*
 * sealed.h - what is kept of a decision so that it can be decided again: the
 * action, and the seed if it used chance.  Never shown to anybody.
 */
#ifndef SERVICE_REPLAY_DATA_H
#define SERVICE_REPLAY_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"
#include "base/err.h"
#include "table/action.h"

enum { REPLAY_DATA_MAX = 96 };

/* Write into REPLAY_DATA_MAX bytes; how many were needed. */
size_t replay_data_write(const struct action *action, const struct rng *rng,
                         uint8_t *bytes);

/*
 * Read it again; has_seed tells whether there was one.  False, and nothing
 * touched, if it is nothing that was written.
 */
MUST_CHECK bool replay_data_read(const uint8_t *bytes, size_t len,
                                 struct action *action, struct rng *rng,
                                 bool *has_seed);

#endif
