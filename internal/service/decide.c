/*
 * decide.c - turns the wanted action into rows.  The rules change
 * call->game.table in place and emit events; here those become the parameters
 * of one statement: the new snapshot, the events, the seat that is taken or
 * freed, and the idempotency key.
 *
 * A rematch is two decisions that are committed together: an event in the game
 * that has ended (call->decided.ended), and a new game.
 */
#include "service/decide.h"

#include <assert.h>
#include <string.h>

#include "base/clock.h"
#include "base/random.h"
#include "http/problem.h"
#include "service/authorize.h"
#include "service/games.h"
#include "service/idempotency.h"
#include "service/notify.h"
#include "service/players.h"
#include "service/replay_data.h"
#include "service/seating.h"

static void add_replay_data(const struct call *call, const struct rng *rng,
                            struct store_event *event)
{
	uint8_t *bytes = arena_zalloc(&call->req->arena, REPLAY_DATA_MAX);

	event->replay_data = bytes;
	event->replay_len = replay_data_write(&call->wanted.action, rng, bytes);
}

static void make_event_rows(struct call *call, const struct events *events)
{
	size_t size = events->count * sizeof(*call->decided.events);
	uint32_t version = call->game.table.version - events->count;

	_Static_assert((int)EVENTS_MAX <= (int)STORE_EVENTS_MAX, "it fits");
	call->decided.events = arena_zalloc(&call->req->arena, size);
	struct event *copies =
		arena_zalloc(&call->req->arena,
	                     events->count * sizeof(struct event));
	for (size_t i = 0; i < events->count; i++) {
		copies[i] = events->list[i];
		const struct event *event = &copies[i];
		call->decided.events[i] = (struct store_event){
			.version = version + (uint32_t)i + 1,
			.type = event->type,
			.seat = event->seat,
			.part = event->part,
			.subpart = event->subpart,
			.public_data =
				event->public_len ? event->public_data : NULL,
			.public_len = event->public_len,
			.private_data =
				event->private_len ? event->private_data : NULL,
			.private_len = event->private_len,
		};
	}
}

static void make_game_row(struct call *call)
{
	const struct table *table = &call->game.table;
	uint8_t *state = arena_zalloc(&call->req->arena, RULESET_STATE_MAX);

	/* decided.next of a new game is set already. */
	if (call->game.loaded) {
		call->decided.next = arena_alloc(&call->req->arena,
		                                 sizeof(struct store_game));
		*call->decided.next = *call->game.loaded;
	}
	struct store_game *next = call->decided.next;
	next->version = table->version;
	next->mode = table->mode;
	next->status = status_code(table->status);
	next->seats_max = table->seats_max;
	next->seats_count = table->seats;
	next->host = table->host;
	next->state = state;
	next->state_len = table->rules->encode(table->state, state);
	assert(next->state_len > 0);
}

/* In the lobby the seats close up; after the start the seat stays vacant. */
static enum err leave_seat(struct call *call)
{
	unsigned seat = call->wanted.action.args[LEAVE_SEAT];
	bool closes_up = call->game.table.status == STATUS_LOBBY;
	bool is_removed = seat != call->caller.seat &&
	                  !call->game.loaded->seats[seat - 1].bot_level;

	seating_free(call->decided.next, seat, closes_up);
	/* A removed player knows the code, and must not come back by it. */
	if (is_removed && !invite_draw(call->path.code))
		return ERR_INTERNAL;
	if (is_removed)
		call->decided.next->invite_code = call->path.code;
	call->decided.move.leave = (struct store_leave){
		.seat = (uint8_t)seat,
		.closes_up = closes_up,
		.renews_code = is_removed,
	};
	/*
	 * If the player sends a request before the commit, the commit fails as
	 * a conflict.
	 */
	if (call->wanted.action.args[LEAVE_ABSENT])
		call->decided.move.leave.last_seen_us =
			players_last_seen_us(call, seat);
	return ERR_OK;
}

void decide_find_leaver(struct call *call)
{
	const struct store_game *game = call->game.loaded;
	uint8_t *seat = &call->wanted.action.args[LEAVE_SEAT];

	if (call->decided.conflicts > 0)
		*seat = (uint8_t)authorize_seat_of(game,
		                                   call->wanted.leaving_hash);
	else if (table_is_taken(&call->game.table, *seat))
		memcpy(call->wanted.leaving_hash,
		       game->seats[*seat - 1].token_hash, TOKEN_HASH_SIZE);
	call->wanted.action.args[LEAVE_ABSENT] = players_is_absent(call, *seat);
}

