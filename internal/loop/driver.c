#include "loop/driver.h"

#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "loop/commit.h"
#include "loop/load.h"
#include "loop/stage.h"
#include "loop/watch.h"

/* --- time in which the loop does not run ---------------------------------- */

/* A loop that runs so much later than it was to was kept from running. */
static const uint64_t stall_least_ns = 100 * CLOCK_NS_PER_MS;

/* How much of the time since the last call of driver_tick() was not to be. */
static uint64_t late_ns(const struct driver *driver, uint64_t now_ns,
                        uint64_t waited_ns)
{
	uint64_t taken_ns = now_ns - driver->ticked_ns;

	if (!driver->ticked_ns || taken_ns <= waited_ns + stall_least_ns)
		return 0;
	return taken_ns - waited_ns;
}

void driver_tick(struct driver *driver, int waited_ms)
{
	uint64_t now_ns = clock_monotonic_ns();

	/* A wait without an end has nothing that could be late. */
	if (waited_ms >= 0)
		driver->stalled_ns +=
			late_ns(driver, now_ns,
		                (uint64_t)waited_ms * CLOCK_NS_PER_MS);
	driver->ticked_ns = now_ns;
}

uint64_t driver_stalled_ns(const struct driver *driver)
{
	return driver->stalled_ns + late_ns(driver, clock_monotonic_ns(), 0);
}

/* --- what the store says first -------------------------------------------- */

static void on_lobby(void *arg, const struct store_answer *answer)
{
	struct call *call = arg;

	if (answer->result != STORE_OK) {
		stage_fail(call, answer->result);
		return;
	}
	call->page.games = answer->listed;
	call->page.count = answer->count;
	call->page.next = answer->next;
	stage_answer(call);
}

static void on_found(void *arg, const struct store_answer *answer)
{
	struct call *call = arg;

	if (answer->result == STORE_NONE) {
		stage_miss(call);
		return;
	}
	if (answer->result != STORE_OK) {
		stage_fail(call, answer->result);
		return;
	}
	call->game.id = answer->id;
	load_game(call);
}

/* --- the first stage ----------------------------------------------------- */

static void on_ping(void *arg, const struct store_answer *answer)
{
	struct call *call = arg;

	if (answer->result != STORE_OK)
		stage_fail(call, answer->result);
	else
		stage_answer(call);
}

static void ping(struct call *call)
{
	struct driver *driver = stage_driver(call);

	if (driver->draining) {
		call->req->detail = "The service is shutting down.";
		stage_refuse(call, ERR_STORE_UNAVAILABLE);
	} else if (!store_is_ready(driver->store)) {
		stage_refuse(call, ERR_STORE_UNAVAILABLE);
	} else {
		store_ping(stage_store(call), on_ping, call);
	}
}

static void watch_game(struct call *call)
{
	enum err err = watch_begin(call);

	if (err)
		stage_refuse(call, err);
	else
		load_game(call);
}

/* Who asks is the one that the ticket was given to. */
static void on_ticket_used(void *arg, const struct store_answer *answer)
{
	struct call *call = arg;

	if (answer->result == STORE_NONE) {
		stage_refuse(call, call_refuse_ticket(call));
		return;
	}
	if (answer->result != STORE_OK) {
		stage_fail(call, answer->result);
		return;
	}
	memcpy(call->caller.token_hash, answer->token_hash, TOKEN_HASH_SIZE);
	call->caller.has_token = true;
	call->run.begun = arena_mark(&call->req->arena);
	watch_game(call);
}

static void begin(struct call *call)
{
	switch (call->route->shape) {
	case SHAPE_ANSWER:
		stage_answer(call);
		return;
	case SHAPE_PING:
		ping(call);
		return;
	case SHAPE_CREATE:
		commit_creation(call);
		return;
	case SHAPE_LOBBY:
		store_lobby(stage_store(call), &call->wanted.lobby,
		            &call->req->arena, on_lobby, call);
		return;
	case SHAPE_WATCH:
		watch_game(call);
		return;
	case SHAPE_EVENTS:
		if (call->wanted.ticket)
			store_use_ticket(stage_store(call), call->game.id,
			                 call->wanted.ticket->hash,
			                 &call->req->arena, on_ticket_used,
			                 call);
		else
			watch_game(call);
		return;
	case SHAPE_READ:
	case SHAPE_MOVE:
	case SHAPE_REMATCH:
	case SHAPE_LEAVE:
	case SHAPE_DELETE:
	case SHAPE_LAST_SEEN:
	case SHAPE_TICKET:
		if (call->path.has_code)
			store_find_invitation(stage_store(call),
			                      call->path.code, on_found, call);
		else
			load_game(call);
		return;
	}
}

enum err driver_on_path(struct http_request *req, void *arg)
{
	struct call *call = arena_zalloc(&req->arena, sizeof(*call));

	call->run.driver = arg;
	call->run.has_docs = stage_driver(call)->has_docs;
	call->run.stalled_ns = driver_stalled_ns(stage_driver(call));
	req->user = call;
	return call_open(call, req);
}

/* A guess counts, whatever comes of it. */
static enum err read(struct call *call)
{
	enum err err = call_read_token(call);
	enum err limit = quotas_take(stage_driver(call)->limited, call);

	if (limit)
		return limit;
	return err ? err : call_begin(call);
}

void driver_on_request(struct http_request *req, void *arg)
{
	struct call *call = req->user;

	(void)arg;
	enum err err =
		stage_driver(call)->closed ? ERR_STORE_UNAVAILABLE : read(call);
	if (err) {
		stage_refuse(call, err);
		return;
	}
	call->run.begun = arena_mark(&req->arena);
	begin(call);
}

enum err driver_on_refused(struct http_request *req, void *arg)
{
	const struct driver *driver = arg;

	return quotas_count(driver->limited, req);
}

void driver_on_gone(struct http_request *req, void *arg)
{
	(void)arg;
	watch_gone(req->user);
}

bool driver_on_connect(const uint8_t *address, void *arg)
{
	const struct driver *driver = arg;

	return quotas_connect(driver->limited, address);
}

void driver_on_disconnect(const uint8_t *address, void *arg)
{
	const struct driver *driver = arg;

	quotas_disconnect(driver->limited, address);
}
