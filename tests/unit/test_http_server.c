/*
 * The HTTP server over real sockets: one thread is the server's loop and the
 * client at once.
 */
#include "http/http.h"

#include <assert.h>
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/log.h"
#include "http/problem.h"

enum {
	ANSWER_MAX = 65536,
	REQUEST_MAX = 80000,
	LATER_MAX = 300,
	STREAM_MOST = 1024 * 1024 /* that may be left unread */
};

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

enum route_index {
	GAME,
	GAME_DELETE,
	ME,
	CACHED,
	PAGE,
	SMALL,
	EVENTS,
	STREAM,
	REFUSE
};

static const char json[] = "application/json";
static const struct http_route routes[] = {
	[GAME] = { HTTP_GET, "/v1/games/{game_id}", 0, "", json },
	[GAME_DELETE] = { HTTP_DELETE, "/v1/games/{game_id}", 0, "", NULL },
	[ME] = { HTTP_GET, "/v1/me", 0, "", json },
	[CACHED] = { HTTP_GET, "/cached", 0, "", json },
	[PAGE] = { HTTP_GET, "/page", 0, "", "text/html" },
	[SMALL] = { HTTP_POST, "/v1/small", 16, "", json },
	[EVENTS] = { HTTP_GET, "/v1/events", 0, "after limit", json },
	[STREAM] = { HTTP_GET, "/v1/stream", 0, "", json, true },
	[REFUSE] = { HTTP_GET, "/refuse/{code}", 0, "", json },
};

struct bench {
	struct http_server *server;
	unsigned short port;
	bool later; /* keep requests instead of finishing them */
	struct http_request *kept[LATER_MAX];
	size_t kept_count;
	struct http_request *gone; /* whose client has gone */
};

struct client {
	int fd;
	char answer[ANSWER_MAX];
	size_t len;
	bool closed;
};

/* --- the handlers -------------------------------------------------------- */

static void reply_text(struct http_request *req, const char *type,
                       const char *text)
{
	req->reply.status = 200;
	req->reply.type = type;
	req->reply.body = text;
	req->reply.body_len = strlen(text);
}

static void reply_game(struct http_request *req)
{
	reply_text(req, json,
	           arena_printf(&req->arena, "{\"id\":\"%.*s\"}",
	                        (int)req->params[0].len, req->params[0].text));
}

static void reply_events(struct http_request *req)
{
	const char *text = "";

	for (size_t i = 0; i < req->queries_count; i++)
		text = arena_printf(&req->arena, "%s%s=%s;", text,
		                    req->queries[i].name,
		                    req->queries[i].value);
	reply_text(req, json, text);
}

static void reply_refusal(struct http_request *req)
{
	enum err err = ERR_OK;

	http_header(req, "X-Dropped", "yes");
	bool found = err_find(arena_text(&req->arena, req->params[0].text,
	                                 req->params[0].len),
	                      &err);
	assert_true(found);
	problem_reply(req, err);
}

static void reply(struct http_request *req)
{
	switch ((enum route_index)req->route_index) {
	case GAME:
		reply_game(req);
		break;
	case GAME_DELETE:
		req->reply.status = 204;
		break;
	case ME:
		reply_text(req, json,
		           req->authorization ? req->authorization : "nobody");
		http_header(req, "Cache-Control", "private");
		break;
	case CACHED:
		reply_text(req, json, "cached");
		http_header(req, "ETag", "\"t\"");
		if (http_etag_listed(req->if_none_match, "\"t\"", true))
			req->reply.status = 304;
		break;
	case PAGE:
		reply_text(req, "text/html", "<p>");
		break;
	case SMALL:
		reply_text(req, json,
		           arena_text(&req->arena, req->body ? req->body : "",
		                      req->body_len));
		if (req->idempotency_key)
			http_header(req, "X-Key",
			            arena_printf(&req->arena, "<%s>",
			                         req->idempotency_key));
		break;
	case EVENTS:
		reply_events(req);
		break;
	case STREAM:
		reply_text(req, json,
		           req->wants_stream ? "a stream" : "a page");
		break;
	case REFUSE:
		reply_refusal(req);
		break;
	}
}

