/*
 * router.h - from a request's path to the rows of the route table.
 */
#pragma once

#include <stddef.h>

#include "http/http.h"

struct router;

/* One path, with a row for each method that it has. */
struct router_place {
	const struct http_route *rows[HTTP_METHOD_COUNT]; /* or NULL */
	const char *path;
	char allow[48]; /* "GET, HEAD, POST, PATCH, DELETE, OPTIONS" */
};

/* The table is borrowed for good; it is asserted to be well-formed. */
struct router *router_open(const struct http_route *routes, size_t count);
void router_close(struct router *router);

/*
 * The place of a path, with its parameters as slices of it; NULL if no row
 * has such a path.
 */
const struct router_place *router_find(
	const struct router *router, const char *path,
	struct http_slice params[HTTP_PARAMS_MAX]);

/* The methods known anywhere, for "OPTIONS *". */
const char *router_allow_any(const struct router *router);
