/*
 * One libmicrohttpd daemon without a thread of its own.  README.md lists its
 * callbacks in the order in which a request meets them; all of them run inside
 * http_server_run(), in the loop's thread.  A server owns its peers and its
 * exchanges; the loop owns an exchange from on_request to http_finish(), and
 * its connection is held or suspended if on_request returns before that.
 */
#include "http/exchange.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <microhttpd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "http/cap.h"
#include "http/client.h"
#include "http/connection_room.h"
#include "http/detached.h"
#include "http/peer.h"
#include "http/reply.h"
#include "http/request_log.h"
#include "http/request_metric.h"
#include "http/router.h"
#include "http/unread.h"
#include "http/validate.h"
#include "metric/metric.h"

enum {
	STALL_S = 60, /* without a byte either way */
	WHOLE_MS = 10000,
	IDLE_MS = 60000,
	VAIN_MAX = 64, /* vain runs before the server slows down */
	VAIN_NS = 1000000,
	FULL_NS = 10000000 /* how soon to look for a free place */
};

struct http_server {
	struct MHD_Daemon *daemon;
	struct http_config config;
	struct router *router;
	struct clients clients;
	struct peers peers;
	struct cap_slot *cap;
	struct exchange_pool pool;
	struct request_log log;
	struct unread unread;
	bool is_closing; /* open connections end with the server */
	/*
	 * libmicrohttpd may ask for runs again and again for a connection for
	 * which it can do nothing: runs in a row without a callback.
	 */
	unsigned vain_runs;
	/*
	 * With all its connections taken libmicrohttpd does not watch the
	 * listening socket, and begins again only in the second run after one
	 * is free.  They are more than the cap, since ended connections count
	 * here until they are closed.
	 */
	unsigned connected;
	unsigned connected_most;
	bool is_full;
};

/* --- connections --------------------------------------------------------- */

static void begin_connection(struct http_server *server, struct peer *peer)
{
	/* libmicrohttpd finds a socket that is shut down at its end at once. */
	if (!client_enter(&server->clients, peer))
		peer_shut(peer);
	else if (!peer->is_beyond && !cap_enter(server->cap, peer))
		request_log_full(&server->log, cap_most(server->config.cap));
}

static void end_connection(struct http_server *server, struct peer *peer)
{
	if (!server->is_closing && peer_is_dropped(peer))
		request_log_unreadable(&server->log, 0);
	/*
	 * When libmicrohttpd refuses a header by itself, for lack of memory, it
	 * does not call on_completed.
	 */
	if (peer->exchange)
		exchange_close(peer->exchange);
	if (!peer->is_detached)
		metric_add(METRIC_CONNECTIONS, 0, -1);
	client_leave(&server->clients, peer);
	cap_leave(server->cap, peer);
	peer_close(peer);
}

static void on_connection(void *cls, struct MHD_Connection *connection,
                          void **context,
                          enum MHD_ConnectionNotificationCode code)
{
	struct http_server *server = cls;

	server->pool.was_called = true;
	if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
		server->connected--;
		end_connection(server, *context);
		return;
	}
	server->connected++;
	struct peer *peer = peer_take_back(&server->peers, connection);
	if (peer) {
		*context = peer;
		return;
	}
	metric_add(METRIC_CONNECTIONS, 0, 1);
	peer = peer_open(&server->peers, connection);
	*context = peer;
	begin_connection(server, peer);
}

static void take_event(struct http_server *server,
                       const struct peer_event *event)
{
	if (!event->peer) {
		/* Another server asks us to end an idle connection. */
		cap_end_asked(server->cap);
		return;
	}
	struct exchange *exchange = event->peer->exchange;

	if (!exchange->connection) {
		exchange_note_written(exchange);
		if (event->has_gone)
			detached_lose_client(exchange);
	} else if (event->has_gone) {
		exchange->has_left = true;
		server->config.on_gone(&exchange->req, server->config.arg);
	}
}