bool decide_is_last(const struct call *call)
{
	return table_is_last(&call->game.table,
	                     call->wanted.action.args[LEAVE_SEAT]) &&
	       call->caller.seat == call->wanted.action.args[LEAVE_SEAT];
}

/* The rules say what a body must contain: it may depend on the state. */
static void explain_fault(struct call *call)
{
	const struct table *table = &call->game.table;
	struct fault fault =
		table->rules->fault(table->state, &call->wanted.action);

	assert(fault.member);
	problem_fault(call->req,
	              arena_printf(&call->req->arena, "/%s", fault.member),
	              fault.code, fault.detail);
}

/* Explain which players the caller can remove. */
static void explain_removal(struct call *call)
{
	bool host_may = table_host_may_remove(&call->game.table);
	const char *who = host_may ? "The host may remove any player; another "
	                             "player may remove"
	                           : "During this game a player may remove";

	if (call->game.table.absence_s)
		call->req->detail = arena_printf(
			&call->req->arena,
			"%s only a player whom the game waits for and who has "
			"not been heard of for %u seconds.",
			who, (unsigned)call->game.table.absence_s);
	else if (!host_may)
		call->req->detail = "During this game nobody can be removed; "
				    "it has no absence_seconds.";
}

enum err decide_move(struct call *call, const uint8_t *seed)
{
	struct rng rng;
	struct events events = { .count = 0 };

	rng_init(&rng, seed);
	call->wanted.action.seat = (uint8_t)call->caller.seat;
	unsigned waited = notify_waiting(call);
	enum err err = table_apply(&call->game.table, &call->wanted.action,
	                           &rng, &events);
	if (err == ERR_INVALID && call->wanted.action.verb >= VERB_OF_RULESET)
		explain_fault(call);
	if ((err == ERR_NOT_HOST || err == ERR_NOT_ALLOWED_NOW) &&
	    call->wanted.action.verb == VERB_LEAVE &&
	    call->wanted.action.args[LEAVE_SEAT] != call->caller.seat)
		explain_removal(call);
	if (err)
		return err;

	make_event_rows(call, &events);
	add_replay_data(call, &rng, &call->decided.events[0]);
	make_game_row(call);
	call->decided.move = (struct store_move){ .game = call->decided.next };
	call->decided.move.events = call->decided.events;
	call->decided.move.events_count = events.count;
	err = call->wanted.action.verb == VERB_LEAVE ? leave_seat(call)
	                                             : seating_decide(call);
	/* The key of a rematch is stored with the game that has ended. */
	if (!err && !call->decided.ended)
		err = idempotency_record(call);
	if (!err)
		seating_name_events(call);
	if (!err)
		notify_decide(call, waited);
	return err;
}

/* Begin a new game: its id, its invitation code and what the caller chose. */
static bool begin_new_game(struct call *call)
{
	uint8_t random[10];

	if (!random_bytes(random, sizeof(random)) ||
	    !invite_draw(call->path.code))
		return false;
	call->game.id = uuid_make((uint64_t)(clock_wall_us() / 1000), random);
	uuid_print(call->game.id, call->game.text);
	call->decided.next =
		arena_alloc(&call->req->arena, sizeof(struct store_game));
	*call->decided.next = (struct store_game){
		.id = call->game.id,
		.ruleset = call->game.table.rules->number,
		.rules_version = call->game.table.rules->rules_version,
		.is_public = call->game.table.is_public,
		.spectators = call->game.table.spectators,
		.absence_s = call->game.table.absence_s,
		.creator_address =
			call->game.table.is_public ? call->req->address : NULL,
		.invite_code = call->path.code,
	};
	call->game.table.version = 0;
	call->game.table.seats = 0;
	return true;
}

enum err decide_creation(struct call *call, const uint8_t *seed)
{
	if (!begin_new_game(call))
		return ERR_INTERNAL;
	call->caller.seat = 0;
	return decide_move(call, seed);
}

/* --- rematches ----------------------------------------------------------- */

/* A second rematch is refused with a link to the first. */
static enum err refuse_rematch(struct call *call, enum err err)
{
	char id[UUID_TEXT_LEN + 1];

