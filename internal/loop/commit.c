/*
 * commit.c - the steps that change something.  Each draws a fresh seed, has the
 * service decide, and gives the store the result together with the version it
 * was decided against.  If the game has another version by then, the store
 * writes nothing: that is a conflict, and the plan starts again from what is
 * stored.
 *
 * After a commit the waiters of the game are woken.
 */
#include "loop/commit.h"

#include "base/arena.h"
#include "base/random.h"
#include "loop/bot_thread.h"
#include "metric/metric.h"
#include "service/decide.h"
#include "service/endings.h"
#include "service/response.h"
#include "service/transfer.h"
#include "tracing/span.h"

/* Tries of one request.  Its deadline usually ends it sooner. */
enum { TRIES_MAX = 1000 };

/* A conflict: what was loaded and decided is void. */
static enum turn retry(struct call *call)
{
	metric_add(METRIC_CONFLICTS, 0, 1);
	if (call->run.tries++ < TRIES_MAX) {
		decide_forget(call);
		arena_rewind(&call->req->arena, call->run.begun);
		return TURN_RESTART;
	}
	call->req->detail = "Too many others were faster; nothing was changed. "
			    "Try again.";
	return step_refuse(call, ERR_STORE_UNAVAILABLE);
}

/*
 * Count a change for its quotas, unless the store would refuse it.  False if it
 * is refused, and answered.
 */
static bool take_change(struct call *call)
{
	if (store_refuses_changes()) {
		(void)step_refuse_change(call);
		return false;
	}
	enum err err = quotas_take_change(step_context(call)->quotas, call);
	if (err)
		(void)step_refuse(call, err);
	return !err;
}

/*
 * Decide with a fresh seed, then count the change for its quotas.  False if it
 * was refused, and answered.
 */
static bool is_decided(struct call *call,
                       enum err (*decide)(struct call *, const uint8_t *seed))
{
	uint8_t seed[RNG_SEED_SIZE];
	enum err err = ERR_INTERNAL;
	uint64_t begun_ns = span_begin(call->run.trace);

	/* Without a seed nothing is dealt. */
	if (random_bytes(seed, sizeof(seed)))
		err = decide(call, seed);
	span_end_work(call->run.trace, "decide", begun_ns);
	if (err) {
		(void)step_refuse(call, err);
		return false;
	}
	return take_change(call);
}

/* Wake the waiters of this loop, and have the other loops wake theirs. */
static void publish(struct call *call, struct uuid game, uint32_t version)
{
	struct context *context = step_context(call);

	subscriptions_publish(context->subscriptions, game, version);
	context->committed(context->arg, game, version);
}

/* A game with bots has changed, or was created. */
static void wake_bots(struct call *call)
{
	const struct store_move *move = &call->decided.move;

	metric_add(METRIC_BOTS_SEATED, 0,
	           (int)move->bots_count + (move->join.bot_level > 0));
	bot_thread_wake(step_context(call)->bots);
}

/* --- creations ------------------------------------------------------------ */

static enum turn begin_lobby_cap(struct call *call)
{
	if (!quotas_enter_lobby(step_context(call)->quotas, call))
		return TURN_NEXT;
	store_count_waiting(step_store(call), call->req->address,
	                    step_on_answer, call);
	return TURN_WAIT;
}

static enum turn end_lobby_cap(struct call *call,
                               const struct store_answer *answer)
{
	enum err err = quotas_check_lobby(step_context(call)->quotas, call,
	                                  answer->waiting);

	return err ? step_refuse(call, err) : TURN_NEXT;
}

const struct step commit_lobby_cap = { "commit_lobby_cap", begin_lobby_cap,
	                               end_lobby_cap, false };

static enum turn begin_creation(struct call *call)
{
	if (!is_decided(call, decide_creation))
		return TURN_DONE;
	store_create(step_store(call), &call->decided.move, step_on_answer,
	             call);
	return TURN_WAIT;
}

/* STORE_TAKEN: the invitation code is in use, or by now the idempotency key. */
static enum turn end_creation(struct call *call,
                              const struct store_answer *answer)
{
	if (answer->result == STORE_TAKEN)
		return retry(call);
	if (call->game.table.bots)
		wake_bots(call);
	response_committed(call, answer->at_us);
	return TURN_NEXT;
}

const struct step commit_creation = { "commit_creation", begin_creation,
	                              end_creation, true };

/* --- moves ---------------------------------------------------------------- */

static enum turn begin_move(struct call *call)
{
	if (!is_decided(call, decide_move))
		return TURN_DONE;
	if (call->decided.move.leave.seat)
		store_replace(step_store(call), &call->decided.move,
		              step_on_answer, call);
	else
		store_commit_move(step_store(call), &call->decided.move,
		                  step_on_answer, call);
	return TURN_WAIT;
}

