/*
 * admit.c - the steps that let a request go on or refuse it.  What the service
 * thinks of a caller stands in call->run.refusal, and is carried out here,
 * after the caller was recorded as seen.
 */
#include "loop/admit.h"

#include <string.h>

#include "base/arena.h"
#include "service/authorize.h"

/* --- tickets -------------------------------------------------------------- */

static enum turn begin_ticket(struct call *call)
{
	if (!call->wanted.ticket)
		return TURN_NEXT;
	store_use_ticket(step_store(call), call->game.id,
	                 call->wanted.ticket->hash, &call->req->arena,
	                 step_on_answer, call);
	return TURN_WAIT;
}

static enum turn end_ticket(struct call *call,
                            const struct store_answer *answer)
{
	if (answer->result == STORE_NONE)
		return step_refuse(call, authorize_refuse_ticket(call));
	memcpy(call->caller.token_hash, answer->token_hash, TOKEN_HASH_SIZE);
	call->caller.has_token = true;
	call->wanted.ticket = NULL;
	call->run.begun = arena_mark(&call->req->arena);
	return TURN_NEXT;
}

const struct step admit_ticket = { begin_ticket, end_ticket, false };

/* --- the caller ----------------------------------------------------------- */

static enum turn admit(struct call *call)
{
	if (call->run.refusal)
		return step_refuse(call, call->run.refusal);
	if (!call->idempotency.is_replay)
		return TURN_NEXT;
	if (uuid_is_none(call->idempotency.follow))
		return TURN_REPLY;
	/* The answer is about the game that the request created then. */
	call->game.id = call->idempotency.follow;
	call->idempotency.follow = (struct uuid){ { 0 } };
	return TURN_RESTART;
}

/*
 * Others may soon remove a stale caller as absent.  last_seen is then recorded
 * before the answer leaves, so that every replica knows it by then; else some
 * seconds later, together with others.
 */
static enum turn begin_caller(struct call *call)
{
	unsigned seat = call->caller.seat;

	if (uuid_is_none(call->game.id))
		return TURN_NEXT;
	if (seat && call->game.loaded->seats[seat - 1].is_stale) {
		store_record_last_seen(step_store(call), call->game.id,
		                       call->caller.token_hash, step_on_answer,
		                       call);
		return TURN_WAIT;
	}
	step_note_last_seen(call);
	return admit(call);
}

/* With STORE_NONE the caller has lost the seat since the game was loaded. */
static enum turn end_caller(struct call *call,
                            const struct store_answer *answer)
{
	return answer->result == STORE_NONE ? TURN_RESTART : admit(call);
}

const struct step admit_caller = { begin_caller, end_caller, false };

/* --- creations ------------------------------------------------------------ */

static enum turn begin_creation(struct call *call)
{
	if (!quotas_enter_lobby(step_context(call)->quotas, call))
		return TURN_NEXT;
	store_count_waiting(step_store(call), call->req->address,
	                    step_on_answer, call);
	return TURN_WAIT;
}

static enum turn end_creation(struct call *call,
                              const struct store_answer *answer)
{
	enum err err = quotas_check_lobby(step_context(call)->quotas, call,
	                                  answer->waiting);

	return err ? step_refuse(call, err) : TURN_NEXT;
}

const struct step admit_creation = { begin_creation, end_creation, false };
