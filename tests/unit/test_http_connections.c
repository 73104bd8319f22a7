/*
 * Connections to the HTTP server: many, slow ones, those that break off, and
 * what becomes of them when it ends.
 */
#include "http_bench.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <netinet/in.h>
#include <sys/socket.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/log.h"

static void a_late_answer_holds_up_no_other_client(void **state)
{
	struct bench *bench = *state;
	struct client *slow = client_open(bench);
	struct client *quick = client_open(bench);

	bench->later = true;
	client_get(bench, slow, "/v1/games/slow");
	bench_wait_kept(bench, 1);
	bench->later = false;
	client_get(bench, quick, "/v1/games/quick");
	client_expect(bench, quick, "200");
	bench_turn(bench, slow, 0);
	assert_int_equal(slow->len, 0);
	assert_false(http_server_idle(bench->server));

	/* A request pipelined after it waits its turn. */
	client_get(bench, slow, "/v1/games/next");
	bench_run_for(bench, 20);
	bench_turn(bench, slow, 0);
	assert_int_equal(slow->len, 0);
	assert_true(http_server_timeout_ns(bench->server) > 0);
	bench_finish_kept(bench);
	assert_int_equal(http_server_timeout_ns(bench->server), 0);
	client_expect(bench, slow, "200 200");
	client_expect_pieces(slow->answer, "\"slow\"|\"next\"");
	client_close(slow);
	client_close(quick);
	bench_run_for(bench, 20);
	assert_true(http_server_idle(bench->server));
}

static void many_late_answers_reach_their_clients(void **state)
{
	static struct client *clients[LATER_MAX];
	struct bench *bench = *state;

	bench->later = true;
	for (size_t round = 0; round < 2; round++) {
		for (size_t i = 0; i < LATER_MAX; i++) {
			char path[40];
			if (round == 0)
				clients[i] = client_open(bench);
			clients[i]->len = 0;
			clients[i]->answer[0] = '\0';
			(void)snprintf(path, sizeof(path), "/v1/games/n%zu", i);
			client_get(bench, clients[i], path);
		}
		bench_wait_kept(bench, LATER_MAX);
		bench_finish_kept(bench);
		for (size_t i = 0; i < LATER_MAX; i++) {
			char id[40];
			(void)snprintf(id, sizeof(id), "\"n%zu\"", i);
			client_expect(bench, clients[i], "200");
			client_expect_pieces(clients[i]->answer, id);
		}
	}
	for (size_t i = 0; i < LATER_MAX; i++)
		client_close(clients[i]);
}

static void a_client_may_go_in_any_state(void **state)
{
	struct bench *bench = *state;
	struct client *client = client_open(bench);

	bench->later = true;
	client_get(bench, client, "/v1/games/x");
	bench_wait_kept(bench, 1);
	client_close(client);
	bench_run_for(bench, 20);
	assert_false(http_server_idle(bench->server));
	bench_finish_kept(bench);
	bench_run_for(bench, 20);
	assert_true(http_server_idle(bench->server));

	/* Clients go in the middle of a header, and of a body. */
	client = client_open(bench);
	client_send(bench, client, "GET / HTTP/1.1\r\nHo", 18);
	client_close(client);
	client = client_open(bench);
	const char half[] = "POST /v1/small HTTP/1.1\r\nHost: t\r\n"
			    "Content-Length: 4\r\n\r\n[1";
	client_send(bench, client, half, strlen(half));
	client_close(client);
	bench_run_for(bench, 20);
	assert_true(http_server_idle(bench->server));
}

/* Send bytes now and then; how many milliseconds until the end? */
static unsigned drip(struct bench *bench, struct client *client,
                     const char *bytes, size_t len)
{
	uint64_t from = clock_monotonic_ns();
	uint64_t next = from;

	while (!client->closed) {
		uint64_t now = clock_monotonic_ns();
		assert_true(now - from < UINT64_C(5000000000));
		if (now >= next && len > 0) {
			(void)send(client->fd, bytes++, 1,
			           MSG_DONTWAIT | MSG_NOSIGNAL);
			len--;
			next = now + UINT64_C(20000000);
		}
		bench_turn(bench, client, 5);
	}
	return (unsigned)((clock_monotonic_ns() - from) / 1000000);
}

