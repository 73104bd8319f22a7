/*
 * A libmicrohttpd daemon with a thread of its own, which waits by poll(): the
 * event loops answer players meanwhile.  A few slow connections cannot hold up
 * others for longer than IDLE_S, and no more than CONNECTIONS_MAX are accepted.
 */
#include "http/scrape.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <microhttpd.h>

#include "base/memory.h"

enum { CONNECTIONS_MAX = 16, CONNECTION_MEMORY = 8192, IDLE_S = 10 };

struct scrape {
	struct MHD_Daemon *daemon;
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

struct scrape *scrape_open(int listen_fd, scrape_fn text, void *arg)
{
	struct scrape *scrape = xcalloc(1, sizeof(*scrape));

	scrape->text = text;
	scrape->arg = arg;
	scrape->daemon = MHD_start_daemon(
		MHD_USE_POLL_INTERNAL_THREAD, 0, NULL, NULL, on_access, scrape,
		MHD_OPTION_LISTEN_SOCKET, listen_fd,
		MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS_MAX,
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_MEMORY,
		MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_S,
		MHD_OPTION_END);
	if (!scrape->daemon) {
		free(scrape);
		return NULL;
	}
	return scrape;
}

void scrape_close(struct scrape *scrape)
{
	if (!scrape)
		return;
	MHD_stop_daemon(scrape->daemon);
	free(scrape);
}
