/*
 * route_table.h - the routes of the service.
 */
#pragma once

#include "service/call.h"

/* All rows; static.  The user of a row is its struct route. */
const struct http_route *route_table(size_t *count);

/* The POST with this path, which the table must have. */
const struct route *route_table_find_post(const char *path);