static void on_request(struct http_request *req, void *arg)
{
	struct bench *bench = arg;

	assert_ptr_equal(req->route, &routes[req->route_index]);
	if (bench->later) {
		assert_true(bench->kept_count < LATER_MAX);
		bench->kept[bench->kept_count++] = req;
		return;
	}
	if (req->faults_count)
		problem_reply(req, ERR_INVALID);
	else
		reply(req);
	http_finish(req);
}

static void on_gone(struct http_request *req, void *arg)
{
	struct bench *bench = arg;

	bench->gone = req;
}

static void finish_kept(struct bench *bench)
{
	while (bench->kept_count > 0) {
		struct http_request *req = bench->kept[--bench->kept_count];
		reply(req);
		http_finish(req);
	}
}

/* --- the bench ----------------------------------------------------------- */

static struct bench *bench_open(unsigned whole_ms, unsigned idle_ms)
{
	struct bench *bench = calloc(1, sizeof(*bench));
	struct sockaddr_in bound;
	socklen_t len = sizeof(bound);
	int fd = http_listen("127.0.0.1:0", true);

	assert_non_null(bench);
	assert_true(fd >= 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&bound, &len), 0);
	bench->port = bound.sin_port;
	bench->server = http_server_open(&(struct http_config){
		.listen_fd = fd,
		.connections_max = 400,
		.whole_ms = whole_ms,
		.idle_ms = idle_ms,
		.routes = routes,
		.routes_count = ARRAY_LEN(routes),
		.on_request = on_request,
		.on_gone = on_gone,
		.arg = bench,
	});
	assert_non_null(bench->server);
	return bench;
}

static int setup(void **state)
{
	*state = bench_open(0, 0);
	return 0;
}

static int teardown(void **state)
{
	struct bench *bench = *state;

	http_server_close(bench->server);
	free(bench);
	return 0;
}

/* Wait at most some milliseconds for the server or a client's socket. */
static void turn(struct bench *bench, struct client *client, int most_ms)
{
	uint64_t due_ms = http_server_timeout_ns(bench->server) / 1000000;
	struct pollfd fds[] = {
		{ .fd = http_server_fd(bench->server), .events = POLLIN },
		{ .fd = client ? client->fd : -1, .events = POLLIN },
	};

	if (due_ms < (uint64_t)most_ms)
		most_ms = (int)due_ms;
	(void)poll(fds, 2, most_ms);
	http_server_run(bench->server);
	if (!client || client->closed)
		return;
	ssize_t got = recv(client->fd, client->answer + client->len,
	                   ANSWER_MAX - 1 - client->len, MSG_DONTWAIT);
	if (got > 0)
		client->len += (size_t)got;
	else if (got == 0 || (fds[1].revents & (POLLERR | POLLHUP)))
		client->closed = true;
	client->answer[client->len] = '\0';
}

static struct client *client_open(const struct bench *bench)
{
	struct client *client = calloc(1, sizeof(*client));
	struct sockaddr_in where = {
		.sin_family = AF_INET,
		.sin_port = bench->port,
		.sin_addr = { htonl(INADDR_LOOPBACK) },
	};

	assert_non_null(client);
	client->fd = socket(AF_INET, SOCK_STREAM, 0);
	assert_true(client->fd >= 0);
	if (connect(client->fd, (struct sockaddr *)&where, sizeof(where)))
		client->closed = true;
	return client;
}

static void client_close(struct client *client)
{
	(void)close(client->fd);
	free(client);
}

static void client_send(struct bench *bench, struct client *client,
                        const char *bytes, size_t len)
{
	while (len > 0 && !client->closed) {
		ssize_t sent = send(client->fd, bytes, len,
		                    MSG_DONTWAIT | MSG_NOSIGNAL);
		if (sent > 0) {
			bytes += sent;
			len -= (size_t)sent;
		}
		turn(bench, client, 0);
	}
}

/* --- the notation -------------------------------------------------------- */

/* How often the letter of "{x*9}" is wanted here; 0 if it is none. */
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

