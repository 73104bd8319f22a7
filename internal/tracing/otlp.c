/*
 * The JSON form of OTLP: ids are hexadecimal, 64-bit numbers are strings.  The
 * names of attributes are those of OpenTelemetry's conventions, where these
 * have one.
 */
#include "tracing/otlp.h"

#include <inttypes.h>
#include <stdio.h>

enum { KIND_INTERNAL = 1, KIND_SERVER = 2, KIND_CLIENT = 3 };
enum { STATUS_ERROR = 2, FAILED_MIN = 500 };
enum { NUMBER_SIZE = 21, NAME_SIZE = 160 };

static void key_number(struct json_out *out, const char *name, uint64_t number)
{
	char text[NUMBER_SIZE];

	(void)snprintf(text, sizeof(text), "%" PRIu64, number);
	json_key_string(out, name, text);
}

static void key_id(struct json_out *out, const char *name, uint64_t id)
{
	char text[SPAN_ID_LEN + 1];

	(void)snprintf(text, sizeof(text), "%016" PRIx64, id);
	json_key_string(out, name, text);
}

static void text_attribute(struct json_out *out, const char *name,
                           const char *text)
{
	json_object(out);
	json_key_string(out, "key", name);
	json_key_object(out, "value");
	json_key_string(out, "stringValue", text);
	json_object_end(out);
	json_object_end(out);
}

static void number_attribute(struct json_out *out, const char *name,
                             unsigned number)
{
	json_object(out);
	json_key_string(out, "key", name);
	json_key_object(out, "value");
	key_number(out, "intValue", number);
	json_object_end(out);
	json_object_end(out);
}

void otlp_begin(struct json_out *out, const char *version)
{
	json_object(out);
	json_key_array(out, "resourceSpans");
	json_object(out);
	json_key_object(out, "resource");
	json_key_array(out, "attributes");
	text_attribute(out, "service.name", "gangd");
	text_attribute(out, "service.version", version);
	json_array_end(out);
	json_object_end(out);
	json_key_array(out, "scopeSpans");
	json_object(out);
	json_key_object(out, "scope");
	json_key_string(out, "name", "gangd");
	json_object_end(out);
	json_key_array(out, "spans");
}

void otlp_end(struct json_out *out)
{
	json_array_end(out);
	json_object_end(out);
	json_array_end(out);
	json_object_end(out);
	json_array_end(out);
	json_object_end(out);
}

/* The members that all spans have; the caller ends the object. */
static void begin_span(struct json_out *out, const struct trace *trace,
                       uint64_t id, uint64_t begun_ns, uint64_t ended_ns)
{
	json_object(out);
	json_key_string(out, "traceId", trace->trace_id);
	key_id(out, "spanId", id);
	key_number(out, "startTimeUnixNano", begun_ns);
	key_number(out, "endTimeUnixNano", ended_ns);
}

static void print_step(struct json_out *out, const struct trace *trace,
                       unsigned number, uint64_t offset_ns)
{
	const struct span *step = &trace->steps[number];

	begin_span(out, trace, trace->id + number + 1,
	           step->begun_ns + offset_ns, step->ended_ns + offset_ns);
	key_id(out, "parentSpanId", trace->id);
	json_key_string(out, "name", step->name);
	json_key_int(out, "kind",
	             step->is_statement ? KIND_CLIENT : KIND_INTERNAL);
	if (step->is_statement) {
		json_key_array(out, "attributes");
		text_attribute(out, "db.system.name", "postgresql");
		json_array_end(out);
	}
	json_object_end(out);
}

static void print_request(struct json_out *out, const struct trace *trace,
                          uint64_t offset_ns)
{
	char name[NAME_SIZE];

	(void)snprintf(name, sizeof(name), "%s %s", trace->method,
	               trace->route);
	begin_span(out, trace, trace->id, trace->begun_ns + offset_ns,
	           trace->ended_ns + offset_ns);
	if (trace->parent_id[0])
		json_key_string(out, "parentSpanId", trace->parent_id);
	json_key_string(out, "name", name);
	json_key_int(out, "kind", KIND_SERVER);
	json_key_array(out, "attributes");
	text_attribute(out, "http.request.method", trace->method);
	text_attribute(out, "http.route", trace->route);
	number_attribute(out, "http.response.status_code", trace->status);
	if (trace->code)
		text_attribute(out, "error.type", trace->code);
	text_attribute(out, "gangd.request_id", trace->request_id);
	if (trace->dropped)
		number_attribute(out, "gangd.steps_dropped", trace->dropped);
	json_array_end(out);
	if (trace->status >= FAILED_MIN) {
		json_key_object(out, "status");
		json_key_int(out, "code", STATUS_ERROR);
		json_object_end(out);
	}
	json_object_end(out);
}

void otlp_trace(struct json_out *out, const struct trace *trace,
                uint64_t offset_ns)
{
	print_request(out, trace, offset_ns);
	for (unsigned i = 0; i < trace->count; i++)
		print_step(out, trace, i, offset_ns);
}
