/*
 * route_table.h - the rows of routes.def.
 */
#ifndef SERVICE_ROUTE_TABLE_H
#define SERVICE_ROUTE_TABLE_H

#include "service/call.h"

/* All rows as http needs them; static. */
const struct http_route *route_table_http(size_t *count);

/* What else a row says; index is its place in the table. */
const struct route *route_table_get(size_t index);

#endif
