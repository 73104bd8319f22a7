/*
 * load.c - the steps that read.  Results live in the request's arena and are
 * reached from call->game or call->page.
 *
 * load_game asks the service who calls and whether they may; call->run.refusal
 * has its answer.  load_caller carries it out, after the caller was recorded as
 * seen: that is done for a refused request, too.
 */
#include "loop/load.h"

#include "service/authorize.h"
#include "service/decide.h"
#include "service/idempotency.h"
#include "service/notify.h"
#include "service/players.h"
#include "service/transfer.h"

/* --- without a game ------------------------------------------------------- */

static enum turn begin_readiness(struct call *call)
{
	struct context *context = step_context(call);

	if (context->draining)
		call->req->detail = "The service is shutting down.";
	if (context->draining || !store_is_ready(context->store))
		return step_refuse(call, ERR_STORE_UNAVAILABLE);
	store_ping(step_store(call), step_on_answer, call);
	return TURN_WAIT;
}

static enum turn end_readiness(struct call *call,
                               const struct store_answer *answer)
{
	(void)call;
	(void)answer;
	return TURN_NEXT;
}

const struct step load_readiness = { "load_readiness", begin_readiness,
	                             end_readiness, false };

static enum turn begin_lobby(struct call *call)
{
	store_lobby(step_store(call), &call->wanted.lobby, &call->req->arena,
	            step_on_answer, call);
	return TURN_WAIT;
}

static enum turn end_lobby(struct call *call, const struct store_answer *answer)
{
	call->page.games = answer->listed;
	call->page.count = answer->count;
	call->page.next = answer->next;
	return TURN_NEXT;
}

const struct step load_lobby = { "load_lobby", begin_lobby, end_lobby, false };

/* --- which game ----------------------------------------------------------- */

static enum turn begin_invitation(struct call *call)
{
	if (!call->path.has_code || !uuid_is_none(call->game.id))
		return TURN_NEXT;
	store_find_invitation(step_store(call), call->path.code, step_on_answer,
	                      call);
	return TURN_WAIT;
}

static enum turn end_invitation(struct call *call,
                                const struct store_answer *answer)
{
	if (answer->result == STORE_NONE)
		return step_refuse_outsider(call);
	call->game.id = answer->id;
	return TURN_NEXT;
}

const struct step load_invitation = { "load_invitation", begin_invitation,
	                              end_invitation, false };

static enum turn begin_offered(struct call *call)
{
	const struct transfer *transfer = call->wanted.transfer;

	if (transfer->is_confirmed || call->caller.has_token)
		return TURN_NEXT;
	store_find_transfer(step_store(call), call->game.id, transfer->key.hash,
	                    &call->req->arena, step_on_answer, call);
	return TURN_WAIT;
}

static enum turn begin_claimed(struct call *call)
{
	const struct transfer *transfer = call->wanted.transfer;

	if (!transfer->is_confirmed || call->caller.has_token)
		return TURN_NEXT;
	const struct store_claim claim = {
		.game = call->game.id,
		.code_hash = transfer->key.hash,
		.claimer = transfer->claimer,
	};
	store_claim_transfer(step_store(call), &claim, &call->req->arena,
	                     step_on_answer, call);
	return TURN_WAIT;
}

static enum turn end_transfer(struct call *call,
                              const struct store_answer *answer)
{
	if (answer->result == STORE_NONE)
		return step_refuse_outsider(call);
	enum err err = transfer_take(call, answer->token_hash, answer->sealed,
	                             answer->sealed_len);
	return err ? step_refuse(call, err) : TURN_NEXT;
}

const struct step load_offered = { "load_offered", begin_offered, end_transfer,
	                           false };
const struct step load_claimed = { "load_claimed", begin_claimed, end_transfer,
	                           true };

static enum turn begin_creation(struct call *call)
{
	const uint8_t *key_hash = idempotency_hash(call);

	if (!key_hash)
		return TURN_NEXT;
	store_find_creation(step_store(call), key_hash, &call->req->arena,
	                    step_on_answer, call);
	return TURN_WAIT;
}

static enum turn end_creation(struct call *call,
                              const struct store_answer *answer)
{
	if (answer->result == STORE_NONE)
		return TURN_NEXT;
	enum err err = idempotency_replay(call, answer->key);
	if (err)
		return step_refuse(call, err);
	call->game.id = answer->id;
	return TURN_NEXT;
}