static void slow_clients_are_closed_in_time(void **state)
{
	static const char *const starts[] = {
		"",
		"GET /v1",
		"GET /v1/me HTTP/1.1\r\nHost: t\r\nA: ",
		("POST /v1/small HTTP/1.1\r\nHost: t\r\n"
		 "Content-Type: application/json\r\n"
		 "Content-Length: 16\r\n\r\n["),
	};
	static const char more[] = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
				   "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";
	struct bench *bench = bench_open(200, 400);

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(starts); i++) {
		struct client *client = client_open(bench);
		client_send(bench, client, starts[i], strlen(starts[i]));
		/* The rest of the body takes 300 ms: it comes too late. */
		unsigned ms = drip(bench, client, more, i ? 60 : 0);
		assert_in_range(ms, 150, 1000);
		assert_int_equal(client->len, 0);
		client_close(client);
	}

	/* Between requests there is more time, but not for ever. */
	struct client *client = client_open(bench);
	client_get(bench, client, "/v1/me");
	client_expect(bench, client, "200");
	unsigned ms = drip(bench, client, "GET /v1/me/and/much/more", 24);
	assert_in_range(ms, 350, 1000);
	client_close(client);

	/* No time limit runs while a client waits for our response. */
	client = client_open(bench);
	bench->later = true;
	client_get(bench, client, "/v1/me");
	bench_run_for(bench, 600);
	bench_finish_kept(bench);
	client_expect(bench, client, "200");
	client_close(client);
	bench_close(bench);
}

/* libmicrohttpd reads the request and not the end of the connection, which no
 * later event reports. */
static void a_client_that_goes_with_its_request_is_noticed(void **state)
{
	static const char request[] = "GET /v1/me HTTP/1.1\r\nHost: t\r\n\r\n";
	struct bench *bench = bench_open(0, 0);
	struct client *client = client_open(bench);

	(void)state;
	bench_run_for(bench, 20);
	assert_int_equal(send(client->fd, request, strlen(request), 0),
	                 strlen(request));
	assert_int_equal(shutdown(client->fd, SHUT_WR), 0);
	client_expect(bench, client, "200");
	unsigned ms = drip(bench, client, "", 0);
	assert_in_range(ms, 0, 1500);
	client_close(client);

	/* A client that is still there keeps its connection. */
	client = client_open(bench);
	client_get(bench, client, "/v1/me");
	client_expect(bench, client, "200");
	bench_run_for(bench, 1500);
	bench_turn(bench, client, 0);
	assert_false(client->closed);
	client_close(client);
	bench_close(bench);
}

/*
 * libmicrohttpd 0.9 cannot take the extension of this chunk, and does not read
 * on, so it learns of nothing; the time is up for such a connection, too.
 */
static void an_endless_extension_is_closed_in_time(void **state)
{
	static const char head[] = "POST /v1/small HTTP/1.1\r\nHost: t\r\n"
				   "Content-Type: application/json\r\n"
				   "Transfer-Encoding: chunked\r\n\r\nc;";
	static char extension[40000];
	struct bench *bench = bench_open(200, 400);
	struct client *client = client_open(bench);

	(void)state;
	memset(extension, 'x', sizeof(extension));
	client_send(bench, client, head, strlen(head));
	client_send(bench, client, extension, sizeof(extension));
	client_close(client);
	bench_run_for(bench, 1600);
	assert_true(http_server_idle(bench->server));
	bench_close(bench);
}

/* --- more connections than there may be ---------------------------------- */

static void await_end(struct bench *bench, struct client *client)
{
	uint64_t until = clock_monotonic_ns() + 5000000000U;

	while (!client->closed) {
		assert_true(clock_monotonic_ns() < until);
		bench_turn(bench, client, 5);
	}
}

static bool is_served(struct bench *bench, struct client *client)
{
	client->len = 0;
	client->answer[0] = '\0';
	client_get(bench, client, "/v1/me");
	client_expect(bench, client, "200");
	return !client->closed;
}

static void at_the_cap_the_longest_idle_one_is_closed(void **state)
{
	struct bench *bench = bench_open_capped(0, 0, 3);
	struct client *clients[5];

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		clients[i] = client_open(bench);
		assert_true(is_served(bench, clients[i]));
	}
	/* By its second request the first is not idle longest any more. */
	assert_true(is_served(bench, clients[0]));
	clients[3] = client_open(bench);
	assert_true(is_served(bench, clients[3]));
	await_end(bench, clients[1]);

	/* A connection with an unread request is not idle, either. */
	assert_true(is_served(bench, clients[0]));
	const char request[] = "GET /v1/me HTTP/1.1\r\nHost: t\r\n\r\n";
	clients[2]->len = 0;
	assert_int_equal(send(clients[2]->fd, request, strlen(request), 0),
	                 strlen(request));
	clients[4] = client_open(bench);
	bench_run_for(bench, 20);
	client_expect(bench, clients[2], "200");
	await_end(bench, clients[3]);
	assert_true(is_served(bench, clients[0]));
	assert_true(is_served(bench, clients[4]));
	for (size_t i = 0; i < ARRAY_LEN(clients); i++)
		client_close(clients[i]);
	bench_close(bench);
}

