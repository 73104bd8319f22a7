/*
 * step.c - the engine of the plans.  call->run.plan is the plan and
 * call->run.at the place of the present step in it.  A statement of the store
 * that is on its way belongs to that step; there is never more than one for a
 * request.
 *
 * All ends of a request are here too: reply, refusal, failure of the store.  A
 * request ends exactly once, in step_finish(), after which its memory may be
 * gone.
 */
#include "loop/step.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/random.h"
#include "http/problem.h"
#include "metric/metric.h"
#include "service/authorize.h"
#include "service/closing.h"
#include "service/explain.h"
#include "service/response.h"
#include "tracing/span.h"

/* Commits come back when a standby does, or an operator has seen to it. */
enum { REFUSED_RETRY_S = 2 };

struct context *step_context(const struct call *call)
{
	return call->run.context;
}

void step_note_last_seen(struct call *call, uint32_t version)
{
	if (call->caller.seat)
		last_seen_note(step_context(call)->last_seen, call->game.id,
		               call->caller.token_hash, version);
}

/* --- traces --------------------------------------------------------------- */

/*
 * The caller's trace goes on here; without one, the request begins a trace.
 * False if there are no random bytes for ids.
 */
static bool name_trace(const struct http_request *req, struct trace *trace)
{
	uint64_t ids[3];

	if (!random_bytes(ids, sizeof(ids)))
		return false;
	trace->id = ids[0];
	if (req->trace_id[0]) {
		memcpy(trace->trace_id, req->trace_id, sizeof(trace->trace_id));
		memcpy(trace->parent_id, req->trace_parent,
		       sizeof(trace->parent_id));
	} else {
		(void)snprintf(trace->trace_id, sizeof(trace->trace_id),
		               "%016" PRIx64 "%016" PRIx64, ids[1], ids[2]);
	}
	return true;
}

static void end_trace(struct call *call)
{
	const struct http_request *req = call->req;
	struct trace *trace = call->run.trace;

	if (!trace || !name_trace(req, trace))
		return;
	memcpy(trace->request_id, req->id, sizeof(trace->request_id));
	trace->method =
		req->is_head ? "HEAD" : http_method_name(req->route->method);
	trace->route = req->route->path;
	trace->code = req->err ? err_code(req->err) : NULL;
	trace->status = req->reply.status;
	trace->begun_ns = req->received_ns;
	trace->ended_ns = clock_monotonic_ns();
	tracer_end(step_context(call)->tracer, trace);
}

/* --- the ends of a request ------------------------------------------------ */

enum turn step_finish(struct call *call)
{
	struct context *context = step_context(call);

	end_trace(call);
	quotas_leave(context->quotas, call);
	if (call->run.waiter) {
		subscriptions_leave(context->subscriptions, call->run.waiter);
		metric_add(METRIC_WAITERS, call->req->wants_stream, -1);
	}
	http_finish(call->req);
	return TURN_DONE;
}

enum turn step_close_stream(struct call *call, unsigned reason)
{
	const char *closed = closing_event(call, reason);

	/* A client that is too far behind reconnects, and hears of it then. */
	(void)!http_stream_write(call->req, closed, strlen(closed));
	return step_finish(call);
}

/*
 * The status is sent already.  Of the refusals only one is still sent, as the
 * event "closed": the caller or the game is gone.
 */
static enum turn end_stream(struct call *call, enum err err)
{
	if (err != ERR_INVALID_TOKEN && err != ERR_UNAUTHENTICATED)
		return step_finish(call);
	return step_close_stream(call, call->game.loaded ? call->run.closing
	                                                 : CLOSING_DELETED);
}

enum turn step_refuse(struct call *call, enum err err)
{
	if (call->run.is_streaming)
		return end_stream(call, err);
	if (err == ERR_INTERNAL)
		LOG(LOG_ERROR, "internal", LOG_TEXT("id", call->req->id));
	explain_conflict(call, err);
	problem_reply(call->req, err);
	return step_finish(call);
}

