/*
 * Tokens have no index but within a game, so finding one reads all seats.  On a
 * database that is spread over several servers that statement asks all of them;
 * the others name their game.
 *
 * The public data of events goes in the transaction of the change, since the
 * conflict of that one shows whether the log has grown since it was read.
 */
#include "admin/erase.h"

#include <stdio.h>

#include "admin/admin_query.h"
#include "postgres/move_params.h"
#include "postgres/schema.h"

static const char find_text[] =
	"SELECT game_id FROM gangd.seat WHERE token_hash = $1 ORDER BY game_id";

static const char forget_text[] =
	"SELECT gangd.forget_player(the_game => $1, the_seat => $2)";

static const char events_text[] =
	"UPDATE gangd.event SET public_data = NULL"
	" WHERE game_id = $1 AND version = ANY($2::integer[])";

static const char report_text[] =
	"INSERT INTO gangd.commit_report (process, number, games, versions)"
	" VALUES (gen_random_uuid(), 1, ARRAY[$1::uuid], ARRAY[$2::integer])";

/* A part of the ETag of all that shows the game, also if nobody has moved. */
static const char touch_text[] =
	"UPDATE gangd.game SET updated_at = now(), revision = revision + 1"
	" WHERE game_id = $1";

enum finding erase_find_games(struct admin *admin,
                              const uint8_t hash[STORE_HASH_SIZE],
                              struct arena *arena, const struct uuid **games,
                              size_t *count)
{
	struct params params = { .bytes = NULL };

	move_params_hash(&params, hash);
	PGresult *res = admin_query(admin, find_text, &params);
	if (!res)
		return FINDING_UNKNOWN;
	*count = (size_t)PQntuples(res);
	struct uuid *found =
		arena_zalloc(arena, (*count + 1) * sizeof(struct uuid));
	for (size_t i = 0; i < *count; i++) {
		struct row row;

		row_init(&row, res, (int)i);
		found[i] = row_uuid(&row);
	}
	PQclear(res);
	*games = found;
	return *count ? FINDING_FOUND : FINDING_ABSENT;
}

enum finding erase_find_game(struct admin *admin, struct uuid id)
{
	struct params params = { .bytes = NULL };

	params_uuid(&params, id);
	PGresult *res =
		admin_query(admin, "SELECT FROM gangd.game WHERE game_id = $1",
	                    &params);
	if (!res)
		return FINDING_UNKNOWN;
	enum finding finding =
		PQntuples(res) == 1 ? FINDING_FOUND : FINDING_ABSENT;
	PQclear(res);
	return finding;
}

static enum store_result commit_change(const struct admin *admin,
                                       const struct store_move *move)
{
	struct params params = { .bytes = NULL };

	move_params_seats(&params, move);
	PGresult *res =
		admin_query(admin, schema_query_text("change_seats"), &params);
	if (!res)
		return STORE_BROKEN;
	bool is_done = PQntuples(res) == 1 && !PQgetisnull(res, 0, 0);
	PQclear(res);
	return is_done ? STORE_OK : STORE_CONFLICT;
}

/* Remove the player's subscriptions and client reference, too. */
static bool forget_player(const struct admin *admin,
                          const struct store_move *move)
{
	struct params params = { .bytes = NULL };

	params_uuid(&params, move->game->id);
	params_int2(&params, move->change.seat);
	return admin_change(admin, forget_text, &params);
}

/* As a daemon reports what it has committed: waiters learn of it soon. */
static bool report(const struct admin *admin, const struct store_game *game)
{
	struct params params = { .bytes = NULL };

	params_uuid(&params, game->id);
	params_int4(&params, game->version);
	return admin_change(admin, report_text, &params);
}

static bool remove_events(const struct admin *admin,
                          const struct erase_events *events)
{
	struct params params = { .bytes = NULL };
	struct params game = { .bytes = NULL };

	if (events->count == 0)
		return true;
	params_uuid(&game, events->game);
	if (!admin_change(admin, touch_text, &game))
		return false;
	params_uuid(&params, events->game);
	params_array(&params, PARAMS_UINT32, events->versions,
	             sizeof(*events->versions), events->count);
	return admin_change(admin, events_text, &params);
}

enum store_result erase_commit(struct admin *admin,
                               const struct store_move *move,
                               const struct erase_events *events)
{
	struct params none = { .bytes = NULL };
	enum store_result result = STORE_OK;

	if (!admin_change(admin, "BEGIN", &none))
		return STORE_BROKEN;
	if (move)
		result = commit_change(admin, move);
	if (move && result == STORE_OK &&
	    !(forget_player(admin, move) && report(admin, move->game)))
		result = STORE_BROKEN;
	if (result == STORE_OK && !remove_events(admin, events))
		result = STORE_BROKEN;
	if (result == STORE_OK)
		return admin_commit(admin);
	if (!admin_change(admin, "ROLLBACK", &none))
		result = STORE_BROKEN;
	return result;
}
