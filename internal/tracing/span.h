/*
 * span.h - the spans of one sampled request: the request itself, and the steps
 * that it took (a load, a decision, a commit), with their begin and end.
 *
 * A request that is not sampled has no struct trace: each function accepts NULL
 * and then does nothing.
 *
 * A trace has no data of a game: no id, no card, no player, no address.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
	SPANS_MAX = 12, /* further ones are counted, not kept */
	SPAN_TRACE_ID_LEN = 32,
	SPAN_ID_LEN = 16,
	SPAN_REQUEST_ID_LEN = 36,
};

/* A step.  Times are those of clock_monotonic_ns(). */
struct span {
	const char *name;  /* static */
	bool is_statement; /* of the database */
	uint64_t begun_ns;
	uint64_t ended_ns;
};

/* A request and its steps. */
struct trace {
	char trace_id[SPAN_TRACE_ID_LEN + 1]; /* lower-case hexadecimal */
	char parent_id[SPAN_ID_LEN + 1];      /* of the caller's span, or "" */
	uint64_t id; /* of the request's span; step n has id + n + 1 */
	char request_id[SPAN_REQUEST_ID_LEN + 1];
	const char *method; /* static, as are the next two */
	const char *route;  /* its pattern, as in api/openapi.yaml */
	const char *code;   /* of the problem that was answered, or NULL */
	unsigned status;
	uint64_t begun_ns;
	uint64_t ended_ns;
	struct span steps[SPANS_MAX];
	unsigned count;
	unsigned dropped; /* steps beyond SPANS_MAX */
};

/* The time now, for the functions below; 0 without a trace. */
uint64_t span_begin(const struct trace *trace);

/*
 * Add a step that ends now: a statement of the database, or work of our own.
 * The name is static.
 */
void span_end_statement(struct trace *trace, const char *name,
                        uint64_t begun_ns);
void span_end_work(struct trace *trace, const char *name, uint64_t begun_ns);
