/*
 * commit.c - the steps that change something.  A step that decides draws a
 * fresh seed and asks the service.  The step after it gives the store the
 * result, together with the version it was decided against.  If the game has
 * another version by then, the store writes nothing: that is a conflict, and
 * the plan starts again from what is stored.
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

/* Conflicts of one request.  Its deadline usually ends it sooner. */
enum { CONFLICTS_MAX = 1000 };

/* Forget the load and the decision, and begin again. */
static enum turn restart(struct run *run)
{
	struct call *call = &run->call;

	if (call->decided.conflicts < CONFLICTS_MAX) {
		decide_forget(call);
		arena_rewind(&call->req->arena, run->begun);
		return TURN_RESTART;
	}
	call->req->detail = "Too many others were faster; nothing was changed. "
			    "Try again.";
	return step_refuse(run, ERR_STORE_UNAVAILABLE);
}

static enum turn retry(struct run *run)
{
	metric_add(METRIC_CONFLICTS, 0, 1);
	return restart(run);
}

/* Decide with a fresh seed. */
static enum turn decide_by(struct run *run,
                           enum err (*decide)(struct call *, const uint8_t *))
{
	uint8_t seed[RNG_SEED_SIZE];
	enum err err = ERR_INTERNAL;
	uint64_t begun_ns = span_begin(run->trace);

	/* Without a seed nothing is dealt. */
	if (random_bytes(seed, sizeof(seed)))
		err = decide(&run->call, seed);
	span_end_work(run->trace, "decide", begun_ns);
	return err ? step_refuse(run, err) : TURN_NEXT;
}

/* A change that the store would refuse is not counted. */
static enum turn charge(struct run *run)
{
	if (store_refuses_changes())
		return step_refuse_change(run);
	enum err err = quotas_take_change(run->context->quotas, &run->call);
	return err ? step_refuse(run, err) : TURN_NEXT;
}

const struct step commit_charge = { "commit_charge", .begin = charge };

/* Wake the waiters of this loop, and have the other loops wake theirs. */
static void publish(struct run *run, const struct committed *committed)
{
	struct context *context = run->context;
	struct uuid game = committed->game;

	if (committed->move && subscriptions_has(context->subscriptions, game))
		handovers_add(&context->handovers, handover_make(committed));
	subscriptions_publish(context->subscriptions, game, committed->version);
	context->committed(context->arg, committed);
}

/* A game with bots has changed, or was created. */
static void wake_bots(struct run *run)
{
	const struct store_move *move = &run->call.decided.move;

	metric_add(METRIC_BOTS_SEATED, 0,
	           (int)move->bots_count + (move->join.bot_level > 0));
	bot_thread_wake(run->context->bots);
}

/* --- creations ------------------------------------------------------------ */

static enum turn begin_decide_creation(struct run *run)
{
	return decide_by(run, decide_creation);
}

const struct step commit_decide_creation = { "commit_decide_creation",
	                                     .begin = begin_decide_creation };

static enum turn begin_creation(struct run *run)
{
	if (!store_can_create(step_store(run), run->call.game.id))
		return restart(run);
	store_create(step_store(run), &run->call.decided.move, step_on_answer,
	             run);
	return TURN_WAIT;
}

/* STORE_TAKEN: the invitation code, or by now the key, is in use. */
static enum turn end_creation(struct run *run,
                              const struct store_answer *answer)
{
	struct call *call = &run->call;

	if (answer->result == STORE_TAKEN)
		return retry(run);
	if (call->game.table.bots)
		wake_bots(run);
	response_committed(call, answer->at_us);
	return TURN_NEXT;
}

const struct step commit_creation = { "commit_creation", begin_creation,
	                              end_creation, .writes = true };

/* --- moves ---------------------------------------------------------------- */

/* After the decision no refusal is about the state of the game. */
static enum turn begin_decide(struct run *run)
{
	struct call *call = &run->call;
	enum turn turn = decide_by(run, decide_move);

	if (turn == TURN_NEXT && run->is_recent) {
		call->decided.move.revision = call->game.loaded->revision;
		run->outdated = call->game.loaded->version;
		run->is_recent = false;
	}
	return turn;
}

const struct step commit_decide = { "commit_decide", .begin = begin_decide };

static enum turn begin_move(struct run *run)
{
	store_commit_move(step_store(run), &run->call.decided.move,
	                  step_on_answer, run);
	return TURN_WAIT;
}

static enum turn end_move(struct run *run, const struct store_answer *answer)
{
	struct call *call = &run->call;
	const struct ended *ended = call->decided.ended;