static void take_events(struct http_server *server)
{
	struct peer_event events[PEER_EVENTS_MAX];
	size_t count = peer_take_events(&server->peers, events);

	for (size_t i = 0; i < count; i++)
		take_event(server, &events[i]);
}

/* --- requests ------------------------------------------------------------ */

/* libmicrohttpd decodes the target later, and cuts it at "%00". */
static void *on_request_line(void *cls, const char *target,
                             struct MHD_Connection *connection)
{
	struct http_server *server = cls;
	struct peer *peer = peer_of(connection);

	server->pool.was_called = true;
	peer_wait_for(peer, PEER_WHOLE);
	peer->has_asked = true;
	fields_hide_cookies(connection);
	return exchange_open(&server->pool, peer, target);
}

/* The header has arrived, the body has not. */
static enum MHD_Result begin_request(struct http_server *server,
                                     struct exchange *exchange,
                                     const char *method, const char *version)
{
	fields_read(&exchange->fields, &exchange->req.arena,
	            exchange->connection, method, exchange->sent_target,
	            version);
	validate_head(exchange, server->router, method, version);
	exchange->req.received_ns = clock_monotonic_ns();
	client_find_address(&server->clients, exchange);
	client_check(&server->clients, exchange);
	exchange->phase = EXCHANGE_BODY;
	return exchange->must_close ? reply_without_loop(exchange) : MHD_YES;
}

/* The loop has the exchange, or has finished it. */
static enum MHD_Result go_on(struct exchange *exchange)
{
	switch (exchange->phase) {
	case EXCHANGE_HANDED:
		exchange_wait(exchange);
		return MHD_YES;
	case EXCHANGE_LEAVING:
		return detached_begin(exchange);
	case EXCHANGE_FINISHED:
		return reply_send(exchange);
	default:
		return MHD_YES;
	}
}

/* The body has arrived too. */
static enum MHD_Result hand_out(struct http_server *server,
                                struct exchange *exchange)
{
	struct http_request *req = &exchange->req;

	peer_stop_waiting(exchange->peer);
	validate_body(exchange);
	req->received_ns = clock_monotonic_ns();
	if (exchange->refusal || !req->route)
		return reply_without_loop(exchange);

	exchange_hand(exchange);
	server->config.on_request(req, server->config.arg);
	return go_on(exchange);
}

/* MHD_NO closes the connection. */
/* NOLINTNEXTLINE(readability-function-size): it is libmicrohttpd's type. */
static enum MHD_Result on_access(void *cls, struct MHD_Connection *connection,
                                 const char *url, const char *method,
                                 const char *version, const char *piece,
                                 size_t *piece_len, void **context)
{
	struct http_server *server = cls;
	struct exchange *exchange = *context;
	size_t len = *piece_len;

	(void)connection;
	(void)url;
	server->pool.was_called = true;
	/* A shut socket can still be read, but its requests are not served. */
	if (exchange->phase <= EXCHANGE_BODY && exchange->peer->is_shut)
		return MHD_NO;
	if (exchange->phase == EXCHANGE_HEAD)
		return begin_request(server, exchange, method, version);
	if (exchange->phase != EXCHANGE_BODY)
		return go_on(exchange);
	if (len == 0)
		return hand_out(server, exchange);
	*piece_len = 0;
	return exchange_add_body(exchange, piece, len) ? MHD_YES : MHD_NO;
}

/* The reply was sent, or the client has gone; the peer may have a next one. */
static void note_end(struct http_server *server, struct exchange *exchange,
                     bool is_done)
{
	struct peer *peer = exchange->peer;

	request_metric_count(exchange, is_done);
	request_log_request(&server->log, exchange, is_done);
	peer->read_before += exchange->fields.header_size + exchange->body_len;
	peer->exchange = NULL;
}

