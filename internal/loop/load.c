/*
 * load.c - the steps that read.  Results live in the request's arena and are
 * reached from call->game or call->page.
 *
 * load_game finds who calls, load_caller records the caller as seen, and
 * load_permission refuses what the caller may not do: in this order, since a
 * refused caller was seen, too.
 */
#include "loop/load.h"

#include "service/authorize.h"
#include "service/decide.h"
#include "service/idempotency.h"
#include "service/notify.h"
#include "service/players.h"
#include "service/transfer.h"

/* --- without a game ------------------------------------------------------- */

static enum turn begin_readiness(struct run *run)
{
	struct context *context = run->context;

	if (context->draining)
		run->call.req->detail = "The service is shutting down.";
	if (context->draining || !store_is_ready(context->store))
		return step_refuse(run, ERR_STORE_UNAVAILABLE);
	store_ping(step_store(run), step_on_answer, run);
	return TURN_WAIT;
}

static enum turn end_readiness(struct run *run,
                               const struct store_answer *answer)
{
	(void)run;
	(void)answer;
	return TURN_NEXT;
}

const struct step load_readiness = { "load_readiness", begin_readiness,
	                             end_readiness };

static enum turn begin_lobby(struct run *run)
{
	struct call *call = &run->call;

	store_lobby(step_store(run), &call->wanted.lobby, &call->req->arena,
	            step_on_answer, run);
	return TURN_WAIT;
}

static enum turn end_lobby(struct run *run, const struct store_answer *answer)
{
	struct call *call = &run->call;

	call->page.games = answer->listed;
	call->page.count = answer->count;
	call->page.next = answer->next;
	return TURN_NEXT;
}

const struct step load_lobby = { "load_lobby", begin_lobby, end_lobby };

/* For a cap of the public games that wait. */
static enum turn begin_lobby_count(struct run *run)
{
	struct call *call = &run->call;

	if (!quotas_enter_lobby(run->context->quotas, call))
		return TURN_NEXT;
	store_count_waiting(step_store(run), call->req->address, step_on_answer,
	                    run);
	return TURN_WAIT;
}

static enum turn end_lobby_count(struct run *run,
                                 const struct store_answer *answer)
{
	struct call *call = &run->call;
	enum err err =
		quotas_check_lobby(run->context->quotas, call, answer->waiting);

	return err ? step_refuse(run, err) : TURN_NEXT;
}

const struct step load_lobby_count = { "load_lobby_count", begin_lobby_count,
	                               end_lobby_count };

/* --- which game ----------------------------------------------------------- */

static enum turn begin_invitation(struct run *run)
{
	struct call *call = &run->call;

	store_find_invitation(step_store(run), call->path.code, step_on_answer,
	                      run);
	return TURN_WAIT;
}

static enum turn end_invitation(struct run *run,
                                const struct store_answer *answer)
{
	struct call *call = &run->call;

	if (answer->result == STORE_NONE)
		return step_refuse_outsider(run);
	call->game.id = answer->id;
	return step_follow(run, &run->plans->of_shape[call->route->shape]);
}

const struct step load_invitation = { "load_invitation", begin_invitation,
	                              end_invitation };

/* A caller with a token was found before: the plan has restarted. */
static enum turn begin_offered(struct run *run)
{
	struct call *call = &run->call;
	const struct transfer *transfer = call->wanted.transfer;

	if (transfer->is_confirmed || call->caller.has_token)
		return TURN_NEXT;
	store_find_transfer(step_store(run), call->game.id, transfer->key.hash,
	                    &call->req->arena, step_on_answer, run);
	return TURN_WAIT;
}

static enum turn begin_claimed(struct run *run)
{
	struct call *call = &run->call;
	const struct transfer *transfer = call->wanted.transfer;
	const struct store_claim claim = {
		.game = call->game.id,
		.code_hash = transfer->key.hash,
		.claimer = transfer->claimer,
	};

	if (!transfer->is_confirmed || call->caller.has_token)
		return TURN_NEXT;
	store_claim_transfer(step_store(run), &claim, &call->req->arena,
	                     step_on_answer, run);
	return TURN_WAIT;
}

static enum turn end_transfer(struct run *run,
                              const struct store_answer *answer)
{
	if (answer->result == STORE_NONE)
		return step_refuse_outsider(run);
	enum err err = transfer_take(&run->call, answer->token_hash,
	                             answer->sealed, answer->sealed_len);
	return err ? step_refuse(run, err) : TURN_NEXT;
}

