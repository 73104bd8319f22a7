/*
 * route_table.c - routes.def as two tables with the same order: what http needs
 * to know of a route, and what the service does with it.
 */
#include "service/route_table.h"

#include <assert.h>

#include "famiglia/famiglia_ruleset.h"
#include "gang/gang_ruleset.h"
#include "service/answer.h"
#include "service/handler.h"

#define MEDIA_FILE NULL
static const struct http_route http_routes[] = {
#define ROUTE(method, path, body_max, queries, media, guard, shape, ...) \
	{ HTTP_##method,                                                 \
	  path,                                                          \
	  body_max,                                                      \
	  queries,                                                       \
	  MEDIA_##media,                                                 \
	  SHAPE_##shape == SHAPE_EVENTS,                                 \
	  GUARD_##guard == GUARD_PROBE },
#include "service/routes.def"
};

#define RULES_ANY      NULL
#define RULES_GANG     &gang_ruleset
#define RULES_FAMIGLIA &famiglia_ruleset
static const struct route routes[] = {
#define ROUTE(method, path, body_max, queries, media, guard, shape, rules, \
              decode, encode)                                              \
	{ GUARD_##guard, SHAPE_##shape, RULES_##rules, decode, encode },
#include "service/routes.def"
};

const struct http_route *route_table_http(size_t *count)
{
	*count = ARRAY_LEN(http_routes);
	return http_routes;
}

const struct route *route_table_get(size_t index)
{
	assert(index < ARRAY_LEN(routes));
	return &routes[index];
}
