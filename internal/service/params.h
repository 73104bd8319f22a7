/*
 * params.h - reads the {parameters} of a path (params.def).
 */
#pragma once

#include "service/call.h"

/* Give a route the rows of the {parameters} in its path. */
void params_find(struct http_route *route);

/* Read the parameters of the request's path, which HTTP has checked. */
void params_read(struct call *call);

/*
 * Read a number from 1 to most, without a leading zero.  False, and value
 * untouched, for any other text.
 */
MUST_CHECK bool params_read_number(const char *text, size_t len, unsigned most,
                                   unsigned *value);
