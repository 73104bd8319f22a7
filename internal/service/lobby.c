/*
 * GET /v1/games: the public games that wait for players, newest first.  A page
 * ends with a cursor, the id of the last game that the database read, and
 * the next page begins below it; a game that was filtered out moves the cursor
 * too.
 */
#include <string.h>

#include "http/problem.h"
#include "service/answer.h"
#include "service/game.h"
#include "service/handler.h"
#include "service/query_param.h"
#include "service/rulesets.h"

enum { LIMIT_STANDARD = 50, LISTED_JSON_MAX = 1024 };

static void decode_ruleset(struct call *call)
{
	size_t count;
	const char *const *codes = rulesets_codes(&count);
	size_t chosen = query_param_choice(call, "ruleset", codes, count);

	if (chosen < count)
		call->wanted.lobby.ruleset = rulesets_at(chosen)->rules->number;
}

static void decode_mode(struct call *call)
{
	size_t count;
	const char *const *codes = rulesets_modes(&count);
	size_t chosen = query_param_choice(call, "mode", codes, count);

	if (chosen < count)
		call->wanted.lobby.mode = codes[chosen];
}

static void decode_cursor(struct call *call)
{
	const char *text = http_query(call->req, "cursor");

	memset(call->wanted.lobby.before.bytes, 0xff,
	       sizeof(call->wanted.lobby.before.bytes));
	if (text && !uuid_parse(text, strlen(text), &call->wanted.lobby.before))
		problem_query_fault(
			call->req, "cursor", "not_allowed",
			"A cursor comes from a \"Link\" of this list.");
}

enum err decode_lobby(struct call *call)
{
	decode_ruleset(call);
	decode_mode(call);
	decode_cursor(call);
	call->wanted.lobby.free_seats =
		query_param_number(call, "free_seats", 1, STORE_SEATS_MAX, 1);
	call->wanted.lobby.limit =
		query_param_number(call, "limit", 1, STORE_LISTED_MAX,
	                           LIMIT_STANDARD);
	return ERR_OK;
}

/* How the rounds of a listed game end, which only its state says. */
static bool read_round_end(const struct store_listed *game,
                           const struct ruleset *rules, struct arena *arena,
                           const char **round_end)
{
	struct arena_mark mark = arena_mark(arena);
	void *state = arena_zalloc(arena, rules->state_size);
	bool is_read = rules->decode(state, game->state, game->state_len);

	if (is_read)
		*round_end = rules->standing(state).round_end;
	arena_rewind(arena, mark);
	return is_read;
}

/* A damaged game is left out: nobody could join it. */
static bool print_listed(const struct store_listed *game, struct arena *arena,
                         struct json_out *out)
{
	const struct ruleset *rules = rulesets_find(game->ruleset);
	const char *round_end;
	char id[UUID_TEXT_LEN + 1];

	if (!rules)
		return false;
	if (!read_round_end(game, rules, arena, &round_end))
		return true;
	uuid_print(game->id, id);
	json_object(out);
	json_key_string(out, "id", id);
	json_key_string(out, "ruleset", rules->code);
	json_key_string_or_null(out, "mode", game->mode);
	json_key_string_or_null(out, "round_end", round_end);
	json_key_string_or_null(out, "host", game->host);
	json_key_int(out, "seats", game->seats_max);
	json_key_int(out, "free_seats", game->seats_max - game->seats_count);
	json_key_bool(out, "spectators", game->spectators);
	answer_time(out, "created_at", game->created_us);
	json_object_end(out);
	return true;
}

/* The same query with the next cursor. */
static void link_next(struct call *call)
{
	struct arena *arena = &call->req->arena;
	char id[UUID_TEXT_LEN + 1];
	const char *link;

	uuid_print(call->page.next, id);
	link = arena_printf(arena, "<%s?cursor=%s&limit=%u",
	                    http_path(call->req, "/v1/games"), id,
	                    call->wanted.lobby.limit);
	for (size_t i = 0; i < call->req->queries_count; i++) {
		const struct http_query *query = &call->req->queries[i];

		/* The values are codes and numbers: nothing to escape. */
		if (strcmp(query->name, "cursor") != 0 &&
		    strcmp(query->name, "limit") != 0)
			link = arena_printf(arena, "%s&%s=%s", link,
			                    query->name, query->value);
	}
	http_header(call->req, "Link",
	            arena_printf(arena, "%s>; rel=\"next\"", link));
}

enum err encode_lobby(struct call *call)
{
	struct json_out out;

	answer_begin(call, &out, (call->page.count + 1) * LISTED_JSON_MAX);
	json_object(&out);
	json_key_array(&out, "games");
	for (size_t i = 0; i < call->page.count; i++) {
		if (!print_listed(&call->page.games[i], &call->req->arena,
		                  &out))
			return ERR_INTERNAL;
	}
	json_array_end(&out);
	json_object_end(&out);
	if (!uuid_is_none(call->page.next))
		link_next(call);
	http_header(call->req, "Cache-Control", "no-cache");
	return answer_end(call, &out, 200);
}
