/*
 * An array has each path of the route table once, with its rows; the first
 * place that matches is found.  A path is matched as sent, and a percent sign
 * matches nothing: no route needs one, and a second spelling of a path could
 * bypass a check.
 */
#include "http/router.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct router {
	size_t count;
	struct router_place any; /* the methods that some path has */
	struct router_place places[];
};

static struct router_place *add_place(struct router *router, const char *path)
{
	for (size_t i = 0; i < router->count; i++) {
		if (strcmp(router->places[i].path, path) == 0)
			return &router->places[i];
	}
	struct router_place *place = &router->places[router->count++];
	place->path = path;
	return place;
}

static void print_allow(struct router_place *place)
{
	const struct http_route *const *rows = place->rows;

	(void)snprintf(place->allow, sizeof(place->allow), "%s%s%s%s%sOPTIONS",
	               rows[HTTP_GET] ? "GET, HEAD, " : "",
	               rows[HTTP_POST] ? "POST, " : "",
	               rows[HTTP_PUT] ? "PUT, " : "",
	               rows[HTTP_PATCH] ? "PATCH, " : "",
	               rows[HTTP_DELETE] ? "DELETE, " : "");
}

struct router *router_open(const struct http_route *routes, size_t count)
{
	struct router *router =
		xcalloc(1, sizeof(*router) + count * sizeof(*router->places));

	for (size_t i = 0; i < count; i++) {
		struct router_place *place = add_place(router, routes[i].path);
		assert(!place->rows[routes[i].method]);
		place->rows[routes[i].method] = &routes[i];
		router->any.rows[routes[i].method] = &routes[i];
	}
	for (size_t i = 0; i < router->count; i++)
		print_allow(&router->places[i]);
	print_allow(&router->any);
	return router;
}

void router_close(struct router *router)
{
	free(router);
}

static bool match(const char *pattern, const char *path,
                  struct http_slice params[HTTP_PARAMS_MAX])
{
	size_t count = 0;

	while (*pattern) {
		if (*pattern != '{') {
			if (*pattern++ != *path++)
				return false;
			continue;
		}
		size_t len = strcspn(path, "/");
		if (len == 0)
			return false;
		assert(count < HTTP_PARAMS_MAX);
		params[count++] = (struct http_slice){ path, len };
		path += len;
		pattern = strchr(pattern, '}') + 1;
	}
	return *path == '\0';
}

const struct router_place *router_find(
	const struct router *router, const char *path,
	struct http_slice params[HTTP_PARAMS_MAX])
{
	if (strchr(path, '%'))
		return NULL;
	for (size_t i = 0; i < router->count; i++) {
		if (match(router->places[i].path, path, params))
			return &router->places[i];
	}
	return NULL;
}

const char *router_allow_any(const struct router *router)
{
	return router->any.allow;
}
