/*
 * test_http_waits.c - requests whose replies are long in coming: their
 * connections leave libmicrohttpd, and come back with the reply.
 */
#include "http_bench.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <netinet/in.h>
#include <sys/socket.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/log.h"
#include "http/exchange.h"

#define HOST "Host: t\r\n"

/* The connection of a waiting request is not libmicrohttpd's. */
static bool is_detached(const struct http_request *req)
{
	const struct exchange *exchange = req->inner;

	return !exchange->connection;
}

/* Send a request, and begin to wait some milliseconds after it arrived. */
static struct http_request *begin_wait(struct bench *bench,
                                       struct client *client,
                                       const char *request, unsigned ms)
{
	bench->later = true;
	client->len = 0;
	client->answer[0] = '\0';
	client_send(bench, client, request, strlen(request));
	bench_wait_kept(bench, 1);
	bench->later = false;
	struct http_request *req = bench->kept[0];
	bench_run_for(bench, ms);
	http_wait(req);
	bench_run_for(bench, 5);
	return req;
}

static const char ask[] = "GET /v1/me HTTP/1.1\r\n" HOST "Authorization: "
			  "Bearer x\r\nPrefer: wait=9\r\n\r\n";

/* --- what is answered ----------------------------------------------------- */

struct wait {
	const char *name;
	const char *request;
	unsigned after_ms; /* a request is held for 5 ms, then suspended */
	const char *statuses;
	const char *pieces; /* of the answer */
};

static const struct wait waits[] = {
	{ "a held one", ask, 0, "200",
	  "Bearer x|Content-Length: 8\r\n|!Connection: |Date: |"
	  "X-Request-Id: |Cache-Control: private" },
	{ "a suspended one", ask, 20, "200",
	  "Bearer x|Content-Length: 8\r\n|!Connection: " },
	{ "HEAD", "HEAD /v1/games/x HTTP/1.1\r\n" HOST "\r\n", 0, "H200",
	  "Content-Length: 10\r\n|!\"id\"" },
	{ "unchanged",
	  "GET /cached HTTP/1.1\r\n" HOST "If-None-Match: \"t\"\r\n\r\n", 0,
	  "304", "ETag: \"t\"|!Content-Length|!\nContent-Type|!cached" },
	{ "an empty reply", "DELETE /v1/games/x HTTP/1.1\r\n" HOST "\r\n", 0,
	  "204", "!Content-Length|!\nContent-Type" },
	{ "a body",
	  "POST /v1/small HTTP/1.1\r\n" HOST "Content-Type: application/json"
	  "\r\nContent-Length: 3\r\n\r\n[7]",
	  0, "200", "[7]|!Connection: " },
	{ "a problem", "GET /refuse/no_such_game HTTP/1.1\r\n" HOST "\r\n", 0,
	  "404", "application/problem+json|!Connection: " },
	{ "the client closes",
	  "GET /v1/me HTTP/1.1\r\n" HOST "Connection: x, Close\r\n\r\n", 0,
	  "200 close", "Connection: close" },
	{ "an old client",
	  "GET /v1/me HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", 0,
	  "200 close", "Connection: close|Content-Length: 6\r\n" },
	{ "chunks",
	  "POST /v1/small HTTP/1.1\r\n" HOST "Content-Type: application/json"
	  "\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n[7]\r\n0\r\n\r\n",
	  20, "200 close", "[7]|Connection: close" },
};

static void a_waiting_request_is_answered(void **state)
{
	struct bench *bench = *state;

	for (size_t i = 0; i < ARRAY_LEN(waits); i++) {
		const struct wait *wait = &waits[i];
		struct client *client = client_open(bench);
		struct http_request *req =
			begin_wait(bench, client, wait->request,
		                   wait->after_ms);

		print_message("%s\n", wait->name);
		assert_true(is_detached(req));
		assert_false(http_server_idle(bench->server));
		bench_finish_kept(bench);
		client_expect(bench, client, wait->statuses);
		client_expect_pieces(client->answer, wait->pieces);
		assert_true(http_server_idle(bench->server));
		client_close(client);
	}
}

