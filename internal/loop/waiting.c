/*
 * waiting.c - requests that wait (Prefer: wait=N) and event streams.  Both are
 * a waiter in the loop's subscriptions (WAITING.md).  A waiter sleeps between
 * two runs of its plan; its arena is rewound to run->begun then, so it has
 * little memory.  A stream whose client has much unread is paused: only time,
 * or the deletion of its game, wakes it.
 */
#include "loop/waiting.h"

#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "metric/metric.h"
#include "service/authorize.h"
#include "service/closing.h"
#include "service/conditions.h"
#include "service/events.h"
#include "service/response.h"

/* Interval of comments, without which proxies close an idle stream. */
static const uint64_t STREAM_SIGN_NS = 15 * CLOCK_NS_PER_S;

/*
 * With one of so many comments the player is noted: once a minute.  Which one
 * differs by player, since after a restart all streams begin at once.
 */
enum { SIGNS_EACH_NOTE = 4 };

/* One tick of the loop writes all comments that are due within this time. */
static const uint64_t STREAM_SLOT_NS = 50 * CLOCK_NS_PER_MS;

/* With this much unread a stream is paused, and woken after this time. */
enum { STREAM_FULL = 64 * 1024 };
static const uint64_t STREAM_PAUSE_NS = 50 * CLOCK_NS_PER_MS;

static uint64_t waits_until_ns(const struct call *call)
{
	return call->req->received_ns + call->req->wait_s * CLOCK_NS_PER_S;
}

/* --- streams -------------------------------------------------------------- */

static void write_stream(struct run *run, const char *text, size_t len)
{
	if (!http_stream_write(run->call.req, text, len))
		run->must_end = true;
}

static uint64_t next_sign_ns(void)
{
	uint64_t due_ns = clock_monotonic_ns() + STREAM_SIGN_NS;

	return due_ns + STREAM_SLOT_NS - due_ns % STREAM_SLOT_NS;
}

/* Until an event happens, or a comment is due. */
static enum turn sleep_in_stream(struct run *run)
{
	const struct call *call = &run->call;

	arena_rewind(&call->req->arena, run->begun);
	subscriptions_sleep(run->context->subscriptions, &run->waiter,
	                    call->game.table.version, next_sign_ns());
	return TURN_WAIT;
}

/* The next page of the log, once the client has room for it. */
static enum turn go_on_in_stream(struct run *run)
{
	struct http_request *req = run->call.req;

	/* Only time or the game's deletion wakes a paused waiter. */
	bool is_gone = run->is_paused && waiter_is_behind(&run->waiter);

	arena_rewind(&req->arena, run->begun);
	run->is_paused = !is_gone && http_stream_unread(req) > STREAM_FULL;
	if (!run->is_paused)
		return TURN_RESTART;
	subscriptions_pause(run->context->subscriptions, &run->waiter,
	                    clock_monotonic_ns() + STREAM_PAUSE_NS);
	return TURN_WAIT;
}

static void begin_stream(struct run *run)
{
	static const char retry[] = "retry: 2000\n\n";

	if (run->is_streaming)
		return;
	events_begin_stream(&run->call);
	run->signs = run->call.caller.token_hash[0];
	http_stream_begin(run->call.req);
	run->is_streaming = true;
	write_stream(run, retry, strlen(retry));
}

static enum turn stream(struct run *run)
{
	struct call *call = &run->call;
	size_t len;
	const char *text;

	if (!call->req->wants_stream)
		return TURN_NEXT;
	text = events_encode_stream(call, &len);
	if (!text)
		return step_refuse(run, ERR_INTERNAL);
	closing_note(call);
	begin_stream(run);
	write_stream(run, text, len);
	if (run->must_end)
		return step_finish(run);
	if (run->context->ending)
		return step_close_stream(run, CLOSING_STOPPING);
	/* A client with much to read skips views: it gets the newest one later.
	 */
	bool skips_views = call->wanted.views &&
	                   http_stream_unread(call->req) > STREAM_FULL;
	return call->page.more || skips_views ? go_on_in_stream(run)
	                                      : sleep_in_stream(run);
}

const struct step waiting_in_stream = { "waiting_in_stream", .begin = stream };

static enum turn wake_stream(struct run *run)
{
	static const char sign[] = ": still here\n\n";

