/*
 * test_last_event_id.c - where a reader of events begins, by "after" and
 * Last-Event-ID.  Rows are in last_event_id.def.
 */
#include "service/handler.h"

#include "rows.h"

struct begins_row {
	const char *name;
	bool streams;
	const char *last_event_id;
	const char *after;
	uint32_t begins;
};

enum { PAGE = false, STREAM = true };

static struct begins_row begins_rows[] = {
#define BEGINS(...) { __VA_ARGS__ },
#include "last_event_id.def"
};

static void check_begins(void **state)
{
	const struct begins_row *row = *state;
	struct http_request req = {
		.wants_stream = row->streams,
		.last_event_id = row->last_event_id,
		.queries = { { "after", row->after } },
		.queries_count = row->after ? 1 : 0,
	};
	struct call call = { .req = &req };

	assert_int_equal(decode_events(&call), ERR_OK);
	assert_int_equal(call.wanted.page.after, row->begins);
	assert_int_equal(req.faults_count, 0);
}

int main(void)
{
	static struct rows rows;

	ROWS_ADD(&rows, begins_rows, check_begins);
	return rows_run("last event id", &rows);
}
