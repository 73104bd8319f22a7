/*
 * fuzz_router.c - a request target, from its bytes to a route with its
 * parameters and its query.
 *
 * The code under test is the server's and the service's own.  Its result is
 * compared with a plain reading of the route table.
 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>

#include "games/gang/gang_game.h"
#include "games/gang/rules/color.h"
#include "http/validate.h"
#include "http/problem.h"
#include "http/query_string.h"
#include "service/request.h"
#include "service/route_table.h"

enum { ENCODED_MAX = 3 * 4096 };

static const struct {
	const char *text;
	enum http_method method; /* of the row that it needs */
} verbs[] = {
	{ "GET", HTTP_GET },          { "HEAD", HTTP_GET },
	{ "POST", HTTP_POST },        { "PATCH", HTTP_PATCH },
	{ "DELETE", HTTP_DELETE },    { "OPTIONS", HTTP_METHOD_COUNT },
	{ "PUT", HTTP_METHOD_COUNT },
};

static const struct http_route *routes;
static size_t routes_count;
static struct router *router;
static struct exchange exchange;
static struct call call;

/* --- the plain reading ---------------------------------------------------- */

static bool is_target(const char *text)
{
	for (; *text; text++) {
		if (*text < '!' || *text > '~' || *text == '#')
			return false;
	}
	return true;
}

static bool path_fits(const char *pattern, const char *path)
{
	if (strchr(path, '%'))
		return false;
	while (*pattern) {
		if (*pattern != '{') {
			if (*pattern++ != *path++)
				return false;
			continue;
		}
		size_t len = strcspn(path, "/");
		if (len == 0)
			return false;
		path += len;
		pattern = strchr(pattern, '}') + 1;
	}
	return *path == '\0';
}

/* A row that fits the path; with a method of its own, or any. */
static const struct http_route *find_row(const char *path,
                                         enum http_method method)
{
	for (size_t i = 0; i < routes_count; i++) {
		if (path_fits(routes[i].path, path) &&
		    (method == HTTP_METHOD_COUNT || routes[i].method == method))
			return &routes[i];
	}
	return NULL;
}

/* The found route is the most literal of all that match the path. */
static void check_most_literal(const struct http_route *found, const char *path)
{
	for (size_t i = 0; i < routes_count; i++) {
		const char *other = routes[i].path;
		const char *at = found->path;
		if (!path_fits(other, path))
			continue;
		while (*at && *at == *other) {
			at++;
			other++;
		}
		assert(*at != '{');
	}
}

/* --- what must hold ------------------------------------------------------- */

static void check_params(const struct http_request *req)
{
	const char *at = req->route->path;
	size_t count = 0;

	for (; (at = strchr(at, '{')); at++, count++) {
		struct http_slice param = req->params[count];
		assert(param.len > 0);
		assert(param.text >= req->path);
		assert(param.text + param.len <= req->path + strlen(req->path));
		assert(!memchr(param.text, '/', param.len));
	}
	assert(call.path.seat <= TABLE_SEATS_MAX);
	assert(call.path.of_game[PARAM_STARS] <= TABLE_SEATS_MAX);
	assert(call.path.of_game[PARAM_COLOR] < COLOR_COUNT);
	assert(call.path.of_game[PARAM_NUMBER] <= 99);
	if (call.game.text[0])
		assert(strlen(call.game.text) == req->params[0].len);
	assert(!call.path.has_code || strlen(call.path.code) == INVITE_LEN);
}

static bool is_listed(const char *names, const char *name)
{
	const char *at = strstr(names, name);
	size_t len = strlen(name);

	return len > 0 && at && (at == names || at[-1] == ' ') &&
	       (at[len] == ' ' || at[len] == '\0');
}

static size_t encode(const char *text, char *into)
{
	size_t len = 0;

	for (; *text; text++)
		len += (size_t)sprintf(into + len, "%%%02x",
		                       (unsigned)(unsigned char)*text);
	return len;
}

