#include "http/server.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <microhttpd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "http/address.h"
#include "http/cap.h"
#include "http/cors.h"
#include "http/problem.h"
#include "http/reply.h"
#include "http/request_log.h"
#include "http/stream.h"

enum {
	CONNECTION_MEMORY = 8192,
	STALL_S = 60, /* without a byte either way */
	WHOLE_MS = 10000,
	IDLE_MS = 60000,
	POOL_MAX = 256, /* exchanges kept for later */
	VAIN_MAX = 64,  /* runs without a sign of life before we slow down */
	VAIN_NS = 1000000,
	GONE_MAX = 64,
	FULL_NS = 10000000 /* how soon to look for a free place */
};

/* --- connections --------------------------------------------------------- */

static struct peer *peer_of(struct MHD_Connection *connection)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(connection,
	                                MHD_CONNECTION_INFO_SOCKET_CONTEXT);

	assert(info && info->socket_context);
	return info->socket_context;
}

static void give_back(struct exchange *exchange);
static void stop_watching(const struct http_server *server, struct peer *peer);

/* Who comes by way of a proxy is not counted: they are many. */
static bool is_welcome(const struct http_server *server, struct peer *peer)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(peer->connection,
	                                MHD_CONNECTION_INFO_CLIENT_ADDRESS);
	uint8_t count_as[HTTP_ADDRESS_SIZE];

	assert(info);
	address_of(info->client_addr, peer->address);
	if (!server->config.on_connect ||
	    address_is_listed(server->proxies, peer->address))
		return true;
	memcpy(count_as, peer->address, sizeof(count_as));
	address_count_as(count_as);
	peer->is_counted =
		server->config.on_connect(count_as, server->config.arg);
	return peer->is_counted;
}

static void count_out(const struct http_server *server, struct peer *peer)
{
	if (!peer->is_counted)
		return;
	address_count_as(peer->address);
	server->config.on_disconnect(peer->address, server->config.arg);
}

static void leave_cap(const struct http_server *server, struct peer *peer)
{
	if (peer->is_capped)
		cap_leave(server->config.cap);
	peer->is_capped = false;
}

/* End so many connections, but not more than are too many. */
static void end_idle(struct http_server *server, unsigned count)
{
	struct peer *peer;

	while (count-- > 0 && cap_excess(server->config.cap) > 0 &&
	       (peer = peer_find_idle(&server->peers))) {
		leave_cap(server, peer);
		peer_end(&server->peers, peer);
	}
}

/* Another server asks for it; if none is idle any more, ask the next one. */
static void end_asked(struct http_server *server)
{
	struct http_cap *cap = server->config.cap;

	end_idle(server, cap_take_asked(cap, server->cap_slot));
	cap_tell_idle(cap, server->cap_slot,
	              peer_idle_since_ns(&server->peers));
	if (cap_excess(cap) > 0)
		(void)!cap_ask_other(cap, server->cap_slot, UINT64_MAX);
}

/*
 * Count a new connection.  If it is one too many, another is ended for it, or
 * else it is ended itself, though its request may have come already.
 */
static void make_room(struct http_server *server, struct peer *peer)
{
	struct http_cap *cap = server->config.cap;

	cap_enter(cap);
	peer->is_capped = true;
	if (cap_excess(cap) == 0)
		return;
	request_log_full(&server->log, cap_most(cap));
	if (cap_ask_other(cap, server->cap_slot,
	                  peer_idle_since_ns(&server->peers)))
		return;
	end_idle(server, cap_excess(cap));
	if (cap_excess(cap) > 0 && peer->is_capped) {
		leave_cap(server, peer);
		peer_shut(&server->peers, peer);
	}
}

static void on_connection(void *cls, struct MHD_Connection *connection,
                          void **context,
                          enum MHD_ConnectionNotificationCode code)
{
	struct http_server *server = cls;
	struct peer *peer = *context;

	server->alive = true;
	if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
		server->connected--;
		if (!server->is_closing && peer_is_dropped(peer))
			request_log_unreadable(&server->log, 0);
		/*
		 * When libmicrohttpd refuses a header by itself, for want of
		 * memory, it does not tell us that the request is over.
		 */
		if (peer->exchange)
			give_back(peer->exchange);
		count_out(server, peer);
		leave_cap(server, peer);
		peer_close(&server->peers, peer);
		return;
	}
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(connection,
	                                MHD_CONNECTION_INFO_CONNECTION_FD);
	server->connected++;
	assert(info);
	peer = peer_open(connection, info->connect_fd);
	peer_wait_for(&server->peers, peer, PEER_FIRST);
	*context = peer;
	/* libmicrohttpd finds its end at once. */
	if (is_welcome(server, peer))
		make_room(server, peer);
	else
		peer_shut(&server->peers, peer);
}

