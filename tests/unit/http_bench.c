/*
 * http_bench.c - a struct bench keeps the requests that are to be finished
 * later; a struct client has all that it received, as text.  Every wait turns
 * the server's loop too, since nobody else does.
 *
 * Server and tests read a clock of this file, which the linker puts in the
 * place of clock_monotonic_ns().  It runs only in bench_turn(), and there no
 * longer than the turn may wait: however long the system keeps the processor
 * from the test, no deadline of the server passes meanwhile.
 */
#include "http_bench.h"

#include <assert.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <netinet/in.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <cmocka.h>

#include "base/clock.h"
#include "http/problem.h"

enum route_index {
	GAME,
	GAME_DELETE,
	ME,
	CACHED,
	PAGE,
	SMALL,
	CHANGE,
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
	[CHANGE] = { HTTP_PATCH, "/v1/change", 16, "", json },
	[EVENTS] = { HTTP_GET, "/v1/events", 0, "after limit", json },
	[STREAM] = { HTTP_GET, "/v1/stream", 0, "", json, true },
	[REFUSE] = { HTTP_GET, "/refuse/{code}", 0, "", json },
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
	bool found = err_find(arena_strndup(&req->arena, req->params[0].text,
	                                    req->params[0].len),
	                      &err);
	assert_true(found);
	problem_reply(req, err);
}

