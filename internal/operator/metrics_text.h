/*
 * metrics_text.h - reads what gangctl top shows out of a daemon's metrics.
 */
#pragma once

#include <stddef.h>

enum { METRICS_ROUTES_MAX = 96, METRICS_ROUTE_SIZE = 128 };

struct metrics_route {
	char name[METRICS_ROUTE_SIZE]; /* such as "GET /v1/games" */
	double requests;
	double seconds; /* that they took together */
};

/* The sums over some daemons. */
struct metrics_sum {
	double moves; /* committed since the start */
	double waiters;
	double streams;
	double connections; /* of clients */
	struct metrics_route routes[METRICS_ROUTES_MAX];
	size_t routes_count;
};

/*
 * Add the metrics of one daemon, in Prometheus' text format.  Lines that are
 * not known, or not whole, are passed over.
 */
void metrics_text_add(struct metrics_sum *sum, const char *text);