/* Put the length of the body where {#} stands. */
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

/*
 * The end of an answer of this status that begins here, or NULL while more
 * must come.
 */
static const char *answer_end(const char *answer, const char *status)
{
	const char *body = strstr(answer, "\r\n\r\n");
	const char *length = strstr(answer, "Content-Length: ");
	size_t len = 0;

	if (!body)
		return NULL;
	body += 4;
	if (length && length < body && *status != 'H')
		len = strtoul(length + strlen("Content-Length: "), NULL, 10);
	return strlen(body) < len ? NULL : body + len;
}

/* Do the answers have these statuses?  Then *rest is what follows them. */
static bool are_answered(const char *answer, const char *statuses,
                         const char **rest)
{
	while (*statuses && strcmp(statuses, "close") != 0) {
		const char *end = answer_end(answer, statuses);
		if (!end)
			return false;
		statuses += *statuses == 'H';
		if (strncmp(answer, "HTTP/1.1 ", 9) != 0 ||
		    strncmp(answer + 9, statuses, 3) != 0)
			fail_msg("not %s: %s", statuses, answer);
		statuses += 3;
		statuses += *statuses == ' ';
		answer = end;
	}
	*rest = answer;
	return true;
}

static void expect(struct bench *bench, struct client *client,
                   const char *statuses)
{
	uint64_t until = clock_monotonic_ns() + 5000000000U;
	bool closes = strstr(statuses, "close") != NULL;
	const char *rest = NULL;

	while (!are_answered(client->answer, statuses, &rest) ||
	       (closes && !client->closed)) {
		if (clock_monotonic_ns() > until || (client->closed && !closes))
			fail_msg("%s after: %s", statuses, client->answer);
		turn(bench, client, 50);
	}
	if (strcmp(statuses, "close") != 0)
		assert_string_equal(rest, "");
}

static void expect_pieces(const char *answer, const char *pieces)
{
	char piece[512];

	while (*pieces) {
		size_t len = strcspn(pieces, "|");
		assert_true(len < sizeof(piece));
		memcpy(piece, pieces, len);
		piece[len] = '\0';
		bool absent = piece[0] == '!';
		if ((strstr(answer, piece + absent) != NULL) == absent)
			fail_msg("%s in: %s", piece, answer);
		pieces += len;
		pieces += *pieces == '|';
	}
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
	expect(bench, client, row->statuses);
	expect_pieces(client->answer, row->holds);
	if (!strstr(row->statuses, "close")) {
		client->len = 0;
		client->answer[0] = '\0';
		client_send(bench, client, probe, strlen(probe));
		expect(bench, client, "200");
		expect_pieces(client->answer, "\"probe\"");
	}
	turn(bench, NULL, 0);
	assert_true(http_server_idle(bench->server));
	client_close(client);
	http_server_close(bench->server);
	free(bench);
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
		expect(bench, client, row->statuses);
		expect_pieces(client->answer, row->holds);
	}
	client_close(client);
	http_server_close(bench->server);
	free(bench);
}

/* --- what rows cannot say ------------------------------------------------ */

static void say(struct bench *bench, struct client *client, const char *path)
{
	char request[200];
	int len = snprintf(request, sizeof(request),
	                   "GET %s HTTP/1.1\r\nHost: t\r\n\r\n", path);

	client_send(bench, client, request, (size_t)len);
}

static void run_for(struct bench *bench, unsigned ms)
{
	uint64_t until = clock_monotonic_ns() + ms * UINT64_C(1000000);

	while (clock_monotonic_ns() < until)
		turn(bench, NULL, 5);
}

static void wait_kept(struct bench *bench, size_t count)
{
	uint64_t until = clock_monotonic_ns() + 5000000000U;

	while (bench->kept_count < count && clock_monotonic_ns() < until)
		turn(bench, NULL, 5);
	assert_int_equal(bench->kept_count, count);
}