/* --- exchanges ----------------------------------------------------------- */

static struct exchange *take_exchange(struct http_server *server)
{
	struct exchange *exchange = server->pool;
	struct arena arena;

	arena_init(&arena);
	if (exchange) {
		server->pool = exchange->next_free;
		server->pool_count--;
		arena = exchange->req.arena;
	} else {
		exchange = xmalloc(sizeof(*exchange));
	}
	*exchange = (struct exchange){
		.req = { .arena = arena, .inner = exchange },
		.server = server,
		.config = &server->config,
	};
	server->under_way++;
	return exchange;
}

static void free_exchange(struct exchange *exchange)
{
	arena_fini(&exchange->req.arena);
	free(exchange);
}

static void give_back(struct exchange *exchange)
{
	struct http_server *server = exchange->server;

	server->under_way--;
	free(exchange->stream.bytes);
	if (server->pool_count == POOL_MAX) {
		free_exchange(exchange);
		return;
	}
	arena_reset(&exchange->req.arena);
	exchange->next_free = server->pool;
	server->pool = exchange;
	server->pool_count++;
}

/*
 * libmicrohttpd keeps each argument of a query in the connection's memory, and
 * gives no answer when it is full.  We read the query ourselves, so of the
 * text, which is its own buffer, it is left one argument.
 */
static void hide_arguments(const char *target)
{
	char *at = (char *)(uintptr_t)target;

	while (at && (at = strchr(at, '&')))
		*at = '+';
}

/* The raw target: what comes later was decoded and cut by libmicrohttpd. */
static void *on_request_line(void *cls, const char *target,
                             struct MHD_Connection *connection)
{
	struct http_server *server = cls;

	server->alive = true;
	struct exchange *exchange = take_exchange(server);
	size_t len = target ? strlen(target) : 0;

	exchange->connection = connection;
	exchange->sent_target = target;
	exchange->sent_len = len;
	exchange->target_cut = len > HTTP_URI_MAX;
	if (exchange->target_cut)
		len = HTTP_URI_MAX;
	exchange->target =
		arena_strndup(&exchange->req.arena, target ? target : "", len);
	hide_arguments(target);
	struct peer *peer = peer_of(connection);
	peer_wait_for(&server->peers, peer, PEER_WHOLE);
	peer->exchange = exchange;
	peer->has_asked = true;
	return exchange;
}

/*
 * What libmicrohttpd has to tell; of that, only that it answers by itself what
 * it cannot read, with which status.  It tells nothing else of those requests.
 */
static void on_library_log(void *cls, const char *format, va_list arguments)
{
	struct http_server *server = cls;

	if (strstr(format, "HTTP response code is %u"))
		request_log_unreadable(&server->log,
		                       va_arg(arguments, unsigned));
}

static bool is_answered_by_library(const struct exchange *exchange)
{
	return exchange->phase <= PHASE_BODY &&
	       MHD_get_connection_info(exchange->connection,
	                               MHD_CONNECTION_INFO_HTTP_STATUS);
}

static void on_completed(void *cls, struct MHD_Connection *connection,
                         void **context, enum MHD_RequestTerminationCode code)
{
	struct http_server *server = cls;
	struct exchange *exchange = *context;

	server->alive = true;
	if (!exchange)
		return;
	assert(exchange->phase != PHASE_HANDED);
	bool is_streaming = (exchange->phase == PHASE_STREAM ||
	                     exchange->phase == PHASE_FLOWING) &&
	                    !exchange->stream.is_over;
	if (exchange->phase != PHASE_HEAD && !is_answered_by_library(exchange))
		request_log_request(
			&server->log, exchange,
			code == MHD_REQUEST_TERMINATED_COMPLETED_OK);
	peer_of(connection)->exchange = NULL;
	*context = NULL;
	peer_wait_for(&server->peers, peer_of(connection), PEER_IDLE);
	/*
	 * A stream without chunks ends with its connection, which the library
	 * leaves open until it is called for something else.
	 */
	if (exchange->phase == PHASE_FLOWING && exchange->is_old)
		peer_end(&server->peers, peer_of(connection));
	if (!is_streaming) {
		give_back(exchange);
		return;
	}
	/* The loop still writes to it: it is told, and gives it back. */
	stop_watching(server, peer_of(connection));
	exchange->orphaned = true;
	server->config.on_gone(&exchange->req, server->config.arg);
}

