/*
 * A trace keeps its first SPANS_MAX steps, in the order in which they ended.
 * So a request that waits for hours, or is decided again and again, costs no
 * more memory than any other.
 */
#include "tracing/span.h"

#include <stddef.h>

#include "base/clock.h"

uint64_t span_begin(const struct trace *trace)
{
	return trace ? clock_monotonic_ns() : 0;
}

static void end(struct trace *trace, const char *name, bool is_statement,
                uint64_t begun_ns)
{
	if (!trace)
		return;
	if (trace->count == SPANS_MAX) {
		trace->dropped++;
		return;
	}
	trace->steps[trace->count++] =
		(struct span){ name, is_statement, begun_ns,
		               clock_monotonic_ns() };
}

void span_end_statement(struct trace *trace, const char *name,
                        uint64_t begun_ns)
{
	end(trace, name, true, begun_ns);
}

void span_end_work(struct trace *trace, const char *name, uint64_t begun_ns)
{
	end(trace, name, false, begun_ns);
}