const struct step load_offered = { "load_offered", begin_offered,
	                           end_transfer };
const struct step load_claimed = { "load_claimed", begin_claimed, end_transfer,
	                           .writes = true };

static enum turn begin_creation(struct run *run)
{
	struct call *call = &run->call;
	const uint8_t *key_hash = idempotency_hash(call);

	if (!key_hash)
		return TURN_NEXT;
	store_find_creation(step_store(run), key_hash, &call->req->arena,
	                    step_on_answer, run);
	return TURN_WAIT;
}

static enum turn end_creation(struct run *run,
                              const struct store_answer *answer)
{
	struct call *call = &run->call;

	if (answer->result == STORE_NONE)
		return TURN_NEXT;
	enum err err = idempotency_replay(call, answer->key);
	if (err)
		return step_refuse(run, err);
	call->game.id = answer->id;
	return step_follow(run, &run->plans->replay);
}

const struct step load_creation = { "load_creation", begin_creation,
	                            end_creation };

/* --- the game ------------------------------------------------------------- */

/*
 * A caller who was checked a moment ago is not stale, so the load does not
 * check it.  It does check if an idempotency key may name the caller, who is
 * known only after the load.
 */
static bool may_be_stale(const struct run *run, const uint8_t *key_hash)
{
	const struct call *call = &run->call;

	if (call->caller.has_token)
		return !last_seen_is_checked(run->context->last_seen,
		                             call->game.id,
		                             call->caller.token_hash);
	return key_hash != NULL;
}

/*
 * An outsider is refused at once.  So is a key that a different request has
 * used; its caller is recorded with others.
 */
static enum turn take_game(struct run *run, const struct store_game *game)
{
	enum err err = authorize_find_caller(&run->call, game);

	if (!err)
		return TURN_NEXT;
	step_note_last_seen(run, 0);
	return step_refuse(run, err);
}

/*
 * The game that a waiter was woken for, if this process has committed it: the
 * waiter has read the game before.  NULL: it has to be loaded, as by a stream
 * that has meanwhile read later events from the database.
 */
static const struct store_game *find_handed(struct run *run,
                                            const struct store_load *load)
{
	uint32_t version = waiter_news(&run->waiter);

	if (!version || load->finds_stale || load->key_hash ||
	    version < run->call.wanted.page.after)
		return NULL;
	return handovers_game(&run->context->handovers, load->id, version,
	                      &run->call.req->arena);
}

/*
 * The game for a move of the rules, if this process has just changed it.  The
 * keys of such moves are among its recent keys.  Nobody looks for a row of the
 * key: it would belong to another kind of request, or to a move by a release
 * without recent keys.
 */
static const struct store_game *find_recent(struct run *run,
                                            const struct store_load *load)
{
	struct call *call = &run->call;
	const struct store_game *game;

	if (call->route->shape != SHAPE_MOVE ||
	    call->wanted.action.verb < VERB_OF_RULESET || load->finds_stale ||
	    run->must_load || call->idempotency.is_replay)
		return NULL;
	game = recent_games_find(run->context->recent_games, load->id,
	                         run->outdated, &call->req->arena);
	return game && !idempotency_is_recent(call, game) ? game : NULL;
}

static enum turn begin_game(struct run *run)
{
	struct call *call = &run->call;
	/* A move waits for others when it is committed. */
	struct store_load load = { .id = call->game.id,
		                   .key_hash = idempotency_hash(call),
		                   .is_urgent =
		                           call->route->shape == SHAPE_MOVE };

	load.finds_stale = may_be_stale(run, load.key_hash);
	run->is_checking = load.finds_stale;
	const struct store_game *game = find_handed(run, &load);
	run->is_handed = game != NULL;
	if (!game)
		game = find_recent(run, &load);
	run->is_recent = game && !run->is_handed;
	if (game)
		return take_game(run, game);
	store_load(step_store(run), &load, &call->req->arena, step_on_answer,
	           run);
	return TURN_WAIT;
}

static enum turn end_game(struct run *run, const struct store_answer *answer)
{
	return take_game(run, answer->result == STORE_OK ? answer->game : NULL);
}

const struct step load_game = { "load_game", begin_game, end_game };

/* --- the caller ----------------------------------------------------------- */

/* The load has looked whether the caller is stale. */
static void note_check(struct run *run)
{
	const struct call *call = &run->call;

	if (run->is_checking)
		last_seen_note_check(run->context->last_seen, call->game.id,
		                     call->caller.token_hash,
		                     call->game.loaded->absence_s);
}

