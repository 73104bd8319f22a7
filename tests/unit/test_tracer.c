/*
 * test_tracer.c - the sample of a loop, the ring of its traces, and what a
 * trace looks like as OTLP.
 */
#include "tracing/otlp.h"
#include "tracing/tracer.h"

#include <string.h>

#include "rows.h"

enum {
	ONE_IN = 3,
	REQUESTS = 100,
	BODY_SIZE = OTLP_FRAME_MAX + OTLP_TRACE_MAX
};

static void check_sample(void **state)
{
	struct tracer *tracer = tracer_open(ONE_IN);
	struct arena arena;

	(void)state;
	arena_init(&arena);
	for (unsigned i = 0; i < REQUESTS; i++) {
		const struct trace *trace = tracer_begin(tracer, &arena);
		assert_int_equal(trace != NULL, i % ONE_IN == 0);
	}
	arena_fini(&arena);
	tracer_close(tracer);
}

static void check_off(void **state)
{
	struct arena arena;

	(void)state;
	arena_init(&arena);
	assert_null(tracer_begin(NULL, &arena));
	assert_int_equal(span_begin(NULL), 0);
	span_end_statement(NULL, "load_game", 0);
	span_end_work(NULL, "decide", 0);
	tracer_close(NULL);
	arena_fini(&arena);
}

/* Three turns of the ring, of which each is taken but for its last traces. */
static void check_ring(void **state)
{
	struct tracer *tracer = tracer_open(1);
	struct trace trace = { .count = 0 };
	uint64_t ended = 0;
	uint64_t taken = 0;

	(void)state;
	assert_false(tracer_take(tracer, &trace));
	for (unsigned turn = 0; turn < 3; turn++) {
		while (ended - taken < TRACER_ROOM) {
			trace.id = ++ended;
			tracer_end(tracer, &trace);
		}
		for (unsigned i = 0; i < TRACER_ROOM - 7; i++) {
			assert_true(tracer_take(tracer, &trace));
			assert_int_equal(trace.id, ++taken);
		}
	}
	assert_int_equal(tracer_lost(tracer), 0);
	tracer_close(tracer);
}

static void check_lost(void **state)
{
	struct tracer *tracer = tracer_open(1);
	struct trace trace = { .count = 0 };

	(void)state;
	for (unsigned i = 0; i < TRACER_ROOM + 5; i++) {
		trace.id = i;
		tracer_end(tracer, &trace);
	}
	assert_int_equal(tracer_lost(tracer), 5);
	for (unsigned i = 0; i < TRACER_ROOM; i++) {
		assert_true(tracer_take(tracer, &trace));
		assert_int_equal(trace.id, i);
	}
	assert_false(tracer_take(tracer, &trace));
	tracer_close(tracer);
}

/* A trace with more steps than it keeps, and the longest texts. */
static struct trace longest_trace(void)
{
	struct trace trace = {
		.trace_id = "0af7651916cd43dd8448eb211c80319c",
		.parent_id = "b7ad6b7169203331",
		.id = UINT64_MAX - SPANS_MAX,
		.request_id = "01a20a35-0907-7b69-af61-e08c8b2629e1",
		.method = "DELETE",
		.route = "/v1/games/{game_id}/players/{seat}/as_long_as_can_be_"
			 "and_then_a_bit_longer_than_any_route_of_the_table",
		.code = "a_code_that_is_longer_than_any_that_err_def_has_today",
		.status = 503,
		.begun_ns = UINT64_MAX / 2,
		.ended_ns = UINT64_MAX / 2 + 1000,
	};

	for (unsigned i = 0; i < SPANS_MAX + 5; i++)
		span_end_statement(&trace, "commit_the_longest_name_of_a_step",
		                   UINT64_MAX / 2);
	return trace;
}

static void check_steps(void **state)
{
	struct trace trace = longest_trace();

	(void)state;
	assert_int_equal(trace.count, SPANS_MAX);
	assert_int_equal(trace.dropped, 5);
}

static void check_otlp(void **state)
{
	static char body[BODY_SIZE + 1];
	struct trace trace = longest_trace();
	struct json_out out;

	(void)state;
	json_out_init(&out, body, BODY_SIZE);
	otlp_begin(&out, "1.2.3");
	assert_true(json_out_len(&out) < OTLP_FRAME_MAX / 2);
	size_t before = json_out_len(&out);
	otlp_trace(&out, &trace, 5);
	assert_true(json_out_len(&out) - before < OTLP_TRACE_MAX);
	otlp_end(&out);
	assert_true(json_out_fits(&out));
	body[json_out_len(&out)] = '\0';

	static const char *const parts[] = {
		"{\"traceId\":\"0af7651916cd43dd8448eb211c80319c\","
		"\"spanId\":\"fffffffffffffff3\","
		"\"startTimeUnixNano\":\"9223372036854775812\","
		"\"endTimeUnixNano\":\"9223372036854776812\","
		"\"parentSpanId\":\"b7ad6b7169203331\",",
		"\"kind\":2,",
		"\"status\":{\"code\":2}",
		"\"spanId\":\"fffffffffffffff4\"",
		"\"parentSpanId\":\"fffffffffffffff3\"",
		"\"spanId\":\"ffffffffffffffff\"",
		"\"kind\":3,",
		"\"gangd.steps_dropped\",\"value\":{\"intValue\":\"5\"}",
	};
	const char *from = body;

	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		assert_non_null(strstr(from, parts[i]));
	unsigned spans = 0;
	while ((from = strstr(from, "\"spanId\"")) != NULL) {
		spans++;
		from++;
	}
	assert_int_equal(spans, 1 + SPANS_MAX);
}

int main(void)
{
	static struct rows rows;

	rows_add(&rows, "one request in three is sampled", check_sample, NULL);
	rows_add(&rows, "without a tracer there is no trace", check_off, NULL);
	rows_add(&rows, "traces are taken in their order", check_ring, NULL);
	rows_add(&rows, "a full ring loses traces and counts them", check_lost,
	         NULL);
	rows_add(&rows, "a trace keeps its first steps", check_steps, NULL);
	rows_add(&rows, "the longest trace is printed whole", check_otlp, NULL);
	return rows_run("tracer", &rows);
}