/* The count of the bytes that were read before goes with the connection. */
static void the_connection_serves_the_next_requests(void **state)
{
	struct bench *bench = *state;
	struct client *client = client_open(bench);

	for (unsigned i = 0; i < 3; i++) {
		struct http_request *req =
			begin_wait(bench, client, ask, i * 10);

		assert_true(is_detached(req));
		bench_finish_kept(bench);
		client_expect(bench, client, "200");
		for (unsigned j = 0; j < i; j++) {
			client->len = 0;
			client_get(bench, client, "/v1/games/next");
			client_expect(bench, client, "200");
			client_expect_pieces(client->answer, "\"next\"");
		}
	}
	client_close(client);
	bench_run_for(bench, 20);
	assert_true(http_server_idle(bench->server));
}

/* --- requests that follow ------------------------------------------------- */

/* libmicrohttpd has read the second request with the first. */
static void a_request_read_with_it_is_served_after_it(void **state)
{
	static const char both[] =
		"GET /v1/me HTTP/1.1\r\n" HOST "Prefer: wait=9\r\n\r\n"
		"GET /v1/games/next HTTP/1.1\r\n" HOST "\r\n";
	struct bench *bench = *state;
	struct client *client = client_open(bench);
	struct http_request *req = begin_wait(bench, client, both, 0);

	assert_false(is_detached(req));
	bench_run_for(bench, 20);
	assert_int_equal(client->len, 0);
	http_wait(req);
	bench_run_for(bench, 20);
	assert_false(is_detached(req));
	assert_true(http_server_timeout_ns(bench->server) > CLOCK_NS_PER_MS);
	bench_finish_kept(bench);
	client_expect(bench, client, "200 200");
	client_expect_pieces(client->answer, "nobody|\"next\"");
	client_close(client);
}

static void a_request_sent_meanwhile_is_served_after_it(void **state)
{
	struct bench *bench = *state;
	struct client *client = client_open(bench);
	struct http_request *req = begin_wait(bench, client, ask, 0);

	client_get(bench, client, "/v1/games/next");
	bench_run_for(bench, 20);
	assert_true(is_detached(req));
	assert_int_equal(client->len, 0);
	bench_finish_kept(bench);
	client_expect(bench, client, "200 200");
	client_expect_pieces(client->answer, "Bearer x|\"next\"");
	client_close(client);
}

/* --- clients -------------------------------------------------------------- */

static void a_waiting_client_may_go(void **state)
{
	static const unsigned after_ms[] = { 0, 20 };
	struct bench *bench = *state;

	for (size_t i = 0; i < ARRAY_LEN(after_ms); i++) {
		struct client *client = client_open(bench);
		struct http_request *req =
			begin_wait(bench, client, ask, after_ms[i]);

		bench->gone = NULL;
		client_close(client);
		bench_run_for(bench, 20);
		assert_ptr_equal(bench->gone, req);
		/* To wait on does no harm. */
		http_wait(req);
		bench_run_for(bench, 20);
		assert_false(http_server_idle(bench->server));
		bench_finish_kept(bench);
		bench_run_for(bench, 20);
		assert_true(http_server_idle(bench->server));
	}
}

/* Its connection is reset while libmicrohttpd has it, and nobody waits yet. */
static void a_client_may_have_gone_before_the_wait(void **state)
{
	static const struct linger reset = { .l_onoff = 1 };
	struct bench *bench = *state;
	struct client *client = client_open(bench);

	bench->later = true;
	client_send(bench, client, ask, strlen(ask));
	bench_wait_kept(bench, 1);
	struct http_request *req = bench->kept[0];
	assert_int_equal(setsockopt(client->fd, SOL_SOCKET, SO_LINGER, &reset,
	                            sizeof(reset)),
	                 0);
	client_close(client);
	http_server_run(bench->server);
	http_server_run(bench->server);
	http_wait(req);
	bench_run_for(bench, 20);
	assert_ptr_equal(bench->gone, req);
	bench_finish_kept(bench);
	bench_run_for(bench, 20);
	assert_true(http_server_idle(bench->server));
}

