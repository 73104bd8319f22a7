#include "coverage.h"

#include <string.h>

#include "base/err.h"
#include "expect.h"

struct route_seen {
	const char *method;
	const char *path;
	bool seen;
};

static struct route_seen routes[] = {
#define ROUTE(method, path, ...) { #method, path, false },
#include "service/routes.def"
};

static bool codes[ERR_COUNT];

/* What no request can bring about. */
static const enum err unreachable[] = {
	ERR_OK, ERR_INTERNAL, /* a fault of ours */
	ERR_RATE_LIMITED,     /* stories are told without limits */
};

/* True when a target is one of a path with {parameters}. */
static bool is_of(const char *target, const char *path)
{
	while (*path) {
		if (*path == '{') {
			path += strcspn(path, "/");
			target += strcspn(target, "/?");
		} else if (*path++ != *target++) {
			return false;
		}
	}
	return !*target || *target == '?';
}

/* A route that is more literal stands for the target. */
static struct route_seen *find_route(const struct exchange *exchange)
{
	struct route_seen *found = NULL;

	for (size_t i = 0; i < ARRAY_LEN(routes); i++) {
		if (strcmp(routes[i].method, exchange->method) == 0 &&
		    is_of(exchange->target, routes[i].path) &&
		    (!found || strchr(found->path, '{')))
			found = &routes[i];
	}
	return found;
}

void coverage_note(const struct exchange *exchange)
{
	struct route_seen *route = find_route(exchange);
	enum err err;

	if (route && exchange->status < 400)
		route->seen = true;
	if (err_find(expect_code(exchange), &err))
		codes[err] = true;
}

static bool can_be_seen(enum err err)
{
	for (size_t i = 0; i < ARRAY_LEN(unreachable); i++) {
		if (unreachable[i] == err)
			return false;
	}
	return true;
}

bool coverage_report(void)
{
	bool complete = true;

	for (size_t i = 0; i < ARRAY_LEN(routes); i++) {
		if (routes[i].seen)
			continue;
		printf("never answered: %s %s\n", routes[i].method,
		       routes[i].path);
		complete = false;
	}
	for (enum err err = 0; err < ERR_COUNT; err++) {
		if (codes[err] || !can_be_seen(err))
			continue;
		printf("never met: %s\n", err_code(err));
		complete = false;
	}
	return complete;
}
