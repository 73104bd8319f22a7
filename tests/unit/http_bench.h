/*
 * http_bench.h - the HTTP server over real sockets, with a few routes: one
 * thread is the server's loop and the clients at once.
 */
#pragma once

#include <sys/resource.h>

#include "http/http.h"

enum {
	ANSWER_MAX = 65536,
	LATER_MAX = 300,
	STREAM_MOST = 256 * 1024 /* that may be left unread */
};

struct bench {
	struct http_server *server;
	struct http_cap *cap;
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

/*
 * Open a server on a free port that gives a request whole_ms to arrive, and an
 * idle connection idle_ms; 0 is the server's own.  It has room for 400
 * connections, or for the given number.
 */
struct bench *bench_open(unsigned whole_ms, unsigned idle_ms);
struct bench *bench_open_capped(unsigned whole_ms, unsigned idle_ms,
                                unsigned connections);
void bench_close(struct bench *bench);

/* For a test with a bench_open(0, 0) of its own. */
int bench_setup(void **state);
int bench_teardown(void **state);

/* Wait at most some milliseconds for the server or a client's socket. */
void bench_turn(struct bench *bench, struct client *client, int most_ms);

void bench_run_for(struct bench *bench, unsigned ms);

/* Wait until this many requests are kept; finish them. */
void bench_wait_kept(struct bench *bench, size_t count);
void bench_finish_kept(struct bench *bench);

/*
 * Set the limit on descriptors; 0: to the next free one, so none is left.
 * Returns the limit before.
 */
rlim_t bench_limit_files(rlim_t most);

struct client *client_open(const struct bench *bench);
void client_close(struct client *client);
void client_send(struct bench *bench, struct client *client, const char *bytes,
                 size_t len);
void client_get(struct bench *bench, struct client *client, const char *path);

/*
 * Wait until the client has answers of these statuses, and no more: "200 404",
 * "H200" for an answer to HEAD, and last "close" if the server ends the
 * connection.
 */
void client_expect(struct bench *bench, struct client *client,
                   const char *statuses);

/* Wait until the piece is in the answer. */
void client_hear(struct bench *bench, struct client *client, const char *piece);

/* The answer has each of the pieces between "|", but not those that begin with
 * "!". */
void client_expect_pieces(const char *answer, const char *pieces);
