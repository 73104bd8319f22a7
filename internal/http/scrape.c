/*
 * A libmicrohttpd daemon with a thread of its own: the event loops answer
 * players meanwhile.  libmicrohttpd's timeout restarts with every byte, so the
 * thread also ends each connection whose request or response takes longer than
 * WHOLE_MS.  No more than CONNECTIONS_MAX are accepted at a time.
 */
#include "http/scrape.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <microhttpd.h>
#include <poll.h>
#include <sys/eventfd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "http/peer.h"

enum {
	CONNECTIONS_MAX = 16,
	CONNECTION_MEMORY = 8192,
	IDLE_S = 10,
	WHOLE_MS = 10000,
	/*
	 * With all its connections taken libmicrohttpd accepts again only in
	 * the second run after one is free, and no event says so.
	 */
	TURN_MS = 500
};

struct scrape {
	struct MHD_Daemon *daemon;
	struct peers peers;
	pthread_t thread;
	int stop_fd; /* an eventfd */
	scrape_fn text;
	void *arg;
};

static enum MHD_Result answer(struct MHD_Connection *connection,
                              unsigned status, struct MHD_Response *response,
                              const char *type)
{
	memory_expect(response);
	(void)MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE,
	                              type);
	(void)MHD_add_response_header(response, MHD_HTTP_HEADER_CACHE_CONTROL,
	                              "no-store");
	if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
		(void)MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW,
		                              "GET, HEAD");
	enum MHD_Result res = MHD_queue_response(connection, status, response);
	MHD_destroy_response(response);
	return res;
}

static enum MHD_Result refuse(struct MHD_Connection *connection,
                              unsigned status, const char *reason)
{
	return answer(connection, status,
	              MHD_create_response_from_buffer(strlen(reason),
	                                              (void *)(uintptr_t)reason,
	                                              MHD_RESPMEM_PERSISTENT),
	              "text/plain; charset=utf-8");
}

/* NOLINTNEXTLINE(readability-function-size): it is libmicrohttpd's type. */
static enum MHD_Result on_access(void *cls, struct MHD_Connection *connection,
                                 const char *url, const char *method,
                                 const char *version, const char *piece,
                                 size_t *piece_len, void **context)
{
	struct scrape *scrape = cls;
	bool reads = strcmp(method, MHD_HTTP_METHOD_GET) == 0 ||
	             strcmp(method, MHD_HTTP_METHOD_HEAD) == 0;

	(void)version;
	(void)piece;
	/* The first call has the header alone; then comes the body, if any. */
	if (!*context) {
		*context = scrape;
		return MHD_YES;
	}
	if (*piece_len > 0) {
		*piece_len = 0;
		return MHD_YES;
	}
	if (!reads)
		return refuse(connection, MHD_HTTP_METHOD_NOT_ALLOWED,
		              "Only GET and HEAD are served here.\n");
	if (strcmp(url, "/metrics") != 0)
		return refuse(connection, MHD_HTTP_NOT_FOUND,
		              "Only /metrics is served here.\n");
	size_t len;
	char *text = scrape->text(scrape->arg, &len);
	return answer(connection, MHD_HTTP_OK,
	              MHD_create_response_from_buffer(len, text,
	                                              MHD_RESPMEM_MUST_FREE),
	              "text/plain; version=0.0.4; charset=utf-8");
}

static void on_connection(void *cls, struct MHD_Connection *connection,
                          void **context,
                          enum MHD_ConnectionNotificationCode code)
{
	struct scrape *scrape = cls;

	if (code == MHD_CONNECTION_NOTIFY_CLOSED)
		peer_close(*context);
	else
		*context = peer_open(&scrape->peers, connection);
}

/* From here the request may take WHOLE_MS, until its response is sent. */
static void *on_request_line(void *cls, const char *target,
                             struct MHD_Connection *connection)
{
	(void)cls;
	(void)target;
	peer_wait_for(peer_of(connection), PEER_WHOLE);
	return NULL;
}

static void on_completed(void *cls, struct MHD_Connection *connection,
                         void **context, enum MHD_RequestTerminationCode code)
{
	(void)cls;
	(void)context;
	(void)code;
	peer_wait_for(peer_of(connection), PEER_NEXT);
}

/* libmicrohttpd may ask for useless runs again and again: not at once. */
static int wait_ms(const struct scrape *scrape)
{
	MHD_UNSIGNED_LONG_LONG library_ms;
	uint64_t now_ns = clock_monotonic_ns();
	uint64_t due_ns = peer_due_ns(&scrape->peers);
	uint64_t wait = TURN_MS;

	if (due_ns < now_ns + wait * CLOCK_NS_PER_MS)
		wait = due_ns > now_ns ? (due_ns - now_ns) / CLOCK_NS_PER_MS
		                       : 0;
	if (MHD_get_timeout(scrape->daemon, &library_ms) == MHD_YES &&
	    library_ms < wait)
		wait = library_ms;
	return wait > 0 ? (int)wait : 1;
}

static void *run(void *arg)
{
	struct scrape *scrape = arg;
	const union MHD_DaemonInfo *info =
		MHD_get_daemon_info(scrape->daemon, MHD_DAEMON_INFO_EPOLL_FD);

	assert(info);
	struct pollfd fds[] = {
		{ .fd = info->epoll_fd, .events = POLLIN },
		{ .fd = scrape->stop_fd, .events = POLLIN },
	};
	while (!fds[1].revents) {
		(void)poll(fds, 2, wait_ms(scrape));
		peer_end_late(&scrape->peers);
		(void)MHD_run(scrape->daemon);
	}
	return NULL;
}

static struct MHD_Daemon *start_daemon(struct scrape *scrape, int listen_fd)
{
	return MHD_start_daemon(
		MHD_USE_EPOLL, 0, NULL, NULL, on_access, scrape,
		MHD_OPTION_LISTEN_SOCKET, listen_fd,
		MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS_MAX,
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_MEMORY,
		MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_S,
		MHD_OPTION_URI_LOG_CALLBACK, on_request_line, scrape,
		MHD_OPTION_NOTIFY_COMPLETED, on_completed, scrape,
		MHD_OPTION_NOTIFY_CONNECTION, on_connection, scrape,
		MHD_OPTION_END);
}

struct scrape *scrape_open(int listen_fd, scrape_fn text, void *arg)
{
	struct scrape *scrape = xcalloc(1, sizeof(*scrape));

	scrape->text = text;
	scrape->arg = arg;
	scrape->stop_fd = eventfd(0, EFD_CLOEXEC);
	memory_expect_descriptor(scrape->stop_fd);
	peer_init(&scrape->peers, WHOLE_MS * CLOCK_NS_PER_MS,
	          IDLE_S * CLOCK_NS_PER_S, scrape->stop_fd);
	/* It opens an epoll set; libmicrohttpd sets errno when that fails. */
	errno = ENOMEM;
	scrape->daemon = start_daemon(scrape, listen_fd);
	memory_expect_descriptor(scrape->daemon ? 0 : -1);
	memory_expect_thread(
		pthread_create(&scrape->thread, NULL, run, scrape));
	return scrape;
}

void scrape_close(struct scrape *scrape)
{
	uint64_t one = 1;

	if (!scrape)
		return;
	ssize_t written = write(scrape->stop_fd, &one, sizeof(one));
	assert(written == sizeof(one));
	(void)written;
	(void)pthread_join(scrape->thread, NULL);
	MHD_stop_daemon(scrape->daemon);
	peer_fini(&scrape->peers);
	(void)close(scrape->stop_fd);
	free(scrape);
}