static void a_half_closed_client_is_answered(void **state)
{
	struct bench *bench = *state;
	struct client *client = client_open(bench);
	struct http_request *req = begin_wait(bench, client, ask, 0);

	assert_int_equal(shutdown(client->fd, SHUT_WR), 0);
	bench_run_for(bench, 20);
	assert_ptr_equal(bench->gone, req);
	bench_finish_kept(bench);
	client_expect(bench, client, "200 close");
	assert_true(http_server_idle(bench->server));
	client_close(client);
}

/* Finish the request that is kept with a long reply. */
static void finish_long(struct bench *bench, struct http_request *req,
                        const char *body, size_t len)
{
	bench->kept_count = 0;
	req->reply = (struct http_reply){ .status = 200,
		                          .type = "text/plain",
		                          .body = body,
		                          .body_len = len };
	http_finish(req);
}

/* A reply that the socket does not take at once, and a client that reads on. */
static void a_long_reply_keeps_the_connection(void **state)
{
	static char body[8 * 1024 * 1024];
	static char piece[65536];
	struct bench *bench = *state;
	struct client *client = client_open(bench);
	struct http_request *req = begin_wait(bench, client, ask, 0);
	size_t got = 0;

	memset(body, 'x', sizeof(body));
	finish_long(bench, req, body, sizeof(body));
	bench_run_for(bench, 20);
	assert_false(http_server_idle(bench->server));
	uint64_t until = clock_monotonic_ns() + 5 * CLOCK_NS_PER_S;
	while (got < sizeof(body) && clock_monotonic_ns() < until) {
		ssize_t len =
			recv(client->fd, piece, sizeof(piece), MSG_DONTWAIT);
		got += len > 0 ? (size_t)len : 0;
		bench_turn(bench, NULL, len > 0 ? 0 : 1);
	}
	bench_run_for(bench, 20);
	while (recv(client->fd, piece, sizeof(piece), MSG_DONTWAIT) > 0)
		;
	assert_true(http_server_idle(bench->server));
	client_get(bench, client, "/v1/games/next");
	client_expect(bench, client, "200");
	client_close(client);
}

/* The last bytes of a reply have 10 s, or what the server is given. */
static void an_unread_reply_ends_in_time(void **state)
{
	static char body[16 * 1024 * 1024];
	struct bench *bench = bench_open(200, 400);
	struct client *client = client_open(bench);
	struct http_request *req = begin_wait(bench, client, ask, 0);

	(void)state;
	finish_long(bench, req, body, sizeof(body));
	bench_run_for(bench, 1500);
	assert_true(http_server_idle(bench->server));
	client_close(client);
	bench_close(bench);
}

/* --- the server ----------------------------------------------------------- */

/* Without a descriptor it waits where it is. */
static void without_a_descriptor_it_is_suspended(void **state)
{
	struct bench *bench = *state;
	struct client *client = client_open(bench);

	client_get(bench, client, "/v1/me");
	client_expect(bench, client, "200");
	rlim_t before = bench_limit_files(0);
	struct http_request *req = begin_wait(bench, client, ask, 0);
	uint64_t timeout_ns = http_server_timeout_ns(bench->server);
	(void)bench_limit_files(before);
	assert_false(is_detached(req));
	assert_true(timeout_ns > CLOCK_NS_PER_MS);
	bench_finish_kept(bench);
	client_expect(bench, client, "200");
	/* The client of a suspended request is watched, too. */
	before = bench_limit_files(0);
	req = begin_wait(bench, client, ask, 0);
	(void)bench_limit_files(before);
	client_close(client);
	bench_run_for(bench, 20);
	assert_ptr_equal(bench->gone, req);
	bench_finish_kept(bench);
	bench_run_for(bench, 20);
	assert_true(http_server_idle(bench->server));
}

