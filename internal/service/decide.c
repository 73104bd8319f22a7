#include "service/decide.h"

#include <assert.h>
#include <string.h>

#include "base/clock.h"
#include "base/random.h"
#include "http/problem.h"
#include "service/games.h"
#include "service/idempotency.h"
#include "service/players.h"
#include "service/replay_data.h"

static void seal(const struct call *call, const struct rng *rng,
                 struct store_event *event)
{
	uint8_t *bytes = arena_zalloc(&call->req->arena, REPLAY_DATA_MAX);

	event->replay_data = bytes;
	event->replay_len = replay_data_write(&call->action, rng, bytes);
}

static void lay_out_events(struct call *call, const struct events *events)
{
	size_t size = events->count * sizeof(*call->events);
	uint32_t version = call->table.version - events->count;

	_Static_assert((int)EVENTS_MAX <= (int)STORE_EVENTS_MAX, "it fits");
	call->events = arena_zalloc(&call->req->arena, size);
	struct event *copies =
		arena_zalloc(&call->req->arena,
	                     events->count * sizeof(struct event));
	for (size_t i = 0; i < events->count; i++) {
		copies[i] = events->list[i];
		const struct event *event = &copies[i];
		call->events[i] = (struct store_event){
			.version = version + (uint32_t)i + 1,
			.type = event->type,
			.seat = event->seat,
			.heist = event->heist,
			.color = event->color,
			.public_data =
				event->public_len ? event->public_data : NULL,
			.public_len = event->public_len,
			.private_data =
				event->private_len ? event->private_data : NULL,
			.private_len = event->private_len,
		};
	}
}

static void lay_out_game(struct call *call)
{
	const struct table *table = &call->table;
	struct store_game *next = &call->next;
	uint8_t *state = arena_zalloc(&call->req->arena, RULESET_STATE_MAX);

	if (call->loaded)
		*next = *call->loaded;
	next->version = table->version;
	next->mode = table->rules->mode(table->state);
	next->status = status_code(table->status);
	next->seats_max = table->seats_max;
	next->seats_count = table->seats;
	next->host = table->host;
	next->state = state;
	next->state_len = table->rules->encode(table->state, state);
	assert(next->state_len > 0);
}

/* A name is taken if another is the same to a reader. */
static enum err join_seat(struct call *call)
{
	unsigned seat = call->move.events[0].seat;

	for (unsigned i = 0; call->loaded && i < call->loaded->seats_count;
	     i++) {
		const char *other = call->loaded->seats[i].name;

		if (!other || !name_has_key(other, call->name.key))
			continue;
		problem_fault(call->req, "/name", "taken",
		              "Somebody in this game has that name already.");
		return ERR_INVALID;
	}
	call->seat = seat;
	call->next.seats[seat - 1].name = call->name.text;
	memcpy(call->next.seats[seat - 1].token_hash, call->new_token.hash,
	       TOKEN_HASH_SIZE);
	call->move.join = (struct store_join){
		.seat = (uint8_t)seat,
		.name = call->name.text,
		.name_key = call->name.key,
		.token_hash = call->new_token.hash,
	};
	return ERR_OK;
}

/* Before the start the seats close up, later one stays vacant. */
static enum err leave_seat(struct call *call)
{
	struct store_seat *seats = call->next.seats;
	unsigned seat = call->action.args[LEAVE_SEAT];
	bool closes_up = call->table.status == STATUS_LOBBY;
	bool is_removed = seat != call->seat;

	if (closes_up)
		memmove(&seats[seat - 1], &seats[seat],
		        (STORE_SEATS_MAX - seat) * sizeof(*seats));
	else
		seats[seat - 1] = (struct store_seat){ .name = NULL };
	/* Who was removed knows the code, and does not come back by it. */
	if (is_removed && !invite_draw(call->code))
		return ERR_INTERNAL;
	if (is_removed)
		call->next.invite_code = call->code;
	call->move.leave = (struct store_leave){
		.seat = (uint8_t)seat,
		.closes_up = closes_up,
		.renews_code = is_removed,
	};
	/* A player who comes back before this is committed stays. */
	if (call->action.args[LEAVE_ABSENT])
		call->move.leave.last_seen_us =
			players_last_seen_us(call, seat);
	return ERR_OK;
}