/* --- what the loop calls -------------------------------------------------- */

void http_watch(struct http_request *req)
{
	struct exchange *exchange = req->inner;
	struct peer *peer = peer_of(exchange->connection);
	struct epoll_event event = { .events = EPOLLRDHUP, .data.ptr = peer };

	if (peer->is_watched)
		return;
	/* The kernel may have no room: then its leaving goes unnoticed. */
	peer->is_watched = epoll_ctl(exchange->server->gone_fd, EPOLL_CTL_ADD,
	                             peer->fd, &event) == 0;
}

static void stop_watching(const struct http_server *server, struct peer *peer)
{
	if (peer->is_watched)
		(void)epoll_ctl(server->gone_fd, EPOLL_CTL_DEL, peer->fd, NULL);
	peer->is_watched = false;
}

/*
 * Whoever is told finishes the request, or does not care.  The event without a
 * peer is another server's, which wants connections to be ended.
 */
static void tell_gone(struct http_server *server)
{
	struct epoll_event events[GONE_MAX];
	int count = epoll_wait(server->gone_fd, events, GONE_MAX, 0);

	for (int i = 0; i < count; i++) {
		struct peer *peer = events[i].data.ptr;

		if (!peer) {
			end_asked(server);
			continue;
		}
		stop_watching(server, peer);
		server->config.on_gone(&peer->exchange->req,
		                       server->config.arg);
	}
}

void server_resume(struct exchange *exchange)
{
	if (!exchange->suspended)
		return;
	exchange->suspended = false;
	exchange->server->resumed = true;
	MHD_resume_connection(exchange->connection);
}

void http_finish(struct http_request *req)
{
	struct exchange *exchange = req->inner;

	if (exchange->orphaned) {
		give_back(exchange);
		return;
	}
	struct peer *peer = peer_of(exchange->connection);

	stop_watching(exchange->server, peer);
	if (exchange->phase == PHASE_HANDED) {
		exchange->phase = PHASE_FINISHED;
	} else {
		/* What is left of it has to be read as soon as a request. */
		exchange->stream.is_over = true;
		peer_wait_for(&exchange->server->peers, peer, PEER_WHOLE);
	}
	server_resume(exchange);
}

/* --- requests ------------------------------------------------------------ */

/*
 * Count a request that the loop does not see, as the loop counts the others.
 * One too many is refused for that, whatever else is wrong with it.
 */
static void count_refused(struct exchange *exchange)
{
	const struct http_config *config = exchange->config;
	struct http_request *req = &exchange->req;
	const char *detail = req->detail;
	enum err err = ERR_OK;

	/* The quota that is used up is named in place of what was wrong. */
	req->detail = NULL;
	if (config->on_refused)
		err = config->on_refused(req, config->arg);
	if (!err) {
		req->detail = detail;
		return;
	}
	exchange->refusal = err;
	req->faults_count = 0;
	req->faults_dropped = 0;
	req->reply.headers_count = 0;
}

/* Answer without asking the loop: a refusal, or OPTIONS. */
static enum MHD_Result answer_here(struct exchange *exchange)
{
	exchange->answered_here = true;
	count_refused(exchange);
	if (exchange->refusal)
		problem_reply(&exchange->req, exchange->refusal);
	else
		exchange->req.reply.status = 204;
	exchange->phase = PHASE_FINISHED;
	return reply_send(exchange);
}

/* Its clients count as one, which is hardly what was meant. */
static void warn_of_proxy(struct http_server *server, const uint8_t *address)
{
	if (server->has_warned || address_is_listed(server->proxies, address))
		return;
	server->has_warned = true;
	LOG(LOG_WARNING, "proxy_not_trusted",
	    LOG_TEXT("set", "GANGD_TRUSTED_PROXIES"));
}

static void find_address(struct exchange *exchange)
{
	uint8_t *address = exchange->req.address;

	memcpy(address, peer_of(exchange->connection)->address,
	       HTTP_ADDRESS_SIZE);
	if (exchange->fields.values[FIELD_X_FORWARDED_FOR])
		warn_of_proxy(exchange->server, address);
	address_follow(exchange->server->proxies,
	               exchange->fields.values[FIELD_X_FORWARDED_FOR], address);
	address_count_as(address);
}