static void later_and_interleaved(void **state)
{
	struct bench *bench = *state;
	struct client *slow = client_open(bench);
	struct client *quick = client_open(bench);

	bench->later = true;
	say(bench, slow, "/v1/games/slow");
	wait_kept(bench, 1);
	bench->later = false;
	say(bench, quick, "/v1/games/quick");
	expect(bench, quick, "200");
	turn(bench, slow, 0);
	assert_int_equal(slow->len, 0);
	assert_false(http_server_idle(bench->server));

	/* What is pipelined behind it waits its turn. */
	say(bench, slow, "/v1/games/next");
	run_for(bench, 20);
	turn(bench, slow, 0);
	assert_int_equal(slow->len, 0);
	assert_true(http_server_timeout_ns(bench->server) > 0);
	finish_kept(bench);
	assert_int_equal(http_server_timeout_ns(bench->server), 0);
	expect(bench, slow, "200 200");
	expect_pieces(slow->answer, "\"slow\"|\"next\"");
	client_close(slow);
	client_close(quick);
	run_for(bench, 20);
	assert_true(http_server_idle(bench->server));
}

static void many_at_once(void **state)
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
			say(bench, clients[i], path);
		}
		wait_kept(bench, LATER_MAX);
		finish_kept(bench);
		for (size_t i = 0; i < LATER_MAX; i++) {
			char id[40];
			(void)snprintf(id, sizeof(id), "\"n%zu\"", i);
			expect(bench, clients[i], "200");
			expect_pieces(clients[i]->answer, id);
		}
	}
	for (size_t i = 0; i < LATER_MAX; i++)
		client_close(clients[i]);
}

static void client_goes(void **state)
{
	struct bench *bench = *state;
	struct client *client = client_open(bench);

	bench->later = true;
	say(bench, client, "/v1/games/x");
	wait_kept(bench, 1);
	client_close(client);
	run_for(bench, 20);
	assert_false(http_server_idle(bench->server));
	finish_kept(bench);
	run_for(bench, 20);
	assert_true(http_server_idle(bench->server));

	/* In the middle of a header, and of a body. */
	client = client_open(bench);
	client_send(bench, client, "GET / HTTP/1.1\r\nHo", 18);
	client_close(client);
	client = client_open(bench);
	const char half[] = "POST /v1/small HTTP/1.1\r\nHost: t\r\n"
			    "Content-Length: 4\r\n\r\n[1";
	client_send(bench, client, half, strlen(half));
	client_close(client);
	run_for(bench, 20);
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
		turn(bench, client, 5);
	}
	return (unsigned)((clock_monotonic_ns() - from) / 1000000);
}

static void slow_clients(void **state)
{
	static const char *const starts[] = {
		"",
		"GET /v1",
		"GET /v1/me HTTP/1.1\r\nHost: t\r\nA: ",
		("POST /v1/small HTTP/1.1\r\nHost: t\r\n"
		 "Content-Type: application/json\r\n"
		 "Content-Length: 16\r\n\r\n["),
	};
	static const char more[] = "                              "
				   "                              ";
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
	say(bench, client, "/v1/me");
	expect(bench, client, "200");
	unsigned ms = drip(bench, client, "GET /v1/me/and/much/more", 24);
	assert_in_range(ms, 350, 1000);
	client_close(client);

	/* Who waits for us has all the time. */
	client = client_open(bench);
	bench->later = true;
	say(bench, client, "/v1/me");
	run_for(bench, 600);
	finish_kept(bench);
	expect(bench, client, "200");
	client_close(client);
	http_server_close(bench->server);
	free(bench);
}

/*
 * The library below cannot take the extension of this chunk, and does not read
 * on, so it learns of nothing; the time is up for such a connection, too.
 */
static void endless_extension(void **state)
{
	static const char head[] = "POST /v1/small HTTP/1.1\r\nHost: t\r\n"
				   "Content-Type: application/json\r\n"
				   "Transfer-Encoding: chunked\r\n\r\nc;";
	static char extension[9000];
	struct bench *bench = bench_open(200, 400);
	struct client *client = client_open(bench);

	(void)state;
	memset(extension, 'x', sizeof(extension));
	client_send(bench, client, head, strlen(head));
	client_send(bench, client, extension, sizeof(extension));
	client_close(client);
	run_for(bench, 100);
	assert_false(http_server_idle(bench->server));
	run_for(bench, 1500);
	assert_true(http_server_idle(bench->server));
	http_server_close(bench->server);
	free(bench);
}

