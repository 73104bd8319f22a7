/*
 * For each limited kind the log keeps the time of its last line, and the number
 * of lines left out since then.  The next line of the kind reports that number,
 * or else a line of request_log_end().
 */
#include "http/request_log.h"

#include <string.h>

#include <microhttpd.h>

#include "base/clock.h"
#include "base/log.h"
#include "http/exchange.h"
#include "metric/metric.h"

enum { FIELDS_MAX = 8 };

/* True if a line of this kind may be written now; else it is counted. */
static bool passes(struct request_log *log, enum request_log_kind kind)
{
	if (kind == REQUEST_LOG_EACH || log_writes(LOG_DEBUG))
		return true;
	uint64_t now_ns = clock_monotonic_ns();
	uint64_t logged_ns = log->kinds[kind].logged_ns;

	if (logged_ns && now_ns < logged_ns + CLOCK_NS_PER_S) {
		log->kinds[kind].unlogged++;
		return false;
	}
	log->kinds[kind].logged_ns = now_ns;
	return true;
}

/* Write a line, if it passes, with how many were left out before it. */
static void write_line(struct request_log *log, enum request_log_kind kind,
                       enum log_level level, const char *event,
                       struct log_field *fields, size_t count)
{
	if (!passes(log, kind))
		return;
	if (kind != REQUEST_LOG_EACH && log->kinds[kind].unlogged > 0) {
		fields[count++] =
			(struct log_field)LOG_INT("not_logged",
		                                  log->kinds[kind].unlogged);
		log->kinds[kind].unlogged = 0;
	}
	log_write(level, event, fields, count);
}

static enum request_log_kind kind_of(const struct exchange *exchange)
{
	const struct http_request *req = &exchange->req;
	bool is_probe = req->route && req->route->is_probe;

	if (req->err == ERR_RATE_LIMITED)
		return REQUEST_LOG_LIMITED;
	if (!exchange->answered_here && !is_probe)
		return REQUEST_LOG_EACH;
	return req->err ? REQUEST_LOG_REFUSED : REQUEST_LOG_ROUTINE;
}

static bool is_answered_by_library(const struct exchange *exchange)
{
	return exchange->phase <= EXCHANGE_BODY &&
	       MHD_get_connection_info(exchange->connection,
	                               MHD_CONNECTION_INFO_HTTP_STATUS);
}

void request_log_request(struct request_log *log,
                         const struct exchange *exchange, bool is_done)
{
	const struct http_request *req = &exchange->req;
	enum request_log_kind kind = kind_of(exchange);
	/* Bytes sent to a client that has left may seem to arrive. */
	bool sent = is_done && !(exchange->has_left &&
	                         exchange->phase == EXCHANGE_ANSWERED);
	uint64_t duration_ns = clock_monotonic_ns() - req->received_ns;
	struct log_field fields[FIELDS_MAX] = {
		LOG_TEXT("id", req->id),
		LOG_TEXT("method", exchange->method),
		LOG_TEXT("route", req->route ? req->route->path : "-"),
		LOG_INT("status", sent ? req->reply.status : 0),
		LOG_INT("duration_us", duration_ns / 1000),
	};
	size_t count = 5;

	if (exchange->phase == EXCHANGE_HEAD ||
	    is_answered_by_library(exchange))
		return;
	if (!sent || req->err)
		fields[count++] = (struct log_field)LOG_TEXT(
			"code", sent ? err_code(req->err) : "client_gone");
	if (req->trace_id[0])
		fields[count++] =
			(struct log_field)LOG_TEXT("trace", req->trace_id);
	write_line(log, kind, LOG_INFO, "request", fields, count);
}

void request_log_unreadable(struct request_log *log, unsigned status)
{
	struct log_field fields[FIELDS_MAX] = { LOG_INT("status", status) };

	metric_add(METRIC_UNREADABLE, 0, 1);
	write_line(log, REQUEST_LOG_UNREADABLE, LOG_INFO, "request_unreadable",
	           fields, 1);
}

void request_log_full(struct request_log *log, unsigned connections)
{
	struct log_field fields[FIELDS_MAX] = {
		LOG_INT("connections", connections),
	};

	write_line(log, REQUEST_LOG_FULL, LOG_WARNING, "connections_full",
	           fields, 1);
}

void request_log_end(struct request_log *log)
{
	static const char *const names[] = {
		[REQUEST_LOG_LIMITED] = "limited",
		[REQUEST_LOG_REFUSED] = "refused",
		[REQUEST_LOG_ROUTINE] = "routine",
		[REQUEST_LOG_UNREADABLE] = "unreadable",
		[REQUEST_LOG_FULL] = "full",
	};

	for (unsigned kind = 0; kind < REQUEST_LOG_KIND_COUNT; kind++) {
		if (log->kinds[kind].unlogged == 0)
			continue;
		LOG(LOG_INFO, "not_logged", LOG_TEXT("kind", names[kind]),
		    LOG_INT("not_logged", log->kinds[kind].unlogged));
		log->kinds[kind].unlogged = 0;
	}
}