const struct step load_creation = { "load_creation", begin_creation,
	                            end_creation, false };

/* --- the game ------------------------------------------------------------- */

/*
 * A caller who was noted a moment ago is not stale: the load need not look.  It
 * looks if a key may name the caller, who is then known when it is loaded.
 */
static bool may_be_stale(const struct call *call, const uint8_t *key_hash)
{
	if (call->caller.has_token)
		return !last_seen_is_noted(step_context(call)->last_seen,
		                           call->game.id,
		                           call->caller.token_hash);
	return key_hash != NULL;
}

static enum turn begin_game(struct call *call)
{
	struct store_load load = { .id = call->game.id,
		                   .key_hash = idempotency_hash(call) };

	if (uuid_is_none(call->game.id))
		return TURN_NEXT;
	load.finds_stale = may_be_stale(call, load.key_hash);
	store_load(step_store(call), &load, &call->req->arena, step_on_answer,
	           call);
	return TURN_WAIT;
}

/* load_caller refuses; before that it records the caller as seen. */
static enum turn end_game(struct call *call, const struct store_answer *answer)
{
	call->run.refusal =
		authorize(call,
	                  answer->result == STORE_OK ? answer->game : NULL);
	return TURN_NEXT;
}

const struct step load_game = { "load_game", begin_game, end_game, false };

/* --- the caller ----------------------------------------------------------- */

static enum turn refuse_or_go_on(struct call *call)
{
	if (call->run.refusal)
		return step_refuse(call, call->run.refusal);
	if (!call->idempotency.is_replay)
		return TURN_NEXT;
	if (uuid_is_none(call->idempotency.location))
		return TURN_REPLY;
	/* The answer is about the game that the request created then. */
	call->game.id = call->idempotency.location;
	call->idempotency.location = (struct uuid){ { 0 } };
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
		                       call->caller.token_hash,
		                       notify_seen_version(call),
		                       step_on_answer, call);
		return TURN_WAIT;
	}
	step_note_last_seen(call, notify_seen_version(call));
	return refuse_or_go_on(call);
}

/*
 * With STORE_NONE the caller has lost the seat since the game was loaded.  If
 * the database does not acknowledge it, it is recorded later: nor does the
 * database acknowledge that others remove the caller.
 */
static enum turn end_caller(struct call *call,
                            const struct store_answer *answer)
{
	if (answer->result == STORE_NONE)
		return TURN_RESTART;
	if (answer->result != STORE_OK)
		step_note_last_seen(call, notify_seen_version(call));
	return refuse_or_go_on(call);
}

const struct step load_caller = { "load_caller", begin_caller, end_caller,
	                          .is_optional = true };

/* --- when players were last seen ------------------------------------------ */

static enum turn begin_last_seen(struct call *call)
{
	store_last_seen(step_store(call), call->game.id, &call->req->arena,
	                step_on_answer, call);
	return TURN_WAIT;
}

static enum turn end_last_seen(struct call *call,
                               const struct store_answer *answer)
{
	call->game.last_seen = answer->last_seen;
	call->game.last_seen_count = answer->count;
	return TURN_NEXT;
}

const struct step load_last_seen = { "load_last_seen", begin_last_seen,
	                             end_last_seen, false };

static enum turn begin_absence(struct call *call)
{
	decide_find_leaver(call);
	return players_needs_last_seen(call) ? begin_last_seen(call)
	                                     : TURN_NEXT;
}

static enum turn end_absence(struct call *call,
                             const struct store_answer *answer)
{
	enum turn turn = end_last_seen(call, answer);

	decide_find_leaver(call);
	return turn;
}

const struct step load_absence = { "load_absence", begin_absence, end_absence,
	                           false };

/* --- the event log -------------------------------------------------------- */

static enum turn begin_events(struct call *call)
{
	call->wanted.page.up_to = call->game.table.version;
	store_events(step_store(call), call->game.id, call->wanted.page,
	             &call->req->arena, step_on_answer, call);
	return TURN_WAIT;
}

static enum turn end_events(struct call *call,
                            const struct store_answer *answer)
{
	bool is_gone = answer->count == 0 &&
	               call->wanted.page.after < call->game.table.version;

	if (is_gone) /* deleted since it was loaded */
		return step_refuse_outsider(call);
	call->page.events = answer->events;
	call->page.count = answer->count;
	call->page.more = answer->more;
	return TURN_NEXT;
}

const struct step load_events = { "load_events", begin_events, end_events,
	                          false };
