/*
 * waiting.c - requests that wait (Prefer: wait=N) and event streams.  Both are
 * a waiter in the loop's subscriptions (README.md).  A waiter sleeps between
 * two runs of its plan; its arena is rewound to call->run.begun then, so it has
 * little memory.  A stream with much unread is paused: only time, or the end of
 * its game, wakes it.
 */
#include "loop/waiting.h"

#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "metric/metric.h"
#include "service/authorize.h"
#include "service/closing.h"
#include "service/events.h"
#include "service/response.h"

/* Interval of the comment that proxies need to leave an idle stream open. */
static const uint64_t STREAM_SIGN_NS = 15 * CLOCK_NS_PER_S;

/* With so much unread a stream is paused, and woken again that soon. */
enum { STREAM_FULL = 64 * 1024 };
static const uint64_t STREAM_PAUSE_NS = 50 * CLOCK_NS_PER_MS;

static uint64_t waits_until_ns(const struct call *call)
{
	return call->req->received_ns + call->req->wait_s * CLOCK_NS_PER_S;
}

/* --- streams -------------------------------------------------------------- */

static void write_stream(struct call *call, const char *text, size_t len)
{
	if (!http_stream_write(call->req, text, len))
		call->run.is_behind = true;
}

/* Until something happens, or a sign of life is due. */
static enum turn sleep_in_stream(struct call *call)
{
	arena_rewind(&call->req->arena, call->run.begun);
	subscriptions_sleep(step_context(call)->subscriptions, call->run.waiter,
	                    call->game.table.version,
	                    clock_monotonic_ns() + STREAM_SIGN_NS);
	return TURN_WAIT;
}

/* The next page of the log, but not before the client has room for it. */
static enum turn go_on_in_stream(struct call *call)
{
	/* A paused waiter is woken by time, or because the game is gone. */
	bool is_gone =
		call->run.is_paused && waiter_is_behind(call->run.waiter);

	arena_rewind(&call->req->arena, call->run.begun);
	call->run.is_paused =
		!is_gone && http_stream_unread(call->req) > STREAM_FULL;
	if (!call->run.is_paused)
		return TURN_RESTART;
	subscriptions_pause(step_context(call)->subscriptions, call->run.waiter,
	                    clock_monotonic_ns() + STREAM_PAUSE_NS);
	return TURN_WAIT;
}

static void begin_stream(struct call *call)
{
	static const char retry[] = "retry: 2000\n\n";

	if (call->run.is_streaming)
		return;
	events_begin_stream(call);
	http_stream_begin(call->req);
	call->run.is_streaming = true;
	write_stream(call, retry, strlen(retry));
}

static enum turn stream(struct call *call)
{
	size_t len;
	const char *text;

	if (!call->req->wants_stream)
		return TURN_NEXT;
	text = events_encode_stream(call, &len);
	if (!text)
		return step_refuse(call, ERR_INTERNAL);
	closing_note(call);
	begin_stream(call);
	write_stream(call, text, len);
	if (call->run.is_behind)
		return step_finish(call);
	if (step_context(call)->ending)
		return step_close_stream(call, CLOSING_STOPPING);
	/* A client with much to read skips views: it gets the newest one later.
	 */
	bool skips_views = call->wanted.views &&
	                   http_stream_unread(call->req) > STREAM_FULL;
	return call->page.more || skips_views ? go_on_in_stream(call)
	                                      : sleep_in_stream(call);
}

const struct step waiting_in_stream = { "waiting_in_stream", .begin = stream };

static enum turn wake_stream(struct call *call)
{
	static const char sign[] = ": still here\n\n";

	if (step_context(call)->ending)
		return step_close_stream(call, CLOSING_STOPPING);
	if (waiter_is_behind(call->run.waiter) || call->run.is_paused)
		return go_on_in_stream(call);
	step_note_last_seen(call, 0);
	write_stream(call, sign, strlen(sign));
	return call->run.is_behind ? step_finish(call) : sleep_in_stream(call);
}

/* --- why a stream ends ---------------------------------------------------- */