/* Written anew with every byte encoded, the query reads the same. */
static void check_query(const struct http_request *req)
{
	static struct http_request again;
	static char text[ENCODED_MAX];
	size_t len = 0;

	for (size_t i = 0; i < req->queries_count; i++) {
		const struct http_query *query = &req->queries[i];
		assert(is_listed(req->route->queries, query->name));
		assert(!u8_check((const uint8_t *)query->value,
		                 strlen(query->value)));
		len += encode(query->name, text + len);
		text[len++] = '=';
		len += encode(query->value, text + len);
		text[len++] = '&';
	}
	text[len] = '\0';
	arena_reset(&again.arena);
	again = (struct http_request){ .route = req->route,
		                       .arena = again.arena };
	enum err err = query_string_read(&again, text);
	assert(!err && again.queries_count == req->queries_count);
	for (size_t i = 0; i < again.queries_count; i++) {
		assert(strcmp(again.queries[i].name, req->queries[i].name) ==
		       0);
		assert(strcmp(again.queries[i].value, req->queries[i].value) ==
		       0);
	}
}

/* Decode the query as the handler does. */
static enum err read_request(struct http_request *req)
{
	size_t faults = req->faults_count;

	req->authorization = fuzz_authorization();
	enum err err = request_decode(&call);
	if (req->route->method != HTTP_GET)
		return err;
	assert((err == ERR_INVALID) == (req->faults_count > 0));
	assert(err || faults == 0);
	if (!err && call.route->shape == SHAPE_EVENTS) {
		assert(call.wanted.page.after <= INT32_MAX);
		assert(call.wanted.page.limit >= 1);
		assert(call.wanted.page.limit <= STORE_PAGE_MAX);
	}
	return err;
}

static void check_refused(struct http_request *req, enum err err)
{
	problem_reply(req, err);
	fuzz_assert_json(req->reply.body, req->reply.body_len);
}

/* A path that starts with a slash and has only characters of a target. */
static enum err check_path(struct http_request *req, size_t verb)
{
	enum err err = exchange.refusal;
	enum http_method method = verbs[verb].method;
	const struct http_route *any = find_row(req->path, HTTP_METHOD_COUNT);

	if (err == ERR_NO_SUCH_ROUTE) {
		assert(!any);
	} else if (err == ERR_METHOD_NOT_ALLOWED) {
		assert(any && (method == HTTP_METHOD_COUNT ||
		               !find_row(req->path, method)));
	} else if (req->route) {
		assert(path_fits(req->route->path, req->path));
		assert(req->route->method == method);
		check_most_literal(req->route, req->path);
		if (!err) {
			check_params(req);
			check_query(req);
			err = read_request(req);
		}
	} else {
		assert(any && (err_kind(err) == ERR_KIND_MISSING || !err));
		assert(err || strcmp(verbs[verb].text, "OPTIONS") == 0);
	}
	return err;
}

static enum err ask(const uint8_t *data, size_t size, size_t verb)
{
	struct arena arena = exchange.req.arena;
	const struct http_config with_routes = {
		.routes = routes,
		.routes_count = routes_count,
	};
	struct exchange_pool pool = { .config = &with_routes };

	arena_reset(&arena);
	exchange = (struct exchange){
		.req = { .arena = arena },
		.pool = &pool,
		.target = malloc(size + 1),
		.fields = { .values = { [FIELD_HOST] = "a",
		                        [FIELD_X_REQUEST_ID] = "a" },
		            .counts = { [FIELD_HOST] = 1,
		                        [FIELD_X_REQUEST_ID] = 1 } },
	};
	assert(exchange.target);
	memcpy(exchange.target, data, size);
	exchange.target[size] = '\0';
	bool good = is_target(exchange.target);
	validate_head(&exchange, router, verbs[verb].text, "HTTP/1.1");
	enum err err = exchange.refusal;
	assert(good || err == ERR_MALFORMED);
	memset(&call, 0, sizeof(call));
	if (!err && exchange.req.route)
		request_open(&call, &exchange.req);
	if (err != ERR_MALFORMED && exchange.req.path[0] == '/')
		err = check_path(&exchange.req, verb);
	if (err && (verb == 0 || size % ARRAY_LEN(verbs) == verb))
		check_refused(&exchange.req, err);
	free(exchange.target);
	return err;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!router) {
		routes = route_table(&routes_count);
		router = router_open(routes, routes_count);
	}
	enum err err = ask(data, size, 0);
	if (err == ERR_MALFORMED || err == ERR_NO_SUCH_ROUTE)
		return 0;
	for (size_t i = 1; i < ARRAY_LEN(verbs); i++)
		(void)ask(data, size, i);
	return 0;
}
