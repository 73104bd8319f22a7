/*
 * Requests to the HTTP server, whole and byte by byte, and what they are
 * answered.
 */
#include "http_bench.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/log.h"

enum { REQUEST_MAX = 80000 };

struct row {
	const char *name;
	const char *request;
	const char *statuses;
	const char *holds;
};

static const struct row rows[] = {
#define ROW(...) { __VA_ARGS__ },
#include "test_http_server.def"
};

/* --- the notation -------------------------------------------------------- */

/* The count of a repetition such as "{x*9}"; 0 for any other text. */
static size_t repeated(const char *from, const char **end)
{
	char *close;

	if (from[0] != '{' || from[1] == '\0' || from[2] != '*')
		return 0;
	size_t count = strtoul(from + 3, &close, 10);
	*end = close + 1;
	return *close == '}' ? count : 0;
}

/* See test_http_server.def. */
static size_t expand(const char *from, char *to)
{
	size_t len = 0;

	while (*from) {
		const char *end;
		size_t count = repeated(from, &end);
		assert_true(len + count + 2 < REQUEST_MAX);
		if (count > 0) {
			memset(to + len, from[1], count);
			len += count;
			from = end;
			continue;
		}
		if (*from == '\n')
			to[len++] = '\r';
		to[len++] = *from++;
	}
	to[len] = '\0';
	return len;
}

/* Put the length of the body in the place of {#}. */
static size_t put_length(char *request, size_t len)
{
	char *mark = strstr(request, "{#}");
	const char *body = strstr(request, "\r\n\r\n");
	char digits[16];

	if (!mark)
		return len;
	assert_non_null(body);
	int size = snprintf(digits, sizeof(digits), "%zu",
	                    len - (size_t)(body + 4 - request));
	memmove(mark + size, mark + 3, len - (size_t)(mark + 3 - request) + 1);
	memcpy(mark, digits, (size_t)size);
	return len - 3 + (size_t)size;
}

static const char probe[] = "GET /v1/games/probe HTTP/1.1\r\nHost: t\r\n\r\n";

static void check_row(void **state)
{
	static char request[REQUEST_MAX];
	const struct row *row = *state;
	struct bench *bench = bench_open(0, 0);
	struct client *client = client_open(bench);
	size_t len = expand(row->request, request);

	len = put_length(request, len);
	client_send(bench, client, request, len);
	client_expect(bench, client, row->statuses);
	client_expect_pieces(client->answer, row->holds);
	if (!strstr(row->statuses, "close")) {
		client->len = 0;
		client->answer[0] = '\0';
		client_send(bench, client, probe, strlen(probe));
		client_expect(bench, client, "200");
		client_expect_pieces(client->answer, "\"probe\"");
	}
	bench_turn(bench, NULL, 0);
	assert_true(http_server_idle(bench->server));
	client_close(client);
	bench_close(bench);
}

/* Every row must come out the same when its bytes come one by one. */
static void check_row_slowly(void **state)
{
	static char request[REQUEST_MAX];
	const struct row *row = *state;
	struct bench *bench = bench_open(0, 0);
	struct client *client = client_open(bench);
	size_t len = put_length(request, expand(row->request, request));

	if (len < 2000) {
		for (size_t i = 0; i < len; i++)
			client_send(bench, client, request + i, 1);
		client_expect(bench, client, row->statuses);
		client_expect_pieces(client->answer, row->holds);
	}
	client_close(client);
	bench_close(bench);
}

int main(void)
{
	struct CMUnitTest tests[2 * ARRAY_LEN(rows)];

	log_set_level(LOG_ERROR);
	for (size_t i = 0; i < 2 * ARRAY_LEN(rows); i++) {
		tests[i] = (struct CMUnitTest){
			.name = rows[i / 2].name,
			.test_func = i % 2 ? check_row_slowly : check_row,
			.initial_state = (void *)(uintptr_t)&rows[i / 2],
		};
	}
	return cmocka_run_group_tests_name("http requests", tests, NULL, NULL);
}
