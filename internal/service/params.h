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