	if (answer->result == STORE_CONFLICT) {
		if (call->decided.move.revision)
			recent_games_passed(run->context->recent_games,
			                    call->game.id, run->outdated + 1);
		return retry(run);
	}
	endings_count(call);
	if (call->game.table.bots)
		wake_bots(run);
	response_committed(call, answer->at_us);
	struct committed committed = handover_committed(call, answer->at_us);
	publish(run, &committed);
	if (ended) {
		committed.game = ended->loaded->id;
		committed.version = ended->next.version;
		publish(run, &committed);
	}
	return TURN_NEXT;
}

const struct step commit_move = { "commit_move", begin_move, end_move,
	                          .writes = true };

static enum turn begin_decide_rematch(struct run *run)
{
	return decide_by(run, decide_rematch);
}

const struct step commit_decide_rematch = { "commit_decide_rematch",
	                                    .begin = begin_decide_rematch };

static enum turn begin_rematch(struct run *run)
{
	struct call *call = &run->call;

	if (!store_can_create(step_store(run), call->decided.next->id))
		return restart(run);
	store_rematch(step_store(run), &call->decided.ended->move,
	              &call->decided.move, step_on_answer, run);
	return TURN_WAIT;
}

const struct step commit_rematch = { "commit_rematch", begin_rematch, end_move,
	                             .writes = true };

/* --- deletions ------------------------------------------------------------ */

static enum turn begin_deletion(struct run *run)
{
	struct call *call = &run->call;

	store_delete(step_store(run), call->game.id, call->game.table.version,
	             step_on_answer, run);
	return TURN_WAIT;
}

static enum turn end_deletion(struct run *run,
                              const struct store_answer *answer)
{
	struct call *call = &run->call;

	if (answer->result == STORE_CONFLICT)
		return retry(run);
	const struct committed committed = { .game = call->game.id,
		                             .version = SUBSCRIPTIONS_DELETED };
	publish(run, &committed);
	return TURN_REPLY;
}

const struct step commit_deletion = { "commit_deletion", begin_deletion,
	                              end_deletion, .writes = true };

static enum turn begin_last_leaving(struct run *run)
{
	return decide_is_last(&run->call) ? begin_deletion(run) : TURN_NEXT;
}

const struct step commit_last_leaving = { "commit_last_leaving",
	                                  begin_last_leaving, end_deletion,
	                                  .writes = true };

/* --- tickets -------------------------------------------------------------- */

static enum turn begin_ticket(struct run *run)
{
	struct call *call = &run->call;

	store_give_ticket(step_store(run), call->game.id,
	                  call->wanted.ticket->hash, call->caller.token_hash,
	                  step_on_answer, run);
	return TURN_WAIT;
}

/* STORE_NONE: the game was deleted since it was loaded. */
static enum turn end_given(struct run *run, const struct store_answer *answer)
{
	struct call *call = &run->call;

	if (answer->result == STORE_NONE)
		return step_refuse_outsider(run);
	call->decided.given_us = answer->at_us;
	return TURN_NEXT;
}

const struct step commit_ticket = {
	"commit_ticket",
	begin_ticket,
	end_given,
	.writes = true,
};

/* --- transfers ------------------------------------------------------------ */

static enum turn begin_transfer(struct run *run)
{
	const struct call *call = &run->call;
	const struct transfer *wanted = call->wanted.transfer;
	struct store_transfer transfer = {
		.game = call->game.id,
		.token_hash = call->caller.token_hash,
		.code_hash = wanted->key.hash,
		.sealed = wanted->sealed,
		.sealed_len = sizeof(wanted->sealed),
	};

	store_give_transfer(step_store(run), &transfer, step_on_answer, run);
	return TURN_WAIT;
}

const struct step commit_transfer = { "commit_transfer", begin_transfer,
	                              end_given, .writes = true };

/* --- push subscriptions --------------------------------------------------- */

static enum turn begin_subscription(struct run *run)
{
	const struct call *call = &run->call;
	const struct push_subscription *wanted = call->wanted.push;
	struct store_subscription subscription = {
		.game = call->game.id,
		.token_hash = call->caller.token_hash,
		.endpoint_hash = wanted->is_one ? wanted->endpoint_hash : NULL,
		.text = wanted->text,
		.service = wanted->service,
	};

	if (wanted->text)
		store_subscribe(step_store(run), &subscription, step_on_answer,
		                run);
	else
		store_unsubscribe(step_store(run), &subscription,
		                  step_on_answer, run);
	return TURN_WAIT;
}

/* STORE_NONE: the game or the player is gone since the load. */
static enum turn end_subscription(struct run *run,
                                  const struct store_answer *answer)
{
	if (answer->result == STORE_NONE)
		return step_refuse_outsider(run);
	if (answer->result == STORE_TAKEN)
		return step_refuse(run, ERR_TOO_MANY_SUBSCRIPTIONS);
	return TURN_NEXT;
}

const struct step commit_subscription = { "commit_subscription",
	                                  begin_subscription, end_subscription,
	                                  .writes = true };
