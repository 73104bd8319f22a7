/*
 * driver.c - from HTTP to a plan.
 *
 * A request that libmicrohttpd has read completely gets a struct run in its
 * arena, with a struct call that is decoded here, and begins its plan.
 */
#include "loop/driver.h"

#include "base/arena.h"
#include "loop/plan.h"
#include "loop/waiting.h"
#include "service/request.h"
#include "service/response.h"

/* A wrong token is counted too: it may be a guess. */
static enum err decode(struct call *call, const struct quotas *quotas)
{
	enum err token_err = request_read_token(call);
	enum err err = quotas_take(quotas, call);

	if (err)
		return err;
	return token_err ? token_err : request_decode(call);
}

/* An answer that needs no database; a large one counts as several requests. */
static void answer(struct run *run)
{
	enum err err = response_encode(&run->call);

	if (!err)
		quotas_charge(run->context->quotas, &run->call);
	(void)(err ? step_refuse(run, err) : step_finish(run));
}

static const struct plan *find_plan(const struct call *call)
{
	bool has_game = !uuid_is_none(call->game.id);

	return call->path.has_code && !has_game
	               ? &plan_table.invitation
	               : &plan_table.of_shape[call->route->shape];
}

void driver_on_request(struct http_request *req, void *arg)
{
	struct context *context = arg;
	struct run *run = arena_zalloc(&req->arena, sizeof(*run));

	run->context = context;
	run->plans = &plan_table;
	run->stalled_ns = stall_total_ns(&context->stall);
	run->call.config = &context->service;
	req->user = run;
	request_open(&run->call, req);
	run->trace = tracer_begin(context->tracer, &req->arena);
	enum err err = context->closed ? ERR_STORE_UNAVAILABLE
	                               : decode(&run->call, context->quotas);
	if (err)
		(void)step_refuse(run, err);
	else if (run->call.route->shape == SHAPE_ANSWER)
		answer(run);
	else
		step_start(run, find_plan(&run->call));
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