/* One that waits is not idle; with its reply sent it is, like any other. */
static void a_wait_counts_once_under_the_cap(void **state)
{
	struct bench *bench = bench_open_capped(0, 0, 2);
	struct client *clients[2] = { client_open(bench), NULL };

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		(void)begin_wait(bench, clients[0], ask, 0);
		clients[1] = client_open(bench);
		client_get(bench, clients[1], "/v1/me");
		client_expect(bench, clients[1], "200");
		assert_false(clients[0]->closed);
		bench_finish_kept(bench);
		client_expect(bench, clients[0], "200");
		client_close(clients[1]);
		bench_run_for(bench, 5);
	}
	clients[1] = client_open(bench);
	struct client *third = client_open(bench);
	client_get(bench, third, "/v1/me");
	client_expect(bench, third, "200");
	client_expect(bench, clients[0], "200 close");
	client_close(third);
	for (size_t i = 0; i < ARRAY_LEN(clients); i++)
		client_close(clients[i]);
	bench_close(bench);
}

static void a_stopping_server_closes_after_the_reply(void **state)
{
	struct bench *bench = *state;
	struct client *client = client_open(bench);

	(void)begin_wait(bench, client, ask, 0);
	http_server_quiesce(bench->server);
	assert_false(http_server_idle(bench->server));
	bench_finish_kept(bench);
	client_expect(bench, client, "200 close");
	client_expect_pieces(client->answer, "Connection: close");
	assert_true(http_server_idle(bench->server));
	client_close(client);
}

/* In any state, once the loop has finished its requests. */
static void closing_the_server_ends_waits(void **state)
{
	static const unsigned turns[] = { 0, 1, 2 };
	struct bench *bench = *state;
	struct client *clients[ARRAY_LEN(turns)];

	for (size_t i = 0; i < ARRAY_LEN(turns); i++) {
		clients[i] = client_open(bench);
		(void)begin_wait(bench, clients[i], ask, 0);
		bench_finish_kept(bench);
		for (unsigned turn = 0; turn < turns[i]; turn++)
			http_server_run(bench->server);
	}
	for (size_t i = 0; i < ARRAY_LEN(turns); i++)
		client_close(clients[i]);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_waiting_request_is_answered,
		                                bench_setup, bench_teardown),
		cmocka_unit_test_setup_teardown(
			the_connection_serves_the_next_requests, bench_setup,
			bench_teardown),
		cmocka_unit_test_setup_teardown(
			a_request_read_with_it_is_served_after_it, bench_setup,
			bench_teardown),
		cmocka_unit_test_setup_teardown(
			a_request_sent_meanwhile_is_served_after_it,
			bench_setup, bench_teardown),
		cmocka_unit_test_setup_teardown(a_waiting_client_may_go,
		                                bench_setup, bench_teardown),
		cmocka_unit_test_setup_teardown(
			a_client_may_have_gone_before_the_wait, bench_setup,
			bench_teardown),
		cmocka_unit_test_setup_teardown(
			a_half_closed_client_is_answered, bench_setup,
			bench_teardown),
		cmocka_unit_test_setup_teardown(
			a_long_reply_keeps_the_connection, bench_setup,
			bench_teardown),
		cmocka_unit_test(an_unread_reply_ends_in_time),
		cmocka_unit_test_setup_teardown(
			without_a_descriptor_it_is_suspended, bench_setup,
			bench_teardown),
		cmocka_unit_test(a_wait_counts_once_under_the_cap),
		cmocka_unit_test_setup_teardown(
			a_stopping_server_closes_after_the_reply, bench_setup,
			bench_teardown),
		cmocka_unit_test_setup_teardown(closing_the_server_ends_waits,
		                                bench_setup, bench_teardown),
	};

	log_set_level(LOG_ERROR);
	return cmocka_run_group_tests_name("http waits", tests, NULL, NULL);
}
