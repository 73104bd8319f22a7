/*
 * test_traceparent.c - the trace that a request belongs to.
 */
#include "tracing/traceparent.h"

#include "rows.h"

/* The offset of the caller's span in a field. */
enum { PARENT_AT = 36 };

struct trace_row {
	const char *name;
	const char *field;
	const char *id;
};

static struct trace_row trace_rows[] = {
#define TRACE(...) { __VA_ARGS__ },
#include "test_traceparent.def"
};

static void check_trace(void **state)
{
	const struct trace_row *row = *state;
	char id[TRACEPARENT_ID_LEN + 1] = "untouched";
	char parent[TRACEPARENT_SPAN_LEN + 1] = "untouched";

	assert_int_equal(traceparent_read(row->field, id, parent),
	                 row->id != NULL);
	assert_string_equal(id, row->id ? row->id : "untouched");
	if (row->id)
		assert_memory_equal(parent, row->field + PARENT_AT,
		                    TRACEPARENT_SPAN_LEN);
	else
		assert_string_equal(parent, "untouched");
}

int main(void)
{
	static struct rows rows;

	ROWS_ADD(&rows, trace_rows, check_trace);
	return rows_run("http trace", &rows);
}
