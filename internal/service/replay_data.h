/*
 * replay_data.h - the payload of an event from which a move can be decided
 * again: the action, and the seed if the move drew numbers.  It never leaves
 * the database but for gangctl replay.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/rng.h"
#include "table/action.h"

/* With what comes before the arguments. */
enum { REPLAY_DATA_MAX = 4 + ACTION_ARGS_MAX + RNG_SEED_SIZE };

/* Write into REPLAY_DATA_MAX bytes; returns how many. */
size_t replay_data_write(const struct action *action, const struct rng *rng,
                         uint8_t *bytes);

/*
 * Read them again; has_seed says whether a seed was written.  False, with
 * nothing touched, if the bytes are not what replay_data_write() writes.
 */
MUST_CHECK bool replay_data_read(const uint8_t *bytes, size_t len,
                                 struct action *action, struct rng *rng,
                                 bool *has_seed);
