/*
 * step.c - the engine of the plans.  run->plan is the plan and run->at the
 * place of the present step in it.  A statement of the store that is on its way
 * belongs to that step; there is never more than one for a request.
 *
 * All ends of a request are here too: reply, refusal, failure of the store.  A
 * request ends exactly once, in step_finish(), after which its memory may be
 * gone.
 */
#include "loop/step.h"

#include <assert.h>
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
#include "service/decide.h"
#include "service/explain.h"
#include "service/response.h"
#include "tracing/span.h"

/* Commits resume when a standby returns, or an operator has acted. */
enum { REFUSED_RETRY_S = 2 };

void step_note_last_seen(struct run *run, uint32_t version)
{
	const struct call *call = &run->call;
	const struct table *table = &call->game.table;
	struct store_caller caller = { .game = call->game.id,
		                       .version = version };

	if (!call->caller.seat)
		return;
	caller.is_waiting_host = table->is_public &&
	                         table->status == STATUS_LOBBY &&
	                         table->host == call->caller.seat;
	memcpy(caller.token_hash, call->caller.token_hash,
	       sizeof(caller.token_hash));
	last_seen_note(run->context->last_seen, &caller);
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

static void end_trace(struct run *run)
{
	const struct http_request *req = run->call.req;
	struct trace *trace = run->trace;

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
	tracer_end(run->context->tracer, trace);
}

/* --- the ends of a request ------------------------------------------------ */

enum turn step_finish(struct run *run)
{
	struct context *context = run->context;
	struct http_request *req = run->call.req;

	end_trace(run);
	quotas_leave(context->quotas, &run->call);
	if (run->is_waiter) {
		subscriptions_leave(context->subscriptions, &run->waiter);
		metric_add(METRIC_WAITERS, req->wants_stream, -1);
	}
	http_finish(req);
	return TURN_DONE;
}

enum turn step_close_stream(struct run *run, unsigned reason)
{
	const char *closed = closing_event(&run->call, reason);

	/* A client with too much unread gets the reason when it reconnects.
	 */
	(void)!http_stream_write(run->call.req, closed, strlen(closed));
	return step_finish(run);
}

/*
 * The status is sent already.  Only one refusal is still sent, as the event
 * "closed": the caller or the game is gone.
 */
static enum turn end_stream(struct run *run, enum err err)
{
	if (err != ERR_INVALID_TOKEN && err != ERR_UNAUTHENTICATED)
		return step_finish(run);
	return run->call.game.loaded ? step_follow(run, &run->plans->closing)
	                             : step_close_stream(run, CLOSING_DELETED);
}

/* A refusal must be about the stored game: load it, and decide again. */
static enum turn load_instead(struct run *run)
{
	struct call *call = &run->call;

	run->is_recent = false;
	run->must_load = true;
	problem_forget(call->req);
	decide_forget(call);
	arena_rewind(&call->req->arena, run->begun);
	return TURN_RESTART;
}

enum turn step_refuse(struct run *run, enum err err)
{
	struct call *call = &run->call;

	if (run->is_recent && err != ERR_INTERNAL)
		return load_instead(run);
	if (run->is_streaming)
		return end_stream(run, err);
	if (err == ERR_INTERNAL)
		LOG(LOG_ERROR, "internal", LOG_TEXT("id", call->req->id));
	explain_conflict(call, err);
	problem_reply(call->req, err);
	return step_finish(run);
}

enum turn step_refuse_change(struct run *run)
{
	struct http_request *req = run->call.req;

	req->detail =
		"The database does not acknowledge changes for now, so this "
		"one was refused; nothing has changed. Try again later.";
	req->retry_s = REFUSED_RETRY_S;
	return step_refuse(run, ERR_STORE_REFUSED);
}

enum turn step_refuse_outsider(struct run *run)
{
	return step_refuse(run, authorize_find_caller(&run->call, NULL));
}

static enum turn reply(struct run *run)
{
	enum err err = response_encode(&run->call);

	return err ? step_refuse(run, err) : step_finish(run);
}

const struct step step_reply = { "step_reply", .begin = reply };

/* --- deadlines ------------------------------------------------------------ */

/* When the client must have its answer. */
static uint64_t answered_by_ns(const struct run *run)
{
	const struct context *context = run->context;

	return run->call.req->received_ns + 2 * context->deadline_ns +
	       stall_total_ns(&context->stall) - run->stalled_ns;
}

struct store *step_store(struct run *run)
{
	struct store *store = run->context->store;

	run->asked_ns = span_begin(run->trace);
	if (!run->is_waiter)
		store_set_deadline(store, answered_by_ns(run));
	return store;
}

/* Too late for a statement: less than half a deadline is left. */
static bool is_late(const struct run *run)
{
	uint64_t needed_ns = run->context->deadline_ns / 2;

	return !run->is_waiter &&
	       clock_monotonic_ns() + needed_ns > answered_by_ns(run);
}

/* --- from step to step ---------------------------------------------------- */

static const struct step *present(const struct run *run)
{
	assert(run->plan->steps[run->at]);
	return run->plan->steps[run->at];
}

void step_resume(struct run *run, enum turn turn)
{
	for (;;) {
		switch (turn) {
		case TURN_WAIT:
		case TURN_DONE:
			return;
		case TURN_REPLY:
			(void)reply(run);
			return;
		case TURN_RESTART:
			run->at = 0;
			break;
		case TURN_NEXT:
			run->at++;
			break;
		}
		if (present(run)->end && is_late(run))
			turn = step_refuse(run, ERR_STORE_UNAVAILABLE);
		else
			turn = present(run)->begin(run);
	}
}

enum turn step_follow(struct run *run, const struct plan *plan)
{
	run->plan = plan;
	return TURN_RESTART;
}

void step_start(struct run *run, const struct plan *plan)
{
	run->begun = arena_mark(&run->call.req->arena);
	step_resume(run, step_follow(run, plan));
}

/* Whether a change was made, or will be, is unknown. */
static void note_doubt(struct run *run, const struct store_answer *answer)
{
	const struct context *context = run->context;
	const struct committed unknown = { .game = run->call.game.id,
		                           .is_in_doubt = true };

	if (present(run)->writes && answer->was_sent)
		context->committed(context->arg, &unknown);
}

/* The database is unreachable, or does not run the statement now. */
static enum turn refuse_for_now(struct run *run,
                                const struct store_answer *answer)
{
	static const char in_doubt[] =
		"The database did not answer in time. The change may or may "
		"not have been made.";
	static const char not_sent[] =
		"The database did not answer in time. Nothing has changed.";

	if (answer->result == STORE_HELD)
		return step_refuse_change(run);
	if (answer->result == STORE_REFUSED)
		return step_refuse(run, ERR_STORE_REFUSED);
	if (present(run)->writes)
		run->call.req->detail = answer->was_sent ? in_doubt : not_sent;
	return step_refuse(run, ERR_STORE_UNAVAILABLE);
}

/* The database refuses the statement for good, or its answer is damaged. */
static enum turn refuse_broken(struct run *run,
                               const struct store_answer *answer)
{
	if (present(run)->writes && !answer->was_sent)
		run->call.req->detail =
			"The service failed, and nothing has changed; its log "
			"says why, under the request's id.";
	return step_refuse(run, ERR_INTERNAL);
}

void step_on_answer(void *arg, const struct store_answer *answer)
{
	struct run *run = arg;
	const struct step *step = present(run);
	bool is_away = answer->result == STORE_UNAVAILABLE ||
	               answer->result == STORE_REFUSED ||
	               answer->result == STORE_HELD;

	assert(!run->is_recent); /* a refusal would not be carried out here */
	span_end_statement(run->trace, step->name, run->asked_ns);
	if (is_away || answer->result == STORE_BROKEN)
		note_doubt(run, answer);
	if (answer->result == STORE_BROKEN)
		(void)refuse_broken(run, answer);
	else if (is_away && !step->is_optional)
		(void)refuse_for_now(run, answer);
	else
		step_resume(run, step->end(run, answer));
}
