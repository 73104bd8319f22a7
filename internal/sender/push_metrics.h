/*
 * push_metrics.h - the listener for the metrics of gangd-push.
 */
#pragma once

#include <stdbool.h>

#include "base/macros.h"

struct push_metrics;

/*
 * Listen on "address:port"; "": *metrics is NULL, and metrics are off.  False,
 * with the reason on stderr, if it cannot listen.
 */
MUST_CHECK bool push_metrics_open(const char *address,
                                  struct push_metrics **metrics);
void push_metrics_close(struct push_metrics *metrics); /* NULL is fine */
