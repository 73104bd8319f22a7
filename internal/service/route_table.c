/*
 * route_table.c - routes.def as rows of http_route, each with its struct route.
 */
#include "service/route_table.h"

#include <assert.h>
#include <string.h>

#include "games/famiglia/rules/famiglia.h"
#include "games/famiglia/famiglia_ruleset.h"
#include "games/gang/rules/gang.h"
#include "games/gang/gang_ruleset.h"
#include "service/answer.h"
#include "service/handler.h"

#define MEDIA_FILE     NULL
#define RULES_ANY      NULL
#define RULES_GANG     &gang_ruleset
#define RULES_FAMIGLIA &famiglia_ruleset

static const struct http_route routes[] = {
#define ROUTE(method, path, body_max, queries, media, guard, shape, rules,    \
              verb, decode, encode)                                           \
	{ HTTP_##method,                                                      \
	  path,                                                               \
	  body_max,                                                           \
	  queries,                                                            \
	  MEDIA_##media,                                                      \
	  SHAPE_##shape == SHAPE_EVENTS,                                      \
	  GUARD_##guard == GUARD_PROBE,                                       \
	  &(const struct route){ GUARD_##guard, SHAPE_##shape, RULES_##rules, \
		                 VERB_##verb, decode, encode } },
#include "service/routes.def"
};

const struct http_route *route_table(size_t *count)
{
	*count = ARRAY_LEN(routes);
	return routes;
}

const struct route *route_table_find_post(const char *path)
{
	size_t i = 0;

	while (routes[i].method != HTTP_POST ||
	       strcmp(routes[i].path, path) != 0) {
		i++;
		assert(i < ARRAY_LEN(routes));
	}
	return routes[i].user;
}
