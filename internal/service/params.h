/*
 * params.h - the parts of a path that are not fixed (params.def).
 */
#ifndef SERVICE_PARAMS_H
#define SERVICE_PARAMS_H

#include "service/call.h"

/* Read all of them into the call, from the left. */
MUST_CHECK enum err params_read(struct call *call);

#endif
