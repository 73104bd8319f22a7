/*
 * tracer.h - draws the sample of one event loop, and hands its traces on.
 *
 * The loop's thread calls tracer_begin() and tracer_end(); one other thread may
 * call tracer_take() and tracer_lost() meanwhile.  They never wait.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/macros.h"
#include "tracing/span.h"

struct tracer;

/* One request in one_in, which is at least 1, is sampled. */
struct tracer *tracer_open(unsigned one_in);

/* Free it, and the traces that were not taken.  NULL is allowed. */
void tracer_close(struct tracer *tracer);

/*
 * The trace of a request that begins, in its arena; its ids are empty, and
 * tracer_end() fills in what is missing.  NULL if the request is not sampled,
 * or the tracer is NULL.
 */
struct trace *tracer_begin(struct tracer *tracer, struct arena *arena);

/*
 * Hand on a trace whose request has ended.  It is copied; when TRACER_ROOM
 * traces wait to be taken it is dropped, and counted as lost.
 */
enum { TRACER_ROOM = 256 };
void tracer_end(struct tracer *tracer, const struct trace *trace);

/* Copy the oldest trace and remove it; false if the ring is empty. */
MUST_CHECK bool tracer_take(struct tracer *tracer, struct trace *trace);

/* The number of traces lost so far. */
uint64_t tracer_lost(const struct tracer *tracer);