static void on_completed(void *cls, struct MHD_Connection *connection,
                         void **context, enum MHD_RequestTerminationCode code)
{
	struct http_server *server = cls;
	struct exchange *exchange = *context;

	(void)connection;
	server->pool.was_called = true;
	/* A detached exchange goes on without libmicrohttpd. */
	if (!exchange || exchange->phase == EXCHANGE_DETACHED) {
		*context = NULL;
		return;
	}
	struct peer *peer = exchange->peer;

	note_end(server, exchange, code == MHD_REQUEST_TERMINATED_COMPLETED_OK);
	*context = NULL;
	peer_wait_for(peer, PEER_NEXT);
	exchange_end(exchange);
}

/* --- detached exchanges -------------------------------------------------- */

static void close_detached(struct http_server *server, struct peer *peer)
{
	/* Unread bytes would make the end a reset, which can outrun the text.
	 */
	peer_drain(peer);
	peer_close_socket(peer);
	end_connection(server, peer);
}

static void end_detached(struct http_server *server, struct exchange *exchange)
{
	struct peer *peer = exchange->peer;
	bool is_done = detached_is_done(exchange);
	bool is_kept = is_done && detached_keeps_connection(exchange) &&
	               !server->is_closing;

	note_end(server, exchange, is_done);
	TAILQ_REMOVE(&server->pool.detached, exchange, in_detached);
	exchange_close(exchange);
	if (!is_kept || !peer_give_back(peer, server->daemon))
		close_detached(server, peer);
}

/* libmicrohttpd 1.0 may refuse a connection later than it was given back. */
static void end_lost(struct http_server *server)
{
	struct peer *lost;

	while ((lost = peer_find_lost(&server->peers)))
		close_detached(server, lost);
}

/* Exchanges that are written to meanwhile are sent too. */
static void send_detached(struct http_server *server)
{
	struct exchange_list *written = &server->pool.written;
	struct exchange *exchange;

	while ((exchange = TAILQ_FIRST(written))) {
		TAILQ_REMOVE(written, exchange, in_written);
		exchange->is_written = false;
		if (!detached_send(exchange))
			end_detached(server, exchange);
	}
}

/* --- the server ---------------------------------------------------------- */

static uint64_t ns_of(unsigned ms, unsigned fallback)
{
	return (uint64_t)(ms ? ms : fallback) * CLOCK_NS_PER_MS;
}

/*
 * libmicrohttpd 1.0 unfolds a folded line so that no gap is found in it, unless
 * it is strict; what 0.9 calls strict refuses good requests.  (DEBIAN_12:
 * always 1.)  The library that runs counts: it may be newer than that of the
 * build.
 */
static int strictness(void)
{
	return MHD_get_version()[0] == '0' ? 0 : 1;
}

static struct MHD_Daemon *start_daemon(struct http_server *server)
{
	return MHD_start_daemon(
		MHD_USE_EPOLL | MHD_USE_TURBO | MHD_ALLOW_SUSPEND_RESUME |
			MHD_USE_ERROR_LOG,
		0, NULL, NULL, on_access, server, MHD_OPTION_EXTERNAL_LOGGER,
		unread_on_log, &server->unread, MHD_OPTION_LISTEN_SOCKET,
		server->config.listen_fd, MHD_OPTION_CONNECTION_LIMIT,
		server->connected_most, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
		(size_t)ROOM_OF_CONNECTION, MHD_OPTION_CONNECTION_TIMEOUT,
		(unsigned)STALL_S, MHD_OPTION_URI_LOG_CALLBACK, on_request_line,
		server, MHD_OPTION_NOTIFY_COMPLETED, on_completed, server,
		MHD_OPTION_NOTIFY_CONNECTION, on_connection, server,
		MHD_OPTION_STRICT_FOR_CLIENT, strictness(), MHD_OPTION_END);
}

struct http_server *http_server_open(const struct http_config *config)
{
	struct http_server *server = xcalloc(1, sizeof(*server));

