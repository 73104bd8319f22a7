/*
 * The paths of the route table, each split into segments, in an array that is
 * searched from its start.  Paths with a literal segment stand before those
 * with a parameter in its place, so the first match is the most literal one.
 * A path is matched as sent, and a percent sign matches nothing: no route needs
 * one, and two spellings of one path could be a way around a guard.
 */
#include "http/router.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum {
	SEGMENTS_MAX = 10,
	ALLOW_SIZE = sizeof("GET, HEAD, POST, DELETE, OPTIONS")
};

struct segments {
	struct http_slice items[SEGMENTS_MAX];
	size_t count;
};

struct place {
	struct router_place found;
	struct segments pattern;
	char allow[ALLOW_SIZE];
};

struct router {
	size_t count;
	struct place any; /* with a row for each method that some path has */
	struct place places[]; /* the literal ones first */
};

static bool split(const char *path, struct segments *segments)
{
	*segments = (struct segments){ .count = 0 };
	if (*path != '/' || strchr(path, '%'))
		return false;
	while (*path == '/') {
		if (segments->count == SEGMENTS_MAX)
			return false;
		size_t len = strcspn(++path, "/");
		segments->items[segments->count++] =
			(struct http_slice){ path, len };
		path += len;
	}
	return true;
}

static bool is_parameter(struct http_slice segment)
{
	return segment.len > 0 && segment.text[0] == '{';
}

static bool slices_equal(struct http_slice a, struct http_slice b)
{
	return a.len == b.len && memcmp(a.text, b.text, a.len) == 0;
}

/* Paths whose first parameter comes later sort first. */
static int compare_places(const void *left, const void *right)
{
	const struct segments *a = &((const struct place *)left)->pattern;
	const struct segments *b = &((const struct place *)right)->pattern;

	for (size_t i = 0; i < a->count && i < b->count; i++) {
		bool is_a = is_parameter(a->items[i]);
		bool is_b = is_parameter(b->items[i]);
		if (is_a != is_b)
			return is_a ? 1 : -1;
	}
	return 0;
}

static bool same_path(const struct segments *a, const struct segments *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++) {
		if (is_parameter(a->items[i]) && is_parameter(b->items[i]))
			continue;
		if (!slices_equal(a->items[i], b->items[i]))
			return false;
	}
	return true;
}

static struct place *add_place(struct router *router, const char *path)
{
	struct segments pattern;
	bool ok = split(path, &pattern);

	assert(ok);
	for (size_t i = 0; i < router->count; i++) {
		if (same_path(&router->places[i].pattern, &pattern))
			return &router->places[i];
	}
	struct place *place = &router->places[router->count++];
	*place = (struct place){ .pattern = pattern };
	return place;
}

static void print_allow(struct place *place)
{
	const struct http_route *const *rows = place->found.rows;

	(void)snprintf(place->allow, ALLOW_SIZE, "%s%s%sOPTIONS",
	               rows[HTTP_GET] ? "GET, HEAD, " : "",
	               rows[HTTP_POST] ? "POST, " : "",
	               rows[HTTP_DELETE] ? "DELETE, " : "");
	place->found.allow = place->allow;
}

struct router *router_open(const struct http_route *routes, size_t count)
{
	struct router *router =
		xcalloc(1, sizeof(*router) + count * sizeof(*router->places));

	for (size_t i = 0; i < count; i++) {
		struct place *place = add_place(router, routes[i].path);
		assert(!place->found.rows[routes[i].method]);
		place->found.rows[routes[i].method] = &routes[i];
		router->any.found.rows[routes[i].method] = &routes[i];
	}
	qsort(router->places, router->count, sizeof(*router->places),
	      compare_places);
	for (size_t i = 0; i < router->count; i++)
		print_allow(&router->places[i]);
	print_allow(&router->any);
	return router;
}

void router_close(struct router *router)
{
	free(router);
}

static bool match(const struct segments *pattern, const struct segments *path,
                  struct http_slice params[HTTP_PARAMS_MAX])
{
	size_t count = 0;

	if (pattern->count != path->count)
		return false;
	for (size_t i = 0; i < path->count; i++) {
		if (!is_parameter(pattern->items[i])) {
			if (!slices_equal(pattern->items[i], path->items[i]))
				return false;
			continue;
		}
		if (path->items[i].len == 0)
			return false;
		assert(count < HTTP_PARAMS_MAX);
		params[count++] = path->items[i];
	}
	return true;
}

const struct router_place *router_find(
	const struct router *router, const char *path,
	struct http_slice params[HTTP_PARAMS_MAX])
{
	struct segments segments;

	if (!split(path, &segments))
		return NULL;
	for (size_t i = 0; i < router->count; i++) {
		const struct place *place = &router->places[i];
		if (match(&place->pattern, &segments, params))
			return &place->found;
	}
	return NULL;
}

const char *router_allow_any(const struct router *router)
{
	return router->any.allow;
}
