/*
 * A ring of traces with one writer, the loop, and one reader, the exporter.
 * ended counts the traces that were written, taken those that were read; the
 * slot of number n is n modulo TRACER_ROOM.  Each side writes only its own
 * count, after it has finished with the slot, so there is no lock, and a slow
 * reader costs the writer only traces.
 *
 * Every one_in-th request of the loop is sampled.  The client's sampled flag is
 * ignored, since any client could set it and make the service work.
 */
#include "tracing/tracer.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/memory.h"

struct tracer {
	unsigned one_in;
	unsigned left; /* requests until the next that is sampled */
	_Atomic uint64_t ended;
	_Atomic uint64_t taken;
	_Atomic uint64_t lost;
	struct trace slots[TRACER_ROOM];
};

struct tracer *tracer_open(unsigned one_in)
{
	struct tracer *tracer = xcalloc(1, sizeof(*tracer));

	tracer->one_in = one_in;
	return tracer;
}

void tracer_close(struct tracer *tracer)
{
	free(tracer);
}

struct trace *tracer_begin(struct tracer *tracer, struct arena *arena)
{
	if (!tracer)
		return NULL;
	if (tracer->left > 0) {
		tracer->left--;
		return NULL;
	}
	tracer->left = tracer->one_in - 1;
	return arena_zalloc(arena, sizeof(struct trace));
}

void tracer_end(struct tracer *tracer, const struct trace *trace)
{
	uint64_t ended =
		atomic_load_explicit(&tracer->ended, memory_order_relaxed);
	uint64_t taken =
		atomic_load_explicit(&tracer->taken, memory_order_acquire);

	if (ended - taken == TRACER_ROOM) {
		atomic_fetch_add_explicit(&tracer->lost, 1,
		                          memory_order_relaxed);
		return;
	}
	tracer->slots[ended % TRACER_ROOM] = *trace;
	atomic_store_explicit(&tracer->ended, ended + 1, memory_order_release);
}

bool tracer_take(struct tracer *tracer, struct trace *trace)
{
	uint64_t taken =
		atomic_load_explicit(&tracer->taken, memory_order_relaxed);

	if (taken == atomic_load_explicit(&tracer->ended, memory_order_acquire))
		return false;
	*trace = tracer->slots[taken % TRACER_ROOM];
	atomic_store_explicit(&tracer->taken, taken + 1, memory_order_release);
	return true;
}

uint64_t tracer_lost(const struct tracer *tracer)
{
	return atomic_load_explicit(&tracer->lost, memory_order_relaxed);
}
