#include "loop/commit.h"

#include "base/arena.h"
#include "base/random.h"
#include "loop/load.h"
#include "loop/stage.h"
#include "service/decide.h"
#include "service/idempotency.h"
#include "service/players.h"

/*
 * How often a move is decided anew because another came first.  Time ends it
 * sooner, see stage_is_late().
 */
enum { TRIES_MAX = 1000 };

/*
 * With a fresh seed; then it counts for the quotas of changes.  False if it was
 * refused, which has been answered.
 */
static bool is_decided(struct call *call,
                       enum err (*decide)(struct call *, const uint8_t *seed))
{
	uint8_t seed[RNG_SEED_SIZE];
	enum err err = ERR_INTERNAL;

	/* Without a seed nothing is dealt. */
	if (random_bytes(seed, sizeof(seed)))
		err = decide(call, seed);
	if (!err)
		err = quotas_take_change(stage_driver(call)->limited, call);
	if (err)
		stage_refuse(call, err);
	return !err;
}

static void create(struct call *call);
static void find_creation(struct call *call);

/* The code is in use; or the key by now, and then somebody else has done it. */
static void create_again(struct call *call)
{
	if (idempotency_hash(call))
		find_creation(call);
	else
		create(call);
}

static void on_created(void *arg, const struct store_answer *answer)
{
	struct call *call = arg;

	if (answer->result == STORE_TAKEN && call->run.tries++ < TRIES_MAX) {
		arena_rewind(&call->req->arena, call->run.begun);
		create_again(call);
		return;
	}
	if (answer->result != STORE_OK) {
		stage_fail_write(call, answer->result);
		return;
	}
	call_committed(call, answer->at_us);
	stage_answer(call);
}

static void create(struct call *call)
{
	if (is_decided(call, decide_creation))
		store_create(stage_store(call), &call->decided.move, on_created,
		             call);
}

static void on_waiting(void *arg, const struct store_answer *answer)
{
	struct call *call = arg;

	if (answer->result != STORE_OK) {
		stage_fail(call, answer->result);
		return;
	}
	enum err err = quotas_check_lobby(stage_driver(call)->limited, call,
	                                  answer->waiting);
	if (err)
		stage_refuse(call, err);
	else
		create(call);
}

/* What nobody has created before under the key, if there is one. */
static void create_first(struct call *call)
{
	struct driver *driver = stage_driver(call);

	if (quotas_enter_lobby(driver->limited, call))
		store_count_waiting(stage_store(call), call->req->address,
		                    on_waiting, call);
	else
		create(call);
}

/* What was created under the key before is answered again. */
static void on_creation(void *arg, const struct store_answer *answer)
{
	struct call *call = arg;

	if (answer->result == STORE_NONE) {
		create_first(call);
		return;
	}
	if (answer->result != STORE_OK) {
		stage_fail(call, answer->result);
		return;
	}
	enum err err = idempotency_replay(call, answer->key);
	if (err) {
		stage_refuse(call, err);
		return;
	}
	call->game.id = answer->id;
	load_game(call);
}

static void find_creation(struct call *call)
{
	if (!stage_is_late(call))
		store_find_creation(stage_store(call), idempotency_hash(call),
		                    &call->req->arena, on_creation, call);
}

/* Another change came first: what was loaded and decided is worth nothing. */
static void load_again(struct call *call)
{
	if (call->run.tries++ < TRIES_MAX) {
		decide_forget(call);
		arena_rewind(&call->req->arena, call->run.begun);
		load_game(call);
		return;
	}
	call->req->detail = "Too many others were faster; nothing was changed. "
			    "Try again.";
	stage_refuse(call, ERR_STORE_UNAVAILABLE);
}

static void on_kept(void *arg, const struct store_answer *answer)
{
	struct call *call = arg;

	if (answer->result == STORE_CONFLICT) {
		load_again(call);
		return;
	}
	if (answer->result != STORE_OK) {
		stage_fail_write(call, answer->result);
		return;
	}
	call_committed(call, answer->at_us);
	stage_tell_moved(call, call->game.id, call->game.table.version);
	if (call->decided.ended)
		stage_tell_moved(call, call->decided.ended->loaded->id,
		                 call->decided.ended->next.version);
	stage_answer(call);
}

void commit_move(struct call *call)
{
	if (is_decided(call, decide_move))
		store_commit_move(stage_store(call), &call->decided.move,
		                  on_kept, call);
}

static void on_deleted(void *arg, const struct store_answer *answer)
{
	struct call *call = arg;

	if (answer->result == STORE_CONFLICT) {
		load_again(call);
	} else if (answer->result != STORE_OK) {
		stage_fail_write(call, answer->result);
	} else {
		stage_tell_moved(call, call->game.id, SUBSCRIPTIONS_GONE);
		stage_answer(call);
	}
}

void commit_deletion(struct call *call)
{
	store_delete(stage_store(call), call->game.id, call->game.table.version,
	             on_deleted, call);
}

void commit_rematch(struct call *call)
{
	if (is_decided(call, decide_rematch))
		store_rematch(stage_store(call), &call->decided.ended->move,
		              &call->decided.move, on_kept, call);
}

void commit_leaving(struct call *call)
{
	decide_follow(call);
	if (players_ask_absence(call)) {
		load_last_seen(call);
		return;
	}
	if (decide_is_last(call))
		commit_deletion(call);
	else if (is_decided(call, decide_move))
		store_leave(stage_store(call), &call->decided.move, on_kept,
		            call);
}

void commit_creation(struct call *call)
{
	if (idempotency_hash(call))
		find_creation(call);
	else
		create_first(call);
}
