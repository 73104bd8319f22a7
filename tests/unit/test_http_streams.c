/*
 * test_http_streams.c - replies that go on while the handler writes to them.
 */
#include "http_bench.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/log.h"

static const char ask_stream[] = "GET /v1/stream HTTP/1.1\r\nHost: t\r\n"
				 "Accept: text/event-stream\r\n\r\n";

/* Ask for a stream, and begin it. */
static struct http_request *begin_stream(struct bench *bench,
                                         struct client *client)
{
	bench->later = true;
	client_send(bench, client, ask_stream, strlen(ask_stream));
	bench_wait_kept(bench, 1);
	bench->later = false;
	struct http_request *req = bench->kept[--bench->kept_count];
	assert_true(req->wants_stream);
	req->reply.status = 200;
	req->reply.type = "text/event-stream";
	http_stream_begin(req);
	return req;
}

static void write_stream(struct http_request *req, const char *text)
{
	assert_true(http_stream_write(req, text, strlen(text)));
}

static void a_stream_is_sent_in_pieces(void **state)
{
	struct bench *bench = *state;
	struct client *client = client_open(bench);
	struct http_request *req = begin_stream(bench, client);

	client_hear(bench, client, "\r\n\r\n");
	client_expect_pieces(client->answer,
	                     "HTTP/1.1 200|Content-Type: text/event-stream|"
	                     "Transfer-Encoding: chunked|Connection: close|"
	                     "!Content-Length");
	write_stream(req, "one");
	client_hear(bench, client, "3\r\none\r\n");
	bench_run_for(bench, 20);
	write_stream(req, "two");
	write_stream(req, ", three");
	client_hear(bench, client, "3\r\ntwo\r\n7\r\n, three\r\n");

	/* A request that follows is not read, and does not harm the end. */
	client_get(bench, client, "/v1/games/next");
	bench_run_for(bench, 20);
	write_stream(req, "end");
	http_finish(req);
	client_hear(bench, client, "3\r\nend\r\n0\r\n\r\n");
	while (!client->closed)
		bench_turn(bench, client, 50);
	assert_null(strstr(client->answer, "\"next\""));
	assert_null(bench->gone);
	assert_true(http_server_idle(bench->server));
	client_close(client);
}

/* A stream begins once there is a descriptor for it. */
static void a_stream_waits_for_a_descriptor(void **state)
{
	struct bench *bench = *state;
	struct client *client = client_open(bench);
	struct http_request *req = begin_stream(bench, client);

	rlim_t before = bench_limit_files(0);
	write_stream(req, "one");
	bench_run_for(bench, 20);
	(void)bench_limit_files(before);
	assert_int_equal(client->len, 0);
	write_stream(req, "two");
	client_hear(bench, client, "3\r\none\r\n3\r\ntwo\r\n");
	http_finish(req);
	client_hear(bench, client, "0\r\n\r\n");
	client_close(client);
}

static void a_stream_that_waits_does_not_keep_the_loop_busy(void **state)
{
	enum { RUNS = 1000 };
	struct bench *bench = *state;
	struct client *client = client_open(bench);
	struct http_request *req = begin_stream(bench, client);

	rlim_t before = bench_limit_files(0);
	for (unsigned i = 0; i < RUNS; i++)
		http_server_run(bench->server);
	uint64_t timeout_ns = http_server_timeout_ns(bench->server);
	(void)bench_limit_files(before);
	assert_in_range(timeout_ns, 1, CLOCK_NS_PER_S);
	http_finish(req);
	client_hear(bench, client, "0\r\n\r\n");
	client_close(client);
}

/* Wait for bytes by the system's clock; false: none came. */
static bool has_bytes_in(const struct client *client, int ms)
{
	struct pollfd fd = { .fd = client->fd, .events = POLLIN };

	return poll(&fd, 1, ms) == 1;
}

/*
 * The second piece of a stream does not wait until the client has acknowledged
 * the first one, which a kernel may put off for 40 ms.
 */
static void a_piece_does_not_wait_for_an_acknowledgement(void **state)
{
	static const int off = 0;
	struct bench *bench = *state;
	struct client *client = client_open(bench);
	struct http_request *req = begin_stream(bench, client);

	client_hear(bench, client, "\r\n\r\n");
	assert_int_equal(setsockopt(client->fd, IPPROTO_TCP, TCP_QUICKACK, &off,
	                            sizeof(off)),
	                 0);
	write_stream(req, "one");
	http_server_run(bench->server);
	assert_true(has_bytes_in(client, 1000));
	client_hear(bench, client, "one");
	write_stream(req, "two");
	http_server_run(bench->server);
	assert_true(has_bytes_in(client, 10));
	http_finish(req);
	client_hear(bench, client, "0\r\n\r\n");
	client_close(client);
}

