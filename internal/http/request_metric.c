/*
 * Routes are counted by their place in the route table, from 1; place 0 counts
 * all paths and methods without a row.  So the number of series depends on the
 * table alone, whatever clients send.
 */
#include "http/request_metric.h"

#include <assert.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/macros.h"
#include "http/exchange.h"
#include "metric/metric.h"

enum { LABEL_SIZE = 160 };

/* Place 0 is any other status. */
static const unsigned statuses[] = { 0,   200, 201, 204, 304, 303, 308, 400,
	                             401, 403, 404, 405, 406, 408, 409, 410,
	                             412, 413, 415, 422, 429, 500, 503 };
enum { CLIENT_GONE = ARRAY_LEN(statuses) };

_Static_assert((int)CLIENT_GONE < (int)METRIC_ROOM_STATUS,
               "each status has a cell");

static void name_status(unsigned place, const char *status)
{
	metric_name_pair(METRIC_LABEL_STATUS, place, "status", status);
}

void request_metric_names(const struct http_route *routes, size_t count)
{
	char label[LABEL_SIZE];

	assert(count < METRIC_ROOM_ROUTE);
	metric_name(METRIC_LABEL_ROUTE, 0, "method=\"-\",route=\"-\"");
	for (unsigned i = 0; i < count; i++) {
		(void)snprintf(label, sizeof(label),
		               "method=\"%s\",route=\"%s\"",
		               http_method_name(routes[i].method),
		               routes[i].path);
		metric_name(METRIC_LABEL_ROUTE, i + 1, label);
	}
	name_status(0, "other");
	name_status(CLIENT_GONE, "client_gone");
	for (unsigned i = 1; i < ARRAY_LEN(statuses); i++) {
		char status[8];

		(void)snprintf(status, sizeof(status), "%u", statuses[i]);
		name_status(i, status);
	}
}

static unsigned place_of(unsigned status)
{
	for (unsigned i = 1; i < ARRAY_LEN(statuses); i++) {
		if (statuses[i] == status)
			return i;
	}
	return 0;
}

void request_metric_count(const struct exchange *exchange, bool is_done)
{
	const struct http_request *req = &exchange->req;
	bool has_left =
		exchange->has_left && exchange->phase == EXCHANGE_ANSWERED;
	bool may_wait = req->wait_s > 0 && req->if_none_match;
	unsigned route = 0;
	unsigned status = CLIENT_GONE;

	if (!metric_cells || exchange->phase == EXCHANGE_HEAD)
		return;
	if (req->route)
		route = 1 +
		        (unsigned)(req->route - exchange->pool->config->routes);
	if (is_done && !has_left)
		status = place_of(req->reply.status);
	metric_add(METRIC_REQUESTS, route * METRIC_ROOM_STATUS + status, 1);
	if (!may_wait && exchange->phase == EXCHANGE_ANSWERED &&
	    status != CLIENT_GONE)
		metric_observe_ns(METRIC_REQUEST_SECONDS, route,
		                  clock_monotonic_ns() - req->received_ns);
}
