/*
 * seating.c - name, avatar and token of a seat.  The rules know the seat alone:
 * they emit an event that has no data, and this file adds the texts.  They are
 * lines: the name; if a player joins or changes, the avatar (empty: none); if a
 * bot joins, its level; if a player changes, the earlier name (empty: the
 * same). No name and no avatar has a line feed.
 */
#include "service/seating.h"

#include <string.h>

#include "base/random.h"
#include "http/problem.h"
#include "service/bot_seats.h"

enum { REFERENCE_MAX = 128 };

/* --- reading -------------------------------------------------------------- */

static void note_fault(struct call *call, const char *pointer,
                       enum name_fault fault)
{
	if (fault)
		problem_fault(call->req, pointer, name_fault_code(fault),
		              name_fault_detail(fault));
}

void seating_decode_name(struct call *call, bool name_needed)
{
	const char *name = body_string(call->body, "name", name_needed);

	if (name)
		note_fault(call, "/name",
		           name_parse(name, &call->req->arena,
		                      &call->wanted.name));
}

void seating_decode(struct call *call, bool name_needed)
{
	seating_decode_name(call, name_needed);
	const char *avatar = body_string_or_null(call->body, "avatar");

	if (avatar)
		note_fault(call, "/avatar", name_check_avatar(avatar));
	call->wanted.avatar = avatar;
	call->wanted.keeps_avatar = !body_has(call->body, "avatar");
}

/* Any text: only its length counts, in characters. */
void seating_decode_reference(struct call *call)
{
	const char *text = body_string_or_null(call->body, "client_reference");
	size_t characters = 0;

	for (const char *at = text; at && *at; at++)
		characters += ((unsigned char)*at & 0xc0) != 0x80;
	if (text && !text[0])
		problem_fault(call->req, "/client_reference", "too_short",
		              "A reference has at least 1 character.");
	if (characters > REFERENCE_MAX)
		problem_fault(call->req, "/client_reference", "too_long",
		              "A reference has at most 128 characters.");
	call->wanted.client_reference = text;
}

/* --- deciding ------------------------------------------------------------- */

/* A name is taken if that of another player, after the move, looks the same. */
static enum err check_name(struct call *call, unsigned seat)
{
	const struct store_game *game = call->decided.next;

	for (unsigned i = 0; i < game->seats_count; i++) {
		const char *other = game->seats[i].name;

		if (!other || i + 1 == seat ||
		    !name_is_like(&call->wanted.name, other, &call->req->arena))
			continue;
		problem_fault(call->req, "/name", "taken",
		              "Somebody in this game has that name, or one "
		              "that looks like it.");
		return ERR_INVALID;
	}
	return ERR_OK;
}

void seating_free(struct store_game *game, unsigned seat, bool closes_up)
{
	struct store_seat *seats = game->seats;

	if (closes_up)
		memmove(&seats[seat - 1], &seats[seat],
		        (STORE_SEATS_MAX - seat) * sizeof(*seats));
	else
		seats[seat - 1] = (struct store_seat){ .name = NULL };
}

/* The seat of the first decided event of a type; 0: there is none. */
static uint8_t seat_of(const struct call *call, unsigned type)
{
	const struct store_move *move = &call->decided.move;

	for (size_t i = 0; i < move->events_count; i++) {
		if (move->events[i].type == type)
			return move->events[i].seat;
	}
	return 0;
}

/*
 * A player may leave by the same move: a bot of a full lobby, or the player who
 * gives the seat to a bot.
 */
static void free_for_another(struct call *call)
{
	uint8_t left = seat_of(call, EVENT_PLAYER_LEFT);
	bool closes_up = call->wanted.action.verb == VERB_JOIN;

	if (!left)
		return;
	call->decided.move.leave = (struct store_leave){
		.seat = left,
		.closes_up = closes_up,
	};
	seating_free(call->decided.next, left, closes_up);
}

static void take_seat(struct call *call, const struct store_join *join)
{
	struct store_seat *next = &call->decided.next->seats[join->seat - 1];

	*next = (struct store_seat){
		.name = join->name,
		.avatar = join->avatar,
		.bot_level = join->bot_level,
	};
	memcpy(next->token_hash, join->token_hash, TOKEN_HASH_SIZE);
}

/* The caller; of a creation, the first of those who join. */
static enum err join(struct call *call)
{
	call->caller.seat = seat_of(call, EVENT_PLAYER_JOINED);
	free_for_another(call);
	call->decided.move.join = (struct store_join){
		.seat = (uint8_t)call->caller.seat,
		.name = call->wanted.name.text,
		.name_key = call->wanted.name.key,
		.avatar = call->wanted.avatar,
		.token_hash = call->wanted.token.hash,
		.client_reference = call->wanted.client_reference,
	};
	take_seat(call, &call->decided.move.join);
	return check_name(call, call->caller.seat);
}

/* Seat the bots of a new game, after its host. */
static enum err join_bots(struct call *call)
{
	size_t count = call->wanted.action.args[CREATE_BOTS];
	struct arena *arena = &call->req->arena;
	struct store_join *bots = arena_zalloc(arena, count * sizeof(*bots));
	uint8_t *hashes = arena_alloc(arena, count * TOKEN_HASH_SIZE);

