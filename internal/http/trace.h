/*
 * trace.h - the trace that a request belongs to (W3C Trace Context).
 */
#pragma once

#include <stdbool.h>

#include "base/err.h"

enum { TRACE_ID_LEN = 32 };

/*
 * Read the trace id of a "traceparent" field, 32 hexadecimal digits in lower
 * case.  False, and id untouched, if the field is NULL or malformed.
 */
MUST_CHECK bool trace_read(const char *field, char id[TRACE_ID_LEN + 1]);
