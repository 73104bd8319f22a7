/*
 * driver.c - the plan of each shape of request.
 *
 * A request that libmicrohttpd has read completely gets a struct call in its
 * arena, is decoded, and begins the plan of its route's shape.  The order of
 * steps is decided here alone; step.h says how they run.
 */
#include "loop/driver.h"

#include "base/arena.h"
#include "loop/commit.h"
#include "loop/load.h"
#include "loop/step.h"
#include "loop/waiting.h"
#include "service/request.h"

static const struct step *const plans[SHAPE_COUNT][STEPS_MAX] = {
	[SHAPE_ANSWER] = { &step_reply },
	[SHAPE_PING] = { &load_readiness, &step_reply },
	[SHAPE_LOBBY] = { &load_lobby, &step_reply },
	[SHAPE_CREATE] = { &load_creation, &load_game, &load_caller,
	                   &commit_lobby_cap, &commit_creation, &step_reply },
	[SHAPE_READ] = { &load_invitation, &load_game, &load_caller,
	                 &step_reply },
	[SHAPE_WAIT] = { &waiting_subscribe, &load_game, &load_caller,
	                 &waiting_for_change, &step_reply },
	[SHAPE_EVENTS] = { &waiting_use_ticket, &waiting_subscribe, &load_game,
	                   &waiting_find_reason, &load_caller, &load_events,
	                   &waiting_in_stream, &step_reply },
	[SHAPE_LAST_SEEN] = { &load_game, &load_caller, &load_last_seen,
	                      &step_reply },
	[SHAPE_TICKET] = { &load_game, &load_caller, &commit_ticket,
	                   &step_reply },
	[SHAPE_TRANSFER] = { &load_game, &load_caller, &commit_transfer,
	                     &step_reply },
	[SHAPE_CLAIM] = { &load_offered, &load_claimed, &load_game,
	                  &load_caller, &step_reply },
	[SHAPE_PUSH] = { &load_game, &load_caller, &commit_subscription,
	                 &step_reply },
	[SHAPE_MOVE] = { &load_invitation, &load_game, &load_caller,
	                 &commit_move, &step_reply },
	[SHAPE_RENEWAL] = { &load_game, &load_caller, &commit_move,
	                    &step_reply },
	[SHAPE_REMATCH] = { &load_game, &load_caller, &commit_rematch,
	                    &step_reply },
	[SHAPE_LEAVE] = { &load_game, &load_caller, &load_absence,
	                  &commit_last_leaving, &commit_leaving, &step_reply },
	[SHAPE_DELETE] = { &load_game, &load_caller, &commit_deletion,
	                   &step_reply },
};

enum err driver_on_path(struct http_request *req, void *arg)
{
	struct context *context = arg;
	struct call *call = arena_zalloc(&req->arena, sizeof(*call));

	call->run.context = context;
	call->run.has_docs = context->has_docs;
	call->run.has_table = context->has_table;
	call->run.push_key = context->push_key;
	call->run.push_hosts = context->push_hosts;
	call->run.tells_webhook = context->tells_webhook;
	call->run.stalled_ns = stall_total_ns(&context->stall);
	req->user = call;
	return request_open(call, req);
}

/* A wrong token is counted too: it may be a guess. */
static enum err decode(struct call *call, const struct quotas *quotas)
{
	enum err token_err = request_read_token(call);
	enum err err = quotas_take(quotas, call);

	if (err)
		return err;
	return token_err ? token_err : request_decode(call);
}

void driver_on_request(struct http_request *req, void *arg)
{
	struct context *context = arg;
	struct call *call = req->user;

	call->run.trace = tracer_begin(context->tracer, &req->arena);
	enum err err = context->closed ? ERR_STORE_UNAVAILABLE
	                               : decode(call, context->quotas);
	if (err)
		(void)step_refuse(call, err);
	else
		step_start(call, plans[call->route->shape]);
}

enum err driver_on_refused(struct http_request *req, void *arg)
{
	const struct context *context = arg;

	return quotas_count(context->quotas, req);
}

enum err driver_on_beyond(struct http_request *req, void *arg)
{
	const struct context *context = arg;

	return quotas_refuse_connection(context->quotas, req);
}

void driver_on_gone(struct http_request *req, void *arg)
{
	(void)arg;
	waiting_gone(req->user);
}

bool driver_on_connect(const uint8_t *address, void *arg)
{
	const struct context *context = arg;

	return quotas_connect(context->quotas, address);
}

void driver_on_disconnect(const uint8_t *address, void *arg)
{
	const struct context *context = arg;

	quotas_disconnect(context->quotas, address);
}