	/* The client has gone since the waiter was woken. */
	if (run->must_end)
		return step_finish(run);
	if (run->context->ending)
		return step_close_stream(run, CLOSING_STOPPING);
	if (waiter_is_behind(&run->waiter) || run->is_paused)
		return go_on_in_stream(run);
	if (++run->signs % SIGNS_EACH_NOTE == 0)
		step_note_last_seen(run, 0);
	write_stream(run, sign, strlen(sign));
	return run->must_end ? step_finish(run) : sleep_in_stream(run);
}

/* --- why a stream ends ---------------------------------------------------- */

static enum turn begin_reason(struct run *run)
{
	struct call *call = &run->call;
	struct store_page page;

	if (!closing_page(call, &page))
		return step_close_stream(run, call->stream.closing);
	store_events(step_store(run), call->game.id, page, &call->req->arena,
	             step_on_answer, run);
	return TURN_WAIT;
}

static enum turn end_reason(struct run *run, const struct store_answer *answer)
{
	closing_find(&run->call, answer->events, answer->count);
	return step_close_stream(run, run->call.stream.closing);
}

const struct step waiting_find_reason = { "waiting_find_reason", begin_reason,
	                                  end_reason };

/* --- requests that wait --------------------------------------------------- */

/* For a client that has the present view no view is made. */
static enum turn wait_for_change(struct run *run)
{
	struct call *call = &run->call;

	if (!conditions_are_unchanged(call))
		return TURN_NEXT;
	if (!run->is_waiter || run->context->ending) {
		response_not_modified(call);
		return step_finish(run);
	}
	arena_rewind(&call->req->arena, run->begun);
	http_wait(call->req);
	if (run->must_end) {
		response_not_modified(call);
		return step_finish(run);
	}
	subscriptions_sleep(run->context->subscriptions, &run->waiter,
	                    call->game.table.version, waits_until_ns(call));
	return TURN_WAIT;
}

const struct step waiting_for_change = { "waiting_for_change",
	                                 .begin = wait_for_change };

static enum turn wake_wait(struct run *run)
{
	struct call *call = &run->call;

	if (!run->context->ending &&
	    clock_monotonic_ns() < waits_until_ns(call))
		return TURN_RESTART;
	step_note_last_seen(run, 0);
	response_not_modified(call);
	return step_finish(run);
}

static void on_woken(void *arg)
{
	struct run *run = arg;

	step_resume(run, run->call.req->wants_stream ? wake_stream(run)
	                                             : wake_wait(run));
}

/* --- stream tickets ------------------------------------------------------- */

static enum turn begin_ticket(struct run *run)
{
	struct call *call = &run->call;

	if (!call->wanted.ticket)
		return TURN_NEXT;
	store_use_ticket(step_store(run), call->game.id,
	                 call->wanted.ticket->hash, &call->req->arena,
	                 step_on_answer, run);
	return TURN_WAIT;
}

static enum turn end_ticket(struct run *run, const struct store_answer *answer)
{
	struct call *call = &run->call;

	if (answer->result == STORE_NONE)
		return step_refuse(run, authorize_refuse_ticket(call));
	memcpy(call->caller.token_hash, answer->token_hash, TOKEN_HASH_SIZE);
	call->caller.has_token = true;
	call->wanted.ticket = NULL;
	run->begun = arena_mark(&call->req->arena);
	return TURN_NEXT;
}

const struct step waiting_use_ticket = { "waiting_use_ticket", begin_ticket,
	                                 end_ticket, .writes = true };

/* --- becoming a waiter ---------------------------------------------------- */

static enum turn join(struct run *run)
{
	struct call *call = &run->call;
	bool may_wait = call->route->shape == SHAPE_WAIT && call->req->wait_s &&
	                call->req->if_none_match;

	if (run->is_waiter || (!may_wait && !call->req->wants_stream))
		return TURN_NEXT;
	enum err err = quotas_enter_wait(run->context->quotas, call);
	if (err)
		return step_refuse(run, err);
	run->is_waiter = call->reply.has_waited = true;
	run->waiter.wake = on_woken;
	run->waiter.arg = run;
	metric_add(METRIC_WAITERS, call->req->wants_stream, 1);
	subscriptions_join(run->context->subscriptions, &run->waiter,
	                   call->game.id);
	return TURN_NEXT;
}

const struct step waiting_join = { "waiting_join", .begin = join };

void waiting_gone(struct run *run)
{
	/* A waiter that is awake is answered soon, and ends then. */
	if (!waiter_is_asleep(&run->waiter)) {
		run->must_end = true;
		return;
	}
	if (!run->is_streaming)
		response_not_modified(&run->call);
	(void)step_finish(run);
}