static void reply(struct http_request *req)
{
	switch ((enum route_index)(req->route - routes)) {
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
	case CHANGE:
		reply_text(req, json,
		           arena_strndup(&req->arena,
		                         req->body ? req->body : "",
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

	assert_in_range(req->route - routes, GAME, REFUSE);
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

void bench_finish_kept(struct bench *bench)
{
	while (bench->kept_count > 0) {
		struct http_request *req = bench->kept[--bench->kept_count];
		reply(req);
		http_finish(req);
	}
}

/* --- the clock ----------------------------------------------------------- */

/* NOLINTBEGIN(bugprone-reserved-identifier): the linker's names */
uint64_t __real_clock_monotonic_ns(void);
uint64_t __wrap_clock_monotonic_ns(void);

static uint64_t now_ns = CLOCK_NS_PER_S;

uint64_t __wrap_clock_monotonic_ns(void)
{
	return now_ns;
}

static uint64_t real_now_ns(void)
{
	return __real_clock_monotonic_ns();
}
/* NOLINTEND(bugprone-reserved-identifier) */

/* A turn has lasted since then by the system's clock. */
static void count_turn(uint64_t since_ns, int most_ms)
{
	uint64_t took_ns = real_now_ns() - since_ns;
	uint64_t most_ns = (uint64_t)most_ms * CLOCK_NS_PER_MS;

	now_ns += took_ns < most_ns ? took_ns : most_ns;
}

/* --- the bench ----------------------------------------------------------- */

struct bench *bench_open_capped(unsigned whole_ms, unsigned idle_ms,
                                unsigned connections)
{
	struct bench *bench = calloc(1, sizeof(*bench));
	struct sockaddr_in bound;
	socklen_t len = sizeof(bound);
	int fd = http_listen("127.0.0.1:0", true);

	assert_non_null(bench);
	assert_true(fd >= 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&bound, &len), 0);
	bench->port = bound.sin_port;
	bench->cap = http_cap_open(connections, 1);
	bench->server = http_server_open(&(struct http_config){
		.listen_fd = fd,
		.cap = bench->cap,
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

struct bench *bench_open(unsigned whole_ms, unsigned idle_ms)
{
	return bench_open_capped(whole_ms, idle_ms, 400);
}

void bench_close(struct bench *bench)
{
	http_server_close(bench->server);
	http_cap_close(bench->cap);
	free(bench);
}

/* Wait at most some milliseconds for the server or a client's socket. */
void bench_turn(struct bench *bench, struct client *client, int most_ms)
{
	uint64_t since_ns = real_now_ns();
	uint64_t due_ms = http_server_timeout_ns(bench->server) / 1000000;
	struct pollfd fds[] = {
		{ .fd = http_server_fd(bench->server), .events = POLLIN },
		{ .fd = client ? client->fd : -1, .events = POLLIN },
	};

	int asked_ms = most_ms;
	if (due_ms < (uint64_t)most_ms)
		most_ms = (int)due_ms;
	(void)poll(fds, 2, most_ms);
	http_server_run(bench->server);
	count_turn(since_ns, asked_ms);
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

int bench_setup(void **state)
{
	*state = bench_open(0, 0);
	return 0;
}

int bench_teardown(void **state)
{
	struct bench *bench = *state;

	bench_close(bench);
	return 0;
}

void bench_run_for(struct bench *bench, unsigned ms)
{
	uint64_t until = clock_monotonic_ns() + ms * UINT64_C(1000000);

	while (clock_monotonic_ns() < until)
		bench_turn(bench, NULL, 5);
}

void bench_wait_kept(struct bench *bench, size_t count)
{
	uint64_t until = clock_monotonic_ns() + 5000000000U;

	while (bench->kept_count < count && clock_monotonic_ns() < until)
		bench_turn(bench, NULL, 5);
	assert_int_equal(bench->kept_count, count);
}

rlim_t bench_limit_files(rlim_t most)
{
	struct rlimit files;
	rlim_t before;

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &files), 0);
	before = files.rlim_cur;
	files.rlim_cur = most;
	if (most == 0) {
		int next = dup(0);

		assert_true(next > 0);
		files.rlim_cur = (rlim_t)next;
		close(next);
	}
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &files), 0);
	return before;
}

struct client *client_open(const struct bench *bench)
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

void client_close(struct client *client)
{
	(void)close(client->fd);
	free(client);
}

void client_send(struct bench *bench, struct client *client, const char *bytes,
                 size_t len)
{
	while (len > 0 && !client->closed) {
		ssize_t sent = send(client->fd, bytes, len,
		                    MSG_DONTWAIT | MSG_NOSIGNAL);
		if (sent > 0) {
			bytes += sent;
			len -= (size_t)sent;
		}
		bench_turn(bench, client, 0);
	}
}

void client_get(struct bench *bench, struct client *client, const char *path)
{
	char request[200];
	int len = snprintf(request, sizeof(request),
	                   "GET %s HTTP/1.1\r\nHost: t\r\n\r\n", path);

	client_send(bench, client, request, (size_t)len);
}

/* --- what is answered ---------------------------------------------------- */

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
		/* Not everybody says it when the body is there already. */
		if (strncmp(statuses, "100? ", 5) == 0) {
			if (strncmp(answer + 9, "100", 3) == 0)
				answer = end;
			statuses += 5;
			continue;
		}
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

void client_expect(struct bench *bench, struct client *client,
                   const char *statuses)
{
	uint64_t until = clock_monotonic_ns() + 5000000000U;
	bool closes = strstr(statuses, "close") != NULL;
	const char *rest = NULL;

	while (!are_answered(client->answer, statuses, &rest) ||
	       (closes && !client->closed)) {
		if (clock_monotonic_ns() > until || (client->closed && !closes))
			fail_msg("%s after: %s", statuses, client->answer);
		bench_turn(bench, client, 50);
	}
	if (strcmp(statuses, "close") != 0)
		assert_string_equal(rest, "");
}

void client_hear(struct bench *bench, struct client *client, const char *piece)
{
	uint64_t until = clock_monotonic_ns() + 5000000000U;

	while (!strstr(client->answer, piece)) {
		if (clock_monotonic_ns() > until || client->closed)
			fail_msg("%s in: %s", piece, client->answer);
		bench_turn(bench, client, 50);
	}
}

void client_expect_pieces(const char *answer, const char *pieces)
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
