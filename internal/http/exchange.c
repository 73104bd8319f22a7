/*
 * An exchange is taken from the pool when a request line has arrived, and goes
 * back when its answer is sent or its connection is lost; so an idle connection
 * holds no exchange.  The pool keeps some exchanges with their arenas, so that
 * most requests allocate nothing.  Between on_request and http_finish() the
 * loop owns the exchange: it is never freed then, and its connection is held or
 * suspended (README.md), or it has a socket of its own (detached.c).  A request
 * that is held, or is leaving libmicrohttpd, may outlive its connection.  Its
 * exchange is an orphan then, without a peer, and http_finish() gives it back.
 */
#include "http/exchange.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <microhttpd.h>

#include "base/clock.h"
#include "base/macros.h"
#include "base/memory.h"
#include "http/peer.h"

enum {
	FREE_MAX = 256,
	HELD_MAX = 64, /* each run of libmicrohttpd asks for all of them */
};

static const uint64_t held_ns = 5 * CLOCK_NS_PER_MS;

/*
 * libmicrohttpd stores each argument of a query in the connection's memory, and
 * gives no answer when that is full.  It parses this very string, so joining
 * the arguments leaves it one.  query_string.c reads the copy.
 */
static void join_arguments(const char *target)
{
	char *at = (char *)(uintptr_t)target;

	while (at && (at = strchr(at, '&')))
		*at = '+';
}

void exchange_init_pool(struct exchange_pool *pool,
                        const struct http_config *config)
{
	*pool = (struct exchange_pool){ .config = config };
	TAILQ_INIT(&pool->detached);
	TAILQ_INIT(&pool->written);
}

struct exchange *exchange_open(struct exchange_pool *pool, struct peer *peer,
                               const char *target)
{
	struct exchange *exchange = pool->free;
	size_t len = target ? strlen(target) : 0;
	struct arena arena;

	arena_init(&arena);
	if (exchange) {
		pool->free = exchange->next_free;
		pool->free_count--;
		arena = exchange->req.arena;
	} else {
		exchange = xmalloc(sizeof(*exchange));
	}
	*exchange = (struct exchange){
		.req = { .arena = arena, .inner = exchange },
		.pool = pool,
		.connection = peer->connection,
		.peer = peer,
		.sent_target = { target, len },
	};
	exchange->target =
		arena_strndup(&exchange->req.arena, target ? target : "",
	                      len > HTTP_URI_MAX ? HTTP_URI_MAX : len);
	join_arguments(target);
	peer->exchange = exchange;
	pool->open_count++;
	return exchange;
}

static void free_exchange(struct exchange *exchange)
{
	arena_fini(&exchange->req.arena);
	free(exchange);
}

void exchange_close(struct exchange *exchange)
{
	struct exchange_pool *pool = exchange->pool;

	pool->open_count--;
	output_forget(&exchange->output);
	if (exchange->is_written)
		TAILQ_REMOVE(&pool->written, exchange, in_written);
	if (pool->free_count == FREE_MAX) {
		free_exchange(exchange);
		return;
	}
	arena_reset(&exchange->req.arena);
	exchange->next_free = pool->free;
	pool->free = exchange;
	pool->free_count++;
}

void exchange_end(struct exchange *exchange)
{
	bool is_leaving =
		exchange->phase == EXCHANGE_LEAVING && !exchange->is_over;

	assert(exchange->phase != EXCHANGE_HANDED || exchange->is_held);
	if (!exchange->is_held && !is_leaving) {
		exchange_close(exchange);
		return;
	}
	peer_unwatch(exchange->peer);
	exchange->peer = NULL;
	exchange->is_orphaned = true;
	/* A held request ends soon; the others would go on. */
	if (is_leaving)
		exchange->pool->config->on_gone(&exchange->req,
		                                exchange->pool->config->arg);
}

void exchange_free_pool(struct exchange_pool *pool)
{
	assert(pool->open_count == 0);
	while (pool->free) {
		struct exchange *exchange = pool->free;

		pool->free = exchange->next_free;
		free_exchange(exchange);
	}
}

