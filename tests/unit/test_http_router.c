#include "http/router.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct row {
	const char *path;
	const char *methods;
	const char *allow;
	const char *params;
};

static const struct row rows[] = {
#define ROW(...) { __VA_ARGS__ },
#include "test_http_router.def"
};

/* The letter of a row is in the place of its media type. */
static const struct http_route routes[] = {
	{ HTTP_POST, "/v1/games/open", 0, "", "C" },
	{ HTTP_GET, "/v1/games/{id}", 0, "", "B" },
	{ HTTP_DELETE, "/v1/games/{id}", 0, "", "B" },
	{ HTTP_PUT, "/v1/games/{id}/name", 0, "", "P" },
	{ HTTP_PATCH, "/v1/games/{id}/name", 0, "", "H" },
	{ HTTP_GET, "/v1/games", 0, "", "A" },
	{ HTTP_POST, "/v1/games", 0, "", "A" },
	{ HTTP_POST, "/v1/games/{id}/chips/{color}/{stars}/take", 0, "", "D" },
	{ HTTP_POST, "/v1/games/{id}/chips/{color}/{stars}/return", 0, "",
	  "E" },
	{ HTTP_GET, "/v1/first/{any}", 0, "", "G" },
	{ HTTP_GET, "/v1/{any}/literal", 0, "", "F" },
	{ HTTP_GET, "/", 0, "", "R" },
};

static void check(void **state)
{
	const struct row *row = *state;
	struct http_slice params[HTTP_PARAMS_MAX] = { { NULL, 0 } };
	struct router *router = router_open(routes, ARRAY_LEN(routes));
	const struct router_place *place =
		router_find(router, row->path, params);
	char methods[HTTP_METHOD_COUNT + 1] = "";
	char joined[100] = "";

	for (size_t i = 0; place && i < HTTP_METHOD_COUNT; i++) {
		methods[i] = place->rows[i] ? place->rows[i]->produces[0] : '-';
		if (place->rows[i])
			assert_int_equal(place->rows[i]->method, i);
	}
	for (size_t i = 0; place && i < HTTP_PARAMS_MAX; i++) {
		size_t len = strlen(joined);
		if (params[i].text)
			(void)snprintf(joined + len, sizeof(joined) - len,
			               "%s%.*s", i ? " " : "",
			               (int)params[i].len, params[i].text);
	}
	assert_string_equal(methods, row->methods);
	assert_string_equal(place ? place->allow : "", row->allow);
	assert_string_equal(joined, row->params);
	assert_string_equal(router_allow_any(router),
	                    "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS");
	router_close(router);
}

int main(void)
{
	struct CMUnitTest tests[ARRAY_LEN(rows)];

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		tests[i] = (struct CMUnitTest){
			.name = rows[i].path,
			.test_func = check,
			.initial_state = (void *)(uintptr_t)&rows[i],
		};
	}
	return cmocka_run_group_tests_name("http router", tests, NULL, NULL);
}
