/*
 * otlp.h - prints traces as an export request of OTLP, in JSON.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/json_out.h"
#include "tracing/span.h"

/* The most bytes that the frame around the traces, or one trace, takes. */
enum { OTLP_FRAME_MAX = 512, OTLP_TRACE_MAX = 6144 };

/* Begin a request of this version of the service; end it. */
void otlp_begin(struct json_out *out, const char *version);
void otlp_end(struct json_out *out);

/*
 * Add a trace.  offset_ns is what to add to its times to get nanoseconds since
 * 1970, UTC.
 */
void otlp_trace(struct json_out *out, const struct trace *trace,
                uint64_t offset_ns);
