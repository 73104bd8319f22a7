#include "loop/load.h"

#include <assert.h>

#include "loop/commit.h"
#include "loop/stage.h"
#include "loop/watch.h"
#include "service/idempotency.h"

static void on_events(void *arg, const struct store_answer *answer)
{
	struct call *call = arg;

	if (answer->result != STORE_OK) {
		stage_fail(call, answer->result);
		return;
	}
	if (answer->count == 0 &&
	    call->wanted.page.after < call->game.table.version) {
		stage_miss(call); /* deleted since it was loaded */
		return;
	}
	call->page.events = answer->events;
	call->page.count = answer->count;
	call->page.more = answer->more;
	if (call->req->wants_stream)
		watch_streamed(call);
	else
		stage_answer(call);
}

static void page(struct call *call)
{
	call->wanted.page.up_to = call->game.table.version;
	store_events(stage_store(call), call->game.id, call->wanted.page,
	             &call->req->arena, on_events, call);
}

static void on_presence(void *arg, const struct store_answer *answer)
{
	struct call *call = arg;

	if (answer->result != STORE_OK) {
		stage_fail(call, answer->result);
		return;
	}
	call->game.last_seen = answer->players;
	call->game.last_seen_count = answer->count;
	if (call->route->shape == SHAPE_LEAVE)
		commit_leaving(call);
	else
		stage_answer(call);
}

void load_last_seen(struct call *call)
{
	store_last_seen(stage_store(call), call->game.id, &call->req->arena,
	                on_presence, call);
}

static void on_ticket_given(void *arg, const struct store_answer *answer)
{
	struct call *call = arg;

	if (answer->result == STORE_NONE) {
		stage_miss(call); /* deleted since it was loaded */
		return;
	}
	if (answer->result != STORE_OK) {
		stage_fail(call, answer->result);
		return;
	}
	call->decided.ticket_us = answer->at_us;
	stage_answer(call);
}

/* A ticket is a row, too. */
static void give_ticket(struct call *call)
{
	enum err err = quotas_take_change(stage_driver(call)->limited, call);

	if (err)
		stage_refuse(call, err);
	else
		store_give_ticket(stage_store(call), call->game.id,
		                  call->wanted.ticket->hash,
		                  call->caller.token_hash, on_ticket_given,
		                  call);
}

static void go_on(struct call *call)
{
	bool reads = call->route->shape == SHAPE_READ ||
	             call->route->shape == SHAPE_WATCH;

	if (!reads && !call->run.waiter && stage_is_late(call))
		return;
	switch (call->route->shape) {
	case SHAPE_WATCH:
		if (!watch_sleeps(call))
			stage_answer(call);
		return;
	case SHAPE_READ:
		stage_answer(call);
		return;
	case SHAPE_EVENTS:
		page(call);
		return;
	case SHAPE_MOVE:
		commit_move(call);
		return;
	case SHAPE_REMATCH:
		commit_rematch(call);
		return;
	case SHAPE_LEAVE:
		commit_leaving(call);
		return;
	case SHAPE_DELETE:
		commit_deletion(call);
		return;
	case SHAPE_LAST_SEEN:
		load_last_seen(call);
		return;
	case SHAPE_TICKET:
		give_ticket(call);
		return;
	case SHAPE_ANSWER:
	case SHAPE_PING:
	case SHAPE_LOBBY:
	case SHAPE_CREATE:
		break;
	}
	/* These shapes load nothing, so they never come here. */
	assert(false);
}

/* Perhaps the answer is about a game that the request created. */
static void replay(struct call *call)
{
	struct uuid follow = call->idempotency.follow;

	call->idempotency.follow = (struct uuid){ { 0 } };
	if (uuid_is_none(follow)) {
		stage_answer(call);
		return;
	}
	call->game.id = follow;
	load_game(call);
}

static void after_admission(struct call *call)
{
	if (call->run.refusal)
		stage_refuse(call, call->run.refusal);
	else if (call->idempotency.is_replay)
		replay(call);
	else
		go_on(call);
}

static void on_last_seen_recorded(void *arg, const struct store_answer *answer)
{
	struct call *call = arg;

	if (answer->result == STORE_OK)
		after_admission(call);
	else if (answer->result == STORE_NONE)
		load_game(call); /* the caller has lost the seat meanwhile */
	else
		stage_fail(call, answer->result);
}

/*
 * Others may soon remove the caller as absent.  Record that they were heard of
 * before the answer leaves, so that every replica knows it by then.
 */
static bool is_stale(const struct call *call)
{
	return call->caller.seat &&
	       call->game.loaded->seats[call->caller.seat - 1].is_stale;
}

static void on_loaded(void *arg, const struct store_answer *answer)
{
	struct call *call = arg;

	if (answer->result != STORE_OK && answer->result != STORE_NONE) {
		stage_fail(call, answer->result);
		return;
	}
	call->run.refusal =
		call_authorize(call, answer->result == STORE_OK ? answer->game
	                                                        : NULL);
	if (is_stale(call)) {
		store_record_last_seen(stage_store(call), call->game.id,
		                       call->caller.token_hash,
		                       on_last_seen_recorded, call);
		return;
	}
	stage_note_last_seen(call);
	after_admission(call);
}

void load_game(struct call *call)
{
	if (!call->run.waiter && stage_is_late(call))
		return;
	store_load(stage_store(call), call->game.id, idempotency_hash(call),
	           &call->req->arena, on_loaded, call);
}
