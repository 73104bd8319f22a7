/*
 * traceparent.h - the trace that a request belongs to (W3C Trace Context).
 */
#pragma once

#include <stdbool.h>

#include "base/err.h"

enum { TRACEPARENT_ID_LEN = 32, TRACEPARENT_SPAN_LEN = 16 };

/*
 * Read the trace id and the caller's span id of a "traceparent" field, 32 and
 * 16 hexadecimal digits in lower case.  False, and both untouched, if the field
 * is NULL or malformed.
 */
MUST_CHECK bool traceparent_read(const char *field,
                                 char id[TRACEPARENT_ID_LEN + 1],
                                 char parent[TRACEPARENT_SPAN_LEN + 1]);
