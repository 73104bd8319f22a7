/*
 * Each thread that counts has a block of METRIC_CELL_COUNT cells, which the
 * registry keeps until metric_close(): the counts of a thread outlive it.  A
 * block has one writer, so its cells are loaded and stored, never exchanged.  A
 * gauge goes up and down by the same thread; the sum of the blocks is its
 * value, also when a block has fallen below zero and wrapped.
 */
#include "metric/metric.h"

#include <assert.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/macros.h"
#include "base/memory.h"

enum {
	BLOCKS_MAX = 80, /* loops, bots, the listener and gangd-push */
	BOUNDS_MAX = 12,
	LINE_MAX_BYTES = 512,
	TEXT_FIRST = 16384,
};

enum kind { COUNTER_KIND, GAUGE_KIND, HISTOGRAM_KIND };

struct bounds {
	unsigned count;
	uint64_t scale; /* a printed value is the counted one divided by it */
	uint64_t limits[BOUNDS_MAX];
};

enum bounds_name {
#define BOUNDS(name, count, scale) BOUNDS_##name,
#include "metric/metric.def"
};

static const struct bounds bounds[] = {
#define BOUNDS(name, count, scale) \
	[BOUNDS_##name] = { count, scale, LIMITS_##name },
#define LIMITS_SECONDS                                                         \
	{                                                                      \
		500000, 1000000, 2000000, 5000000, 10000000, 20000000,         \
			50000000, 100000000, 200000000, 500000000, 1000000000, \
			2000000000                                             \
	}
#define LIMITS_SIZES                        \
	{                                   \
		1, 2, 4, 8, 16, 32, 64, 128 \
	}
#include "metric/metric.def"
};

struct row {
	enum kind kind;
	unsigned first_cell;
	const char *name;
	const char *help;
	enum metric_label first;
	enum metric_label second;    /* of a counter or gauge */
	const struct bounds *bounds; /* of a histogram */
};

static const struct row rows[] = {
#define SCALAR(kind, name, text, first, second, help)        \
	{ kind, METRIC_##name,        text,                  \
	  help, METRIC_LABEL_##first, METRIC_LABEL_##second, \
	  NULL },
#define COUNTER(...) SCALAR(COUNTER_KIND, __VA_ARGS__)
#define GAUGE(...)   SCALAR(GAUGE_KIND, __VA_ARGS__)
#define HISTOGRAM(name, text, first, limits, help) \
	{ HISTOGRAM_KIND,                          \
	  METRIC_##name,                           \
	  text,                                    \
	  help,                                    \
	  METRIC_LABEL_##first,                    \
	  METRIC_LABEL_NONE,                       \
	  &bounds[BOUNDS_##limits] },
#include "metric/metric.def"
};

static const unsigned rooms[METRIC_LABEL_COUNT] = {
#define LABEL(name, room) room,
#include "metric/metric.def"
};

enum { ROOM_MAX = 96, PAIR_SIZE = 96 };

_Thread_local metric_cell *metric_cells;

static struct {
	pthread_mutex_t lock; /* of the blocks */
	bool is_on;
	unsigned count;
	metric_cell *blocks[BLOCKS_MAX];
	char *names[METRIC_LABEL_COUNT][ROOM_MAX];
} registry = { .lock = PTHREAD_MUTEX_INITIALIZER };

void metric_open(void)
{
	registry.is_on = true;
}

void metric_close(void)
{
	for (unsigned i = 0; i < registry.count; i++)
		free(registry.blocks[i]);
	for (unsigned label = 0; label < METRIC_LABEL_COUNT; label++) {
		for (unsigned value = 0; value < ROOM_MAX; value++) {
			free(registry.names[label][value]);
			registry.names[label][value] = NULL;
		}
	}
	registry.count = 0;
	registry.is_on = false;
	metric_cells = NULL;
}

void metric_name(enum metric_label label, unsigned value, const char *text)
{
	size_t size = strlen(text) + 1;

	assert(value < rooms[label] && value < ROOM_MAX);
	assert(!registry.names[label][value]);
	registry.names[label][value] = xmalloc(size);
	memcpy(registry.names[label][value], text, size);
}

void metric_name_pair(enum metric_label label, unsigned value, const char *name,
                      const char *text)
{
	char pair[PAIR_SIZE];

	(void)snprintf(pair, sizeof(pair), "%s=\"%s\"", name, text);
	metric_name(label, value, pair);
}

void metric_begin(void)
{
	if (!registry.is_on || metric_cells)
		return;
	metric_cells = xcalloc(METRIC_CELL_COUNT, sizeof(*metric_cells));
	pthread_mutex_lock(&registry.lock);
	assert(registry.count < BLOCKS_MAX);
	registry.blocks[registry.count++] = metric_cells;
	pthread_mutex_unlock(&registry.lock);
}

/* --- histograms ----------------------------------------------------------- */

static void observe(const struct bounds *of, enum metric metric, unsigned value,
                    uint64_t number)
{
	unsigned bucket = 0;
	unsigned first = value * (of->count + 2);
	unsigned sum = first + of->count + 1;

	if (!metric_cells)
		return;
	while (bucket < of->count && number > of->limits[bucket])
		bucket++;
	metric_add(metric, first + bucket, 1);
	metric_set(metric, sum,
	           atomic_load_explicit(&metric_cells[metric + sum],
	                                memory_order_relaxed) +
	                   number);
}

void metric_observe_ns(enum metric metric, unsigned value, uint64_t ns)
{
	observe(&bounds[BOUNDS_SECONDS], metric, value, ns);
}

void metric_observe_size(enum metric metric, unsigned size)
{
	observe(&bounds[BOUNDS_SIZES], metric, 0, size);
}

/* --- printing ------------------------------------------------------------- */

struct text {
	char *bytes;
	size_t len;
	size_t size;
};

__attribute__((format(printf, 2, 3))) static void print(struct text *text,
                                                        const char *format, ...)
{
	va_list arguments;

	if (text->size - text->len < LINE_MAX_BYTES) {
		text->size *= 2;
		text->bytes = xrealloc(text->bytes, text->size);
	}
	va_start(arguments, format);
	(void)vsnprintf(text->bytes + text->len, LINE_MAX_BYTES, format,
	                arguments);
	va_end(arguments);
	text->len += strlen(text->bytes + text->len);
}

/* Add up the cells of all threads. */
static void sum_blocks(uint64_t sums[METRIC_CELL_COUNT])
{
	pthread_mutex_lock(&registry.lock);
	for (unsigned i = 0; i < registry.count; i++) {
		for (unsigned cell = 0; cell < METRIC_CELL_COUNT; cell++)
			sums[cell] +=
				atomic_load_explicit(&registry.blocks[i][cell],
			                             memory_order_relaxed);
	}
	pthread_mutex_unlock(&registry.lock);
}

static const char *name_of(enum metric_label label, unsigned value)
{
	return label == METRIC_LABEL_NONE ? "" : registry.names[label][value];
}

/* The labels of a series, with their braces, and another one or "". */
static void print_labels(struct text *text, const char *first,
                         const char *second, const char *more)
{
	if (!first[0] && !second[0] && !more[0])
		return;
	print(text, "{%s%s%s%s%s}", first, first[0] && second[0] ? "," : "",
	      second, (first[0] || second[0]) && more[0] ? "," : "", more);
}

static void print_scalar(struct text *text, const struct row *row,
                         const uint64_t *cells)
{
	bool leaves_out =
		row->second != METRIC_LABEL_NONE && row->kind == COUNTER_KIND;
	unsigned cell = 0;

	for (unsigned i = 0; i < rooms[row->first]; i++) {
		for (unsigned k = 0; k < rooms[row->second]; k++, cell++) {
			const char *first = name_of(row->first, i);
			const char *second = name_of(row->second, k);

			if (!first || !second ||
			    (leaves_out && cells[cell] == 0))
				continue;
			print(text, "%s", row->name);
			print_labels(text, first, second, "");
			print(text, " %" PRId64 "\n", (int64_t)cells[cell]);
		}
	}
}

static void print_series(struct text *text, const struct row *row,
                         const uint64_t *cells, const char *label)
{
	const struct bounds *of = row->bounds;
	double scale = (double)of->scale;
	uint64_t count = 0;
	char le[32] = "le=\"+Inf\"";

	for (unsigned i = 0; i < of->count; i++) {
		char bound[sizeof(le)];

		count += cells[i];
		(void)snprintf(bound, sizeof(bound), "le=\"%g\"",
		               (double)of->limits[i] / scale);
		print(text, "%s_bucket", row->name);
		print_labels(text, label, "", bound);
		print(text, " %" PRIu64 "\n", count);
	}
	count += cells[of->count];
	print(text, "%s_bucket", row->name);
	print_labels(text, label, "", le);
	print(text, " %" PRIu64 "\n%s_sum", count, row->name);
	print_labels(text, label, "", "");
	print(text, " %.9g\n%s_count", (double)cells[of->count + 1] / scale,
	      row->name);
	print_labels(text, label, "", "");
	print(text, " %" PRIu64 "\n", count);
}

static bool has_counted(const uint64_t *cells, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		if (cells[i] > 0)
			return true;
	}
	return false;
}

static void print_histogram(struct text *text, const struct row *row,
                            const uint64_t *cells)
{
	unsigned buckets = row->bounds->count + 1;

	for (unsigned i = 0; i < rooms[row->first]; i++) {
		const char *label = name_of(row->first, i);

		if (label && (row->first == METRIC_LABEL_NONE ||
		              has_counted(cells, buckets)))
			print_series(text, row, cells, label);
		cells += buckets + 1;
	}
}

char *metric_print(size_t *len)
{
	static const char *const types[] = { "counter", "gauge", "histogram" };
	struct text text = { xmalloc(TEXT_FIRST), 0, TEXT_FIRST };
	uint64_t *sums = xcalloc(METRIC_CELL_COUNT, sizeof(*sums));

	sum_blocks(sums);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct row *row = &rows[i];

		print(&text, "# HELP %s %s\n# TYPE %s %s\n", row->name,
		      row->help, row->name, types[row->kind]);
		if (row->kind == HISTOGRAM_KIND)
			print_histogram(&text, row, sums + row->first_cell);
		else
			print_scalar(&text, row, sums + row->first_cell);
	}
	free(sums);
	*len = text.len;
	return text.bytes;
}