void decide_follow(struct call *call)
{
	const struct store_game *game = call->loaded;
	uint8_t *seat = &call->action.args[LEAVE_SEAT];

	if (call->tries > 0)
		*seat = (uint8_t)call_seat_of(game, call->leaving_hash);
	else if (table_is_taken(&call->table, *seat))
		memcpy(call->leaving_hash, game->seats[*seat - 1].token_hash,
		       TOKEN_HASH_SIZE);
	call->action.args[LEAVE_ABSENT] = players_are_absent(call, *seat);
}

bool decide_is_last(const struct call *call)
{
	return table_is_last(&call->table, call->action.args[LEAVE_SEAT]) &&
	       call->seat == call->action.args[LEAVE_SEAT];
}

/* What the rules want of a body may depend on how the game stands. */
static void explain(struct call *call)
{
	const struct table *table = &call->table;
	struct fault fault = table->rules->fault(table->state, &call->action);

	problem_fault(call->req,
	              arena_printf(&call->req->arena, "/%s", fault.member),
	              fault.code, fault.detail);
}

/* Whom a player may remove. */
static void tell_who_may_remove(struct call *call)
{
	bool host_may = table_host_may_remove(&call->table);
	const char *who = host_may ? "The host may remove any player; another "
	                             "player may remove"
	                           : "During this game a player may remove";

	if (call->table.absence_s)
		call->req->detail = arena_printf(
			&call->req->arena,
			"%s only a player whom the game waits for and who has "
			"not been heard of for %u seconds.",
			who, (unsigned)call->table.absence_s);
	else if (!host_may)
		call->req->detail = "During this game nobody can be removed; "
				    "it has no absence_seconds.";
}

enum err decide_move(struct call *call, const uint8_t *seed)
{
	struct rng rng;
	struct events events = { .count = 0 };

	rng_init(&rng, seed);
	call->action.seat = (uint8_t)call->seat;
	enum err err = table_apply(&call->table, &call->action, &rng, &events);
	if (err == ERR_INVALID && call->action.verb >= VERB_OF_RULESET)
		explain(call);
	if ((err == ERR_NOT_HOST || err == ERR_NOT_ALLOWED_NOW) &&
	    call->action.verb == VERB_LEAVE &&
	    call->action.args[LEAVE_SEAT] != call->seat)
		tell_who_may_remove(call);
	if (err)
		return err;

	call->move = (struct store_move){ .game = &call->next };
	lay_out_events(call, &events);
	seal(call, &rng, &call->events[0]);
	lay_out_game(call);
	call->move.events = call->events;
	call->move.events_count = events.count;
	/* A rematch is remembered with the game that it was asked of. */
	if (!call->ended)
		err = idempotency_record(call, &call->move.key);
	if (err)
		return err;
	if (call->action.verb == VERB_LEAVE)
		return leave_seat(call);
	return call->name.text ? join_seat(call) : ERR_OK;
}

/* A game that is about to be made: its id, its code and what is given. */
static bool open_next(struct call *call)
{
	uint8_t rng[10];

	if (!random_bytes(rng, sizeof(rng)) || !invite_draw(call->code))
		return false;
	call->game_id = uuid_make((uint64_t)(clock_wall_us() / 1000), rng);
	uuid_print(call->game_id, call->game_text);
	call->next = (struct store_game){
		.id = call->game_id,
		.ruleset = call->table.rules->number,
		.rules_version = call->table.rules->rules_version,
		.is_public = call->table.is_public,
		.spectators = call->table.spectators,
		.absence_s = call->table.absence_s,
		.creator_address =
			call->table.is_public ? call->req->address : NULL,
		.invite_code = call->code,
	};
	call->table.version = 0;
	call->table.seats = 0;
	return true;
}

