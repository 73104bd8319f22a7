/*
 * The routes of players: GET …/players, PATCH …/players/{seat} and POST
 * …/players/{seat}/token.  The first has the time when each was last seen.  It
 * changes without a version, so it is loaded apart (call->game.last_seen) and
 * only when a request depends on it: this route, and the removal of an absent
 * player.  The database notes it in steps of STORE_LAST_SEEN_STEP_S, so a
 * player counts as absent one step later than the game says.
 */
#include "service/players.h"

#include "base/clock.h"
#include "http/problem.h"
#include "service/answer.h"
#include "service/bot_seats.h"
#include "service/handler.h"
#include "service/seating.h"

/* A name and an avatar of quotation marks, and the rest. */
enum { PLAYER_JSON_MAX = 1536 };

void players_print(const struct call *call, unsigned seat, struct json_out *out)
{
	json_key_int(out, "seat", seat);
	json_key_string_or_null(out, "name",
	                        call->game.loaded->seats[seat - 1].name);
	json_key_string_or_null(out, "avatar",
	                        call->game.loaded->seats[seat - 1].avatar);
	json_key_bool(out, "host", seat == call->game.table.host);
	json_key_bool(out, "vacant", !table_is_taken(&call->game.table, seat));
	bot_seats_print(call->game.loaded->seats[seat - 1].bot_level, out);
}

/* NULL for a seat that was taken after the times were loaded. */
static const struct store_last_seen *find(const struct call *call,
                                          unsigned seat)
{
	for (size_t i = 0; i < call->game.last_seen_count; i++) {
		if (call->game.last_seen[i].seat == seat)
			return &call->game.last_seen[i];
	}
	return NULL;
}

static void print_seen(const struct call *call, unsigned seat,
                       struct json_out *out)
{
	const struct store_last_seen *player = find(call, seat);

	if (player && !table_is_bot(&call->game.table, seat) &&
	    table_is_taken(&call->game.table, seat))
		answer_time(out, "last_seen_at", player->last_seen_us);
	else
		json_key_null(out, "last_seen_at");
}

enum err encode_players(struct call *call)
{
	struct json_out out;

	answer_begin(call, &out, (size_t)TABLE_SEATS_MAX * PLAYER_JSON_MAX);
	json_object(&out);
	json_key_array(&out, "players");
	for (unsigned seat = 1; seat <= call->game.table.seats; seat++) {
		json_object(&out);
		players_print(call, seat, &out);
		print_seen(call, seat, &out);
		json_object_end(&out);
	}
	json_array_end(&out);
	json_object_end(&out);
	return answer_end(call, &out, 200);
}

enum err decode_change(struct call *call)
{
	seating_decode(call, false);
	if (call->body->json && !body_has(call->body, "name") &&
	    !body_has(call->body, "avatar"))
		problem_fault(call->req, "", "required",
		              "A name, an avatar or both are needed.");
	call->wanted.action.args[CHANGE_SEAT] = (uint8_t)call->path.seat;
	return ERR_OK;
}

/*
 * The old token ends with the commit: if the answer is lost, only the key gets
 * the new one.
 */
enum err decode_renewal(struct call *call)
{
	if (!call->req->idempotency_key)
		problem_header_fault(call->req, "Idempotency-Key", "required",
		                     "A renewal needs a key: if the answer is "
		                     "lost, repeat the request with the same "
		                     "key and the old token.");
	call->wanted.action.args[CHANGE_SEAT] = (uint8_t)call->path.seat;
	return token_draw(&call->wanted.token) ? ERR_OK : ERR_INTERNAL;
}

bool players_needs_last_seen(const struct call *call)
{
	bool may_anyway = call->caller.seat == call->game.table.host &&
	                  table_host_may_remove(&call->game.table);

	return call->game.table.absence_s && !call->game.last_seen &&
	       call->wanted.action.args[LEAVE_SEAT] != call->caller.seat &&
	       !table_is_bot(&call->game.table,
	                     call->wanted.action.args[LEAVE_SEAT]) &&
	       !may_anyway;
}

bool players_is_absent(const struct call *call, unsigned seat)
{
	const struct store_last_seen *player = find(call, seat);
	int64_t most_us =
		((int64_t)call->game.table.absence_s + STORE_LAST_SEEN_STEP_S) *
		CLOCK_US_PER_S;

	/* A bot sends no requests. */
	return call->game.table.absence_s && player &&
	       !table_is_bot(&call->game.table, seat) &&
	       player->now_us - player->last_seen_us >= most_us;
}

int64_t players_last_seen_us(const struct call *call, unsigned seat)
{
	const struct store_last_seen *player = find(call, seat);

	return player ? player->last_seen_us : 0;
}
