/*
 * route_table.h - the rows of routes.def.
 */
#pragma once

#include "service/call.h"

/* All rows as http needs them; static. */
const struct http_route *route_table_http(size_t *count);

/* The other columns of a row; index is its place in the table. */
const struct route *route_table_get(size_t index);