static void without_an_idle_one_the_new_one_is_closed(void **state)
{
	struct bench *bench = bench_open_capped(0, 0, 1);
	struct client *busy = client_open(bench);
	static const char request[] =
		"GET /v1/games/x HTTP/1.1\r\nHost: t\r\n\r\n";

	(void)state;
	bench->later = true;
	client_get(bench, busy, "/v1/me");
	bench_wait_kept(bench, 1);
	/* The request has come before the connection is accepted. */
	struct client *more = client_open(bench);
	assert_int_equal(send(more->fd, request, strlen(request), 0),
	                 strlen(request));
	await_end(bench, more);
	assert_int_equal(more->len, 0);
	assert_int_equal(bench->kept_count, 1);
	client_close(more);

	bench_finish_kept(bench);
	client_expect(bench, busy, "200");
	bench_run_for(bench, 20);
	bench->later = false;
	more = client_open(bench);
	assert_true(is_served(bench, more));
	await_end(bench, busy);
	client_close(busy);
	client_close(more);
	bench_close(bench);
}

/* A query of more parts than fit its memory ends without a word; it ends. */
static void a_query_of_too_many_parts_ends_its_connection(void **state)
{
	struct bench *bench = *state;
	struct client *client = client_open(bench);
	char request[600] = "GET /v1/me?";
	size_t len = strlen(request);

	for (unsigned i = 0; i < 130; i++) {
		memcpy(request + len, "a=&", 3);
		len += 3;
	}
	static const char rest[] = " HTTP/1.1\r\nHost: t\r\n\r\n";
	memcpy(request + len, rest, sizeof(rest));
	client_send(bench, client, request, len + sizeof(rest) - 1);
	bench_run_for(bench, 20);
	client_close(client);
	bench_run_for(bench, 20);
	assert_true(http_server_idle(bench->server));
}

/* --- the end ------------------------------------------------------------- */

static void a_stopping_server_answers_and_closes(void **state)
{
	struct bench *bench = *state;
	struct client *client = client_open(bench);
	struct client *idle = client_open(bench);

	client_get(bench, idle, "/v1/me");
	client_expect(bench, idle, "200");
	client_expect_pieces(idle->answer, "!Connection: close");
	bench->later = true;
	client_get(bench, client, "/v1/me");
	bench_wait_kept(bench, 1);
	http_server_quiesce(bench->server);
	http_server_quiesce(bench->server);
	assert_false(http_server_idle(bench->server));

	struct client *late = client_open(bench);
	assert_true(late->closed);
	client_close(late);
	bench_finish_kept(bench);
	client_expect(bench, client, "200 close");
	client_expect_pieces(client->answer, "Connection: close");
	assert_true(http_server_idle(bench->server));

	/* The answer on an open connection has "Connection: close", too. */
	bench->later = false;
	idle->len = 0;
	client_get(bench, idle, "/nowhere");
	client_expect(bench, idle, "404 close");
	client_expect_pieces(idle->answer, "Connection: close");
	client_close(idle);
	client_close(client);
}

static void loops_share_an_address(void **state)
{
	struct arena arena;
	char other[64];

	(void)state;
	arena_init(&arena);
	int first = http_listen("localhost:0", true);
	assert_true(first >= 0);
	const char *name = http_listen_name(first, &arena);
	assert_non_null(strchr(name, ':'));
	assert_null(strstr(name, ":0"));

	/* Shared with the other loops, but with no other program. */
	int second = http_listen(name, false);
	assert_true(second >= 0);
	assert_int_equal(http_listen(name, true), -1);
	(void)close(second);
	(void)close(first);
	(void)snprintf(other, sizeof(other), "%s", name);
	first = http_listen(other, true);
	assert_true(first >= 0);
	(void)close(first);

	static const char *const wrong[] = {
		"",           "8080",         "127.0.0.1",       ":80",
		"127.0.0.1:", "[]:1",         "[::1:80",         "::1:80",
		"a:123456",   "127.0.0.1:8x", "127.0.0.1:65536",
	};
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
		assert_int_equal(http_listen(wrong[i], false), -1);
	arena_fini(&arena);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			a_late_answer_holds_up_no_other_client, bench_setup,
			bench_teardown),
		cmocka_unit_test_setup_teardown(
			many_late_answers_reach_their_clients, bench_setup,
			bench_teardown),
		cmocka_unit_test_setup_teardown(a_client_may_go_in_any_state,
		                                bench_setup, bench_teardown),
		cmocka_unit_test_setup_teardown(
			a_query_of_too_many_parts_ends_its_connection,
			bench_setup, bench_teardown),
		cmocka_unit_test_setup_teardown(
			a_stopping_server_answers_and_closes, bench_setup,
			bench_teardown),
		cmocka_unit_test(slow_clients_are_closed_in_time),
		cmocka_unit_test(at_the_cap_the_longest_idle_one_is_closed),
		cmocka_unit_test(without_an_idle_one_the_new_one_is_closed),
		cmocka_unit_test(
			a_client_that_goes_with_its_request_is_noticed),
		cmocka_unit_test(an_endless_extension_is_closed_in_time),
		cmocka_unit_test(loops_share_an_address),
	};

	log_set_level(LOG_ERROR);
	return cmocka_run_group_tests_name("http connections", tests, NULL,
	                                   NULL);
}