static enum turn begin_reason(struct call *call)
{
	struct store_page page;

	if (!call->run.is_streaming || !call->run.refusal ||
	    !closing_page(call, &page))
		return TURN_NEXT;
	store_events(step_store(call), call->game.id, page, &call->req->arena,
	             step_on_answer, call);
	return TURN_WAIT;
}

static enum turn end_reason(struct call *call,
                            const struct store_answer *answer)
{
	closing_find(call, answer->events, answer->count);
	return TURN_NEXT;
}

const struct step waiting_find_reason = { "waiting_find_reason", begin_reason,
	                                  end_reason, false };

/* --- requests that wait --------------------------------------------------- */

static enum turn wait_for_change(struct call *call)
{
	if (!response_etag_matches(call))
		return TURN_NEXT;
	if (!call->run.waiter || step_context(call)->ending) {
		response_not_modified(call);
		return step_finish(call);
	}
	arena_rewind(&call->req->arena, call->run.begun);
	http_watch_client(call->req);
	subscriptions_sleep(step_context(call)->subscriptions, call->run.waiter,
	                    call->game.table.version, waits_until_ns(call));
	return TURN_WAIT;
}

const struct step waiting_for_change = { "waiting_for_change",
	                                 .begin = wait_for_change };

static enum turn wake_wait(struct call *call)
{
	if (!step_context(call)->ending &&
	    clock_monotonic_ns() < waits_until_ns(call))
		return TURN_RESTART;
	step_note_last_seen(call, 0);
	response_not_modified(call);
	return step_finish(call);
}

static void on_woken(void *arg)
{
	struct call *call = arg;

	step_resume(call, call->req->wants_stream ? wake_stream(call)
	                                          : wake_wait(call));
}

/* --- stream tickets ------------------------------------------------------- */

static enum turn begin_ticket(struct call *call)
{
	if (!call->wanted.ticket)
		return TURN_NEXT;
	store_use_ticket(step_store(call), call->game.id,
	                 call->wanted.ticket->hash, &call->req->arena,
	                 step_on_answer, call);
	return TURN_WAIT;
}

static enum turn end_ticket(struct call *call,
                            const struct store_answer *answer)
{
	if (answer->result == STORE_NONE)
		return step_refuse(call, authorize_refuse_ticket(call));
	memcpy(call->caller.token_hash, answer->token_hash, TOKEN_HASH_SIZE);
	call->caller.has_token = true;
	call->wanted.ticket = NULL;
	call->run.begun = arena_mark(&call->req->arena);
	return TURN_NEXT;
}

const struct step waiting_use_ticket = { "waiting_use_ticket", begin_ticket,
	                                 end_ticket, false };

/* --- becoming a waiter ---------------------------------------------------- */

static enum turn subscribe(struct call *call)
{
	bool may_wait = call->route->shape == SHAPE_WAIT && call->req->wait_s &&
	                call->req->if_none_match;
	struct waiter *waiter;

	if (call->run.waiter || (!may_wait && !call->req->wants_stream))
		return TURN_NEXT;
	enum err err = quotas_enter_wait(step_context(call)->quotas, call);
	if (err)
		return step_refuse(call, err);
	waiter = arena_zalloc(&call->req->arena, sizeof(*waiter));
	waiter->wake = on_woken;
	waiter->arg = call;
	call->run.waiter = waiter;
	metric_add(METRIC_WAITERS, call->req->wants_stream, 1);
	call->run.begun = arena_mark(&call->req->arena);
	subscriptions_join(step_context(call)->subscriptions, waiter,
	                   call->game.id);
	return TURN_NEXT;
}

const struct step waiting_subscribe = { "waiting_subscribe",
	                                .begin = subscribe };

void waiting_gone(struct call *call)
{
	/* A waiter that is awake is answered soon, which ends it. */
	if (!waiter_is_asleep(call->run.waiter)) {
		call->run.is_behind = true;
		return;
	}
	if (!call->run.is_streaming)
		response_not_modified(call);
	(void)step_finish(call);
}