/* A client that closes its half only is sent all that was written. */
static void the_rest_is_sent_to_a_half_closed_client(void **state)
{
	static char piece[65536];
	struct bench *bench = *state;
	struct client *client = client_open(bench);
	struct http_request *req = begin_stream(bench, client);
	size_t written = 0;
	size_t got = 0;
	ssize_t len;

	memset(piece, 'x', sizeof(piece));
	client_hear(bench, client, "\r\n\r\n");
	client->len = 0;
	/* More than the socket takes. */
	while (http_stream_unread(req) < sizeof(piece)) {
		assert_true(http_stream_write(req, piece, sizeof(piece)));
		written += sizeof(piece);
		bench_run_for(bench, 5);
	}
	assert_int_equal(shutdown(client->fd, SHUT_WR), 0);
	bench_run_for(bench, 20);
	assert_ptr_equal(bench->gone, req);
	http_finish(req);
	bench_run_for(bench, 20);
	assert_false(http_server_idle(bench->server));
	uint64_t until = clock_monotonic_ns() + 5 * CLOCK_NS_PER_S;
	do {
		bench_run_for(bench, 1);
		len = recv(client->fd, piece, sizeof(piece), MSG_DONTWAIT);
		got += len > 0 ? (size_t)len : 0;
	} while (len != 0 && clock_monotonic_ns() < until);
	assert_int_equal(len, 0);
	assert_true(got > written);
	assert_true(http_server_idle(bench->server));
	client_close(client);
}

/* The handler may end a stream before its head or its text is sent. */
static void a_stream_may_end_at_once(void **state)
{
	struct bench *bench = *state;
	struct client *client = client_open(bench);
	struct http_request *req = begin_stream(bench, client);

	write_stream(req, "all");
	http_finish(req);
	client_hear(bench, client, "3\r\nall\r\n0\r\n\r\n");
	client_close(client);
	client = client_open(bench);
	req = begin_stream(bench, client);
	http_finish(req);
	client_close(client);
	bench_run_for(bench, 20);
	assert_true(http_server_idle(bench->server));
}

static void a_reader_of_a_stream_may_go(void **state)
{
	static const bool at_once[] = { false, true };
	struct bench *bench = *state;

	for (size_t i = 0; i < ARRAY_LEN(at_once); i++) {
		struct client *client = client_open(bench);
		struct http_request *req = begin_stream(bench, client);

		write_stream(req, "one");
		if (!at_once[i])
			client_hear(bench, client, "one");
		bench->gone = NULL;
		client_close(client);
		bench_run_for(bench, 20);
		assert_ptr_equal(bench->gone, req);
		/* There is no harm in going on for a while. */
		write_stream(req, "two");
		bench_run_for(bench, 20);
		write_stream(req, "three");
		bench_run_for(bench, 20);
		assert_false(http_server_idle(bench->server));
		http_finish(req);
		bench_run_for(bench, 20);
		assert_true(http_server_idle(bench->server));
	}
}

/* The unsent bytes of a stream are bounded, and so is its time. */
static void an_unread_stream_is_bounded(void **state)
{
	static char piece[65536];
	struct bench *bench = bench_open(200, 400);
	struct client *client = client_open(bench);
	struct http_request *req = begin_stream(bench, client);
	size_t kept = 0;

	(void)state;
	memset(piece, 'x', sizeof(piece));
	client_hear(bench, client, "\r\n\r\n");
	/* Without a turn of the server nothing is sent. */
	while (http_stream_write(req, piece, sizeof(piece)))
		kept += sizeof(piece);
	/* The lengths of chunks count, too. */
	assert_in_range(http_stream_unread(req), kept, STREAM_MOST);
	assert_true(kept + 2 * sizeof(piece) > STREAM_MOST);
	bench_run_for(bench, 50);
	assert_true(http_stream_unread(req) < kept);
	while (http_stream_write(req, piece, 1))
		kept++;
	bench_run_for(bench, 300);
	assert_false(http_server_idle(bench->server));
	http_finish(req);
	bench_run_for(bench, 1500);
	assert_true(http_server_idle(bench->server));
	client_close(client);
	bench_close(bench);
}

/* Closing the server frees its streams in any state. */
static void closing_the_server_ends_streams(void **state)
{
	struct bench *bench = *state;
	struct client *clients[2];

	for (size_t i = 0; i < ARRAY_LEN(clients); i++) {
		clients[i] = client_open(bench);
		struct http_request *req = begin_stream(bench, clients[i]);
		write_stream(req, "one");
		if (i)
			client_hear(bench, clients[i], "one");
		http_finish(req);
	}
	for (size_t i = 0; i < ARRAY_LEN(clients); i++)
		client_close(clients[i]);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_stream_is_sent_in_pieces,
		                                bench_setup, bench_teardown),
		cmocka_unit_test_setup_teardown(a_stream_waits_for_a_descriptor,
		                                bench_setup, bench_teardown),
		cmocka_unit_test_setup_teardown(
			a_stream_that_waits_does_not_keep_the_loop_busy,
			bench_setup, bench_teardown),
		cmocka_unit_test_setup_teardown(
			a_piece_does_not_wait_for_an_acknowledgement,
			bench_setup, bench_teardown),
		cmocka_unit_test_setup_teardown(
			the_rest_is_sent_to_a_half_closed_client, bench_setup,
			bench_teardown),
		cmocka_unit_test_setup_teardown(a_stream_may_end_at_once,
		                                bench_setup, bench_teardown),
		cmocka_unit_test_setup_teardown(a_reader_of_a_stream_may_go,
		                                bench_setup, bench_teardown),
		cmocka_unit_test_setup_teardown(closing_the_server_ends_streams,
		                                bench_setup, bench_teardown),
		cmocka_unit_test(an_unread_stream_is_bounded),
	};

	log_set_level(LOG_ERROR);
	return cmocka_run_group_tests_name("http streams", tests, NULL, NULL);
}
