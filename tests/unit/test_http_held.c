/*
 * A request between on_request and http_finish(): libmicrohttpd asks for its
 * reply in each run, at first, and then no more.
 */
#include "http_bench.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <sys/socket.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/log.h"

/* Send, and be gone for good: what arrives is answered by a reset. */
static void reset(struct client *client)
{
	struct linger linger = { .l_onoff = 1 };

	assert_int_equal(setsockopt(client->fd, SOL_SOCKET, SO_LINGER, &linger,
	                            sizeof(linger)),
	                 0);
	client_close(client);
}

/* libmicrohttpd watches the socket of a new connection after an answer. */
static struct client *open_kept_alive(struct bench *bench)
{
	struct client *client = client_open(bench);

	bench->later = false;
	client_get(bench, client, "/v1/me");
	client_expect(bench, client, "200");
	client->len = 0;
	client->answer[0] = '\0';
	bench->later = true;
	return client;
}

/* The replies need header fields, which the connection's memory had. */
static void a_client_may_reset_before_its_answer(void **state)
{
	static const char *const requests[] = {
		"GET /v1/me HTTP/1.1\r\nHost: t\r\nAuthorization: me\r\n\r\n",
		"HEAD /cached HTTP/1.1\r\nHost: t\r\n"
		"If-None-Match: \"t\"\r\n\r\n",
		"POST /v1/small HTTP/1.1\r\nHost: t\r\n"
		"Content-Type: application/json\r\n"
		"Idempotency-Key: k\r\nContent-Length: 4\r\n\r\n1234",
	};
	/* How long the server runs between the reset and the reply. */
	static const unsigned runs_ms[] = { 0, 1, 20 };
	struct bench *bench = *state;

	for (size_t i = 0; i < ARRAY_LEN(requests); i++) {
		for (size_t j = 0; j < ARRAY_LEN(runs_ms); j++) {
			struct client *client = open_kept_alive(bench);

			client_send(bench, client, requests[i],
			            strlen(requests[i]));
			bench_wait_kept(bench, 1);
			reset(client);
			bench_run_for(bench, runs_ms[j]);
			assert_false(http_server_idle(bench->server));
			bench_finish_kept(bench);
			bench_run_for(bench, 20);
			assert_true(http_server_idle(bench->server));
		}
	}
}

/* Each run asks for the reply of a request, until it has taken too long. */
static void a_late_answer_keeps_no_processor_busy(void **state)
{
	struct bench *bench = *state;
	struct client *client = open_kept_alive(bench);
	unsigned turns = 0;

	client_get(bench, client, "/v1/games/x");
	bench_wait_kept(bench, 1);
	while (turns < 20 && http_server_timeout_ns(bench->server) <
	                             UINT64_C(100) * CLOCK_NS_PER_MS) {
		bench_turn(bench, NULL, 100);
		turns++;
	}
	assert_in_range(turns, 1, 19);
	bench_finish_kept(bench);
	client_expect(bench, client, "200");
	client_close(client);
}

static void an_answer_is_sent_at_once_while_another_is_late(void **state)
{
	struct bench *bench = *state;
	struct client *late = open_kept_alive(bench);
	struct client *quick = open_kept_alive(bench);

	client_get(bench, late, "/v1/games/late");
	bench_wait_kept(bench, 1);
	client_get(bench, quick, "/v1/games/quick");
	bench_wait_kept(bench, 2);
	struct http_request *req = bench->kept[--bench->kept_count];
	req->reply.status = 204;
	http_finish(req);
	assert_int_equal(http_server_timeout_ns(bench->server), 0);
	client_expect(bench, quick, "204");
	bench_finish_kept(bench);
	client_expect(bench, late, "200");
	client_close(late);
	client_close(quick);
}

static void a_half_closed_client_has_its_answer(void **state)
{
	struct bench *bench = *state;

	for (unsigned ms = 0; ms <= 20; ms += 10) {
		struct client *client = open_kept_alive(bench);

		client_get(bench, client, "/v1/games/x");
		bench_wait_kept(bench, 1);
		assert_int_equal(shutdown(client->fd, SHUT_WR), 0);
		bench_run_for(bench, ms);
		bench_finish_kept(bench);
		client_expect(bench, client, "200 close");
		client_close(client);
	}
}

static void a_client_may_send_the_next_request_at_once(void **state)
{
	struct bench *bench = *state;
	struct client *client = open_kept_alive(bench);

	client_get(bench, client, "/v1/games/x");
	client_get(bench, client, "/v1/games/y");
	client_get(bench, client, "/v1/games/z");
	for (unsigned i = 0; i < 3; i++) {
		bench_wait_kept(bench, 1);
		bench_finish_kept(bench);
		assert_int_equal(http_server_timeout_ns(bench->server), 0);
	}
	client_expect(bench, client, "200 200 200");
	client_expect_pieces(client->answer, "\"x\"|\"y\"|\"z\"");
	client_close(client);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			a_client_may_reset_before_its_answer, bench_setup,
			bench_teardown),
		cmocka_unit_test_setup_teardown(
			a_late_answer_keeps_no_processor_busy, bench_setup,
			bench_teardown),
		cmocka_unit_test_setup_teardown(
			an_answer_is_sent_at_once_while_another_is_late,
			bench_setup, bench_teardown),
		cmocka_unit_test_setup_teardown(
			a_half_closed_client_has_its_answer, bench_setup,
			bench_teardown),
		cmocka_unit_test_setup_teardown(
			a_client_may_send_the_next_request_at_once, bench_setup,
			bench_teardown),
	};

	log_set_level(LOG_ERROR);
	return cmocka_run_group_tests_name("http held", tests, NULL, NULL);
}
