#include "loop/stage.h"

#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "http/problem.h"
#include "service/explain.h"

struct driver *stage_driver(const struct call *call)
{
	return call->run.driver;
}

void stage_note_last_seen(struct call *call)
{
	if (call->caller.seat)
		last_seen_note(stage_driver(call)->presence, call->game.id,
		               call->caller.token_hash);
}

void stage_finish(struct call *call)
{
	quotas_leave(stage_driver(call)->limited, call);
	if (call->run.waiter)
		subscriptions_leave(stage_driver(call)->live, call->run.waiter);
	http_finish(call->req);
}

/* The status was sent long ago; of the reasons only one is the game's. */
static void end_stream(struct call *call, enum err err)
{
	static const char closed[] = "event: closed\ndata: {}\n\n";

	if (err == ERR_INVALID_TOKEN || err == ERR_UNAUTHENTICATED) {
		bool put = http_stream_write(call->req, closed, strlen(closed));
		(void)put; /* who is behind hears of it by asking again */
	}
	stage_finish(call);
}

void stage_refuse(struct call *call, enum err err)
{
	if (call->run.is_streaming) {
		end_stream(call, err);
		return;
	}
	if (err == ERR_INTERNAL)
		LOG(LOG_ERROR, "internal", LOG_TEXT("id", call->req->id));
	explain_conflict(call, err);
	problem_reply(call->req, err);
	stage_finish(call);
}

void stage_miss(struct call *call)
{
	enum err err = call_authorize(call, NULL);

	stage_refuse(call, err);
}

void stage_tell_moved(struct call *call, struct uuid game, uint32_t version)
{
	struct driver *driver = stage_driver(call);

	subscriptions_publish(driver->live, game, version);
	driver->moved(driver->arg, game, version);
}

/* By then the client is to be answered. */
static uint64_t answered_by_ns(const struct call *call)
{
	const struct driver *driver = stage_driver(call);

	return call->req->received_ns + 2 * driver->deadline_ns +
	       driver_stalled_ns(driver) - call->run.stalled_ns;
}

struct store *stage_store(struct call *call)
{
	struct store *store = stage_driver(call)->store;

	if (!call->run.waiter)
		store_limit_next(store, answered_by_ns(call));
	return store;
}

bool stage_is_late(struct call *call)
{
	uint64_t needed_ns = stage_driver(call)->deadline_ns / 2;

	if (clock_monotonic_ns() + needed_ns <= answered_by_ns(call))
		return false;
	stage_refuse(call, ERR_STORE_UNAVAILABLE);
	return true;
}

void stage_answer(struct call *call)
{
	enum err err = call_encode(call);

	if (err) {
		stage_refuse(call, err);
		return;
	}
	if (call_is_known(call))
		call_encode_known(call);
	quotas_charge(stage_driver(call)->limited, call);
	stage_finish(call);
}

void stage_fail(struct call *call, enum store_result result)
{
	if (result == STORE_UNAVAILABLE) {
		stage_refuse(call, ERR_STORE_UNAVAILABLE);
		return;
	}
	stage_refuse(call, ERR_INTERNAL);
}

void stage_fail_write(struct call *call, enum store_result result)
{
	if (result == STORE_UNAVAILABLE)
		call->req->detail = "The database did not answer in time. The "
				    "change may or may not have been made.";
	stage_fail(call, result);
}
