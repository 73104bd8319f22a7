/*
 * params.h - reads the {parameters} of a path (params.def).
 */
#pragma once

#include "service/call.h"

/*
 * Read all of them into call->path and call->game, from the left.  Fails with
 * the error that params.def has for the first one that cannot be right.
 */
MUST_CHECK enum err params_read(struct call *call);

/*
 * Read a number from 1 to most, without a leading zero.  False, and value
 * untouched, for any other text.
 */
MUST_CHECK bool params_read_number(const char *text, size_t len, unsigned most,
                                   unsigned *value);
