/*
 * metric.h - counts what the process does, for Prometheus.
 *
 * metric.def has a row for each metric.  A thread that has called
 * metric_begin() counts in cells of its own, which only it writes and
 * metric_print() adds up, so counting takes no lock.  In any other thread, and
 * while metrics are off, counting does nothing.
 *
 * Metrics leave the process, and so must not depend on hidden cards.  They are
 * sums over all games of the daemon, without a label for a game, seat, player,
 * address or card.  The counted routes, statuses, statements, results and
 * outcomes are known to the callers of those games already.  On a daemon with a
 * single table the sums still show an observer when something happens at it
 * (even if it is private), and durations depend on single requests; so the
 * listener is for operators, and no player may reach it.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum metric_room {
#define LABEL(name, room) METRIC_ROOM_##name = (room),
#include "metric/metric.def"
};

/* Buckets, with the one that has no bound. */
enum metric_buckets {
#define BOUNDS(name, count, scale) METRIC_BUCKETS_##name = (count) + 1,
#include "metric/metric.def"
};

enum metric_label {
#define LABEL(name, room) METRIC_LABEL_##name,
#include "metric/metric.def"
	METRIC_LABEL_COUNT
};

/*
 * The first cell of each metric.  A counter or gauge has a cell for each pair
 * of label values; a histogram has its buckets and its sum for each value.
 */
enum metric {
#define CELLS(name, size) \
	METRIC_##name, METRIC_##name##_LAST = METRIC_##name + (size)-1,
#define COUNTER(name, text, first, second, help) \
	CELLS(name, (int)METRIC_ROOM_##first *(int)METRIC_ROOM_##second)
#define GAUGE COUNTER
#define HISTOGRAM(name, text, first, bounds, help) \
	CELLS(name,                                \
	      (int)METRIC_ROOM_##first *((int)METRIC_BUCKETS_##bounds + 1))
#include "metric/metric.def"
#undef CELLS
	METRIC_CELL_COUNT
};

typedef _Atomic uint64_t metric_cell;

/* The cells of this thread, or NULL. */
extern _Thread_local metric_cell *metric_cells;

/* Turn metrics on.  To be called before any metric_begin(), by one thread. */
void metric_open(void);

/* Free everything; no thread counts any more. */
void metric_close(void);

/*
 * Name a value of a label, which is below the label's room: what is printed
 * between braces, such as status="200".  The text is copied.  Values without a
 * name are not printed.  To be called before metric_print().
 */
void metric_name(enum metric_label label, unsigned value, const char *text);

/* The same for a value with one pair: name="text", both short. */
void metric_name_pair(enum metric_label label, unsigned value, const char *name,
                      const char *text);

/* From now on the calling thread counts, if metrics are on. */
void metric_begin(void);

/* Set or add to the cell of a metric; only this thread writes it. */
static inline void metric_set(enum metric metric, unsigned index,
                              uint64_t value)
{
	if (metric_cells)
		atomic_store_explicit(&metric_cells[metric + index], value,
		                      memory_order_relaxed);
}

static inline void metric_add(enum metric metric, unsigned index, int more)
{
	if (!metric_cells)
		return;
	uint64_t before = atomic_load_explicit(&metric_cells[metric + index],
	                                       memory_order_relaxed);
	metric_set(metric, index, before + (uint64_t)(int64_t)more);
}

/*
 * Count a duration in nanoseconds, or a size, in a histogram; value is that of
 * its label, or 0.
 */
void metric_observe_ns(enum metric metric, unsigned value, uint64_t ns);
void metric_observe_size(enum metric metric, unsigned size);

/*
 * All metrics in the text format of Prometheus (0.0.4); the caller frees it.
 * Left out are counters with two labels, and histograms with one, that have
 * counted nothing: most routes refuse for few reasons.  For any thread.
 */
char *metric_print(size_t *len);