	if (err != ERR_ALREADY_USED)
		return err;
	uuid_print(call->game.loaded->rematch, id);
	problem_link(call->req, "rematch",
	             arena_printf(&call->req->arena, "%s", id),
	             games_path_of(call, id));
	return err;
}

/* Explain which members of the body are refused. */
static void explain_rematch(struct call *call, enum err err)
{
	const struct ruleset *rules = call->game.table.rules;
	struct arena *arena = &call->req->arena;
	unsigned seats = call->wanted.rematch_seats;

	if (err == ERR_NOT_ALLOWED_NOW) {
		call->req->detail = arena_printf(
			arena,
			"%u players are at the table, so the rematch needs at "
			"least %u seats; a player who does not go on leaves "
			"this game first.",
			table_players(&call->game.table),
			table_players(&call->game.table));
		return;
	}
	if (call->wanted.rematch_mode && !rules->modes[0])
		problem_fault(call->req, "/mode", "not_allowed",
		              "This game has no modes.");
	if (seats && (seats < rules->seats_min || seats > rules->seats_max))
		problem_fault(call->req, "/seats", "out_of_range",
		              arena_printf(arena,
		                           "A whole number from %u to %u.",
		                           rules->seats_min, rules->seats_max));
}

/* The table of the new game: the same rules, no player yet. */
static enum err clear_table(struct call *call)
{
	struct table *table = &call->game.table;
	void *state = arena_zalloc(&call->req->arena, table->rules->state_size);
	enum err err = table_start_rematch(table, call->wanted.rematch_mode,
	                                   call->wanted.rematch_seats, state,
	                                   &call->wanted.action);

	if (err) {
		explain_rematch(call, err);
		return err;
	}
	*table = (struct table){
		.rules = table->rules,
		.state = state,
		.is_public = table->is_public,
		.spectators = table->spectators,
		.absence_s = table->absence_s,
	};
	return ERR_OK;
}

/* Copy the taken seats, without gaps. */
static void copy_seats(struct call *call, const struct table *ended)
{
	for (unsigned seat = 1; seat <= ended->seats; seat++) {
		if (table_is_taken(ended, seat))
			call->decided.next
				->seats[table_closed_up(ended, seat) - 1] =
				call->decided.ended->loaded->seats[seat - 1];
	}
}

/* The event of the game that has ended; it names the new game. */
static enum err decide_ended(struct call *call, struct ended *ended,
                             const uint8_t *seed)
{
	call->wanted.action = (struct action){ .verb = VERB_REMATCH };
	memcpy(call->wanted.action.args, call->game.id.bytes, REMATCH_ID_SIZE);
	enum err err = decide_move(call, seed);
	if (err)
		return refuse_rematch(call, err);
	ended->loaded = call->game.loaded;
	ended->next = *call->decided.next;
	ended->move = call->decided.move;
	ended->move.game = &ended->next;
	ended->move.key.location = call->game.id;
	return ERR_OK;
}

enum err decide_rematch(struct call *call, const uint8_t *seed)
{
	struct ended *ended = arena_zalloc(&call->req->arena, sizeof(*ended));
	unsigned seat = call->caller.seat;
	struct table table = call->game.table;
	enum err err;

	if (!begin_new_game(call))
		return ERR_INTERNAL;
	struct store_game *created = call->decided.next;

	call->game.table = table;
	err = decide_ended(call, ended, seed);
	if (err)
		return err;
	call->decided.ended = ended;
	call->decided.next = created;
	call->decided.next->rematch_of = ended->loaded->id;
	copy_seats(call, &table);
	call->game.loaded = NULL;
	call->caller.seat = 0;
	err = clear_table(call);
	if (err) {
		/* The refusal says where the game is that has ended. */
		call->game.table = table;
		call->game.loaded = ended->loaded;
		call->caller.seat = seat;
		return err;
	}
	err = decide_move(call, seed);
	call->caller.seat = table_closed_up(&table, seat);
	return err;
}

void decide_forget(struct call *call)
{
	if (call->decided.ended)
		call->game.id = call->decided.ended->loaded->id;
	call->decided.ended = NULL;
	call->decided.conflicts++;
	call->game.last_seen = NULL;
	call->game.last_seen_count = 0;
}