/* The header is there, the body is not yet. */
static enum MHD_Result begin(struct exchange *exchange, const char *method,
                             const char *version)
{
	validate_target(exchange, method, version);
	validate_head(exchange, exchange->server->router, method, version);
	exchange->req.received_ns = clock_monotonic_ns();
	find_address(exchange);
	exchange->phase = PHASE_BODY;
	if (!exchange->refusal && exchange->req.route)
		return MHD_YES;

	/*
	 * While a body comes nothing can be answered.  So a short one is read
	 * before it is refused, but not one that waits for our consent, or is
	 * long, or ends nobody knows where.
	 */
	const char *const *fields = exchange->fields.values;
	bool waits = fields[FIELD_EXPECT] && (exchange->announced > 0 ||
	                                      fields[FIELD_TRANSFER_ENCODING]);
	if (waits || exchange->announced > HTTP_SWALLOW_MAX)
		exchange->must_close = true;
	return exchange->must_close ? answer_here(exchange) : MHD_YES;
}

/* A piece of the body.  MHD_NO closes the connection. */
static enum MHD_Result swallow(struct exchange *exchange, const char *piece,
                               size_t *size)
{
	size_t len = *size;
	size_t at = exchange->swallowed;

	*size = 0;
	exchange->swallowed += len;
	if (exchange->swallowed > HTTP_SWALLOW_MAX)
		return MHD_NO;
	if (exchange->swallowed > exchange->body_room)
		return MHD_YES;
	if (!exchange->body)
		exchange->body = arena_zalloc(&exchange->req.arena,
		                              exchange->body_room + 1);
	memcpy(exchange->body + at, piece, len);
	return MHD_YES;
}

static enum MHD_Result hand_out(struct exchange *exchange)
{
	struct http_server *server = exchange->server;
	struct http_request *req = &exchange->req;

	peer_stop_waiting(&server->peers, peer_of(exchange->connection));
	validate_body(exchange);
	req->received_ns = clock_monotonic_ns();
	if (exchange->refusal || !req->route)
		return answer_here(exchange);

	exchange->phase = PHASE_HANDED;
	server->config.on_request(req, server->config.arg);
	if (exchange->phase == PHASE_FINISHED)
		return reply_send(exchange);
	assert(exchange->phase == PHASE_HANDED);
	exchange->suspended = true;
	MHD_suspend_connection(exchange->connection);
	return MHD_YES;
}

/* NOLINTNEXTLINE(readability-function-size): it is libmicrohttpd's type. */
static enum MHD_Result on_access(void *cls, struct MHD_Connection *connection,
                                 const char *url, const char *method,
                                 const char *version, const char *piece,
                                 size_t *piece_len, void **context)
{
	struct exchange *exchange = *context;

	(void)cls;
	(void)url;
	exchange->server->alive = true;
	/* What had come before its end can still be read, but is not served. */
	if (exchange->phase <= PHASE_BODY && peer_of(connection)->is_shut)
		return MHD_NO;
	switch (exchange->phase) {
	case PHASE_HEAD:
		return begin(exchange, method, version);
	case PHASE_BODY:
		if (*piece_len > 0)
			return swallow(exchange, piece, piece_len);
		return hand_out(exchange);
	case PHASE_FINISHED:
		return reply_send(exchange);
	case PHASE_STREAM:
		return stream_send(exchange);
	case PHASE_HANDED:
	case PHASE_FLOWING:
	case PHASE_ANSWERED:
		break;
	}
	return MHD_YES;
}

bool http_proxies_are_valid(const char *proxies)
{
	struct address_list *list = address_list_open(proxies);

	address_list_close(list);
	return list != NULL;
}

bool http_origins_are_valid(const char *origins)
{
	return cors_is_valid(origins);
}

/* --- the server ---------------------------------------------------------- */

static uint64_t ns_of(unsigned ms, unsigned otherwise)
{
	return (uint64_t)(ms ? ms : otherwise) * CLOCK_NS_PER_MS;
}

struct http_server *http_server_open(const struct http_config *config)
{
	struct http_server *server = xcalloc(1, sizeof(*server));