enum err decide_creation(struct call *call, const uint8_t *seed)
{
	if (!open_next(call))
		return ERR_INTERNAL;
	call->seat = 0;
	return decide_move(call, seed);
}

/* --- rematches ----------------------------------------------------------- */

/* Who asks twice is told where the others are. */
static enum err refuse_rematch(struct call *call, enum err err)
{
	char id[UUID_TEXT_LEN + 1];

	if (err != ERR_ALREADY_USED)
		return err;
	uuid_print(call->loaded->rematch, id);
	problem_link(call->req, "rematch",
	             arena_printf(&call->req->arena, "%s", id),
	             games_path_of(call, id));
	return err;
}

/* What the body asks of the new game, and cannot have. */
static void explain_rematch(struct call *call, enum err err)
{
	const struct ruleset *rules = call->table.rules;
	struct arena *arena = &call->req->arena;
	unsigned seats = call->rematch_seats;

	if (err == ERR_NOT_ALLOWED_NOW) {
		call->req->detail = arena_printf(
			arena,
			"%u players are at the table, so the rematch needs at "
			"least %u seats; a player who does not go on leaves "
			"this game first.",
			table_players(&call->table),
			table_players(&call->table));
		return;
	}
	if (call->rematch_mode && !rules->modes[0])
		problem_fault(call->req, "/mode", "not_allowed",
		              "This game has no modes.");
	if (seats && (seats < rules->seats_min || seats > rules->seats_max))
		problem_fault(call->req, "/seats", "out_of_range",
		              arena_printf(arena,
		                           "A whole number from %u to %u.",
		                           rules->seats_min, rules->seats_max));
}

/* The table at which they go on: the same rules, nobody there yet. */
static enum err clear_table(struct call *call)
{
	struct table *table = &call->table;
	void *state = arena_zalloc(&call->req->arena, table->rules->state_size);
	enum err err =
		table_start_rematch(table, call->rematch_mode,
	                            call->rematch_seats, state, &call->action);

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

/* Vacant seats are left behind. */
static void close_up(struct call *call, const struct table *ended)
{
	for (unsigned seat = 1; seat <= ended->seats; seat++) {
		if (table_is_taken(ended, seat))
			call->next.seats[table_closed_up(ended, seat) - 1] =
				call->ended->loaded->seats[seat - 1];
	}
}

/* What has ended, for whose event the id of the new one is known by now. */
static enum err decide_ended(struct call *call, struct ended *ended,
                             const uint8_t *seed)
{
	call->action = (struct action){ .verb = VERB_REMATCH };
	memcpy(call->action.args, call->game_id.bytes, REMATCH_ID_SIZE);
	enum err err = decide_move(call, seed);
	if (err)
		return refuse_rematch(call, err);
	ended->loaded = call->loaded;
	ended->next = call->next;
	ended->move = call->move;
	ended->move.game = &ended->next;
	ended->move.key.location = call->game_id;
	return ERR_OK;
}

enum err decide_rematch(struct call *call, const uint8_t *seed)
{
	struct ended *ended = arena_zalloc(&call->req->arena, sizeof(*ended));
	unsigned seat = call->seat;
	struct table table = call->table;
	enum err err;

	if (!open_next(call))
		return ERR_INTERNAL;
	struct store_game created = call->next;

	call->table = table;
	err = decide_ended(call, ended, seed);
	if (err)
		return err;
	call->ended = ended;
	call->next = created;
	call->next.rematch_of = ended->loaded->id;
	close_up(call, &table);
	call->loaded = NULL;
	call->seat = 0;
	err = clear_table(call);
	if (!err)
		err = decide_move(call, seed);
	call->seat = table_closed_up(&table, seat);
	return err;
}

void decide_forget(struct call *call)
{
	if (call->ended)
		call->game_id = call->ended->loaded->id;
	call->ended = NULL;
	call->presence = NULL;
	call->presence_count = 0;
}