static enum turn end_move(struct call *call, const struct store_answer *answer)
{
	const struct ended *ended = call->decided.ended;

	if (answer->result == STORE_CONFLICT)
		return retry(call);
	endings_count(call);
	if (call->game.table.bots)
		wake_bots(call);
	response_committed(call, answer->at_us);
	publish(call, call->game.id, call->game.table.version);
	if (ended)
		publish(call, ended->loaded->id, ended->next.version);
	return TURN_NEXT;
}

const struct step commit_move = { "commit_move", begin_move, end_move, true };

static enum turn begin_rematch(struct call *call)
{
	if (!is_decided(call, decide_rematch))
		return TURN_DONE;
	store_rematch(step_store(call), &call->decided.ended->move,
	              &call->decided.move, step_on_answer, call);
	return TURN_WAIT;
}

const struct step commit_rematch = { "commit_rematch", begin_rematch, end_move,
	                             true };

static enum turn begin_leaving(struct call *call)
{
	if (!is_decided(call, decide_move))
		return TURN_DONE;
	store_leave(step_store(call), &call->decided.move, step_on_answer,
	            call);
	return TURN_WAIT;
}

const struct step commit_leaving = { "commit_leaving", begin_leaving, end_move,
	                             true };

/* --- deletions ------------------------------------------------------------ */

static enum turn begin_deletion(struct call *call)
{
	store_delete(step_store(call), call->game.id, call->game.table.version,
	             step_on_answer, call);
	return TURN_WAIT;
}

static enum turn end_deletion(struct call *call,
                              const struct store_answer *answer)
{
	if (answer->result == STORE_CONFLICT)
		return retry(call);
	publish(call, call->game.id, SUBSCRIPTIONS_DELETED);
	return TURN_REPLY;
}

const struct step commit_deletion = { "commit_deletion", begin_deletion,
	                              end_deletion, true };

static enum turn begin_last_leaving(struct call *call)
{
	return decide_is_last(call) ? begin_deletion(call) : TURN_NEXT;
}

const struct step commit_last_leaving = { "commit_last_leaving",
	                                  begin_last_leaving, end_deletion,
	                                  true };

/* --- tickets -------------------------------------------------------------- */

static enum turn begin_ticket(struct call *call)
{
	if (!take_change(call))
		return TURN_DONE;
	store_give_ticket(step_store(call), call->game.id,
	                  call->wanted.ticket->hash, call->caller.token_hash,
	                  step_on_answer, call);
	return TURN_WAIT;
}

/* STORE_NONE: the game was deleted since it was loaded. */
static enum turn end_given(struct call *call, const struct store_answer *answer)
{
	if (answer->result == STORE_NONE)
		return step_refuse_outsider(call);
	call->decided.given_us = answer->at_us;
	return TURN_NEXT;
}

const struct step commit_ticket = { "commit_ticket", begin_ticket, end_given,
	                            false };

/* --- transfers ------------------------------------------------------------ */

static enum turn begin_transfer(struct call *call)
{
	const struct transfer *wanted = call->wanted.transfer;
	struct store_transfer transfer = {
		.game = call->game.id,
		.token_hash = call->caller.token_hash,
		.code_hash = wanted->key.hash,
		.sealed = wanted->sealed,
		.sealed_len = sizeof(wanted->sealed),
	};

	if (!take_change(call))
		return TURN_DONE;
	store_give_transfer(step_store(call), &transfer, step_on_answer, call);
	return TURN_WAIT;
}

const struct step commit_transfer = { "commit_transfer", begin_transfer,
	                              end_given, false };

/* --- subscriptions -------------------------------------------------------- */

static enum turn begin_subscription(struct call *call)
{
	const struct subscription *wanted = call->wanted.subscribed;

	if (!wanted)
		return step_refuse(call, ERR_PUSH_OFF);
	struct store_subscription subscription = {
		.game = call->game.id,
		.token_hash = call->caller.token_hash,
		.endpoint_hash = wanted->is_one ? wanted->endpoint_hash : NULL,
		.text = wanted->text,
		.service = wanted->service,
	};

	if (!take_change(call))
		return TURN_DONE;
	if (wanted->text)
		store_subscribe(step_store(call), &subscription, step_on_answer,
		                call);
	else
		store_unsubscribe(step_store(call), &subscription,
		                  step_on_answer, call);
	return TURN_WAIT;
}

/* With STORE_NONE the game or the player is gone since it was loaded. */
static enum turn end_subscription(struct call *call,
                                  const struct store_answer *answer)
{
	if (answer->result == STORE_NONE)
		return step_refuse_outsider(call);
	if (answer->result == STORE_TAKEN)
		return step_refuse(call, ERR_TOO_MANY_SUBSCRIPTIONS);
	return TURN_NEXT;
}

const struct step commit_subscription = { "commit_subscription",
	                                  begin_subscription, end_subscription,
	                                  false };