bool exchange_add_body(struct exchange *exchange, const char *piece, size_t len)
{
	size_t at = exchange->body_len;

	exchange->body_len += len;
	if (exchange->body_len > HTTP_BODY_READ_MAX)
		return false;
	if (exchange->body_len > exchange->body_room)
		return true;
	if (!exchange->body)
		exchange->body = arena_zalloc(&exchange->req.arena,
		                              exchange->body_room + 1);
	memcpy(exchange->body + at, piece, len);
	return true;
}

/* --- while the loop has it ------------------------------------------------ */

static bool may_be_held(const struct exchange *exchange)
{
	const struct http_request *req = &exchange->req;

	return exchange->pool->held_count < HELD_MAX &&
	       req->route->method == HTTP_GET;
}

/*
 * The connection's memory has the header, and these fields are read later; a
 * request that is held, waits or becomes a stream may outlive it.
 */
static void copy_fields(struct exchange *exchange)
{
	struct http_request *req = &exchange->req;
	const char **fields[] = {
		&exchange->fields.values[FIELD_ORIGIN],
		&req->accept_encoding,
		&req->accept_language,
		&req->authorization,
		&req->idempotency_key,
		&req->if_match,
		&req->if_none_match,
		&req->last_event_id,
	};

	for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
		const char *value = *fields[i];

		if (value)
			*fields[i] = arena_strndup(&req->arena, value,
			                           strlen(value));
	}
}

static void let_go(struct exchange *exchange)
{
	if (!exchange->is_held)
		return;
	exchange->is_held = false;
	exchange->pool->held_count--;
}

void exchange_hand(struct exchange *exchange)
{
	bool is_held = may_be_held(exchange);

	exchange->phase = EXCHANGE_HANDED;
	exchange->is_held = is_held;
	exchange->pool->held_count += is_held;
	if (is_held || exchange->req.wants_stream || exchange->req.wait_s)
		copy_fields(exchange);
}

void exchange_wait(struct exchange *exchange)
{
	uint64_t held_until_ns = exchange->req.received_ns + held_ns;

	if (exchange->is_held && clock_monotonic_ns() < held_until_ns)
		return;
	let_go(exchange);
	exchange_suspend(exchange);
}

void exchange_note_written(struct exchange *exchange)
{
	bool is_detached = exchange->peer && !exchange->connection;

	if (!is_detached || exchange->is_written)
		return;
	exchange->is_written = true;
	TAILQ_INSERT_TAIL(&exchange->pool->written, exchange, in_written);
}

void exchange_leave(struct exchange *exchange)
{
	let_go(exchange);
	exchange->phase = EXCHANGE_LEAVING;
	exchange->pool->has_output = true;
	if (exchange->is_orphaned)
		exchange->pool->config->on_gone(&exchange->req,
		                                exchange->pool->config->arg);
	else
		exchange_resume(exchange);
}

void exchange_suspend(struct exchange *exchange)
{
	exchange->is_suspended = true;
	MHD_suspend_connection(exchange->connection);
}

void exchange_resume(struct exchange *exchange)
{
	if (!exchange->is_suspended)
		return;
	exchange->is_suspended = false;
	exchange->pool->has_resumed = true;
	MHD_resume_connection(exchange->connection);
}

void http_finish(struct http_request *req)
{
	struct exchange *exchange = req->inner;

	let_go(exchange);
	if (exchange->is_orphaned) {
		exchange_close(exchange);
		return;
	}
	bool is_detached = exchange->phase == EXCHANGE_DETACHED;
	if (is_detached || exchange->is_stream) {
		exchange->is_over = true;
		if (!exchange->is_stream)
			exchange->phase = EXCHANGE_ANSWERED;
		exchange_note_written(exchange);
		return;
	}
	peer_unwatch(exchange->peer);
	exchange->phase = EXCHANGE_FINISHED;
	exchange->pool->has_output = true;
	exchange_resume(exchange);
}

void http_wait(struct http_request *req)
{
	struct exchange *exchange = req->inner;

	if (exchange->phase == EXCHANGE_HANDED)
		exchange_leave(exchange);
}
