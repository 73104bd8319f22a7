/*
 * A line of the text is "name value" or "name{labels} value".  Nothing is kept
 * between two lines but the sums; a route has one entry in them.
 */
#include "operator/metrics_text.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/macros.h"

/* The name of a route has room for two labels. */
enum { LINE_SIZE = 512, LABEL_SIZE = METRICS_ROUTE_SIZE / 2 };

/* The line up to its labels, these, and the value; plain pointers into it. */
struct sample {
	const char *name;
	const char *labels; /* "" if there are none */
	double value;
};

/* Take the line apart, in place; false if it is not a sample. */
static bool read_sample(char *line, struct sample *sample)
{
	char *value = strrchr(line, ' ');
	char *end;

	if (line[0] == '#' || !value)
		return false;
	*value++ = '\0';
	sample->value = strtod(value, &end);
	if (end == value || *end)
		return false;
	char *brace = strchr(line, '{');
	if (brace)
		*brace++ = '\0';
	sample->name = line;
	sample->labels = brace ? brace : "";
	return true;
}

/* Copy a label's value; false if there is no such label, or it is too long. */
static bool read_label(const char *labels, const char *name,
                       char value[LABEL_SIZE])
{
	char start[LABEL_SIZE];

	(void)snprintf(start, sizeof(start), "%s=\"", name);
	const char *from = strstr(labels, start);
	if (!from)
		return false;
	from += strlen(start);
	size_t len = strcspn(from, "\"");
	if (len >= LABEL_SIZE)
		return false;
	memcpy(value, from, len);
	value[len] = '\0';
	return true;
}

static bool label_is(const struct sample *sample, const char *name,
                     const char *wanted)
{
	char value[LABEL_SIZE];

	return read_label(sample->labels, name, value) &&
	       strcmp(value, wanted) == 0;
}

/* The entry of the sample's route, which may be new; NULL: there is no room. */
static struct metrics_route *find_route(struct metrics_sum *sum,
                                        const struct sample *sample)
{
	char method[LABEL_SIZE];
	char route[LABEL_SIZE];
	char name[METRICS_ROUTE_SIZE];

	if (!read_label(sample->labels, "method", method) ||
	    !read_label(sample->labels, "route", route))
		return NULL;
	(void)snprintf(name, sizeof(name), "%s %s", method, route);
	for (size_t i = 0; i < sum->routes_count; i++) {
		if (strcmp(sum->routes[i].name, name) == 0)
			return &sum->routes[i];
	}
	if (sum->routes_count == METRICS_ROUTES_MAX)
		return NULL;
	struct metrics_route *entry = &sum->routes[sum->routes_count++];
	*entry = (struct metrics_route){ .requests = 0 };
	memcpy(entry->name, name, sizeof(name));
	return entry;
}

/*
 * Moves have one statement, also when they are gathered; at daemons of earlier
 * releases they have one of four.
 */
static void add_move(struct metrics_sum *sum, const struct sample *sample)
{
	static const char *const statements[] = {
		"commit_move",
		"commit_move_idempotent",
		"commit_notified",
		"commit_notified_idempotent",
	};

	if (!label_is(sample, "result", "ok"))
		return;
	for (size_t i = 0; i < ARRAY_LEN(statements); i++) {
		if (label_is(sample, "statement", statements[i]))
			sum->moves += sample->value;
	}
}

static void add_waiters(struct metrics_sum *sum, const struct sample *sample)
{
	if (label_is(sample, "kind", "stream"))
		sum->streams += sample->value;
	else
		sum->waiters += sample->value;
}

static void add_connections(struct metrics_sum *sum,
                            const struct sample *sample)
{
	sum->connections += sample->value;
}

static void add_requests(struct metrics_sum *sum, const struct sample *sample)
{
	struct metrics_route *route = find_route(sum, sample);

	if (route)
		route->requests += sample->value;
}

static void add_seconds(struct metrics_sum *sum, const struct sample *sample)
{
	struct metrics_route *route = find_route(sum, sample);

	if (route)
		route->seconds += sample->value;
}

static const struct {
	const char *name;
	void (*add)(struct metrics_sum *sum, const struct sample *sample);
} known[] = {
	{ "gangd_statements_total", add_move },
	{ "gangd_waiters", add_waiters },
	{ "gangd_http_connections", add_connections },
	{ "gangd_http_request_duration_seconds_count", add_requests },
	{ "gangd_http_request_duration_seconds_sum", add_seconds },
};

void metrics_text_add(struct metrics_sum *sum, const char *text)
{
	while (*text) {
		size_t len = strcspn(text, "\n");
		char line[LINE_SIZE];
		struct sample sample;

		(void)snprintf(line, sizeof(line), "%.*s", (int)len, text);
		text += len + (text[len] == '\n');
		if (len >= sizeof(line) || !read_sample(line, &sample))
			continue;
		for (size_t i = 0; i < ARRAY_LEN(known); i++) {
			if (strcmp(known[i].name, sample.name) == 0)
				known[i].add(sum, &sample);
		}
	}
}