	server->config = *config;
	exchange_init_pool(&server->pool, &server->config);
	server->unread = (struct unread){ &server->log, &server->peers,
		                          &server->clients };
	server->connected_most = cap_most(config->cap) + HTTP_CAP_SPARE +
	                         HTTP_CAP_SPARE_OF_SERVER;
	server->daemon = start_daemon(server);
	if (!server->daemon) {
		LOG(LOG_ERROR, "http_start_failed", LOG_INT("errno", errno));
		free(server);
		return NULL;
	}
	client_init(&server->clients, &server->config);
	server->cap = cap_join(config->cap, &server->peers);
	peer_init(&server->peers, ns_of(config->whole_ms, WHOLE_MS),
	          ns_of(config->idle_ms, IDLE_MS), cap_asked_fd(server->cap));
	server->router = router_open(config->routes, config->routes_count);
	return server;
}

int http_server_gone_fd(const struct http_server *server)
{
	return server->peers.gone_fd;
}

int http_server_fd(const struct http_server *server)
{
	const union MHD_DaemonInfo *info =
		MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_EPOLL_FD);

	assert(info);
	return info->epoll_fd;
}

uint64_t http_server_timeout_ns(const struct http_server *server)
{
	MHD_UNSIGNED_LONG_LONG library_ms;
	uint64_t timeout = UINT64_MAX;

	if (server->pool.has_resumed || !TAILQ_EMPTY(&server->pool.written))
		return 0;
	if (MHD_get_timeout(server->daemon, &library_ms) == MHD_YES)
		timeout = (uint64_t)library_ms * CLOCK_NS_PER_MS;
	/* libmicrohttpd asks for a useless run for each held request. */
	bool is_vain = server->pool.held_count > 0
	                       ? !server->pool.has_output
	                       : server->vain_runs > VAIN_MAX;
	if (timeout == 0 && is_vain)
		timeout = VAIN_NS;
	if (server->is_full && timeout > FULL_NS)
		timeout = FULL_NS;
	uint64_t now_ns = clock_monotonic_ns();
	uint64_t due_ns = peer_due_ns(&server->peers);
	if (due_ns <= now_ns)
		return 0;
	return due_ns - now_ns < timeout ? due_ns - now_ns : timeout;
}

static void run_library(struct http_server *server)
{
	server->pool.has_output = false;
	enum MHD_Result res = MHD_run(server->daemon);
	assert(res == MHD_YES);
	(void)res;
}

void http_server_run(struct http_server *server)
{
	take_events(server);
	peer_end_late(&server->peers);
	server->pool.has_resumed = false;
	server->pool.was_called = false;
	bool was_full = server->connected >= server->connected_most;
	run_library(server);
	/*
	 * Replies of the first run are sent by the second one, which may read
	 * requests that came meanwhile.  So more statements travel together.
	 */
	if (server->pool.has_output)
		run_library(server);
	end_lost(server);
	send_detached(server);
	server->is_full =
		was_full || server->connected >= server->connected_most;
	server->vain_runs = server->pool.was_called ? 0 : server->vain_runs + 1;
	cap_publish_idle(server->cap);
}

void http_server_drain(struct http_server *server)
{
	server->pool.is_draining = true;
}

void http_server_quiesce(struct http_server *server)
{
	http_server_drain(server);
	int fd = MHD_quiesce_daemon(server->daemon);
	if (fd >= 0)
		(void)close(fd);
}

bool http_server_idle(const struct http_server *server)
{
	return server->pool.open_count == 0;
}

void http_server_close(struct http_server *server)
{
	if (!server)
		return;
	server->is_closing = true;
	while (!TAILQ_EMPTY(&server->pool.detached))
		end_detached(server, TAILQ_FIRST(&server->pool.detached));
	request_log_end(&server->log);
	cap_part(server->cap);
	MHD_stop_daemon(server->daemon);
	end_lost(server);
	exchange_free_pool(&server->pool);
	router_close(server->router);
	client_fini(&server->clients);
	peer_fini(&server->peers);
	free(server);
}