/*
 * Other players may soon remove a stale caller as absent.  So last_seen of a
 * stale caller is recorded before the answer leaves, so that every replica
 * knows it by then; of others some seconds later, together.
 */
static enum turn begin_caller(struct run *run)
{
	struct call *call = &run->call;
	unsigned seat = call->caller.seat;

	if (!seat || !call->game.loaded->seats[seat - 1].is_stale) {
		step_note_last_seen(run, notify_seen_version(call));
		note_check(run);
		return TURN_NEXT;
	}
	store_record_last_seen(step_store(run), call->game.id,
	                       call->caller.token_hash,
	                       notify_seen_version(call), step_on_answer, run);
	return TURN_WAIT;
}

/*
 * With STORE_NONE the caller has lost the seat since the game was loaded.  If
 * the database does not acknowledge the write, last_seen is recorded later:
 * until then it acknowledges no removal of the caller either.
 */
static enum turn end_caller(struct run *run, const struct store_answer *answer)
{
	const struct call *call = &run->call;

	if (answer->result == STORE_NONE)
		return TURN_RESTART;
	if (answer->result != STORE_OK) {
		step_note_last_seen(run, notify_seen_version(call));
		last_seen_note_failure(run->context->last_seen, call->game.id,
		                       call->caller.token_hash);
	}
	return TURN_NEXT;
}

const struct step load_caller = { "load_caller", begin_caller, end_caller,
	                          .is_optional = true };

/* A repeated request is answered, not carried out. */
static enum turn check_permission(struct run *run)
{
	struct call *call = &run->call;
	enum err err = authorize(call);

	if (err)
		return step_refuse(run, err);
	if (!call->idempotency.is_replay)
		return TURN_NEXT;
	if (uuid_is_none(call->idempotency.location))
		return TURN_REPLY;
	/* The answer is about the game that the request created then. */
	call->game.id = call->idempotency.location;
	call->idempotency.location = (struct uuid){ { 0 } };
	return step_follow(run, &run->plans->replay);
}

const struct step load_permission = { "load_permission",
	                              .begin = check_permission };

/* --- when players were last seen ------------------------------------------ */

static enum turn begin_last_seen(struct run *run)
{
	struct call *call = &run->call;

	store_last_seen(step_store(run), call->game.id, &call->req->arena,
	                step_on_answer, run);
	return TURN_WAIT;
}

static enum turn end_last_seen(struct run *run,
                               const struct store_answer *answer)
{
	struct call *call = &run->call;

	call->game.last_seen = answer->last_seen;
	call->game.last_seen_count = answer->count;
	return TURN_NEXT;
}

const struct step load_last_seen = { "load_last_seen", begin_last_seen,
	                             end_last_seen };

static enum turn begin_absence(struct run *run)
{
	struct call *call = &run->call;

	decide_find_leaver(call);
	return players_needs_last_seen(call) ? begin_last_seen(run) : TURN_NEXT;
}

static enum turn end_absence(struct run *run, const struct store_answer *answer)
{
	struct call *call = &run->call;
	enum turn turn = end_last_seen(run, answer);

	decide_find_leaver(call);
	return turn;
}

const struct step load_absence = { "load_absence", begin_absence, end_absence };

/* --- the event log -------------------------------------------------------- */

/* Events are handed over with their game only: all others read the log. */
static bool take_handed_events(struct run *run)
{
	struct call *call = &run->call;

	if (!run->is_handed)
		return false;
	call->page.count =
		handovers_events(&run->context->handovers, call->game.id,
	                         call->wanted.page, &call->req->arena,
	                         &call->page.events);
	call->page.more = false;
	return call->page.count > 0;
}

static enum turn begin_events(struct run *run)
{
	struct call *call = &run->call;

	call->wanted.page.up_to = call->game.table.version;
	if (take_handed_events(run))
		return TURN_NEXT;
	store_events(step_store(run), call->game.id, call->wanted.page,
	             &call->req->arena, step_on_answer, run);
	return TURN_WAIT;
}

static enum turn end_events(struct run *run, const struct store_answer *answer)
{
	struct call *call = &run->call;
	bool is_gone = answer->count == 0 &&
	               call->wanted.page.after < call->game.table.version;

	if (is_gone) /* deleted since it was loaded */
		return step_refuse_outsider(run);
	call->page.events = answer->events;
	call->page.count = answer->count;
	call->page.more = answer->more;
	return TURN_NEXT;
}

const struct step load_events = { "load_events", begin_events, end_events };