	server->config = *config;
	server->proxies = address_list_open(
		config->trusted_proxies ? config->trusted_proxies : "");
	assert(server->proxies); /* the caller has asked */
	server->peers.waits_ns[PEER_FIRST] = ns_of(config->whole_ms, WHOLE_MS);
	server->peers.waits_ns[PEER_WHOLE] = ns_of(config->whole_ms, WHOLE_MS);
	server->peers.waits_ns[PEER_IDLE] = ns_of(config->idle_ms, IDLE_MS);
	server->connected_most = cap_most(config->cap) + HTTP_CAP_SPARE +
	                         HTTP_CAP_SPARE_OF_SERVER;
	server->daemon = MHD_start_daemon(
		MHD_USE_EPOLL | MHD_USE_TURBO | MHD_ALLOW_SUSPEND_RESUME |
			MHD_USE_ERROR_LOG,
		0, NULL, NULL, on_access, server, MHD_OPTION_EXTERNAL_LOGGER,
		on_library_log, server, MHD_OPTION_LISTEN_SOCKET,
		config->listen_fd, MHD_OPTION_CONNECTION_LIMIT,
		server->connected_most, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
		(size_t)CONNECTION_MEMORY, MHD_OPTION_CONNECTION_TIMEOUT,
		(unsigned)STALL_S, MHD_OPTION_URI_LOG_CALLBACK, on_request_line,
		server, MHD_OPTION_NOTIFY_COMPLETED, on_completed, server,
		MHD_OPTION_NOTIFY_CONNECTION, on_connection, server,
		MHD_OPTION_END);
	if (!server->daemon) {
		LOG(LOG_ERROR, "http_start_failed", LOG_INT("errno", errno));
		address_list_close(server->proxies);
		free(server);
		return NULL;
	}
	const union MHD_DaemonInfo *info =
		MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_EPOLL_FD);
	assert(info);
	server->fd = info->epoll_fd;
	server->gone_fd = epoll_create1(EPOLL_CLOEXEC);
	assert(server->gone_fd >= 0);
	server->cap_slot = cap_join(config->cap);
	struct epoll_event asked = { .events = EPOLLIN, .data.ptr = NULL };
	int failed =
		epoll_ctl(server->gone_fd, EPOLL_CTL_ADD,
	                  cap_asked_fd(config->cap, server->cap_slot), &asked);
	assert(!failed);
	(void)failed;
	server->router = router_open(config->routes, config->routes_count);
	return server;
}

int http_server_gone_fd(const struct http_server *server)
{
	return server->gone_fd;
}

int http_server_fd(const struct http_server *server)
{
	return server->fd;
}

uint64_t http_server_timeout_ns(const struct http_server *server)
{
	MHD_UNSIGNED_LONG_LONG library_ms;
	uint64_t timeout = UINT64_MAX;

	if (server->resumed)
		return 0;
	if (MHD_get_timeout(server->daemon, &library_ms) == MHD_YES)
		timeout = (uint64_t)library_ms * CLOCK_NS_PER_MS;
	if (timeout == 0 && server->vain_runs > VAIN_MAX)
		timeout = VAIN_NS;
	if (server->full && timeout > FULL_NS)
		timeout = FULL_NS;
	uint64_t peers = peer_timeout_ns(&server->peers);
	return peers < timeout ? peers : timeout;
}

void http_server_run(struct http_server *server)
{
	enum MHD_Result res;

	tell_gone(server);
	peer_end_late(&server->peers);
	server->resumed = false;
	server->alive = false;
	bool was_full = server->connected >= server->connected_most;
	res = MHD_run(server->daemon);
	server->full = was_full || server->connected >= server->connected_most;
	server->vain_runs = server->alive ? 0 : server->vain_runs + 1;
	assert(res == MHD_YES);
	(void)res;
	cap_tell_idle(server->config.cap, server->cap_slot,
	              peer_idle_since_ns(&server->peers));
}

void http_server_drain(struct http_server *server)
{
	server->draining = true;
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
	return server->under_way == 0;
}

void http_server_close(struct http_server *server)
{
	if (!server)
		return;
	server->is_closing = true;
	request_log_end(&server->log);
	cap_part(server->config.cap, server->cap_slot);
	MHD_stop_daemon(server->daemon);
	assert(server->under_way == 0);
	while (server->pool) {
		struct exchange *exchange = server->pool;
		server->pool = exchange->next_free;
		free_exchange(exchange);
	}
	router_close(server->router);
	address_list_close(server->proxies);
	(void)close(server->gone_fd);
	free(server);
}
