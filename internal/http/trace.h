/*
 * trace.h - the trace that a request belongs to (W3C Trace Context).
 */
#pragma once

#include <stdbool.h>

#include "base/err.h"

enum { TRACE_ID_LEN = 32, TRACE_PARENT_LEN = 16 };

/*
 * Read the trace id and the caller's span id of a "traceparent" field, 32 and
 * 16 hexadecimal digits in lower case.  False, and both untouched, if the field
 * is NULL or malformed.
 */
MUST_CHECK bool trace_read(const char *field, char id[TRACE_ID_LEN + 1],
                           char parent[TRACE_PARENT_LEN + 1]);
