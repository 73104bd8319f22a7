/*
 * The routes of every game: create, read, join, start, leave, invitations and
 * hands.  A decoder fills in call->wanted and collects the faults of the body;
 * an encoder prints call->game through the caller's view.
 *
 * When a move wakes a thousand waiters, most of them see the same view, and so
 * do many readers of one game.  So each thread keeps the last view printed for
 * each seat, and for spectators, with its entity-tag, which names game, version
 * and seat: requests with that tag get copies of the text.  It is kept for one
 * tick of the loop only, since a name may be erased without a new version.
 */
#include "service/games.h"

#include <string.h>

#include "http/problem.h"
#include "service/answer.h"
#include "service/bot_seats.h"
#include "service/game.h"
#include "service/handler.h"
#include "service/players.h"
#include "service/rulesets.h"
#include "service/seating.h"
#include "service/stored_game.h"
#include "table/legal.h"

/* The shortest is longer than the longest wait for a change. */
enum {
	ABSENCE_MIN_S = 120,
	ABSENCE_DEFAULT_S = 600,
	ABSENCE_MAX_S = 7 * 24 * 60 * 60,
};

enum err decode_nothing(struct call *call)
{
	(void)call;
	return ERR_OK;
}

enum err decode_leave(struct call *call)
{
	call->wanted.action.args[LEAVE_SEAT] = (uint8_t)call->path.seat;
	return ERR_OK;
}

/* Any ruleset's mode: which this game has is known once it is loaded. */
enum err decode_rematch(struct call *call)
{
	size_t count;
	const char *const *modes = rulesets_modes(&count);
	size_t mode = body_choice(call->body, "mode", modes, count, count);

	if (mode < count)
		call->wanted.rematch_mode = modes[mode];
	call->wanted.rematch_seats =
		(unsigned)body_int(call->body, "seats", 2, TABLE_SEATS_MAX, 0);
	return ERR_OK;
}

/* --- sitting down -------------------------------------------------------- */

/* Read the name of a new player, and draw the player's token. */
enum err decode_player(struct call *call)
{
	seating_decode(call, true);
	seating_decode_reference(call);
	return token_draw(&call->wanted.token) ? ERR_OK : ERR_INTERNAL;
}

enum err decode_join(struct call *call)
{
	enum err err = decode_player(call);
	const char *code = body_string(call->body, "invite_code", false);

	/* A malformed code counts as a wrong one. */
	if (code && !invite_parse(code, strlen(code), call->path.code))
		call->path.code[0] = '\0';
	return err;
}

static const struct ruleset *decode_ruleset(struct body *body,
                                            struct options *options)
{
	size_t count;
	const char *const *codes = rulesets_codes(&count);
	const struct game *game =
		rulesets_at(body_choice(body, "ruleset", codes, count, 0));

	if (game->decode_options)
		game->decode_options(body, options);
	return game->rules;
}

enum err decode_create(struct call *call)
{
	static const char *const visibilities[] = { "private", "public" };
	struct table *table = &call->game.table;
	struct options options = { 0 };
	enum err err = decode_player(call);

	table->rules = decode_ruleset(call->body, &options);
	int64_t seats =
		body_int(call->body, "seats", table->rules->seats_min,
	                 table->rules->seats_max, table->rules->seats_max);
	table->is_public = body_choice(call->body, "visibility", visibilities,
	                               ARRAY_LEN(visibilities), 0) == 1;
	table->spectators = body_bool(call->body, "spectators", false);
	table->absence_s =
		(uint32_t)body_int_or_null(call->body, "absence_seconds",
	                                   ABSENCE_MIN_S, ABSENCE_MAX_S,
	                                   ABSENCE_DEFAULT_S);
	table->state =
		arena_zalloc(&call->req->arena, table->rules->state_size);
	call->wanted.action.args[CREATE_SEATS] = (uint8_t)seats;
	action_set_options(&call->wanted.action, options.bytes);
	bot_seats_decode(call, (unsigned)seats);
	return err;
}

/* --- the view ------------------------------------------------------------ */

/* The last view that was printed for a seat, with paths below a prefix. */
struct last_view {
	char etag[CALL_ETAG_SIZE];
	char prefix[HTTP_PREFIX_MAX + 1];
	uint64_t tick; /* in which it was printed; 0: there is none */
	size_t len;
	char text[ANSWER_VIEW_MAX];
};

static _Thread_local struct last_view last_views[TABLE_SEATS_MAX + 1];
static _Thread_local uint64_t tick = 1;

void games_forget_views(void)
{
	tick++;
}

const char *games_path_of(struct call *call, const char *id)
{
	const char *prefix = call->req->prefix;

	return arena_printf(&call->req->arena, "%s/v1/games/%s",
	                    prefix ? prefix : "", id);
}

const char *games_path(struct call *call)
{
	return games_path_of(call, call->game.text);
}

static void print_players(const struct call *call, struct json_out *out)
{
	json_key_array(out, "players");
	for (unsigned seat = 1; seat <= call->game.table.seats; seat++) {
		json_object(out);
		players_print(call, seat, out);
		json_object_end(out);
	}
	json_array_end(out);
}

static void print_you(struct call *call, const void *view, struct json_out *out)
{
	const struct table *table = &call->game.table;
	const char *path = games_path(call);

	json_object(out);
	json_key_int(out, "seat", call->caller.seat);
	table->rules->print_you(view, out);
	json_key_array(out, "legal_actions");
	if (!table_check_start(table, call->caller.seat))
		legal_print(out, "start", path, "/start");
	table->rules->print_legal(view, path, out);
	if (!table_check_bot(table, call->caller.seat))
		bot_seats_print_legal(path, out);
	if (!table_check_rematch(table))
		legal_print(out, "rematch", path, "/rematch");
	json_array_end(out);
	json_object_end(out);
}

