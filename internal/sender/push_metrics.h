/*
 * push_metrics.h - the listener for the metrics of gangd-push.
 */
#pragma once

#include <stdbool.h>

#include "base/macros.h"

struct scrape;

/*
 * Listen on "address:port"; "": *scrape is NULL, and metrics are off.  False,
 * with the reason on stderr, if it cannot listen.
 */
MUST_CHECK bool push_metrics_open(const char *address, struct scrape **scrape);
void push_metrics_close(struct scrape *scrape); /* NULL is fine */