/* A query of more parts than fit its memory ends without a word; it ends. */
static void query_of_many_parts(void **state)
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
	run_for(bench, 20);
	client_close(client);
	run_for(bench, 20);
	assert_true(http_server_idle(bench->server));
}

/* --- streams ------------------------------------------------------------- */

static const char ask_stream[] = "GET /v1/stream HTTP/1.1\r\nHost: t\r\n"
				 "Accept: text/event-stream\r\n\r\n";

/* Somebody asks for a stream, and it is begun. */
static struct http_request *begin_stream(struct bench *bench,
                                         struct client *client)
{
	bench->later = true;
	client_send(bench, client, ask_stream, strlen(ask_stream));
	wait_kept(bench, 1);
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

static void hear(struct bench *bench, struct client *client, const char *piece)
{
	uint64_t until = clock_monotonic_ns() + 5000000000U;

	while (!strstr(client->answer, piece)) {
		if (clock_monotonic_ns() > until || client->closed)
			fail_msg("%s in: %s", piece, client->answer);
		turn(bench, client, 50);
	}
}

static void a_stream(void **state)
{
	struct bench *bench = *state;
	struct client *client = client_open(bench);
	struct http_request *req = begin_stream(bench, client);

	hear(bench, client, "\r\n\r\n");
	expect_pieces(client->answer,
	              "HTTP/1.1 200|Content-Type: text/event-stream|"
	              "Transfer-Encoding: chunked|!Content-Length");
	write_stream(req, "one");
	hear(bench, client, "3\r\none\r\n");
	run_for(bench, 20);
	write_stream(req, "two");
	write_stream(req, ", three");
	hear(bench, client, "A\r\ntwo, three\r\n");

	/* What is asked meanwhile waits until it ends. */
	say(bench, client, "/v1/games/next");
	run_for(bench, 20);
	write_stream(req, "end");
	http_finish(req);
	hear(bench, client, "3\r\nend\r\n0\r\n\r\nHTTP/1.1 200 OK");
	hear(bench, client, "\"next\"");
	assert_null(bench->gone);
	run_for(bench, 20);
	assert_true(http_server_idle(bench->server));
	client_close(client);
}

/* It may end before it has begun, and before anybody has heard of it. */
static void a_stream_that_ends_at_once(void **state)
{
	struct bench *bench = *state;
	struct client *client = client_open(bench);
	struct http_request *req = begin_stream(bench, client);

	write_stream(req, "all");
	http_finish(req);
	hear(bench, client, "3\r\nall\r\n0\r\n\r\n");
	client->len = 0;
	req = begin_stream(bench, client);
	http_finish(req);
	client_close(client);
	run_for(bench, 20);
	assert_true(http_server_idle(bench->server));
}

static void who_reads_a_stream_goes(void **state)
{
	static const bool at_once[] = { false, true };
	struct bench *bench = *state;

	for (size_t i = 0; i < ARRAY_LEN(at_once); i++) {
		struct client *client = client_open(bench);
		struct http_request *req = begin_stream(bench, client);

		write_stream(req, "one");
		if (!at_once[i])
			hear(bench, client, "one");
		bench->gone = NULL;
		client_close(client);
		run_for(bench, 20);
		assert_ptr_equal(bench->gone, req);
		/* There is no harm in going on for a while. */
		write_stream(req, "two");
		run_for(bench, 20);
		write_stream(req, "three");
		run_for(bench, 20);
		assert_false(http_server_idle(bench->server));
		http_finish(req);
		run_for(bench, 20);
		assert_true(http_server_idle(bench->server));
	}
}

/* They get no more than they have room for, and no more time than others. */
static void who_does_not_read_a_stream(void **state)
{
	static char piece[65536];
	struct bench *bench = bench_open(200, 400);
	struct client *client = client_open(bench);
	struct http_request *req = begin_stream(bench, client);
	size_t kept = 0;

	(void)state;
	memset(piece, 'x', sizeof(piece));
	hear(bench, client, "\r\n\r\n");
	/* Without a turn of the server nothing is sent. */
	while (http_stream_write(req, piece, sizeof(piece)))
		kept += sizeof(piece);
	assert_int_equal(kept, STREAM_MOST);
	run_for(bench, 50);
	while (http_stream_write(req, piece, 1))
		kept++;
	run_for(bench, 300);
	assert_false(http_server_idle(bench->server));
	http_finish(req);
	run_for(bench, 1500);
	assert_true(http_server_idle(bench->server));
	client_close(client);
	http_server_close(bench->server);
	free(bench);
}

/* Nothing is left when the server is closed, whatever has become of it. */
static void streams_when_it_is_closed(void **state)
{
	struct bench *bench = *state;
	struct client *clients[2];

	for (size_t i = 0; i < ARRAY_LEN(clients); i++) {
		clients[i] = client_open(bench);
		struct http_request *req = begin_stream(bench, clients[i]);
		write_stream(req, "one");
		if (i)
			hear(bench, clients[i], "one");
		http_finish(req);
	}
	for (size_t i = 0; i < ARRAY_LEN(clients); i++)
		client_close(clients[i]);
}

static void draining(void **state)
{
	struct bench *bench = *state;
	struct client *client = client_open(bench);
	struct client *idle = client_open(bench);

	say(bench, idle, "/v1/me");
	expect(bench, idle, "200");
	expect_pieces(idle->answer, "!Connection: close");
	bench->later = true;
	say(bench, client, "/v1/me");
	wait_kept(bench, 1);
	http_server_quiesce(bench->server);
	http_server_quiesce(bench->server);
	assert_false(http_server_idle(bench->server));

	struct client *late = client_open(bench);
	assert_true(late->closed);
	client_close(late);
	finish_kept(bench);
	expect(bench, client, "200 close");
	expect_pieces(client->answer, "Connection: close");
	assert_true(http_server_idle(bench->server));

	/* A connection that was open is told, too. */
	bench->later = false;
	idle->len = 0;
	say(bench, idle, "/nowhere");
	expect(bench, idle, "404 close");
	expect_pieces(idle->answer, "Connection: close");
	client_close(idle);
	client_close(client);
}

static void listening(void **state)
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
	struct CMUnitTest tests[2 * ARRAY_LEN(rows)];
	static const struct CMUnitTest others[] = {
		cmocka_unit_test_setup_teardown(later_and_interleaved, setup,
		                                teardown),
		cmocka_unit_test_setup_teardown(many_at_once, setup, teardown),
		cmocka_unit_test_setup_teardown(client_goes, setup, teardown),
		cmocka_unit_test_setup_teardown(query_of_many_parts, setup,
		                                teardown),
		cmocka_unit_test_setup_teardown(a_stream, setup, teardown),
		cmocka_unit_test_setup_teardown(a_stream_that_ends_at_once,
		                                setup, teardown),
		cmocka_unit_test_setup_teardown(who_reads_a_stream_goes, setup,
		                                teardown),
		cmocka_unit_test_setup_teardown(streams_when_it_is_closed,
		                                setup, teardown),
		cmocka_unit_test(who_does_not_read_a_stream),
		cmocka_unit_test_setup_teardown(draining, setup, teardown),
		cmocka_unit_test(slow_clients),
		cmocka_unit_test(endless_extension),
		cmocka_unit_test(listening),
	};

	log_set_level(LOG_ERROR);
	for (size_t i = 0; i < 2 * ARRAY_LEN(rows); i++) {
		tests[i] = (struct CMUnitTest){
			.name = rows[i / 2].name,
			.test_func = i % 2 ? check_row_slowly : check_row,
			.initial_state = (void *)(uintptr_t)&rows[i / 2],
		};
	}
	int failed =
		cmocka_run_group_tests_name("http requests", tests, NULL, NULL);
	return failed +
	       cmocka_run_group_tests_name("http server", others, NULL, NULL);
}
