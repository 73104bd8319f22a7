/*
 * request_metric.h - counts the requests that a server has answered.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "http/http.h"

struct exchange;

/* Name the routes and statuses; before any request is counted. */
void request_metric_names(const struct http_route *routes, size_t count);

/* Count a finished request; is_done: all of its response was sent. */
void request_metric_count(const struct exchange *exchange, bool is_done);