	if (!count)
		return ERR_OK;
	if (!random_bytes(hashes, count * TOKEN_HASH_SIZE))
		return ERR_INTERNAL;
	for (size_t i = 0; i < count; i++) {
		struct name name = bot_seats_name(call->decided.next, arena,
		                                  hashes[i * TOKEN_HASH_SIZE]);

		bots[i] = (struct store_join){
			.seat = (uint8_t)(i + 2),
			.name = name.text,
			.name_key = name.key,
			.token_hash = hashes + i * TOKEN_HASH_SIZE,
			.bot_level = call->wanted.bot_level,
		};
		take_seat(call, &bots[i]);
	}
	call->decided.move.bots = bots;
	call->decided.move.bots_count = count;
	return ERR_OK;
}

/* Its token_hash is random bytes: see bot_seats.c. */
static enum err seat_bot(struct call *call)
{
	unsigned seat = seat_of(call, EVENT_PLAYER_JOINED);
	struct store_join *bot = &call->decided.move.join;
	struct name name = call->wanted.name;

	free_for_another(call);
	if (!name.text)
		name = bot_seats_name(call->decided.next, &call->req->arena,
		                      call->wanted.token.hash[0]);
	*bot = (struct store_join){
		.seat = (uint8_t)seat,
		.name = name.text,
		.name_key = name.key,
		.token_hash = call->wanted.token.hash,
		.bot_level = call->wanted.bot_level,
	};
	take_seat(call, bot);
	call->wanted.bot_seat = seat;
	if (call->decided.move.leave.seat)
		call->caller.seat = 0;
	return call->wanted.name.text ? check_name(call, seat) : ERR_OK;
}

static enum err change(struct call *call)
{
	unsigned seat = call->caller.seat;
	struct store_seat *next = &call->decided.next->seats[seat - 1];

	if (call->wanted.name.text)
		next->name = call->wanted.name.text;
	if (!call->wanted.keeps_avatar)
		next->avatar = call->wanted.avatar;
	call->decided.move.change = (struct store_change){
		.seat = (uint8_t)seat,
		.name = call->wanted.name.text,
		.name_key = call->wanted.name.key,
		.avatar = next->avatar,
	};
	return call->wanted.name.text ? check_name(call, seat) : ERR_OK;
}

static void renew_token(struct call *call)
{
	unsigned seat = call->caller.seat;

	memcpy(call->decided.next->seats[seat - 1].token_hash,
	       call->wanted.token.hash, TOKEN_HASH_SIZE);
	call->decided.move.renewal = (struct store_renewal){
		.seat = (uint8_t)seat,
		.token_hash = call->wanted.token.hash,
	};
}

enum err seating_decide(struct call *call)
{
	enum err err;

	switch (call->wanted.action.verb) {
	case VERB_CREATE:
		err = join(call);
		return err ? err : join_bots(call);
	case VERB_JOIN:
		return join(call);
	case VERB_SEAT_BOT:
		return seat_bot(call);
	case VERB_CHANGE_PLAYER:
		return change(call);
	case VERB_RENEW_TOKEN:
		renew_token(call);
		return ERR_OK;
	default:
		return ERR_OK;
	}
}

/* --- events --------------------------------------------------------------- */

/* Only a player who joins has no game before. */
static const char *text_of(const struct call *call,
                           const struct store_event *event)
{
	const struct store_seat *now =
		&call->decided.next->seats[event->seat - 1];
	struct arena *arena = &call->req->arena;
	const char *avatar = now->avatar ? now->avatar : "";

	if (event->type == EVENT_PLAYER_JOINED && now->bot_level)
		return arena_printf(arena, "%s\n%s\n%s", now->name, avatar,
		                    bot_seats_level(now->bot_level));
	if (event->type == EVENT_PLAYER_JOINED)
		return arena_printf(arena, "%s\n%s", now->name, avatar);
	const char *before = call->game.loaded->seats[event->seat - 1].name;
	if (event->type == EVENT_PLAYER_LEFT)
		return before;
	bool is_renamed = strcmp(now->name, before) != 0;
	return arena_printf(arena, "%s\n%s\n%s", now->name, avatar,
	                    is_renamed ? before : "");
}

void seating_name_events(struct call *call)
{
	for (size_t i = 0; i < call->decided.move.events_count; i++) {
		struct store_event *event = &call->decided.events[i];

		if (!event_has_names(event->type))
			continue;
		const char *text = text_of(call, event);
		event->public_data = (const uint8_t *)text;
		event->public_len = strlen(text);
	}
}

/* The next line; NULL if it is empty or past the last. */
static const char *take_line(char **lines)
{
	char *line = *lines;
	char *feed = line ? strchr(line, '\n') : NULL;

	if (feed)
		*feed++ = '\0';
	*lines = feed;
	return line && line[0] ? line : NULL;
}

/* Print the next line as a member, or null. */
static void print_line(char **lines, const char *member, struct json_out *out)
{
	json_key_string_or_null(out, member, take_line(lines));
}

bool seating_print_event(const struct store_event *event, struct arena *arena,
                         struct json_out *out)
{
	const char *bytes = (const char *)event->public_data;
	char *lines = NULL;
	unsigned level;

	if (bytes && !name_is_text(event->public_data, event->public_len))
		return false;
	if (bytes)
		lines = arena_strndup(arena, bytes, event->public_len);
	print_line(&lines, "name", out);
	if (event->type != EVENT_PLAYER_LEFT)
		print_line(&lines, "avatar", out);
	if (event->type == EVENT_PLAYER_CHANGED)
		print_line(&lines, "old_name", out);
	if (event->type == EVENT_PLAYER_JOINED) {
		if (!bot_seats_parse_level(take_line(&lines), &level))
			return false;
		bot_seats_print(level, out);
	}
	return !lines;
}
