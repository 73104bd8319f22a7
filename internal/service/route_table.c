/*
 * route_table.c - the routes of every game (routes.def), then those of each
 * game (service/game.h), as one array, which the first caller builds.
 */
#include "service/route_table.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>

#include "base/memory.h"
#include "service/game.h"
#include "service/handler.h"
#include "service/params.h"
#include "service/rulesets.h"

static const struct http_route common[] = {
#define ROUTE(...) GAME_ROUTE(NULL, __VA_ARGS__),
#include "service/routes.def"
};

static struct http_route *routes;
static size_t routes_count;
static pthread_once_t built = PTHREAD_ONCE_INIT;

static bool has_route(const struct http_route *row)
{
	for (size_t i = 0; i < routes_count; i++) {
		if (routes[i].method == row->method &&
		    strcmp(routes[i].path, row->path) == 0)
			return true;
	}
	return false;
}

/* Two games with a path of one name end the program at its start. */
static void append(const struct http_route *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		assert(!has_route(&rows[i]));
		routes[routes_count++] = rows[i];
	}
}

static void build(void)
{
	size_t count = ARRAY_LEN(common);

	rulesets_check();
	for (size_t i = 0; i < rulesets_count(); i++)
		count += rulesets_at(i)->routes_count;
	routes = xcalloc(count, sizeof(*routes));
	append(common, ARRAY_LEN(common));
	for (size_t i = 0; i < rulesets_count(); i++)
		append(rulesets_at(i)->routes, rulesets_at(i)->routes_count);
	for (size_t i = 0; i < routes_count; i++)
		params_find(&routes[i]);
}

const struct http_route *route_table(size_t *count)
{
	(void)pthread_once(&built, build);
	*count = routes_count;
	return routes;
}

const struct route *route_table_find_post(const char *path)
{
	size_t count;
	const struct http_route *rows = route_table(&count);
	size_t i = 0;

	while (rows[i].method != HTTP_POST || strcmp(rows[i].path, path) != 0) {
		i++;
		assert(i < count);
	}
	return rows[i].user;
}