/* Another game of the same players, or null. */
static void print_other(struct call *call, const char *name, struct uuid id,
                        struct json_out *out)
{
	char text[UUID_TEXT_LEN + 1];

	json_key(out, name);
	if (uuid_is_none(id)) {
		json_null(out);
		return;
	}
	uuid_print(id, text);
	json_object(out);
	json_key_string(out, "id", text);
	json_key_string(out, "href", games_path_of(call, text));
	json_object_end(out);
}

void games_print(struct call *call, struct json_out *out)
{
	const struct table *table = &call->game.table;
	const void *view = stored_game_view(call);

	json_object(out);
	json_key_string(out, "id", call->game.text);
	json_key_string(out, "ruleset", table->rules->code);
	json_key_string_or_null(out, "mode", table->mode);
	json_key_string_or_null(out, "round_end", table->round_end);
	json_key_int(out, "version", table->version);
	json_key_string(out, "status", status_code(table->status));
	json_key_string(out, "visibility",
	                table->is_public ? "public" : "private");
	json_key_bool(out, "spectators", table->spectators);
	json_key_int_or_null(out, "absence_seconds", table->absence_s);
	json_key_int(out, "seats", table->seats_max);
	answer_time(out, "created_at", call->game.loaded->created_us);
	answer_time(out, "updated_at", call->game.updated_us);
	print_players(call, out);
	table->rules->print_view(view, out);
	json_key(out, "you");
	if (call->caller.seat)
		print_you(call, view, out);
	else
		json_null(out);
	print_other(call, "rematch", call->game.loaded->rematch, out);
	print_other(call, "rematch_of", call->game.loaded->rematch_of, out);
	json_object_end(out);
}

enum err encode_view(struct call *call)
{
	struct last_view *last = &last_views[call->caller.seat];
	const char *prefix = call->req->prefix ? call->req->prefix : "";
	struct json_out out;

	if (last->tick != tick || strcmp(last->etag, call->game.etag) != 0 ||
	    strcmp(last->prefix, prefix) != 0) {
		last->tick = 0;
		json_out_init(&out, last->text, sizeof(last->text));
		games_print(call, &out);
		if (!json_out_fits(&out))
			return ERR_INTERNAL;
		last->tick = tick;
		last->len = json_out_len(&out);
		memcpy(last->etag, call->game.etag, sizeof(last->etag));
		memcpy(last->prefix, prefix, strlen(prefix) + 1);
	}
	char *copy = arena_alloc(&call->req->arena, last->len);
	memcpy(copy, last->text, last->len);
	answer_text(call, MEDIA_JSON, copy, last->len);
	return ERR_OK;
}

enum err encode_created(struct call *call)
{
	enum err err = encode_view(call);

	call->req->reply.status = 201;
	http_header(call->req, "Location", games_path(call));
	return err;
}

/* The only answer that holds a token: of a player who sits down or renews it.
 */
enum err encode_seated(struct call *call)
{
	struct json_out out;

	answer_begin(call, &out, ANSWER_VIEW_MAX);
	json_object(&out);
	json_key(&out, "game");
	games_print(call, &out);
	json_key_int(&out, "seat", call->caller.seat);
	json_key_string(&out, "token", call->wanted.token.text);
	if (call->route->shape == SHAPE_CREATE)
		json_key_string(&out, "invite_code",
		                call->game.loaded->invite_code);
	json_object_end(&out);
	http_header(call->req, "Location", games_path(call));
	http_header(call->req, "ETag", call->game.etag);
	http_header(call->req, "Cache-Control", "no-store");
	return answer_end(call, &out, 201);
}

enum err encode_no_content(struct call *call)
{
	call->req->reply.status = 204;
	return ERR_OK;
}

/* --- invitations --------------------------------------------------------- */

enum err encode_invitation(struct call *call)
{
	unsigned free_seats = table_free_seats(&call->game.table);
	struct json_out out;

	answer_begin(call, &out, 256);
	json_object(&out);
	json_key(&out, "invite_code");
	json_string_or_null(&out,
	                    free_seats ? call->game.loaded->invite_code : NULL);
	json_key_int(&out, "free_seats", free_seats);
	json_object_end(&out);
	return answer_end(call, &out, 200);
}

enum err encode_invited(struct call *call)
{
	const struct table *table = &call->game.table;
	struct json_out out;

	answer_begin_offer(call, &out);
	json_key_string_or_null(&out, "round_end", table->round_end);
	json_key_string(&out, "status", status_code(table->status));
	json_key_string_or_null(&out, "host",
	                        call->game.loaded->seats[table->host - 1].name);
	json_key_int(&out, "seats", table->seats_max);
	json_key_int(&out, "free_seats", table_free_seats(table));
	json_object_end(&out);
	http_header(call->req, "Cache-Control", "no-store");
	return answer_end(call, &out, 200);
}

/* --- hands --------------------------------------------------------------- */

enum err encode_hand(struct call *call)
{
	unsigned seat = call->path.seat ? call->path.seat : call->caller.seat;
	struct json_out out;

	if (seat > call->game.table.seats)
		return ERR_NO_SUCH_SEAT;
	answer_begin(call, &out, 512);
	json_object(&out);
	json_key_int(&out, "seat", seat);
	if (!call->game.table.rules->print_hand(stored_game_view(call), seat,
	                                        &out))
		return ERR_NOT_YOUR_HAND;
	json_object_end(&out);
	return answer_end(call, &out, 200);
}