enum turn step_refuse_change(struct call *call)
{
	call->req->detail =
		"The database does not acknowledge changes for now, so this "
		"one was refused; nothing has changed. Try again later.";
	call->req->retry_s = REFUSED_RETRY_S;
	return step_refuse(call, ERR_STORE_REFUSED);
}

enum turn step_refuse_outsider(struct call *call)
{
	return step_refuse(call, authorize(call, NULL));
}

static enum turn reply(struct call *call)
{
	enum err err = response_encode(call);

	if (err)
		return step_refuse(call, err);
	if (response_etag_matches(call))
		response_not_modified(call);
	quotas_charge(step_context(call)->quotas, call);
	return step_finish(call);
}

const struct step step_reply = { "step_reply", .begin = reply };

/* --- deadlines ------------------------------------------------------------ */

/* When the client must have its answer. */
static uint64_t answered_by_ns(const struct call *call)
{
	const struct context *context = step_context(call);

	return call->req->received_ns + 2 * context->deadline_ns +
	       stall_total_ns(&context->stall) - call->run.stalled_ns;
}

struct store *step_store(struct call *call)
{
	struct store *store = step_context(call)->store;

	call->run.asked_ns = span_begin(call->run.trace);
	if (!call->run.waiter)
		store_set_deadline(store, answered_by_ns(call));
	return store;
}

/* Too late to ask the store: less than half a deadline is left. */
static bool is_late(const struct call *call)
{
	uint64_t needed_ns = step_context(call)->deadline_ns / 2;

	return !call->run.waiter &&
	       clock_monotonic_ns() + needed_ns > answered_by_ns(call);
}

/* --- from step to step ---------------------------------------------------- */

static const struct step *present(const struct call *call)
{
	return call->run.plan[call->run.at];
}

void step_resume(struct call *call, enum turn turn)
{
	for (;;) {
		switch (turn) {
		case TURN_WAIT:
		case TURN_DONE:
			return;
		case TURN_REPLY:
			(void)reply(call);
			return;
		case TURN_RESTART:
			call->run.at = 0;
			break;
		case TURN_NEXT:
			call->run.at++;
			break;
		}
		if (present(call)->end && is_late(call))
			turn = step_refuse(call, ERR_STORE_UNAVAILABLE);
		else
			turn = present(call)->begin(call);
	}
}

void step_start(struct call *call, const struct step *const *plan)
{
	call->run.plan = plan;
	call->run.begun = arena_mark(&call->req->arena);
	step_resume(call, TURN_RESTART);
}

/* The database is not there, or does not carry the statement out for now. */
static enum turn refuse_for_now(struct call *call,
                                const struct store_answer *answer)
{
	static const char in_doubt[] =
		"The database did not answer in time. The change may or may "
		"not have been made.";
	static const char not_sent[] =
		"The database did not answer in time. Nothing has changed.";

	if (answer->result == STORE_HELD)
		return step_refuse_change(call);
	if (answer->result == STORE_REFUSED)
		return step_refuse(call, ERR_STORE_REFUSED);
	if (present(call)->writes)
		call->req->detail = answer->was_sent ? in_doubt : not_sent;
	return step_refuse(call, ERR_STORE_UNAVAILABLE);
}

/* The database refuses the statement for good, or its answer is damaged. */
static enum turn refuse_broken(struct call *call,
                               const struct store_answer *answer)
{
	if (present(call)->writes && !answer->was_sent)
		call->req->detail = "The service failed, and nothing has "
				    "changed; its log says why, under the "
				    "request's id.";
	return step_refuse(call, ERR_INTERNAL);
}

void step_on_answer(void *arg, const struct store_answer *answer)
{
	struct call *call = arg;
	const struct step *step = present(call);
	bool is_away = answer->result == STORE_UNAVAILABLE ||
	               answer->result == STORE_REFUSED ||
	               answer->result == STORE_HELD;

	span_end_statement(call->run.trace, step->name, call->run.asked_ns);
	if (answer->result == STORE_BROKEN)
		(void)refuse_broken(call, answer);
	else if (is_away && !step->is_optional)
		(void)refuse_for_now(call, answer);
	else
		step_resume(call, step->end(call, answer));
}
