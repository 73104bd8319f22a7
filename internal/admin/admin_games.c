/*
 * admin_games.c - games and their events for the operator's tool, and the
 * webhook's notifications.  Each function is one statement.
 */
#include <stdio.h>
#include <string.h>

#include <libpq-fe.h>

#include "admin/admin.h"
#include "admin/admin_query.h"
#include "postgres/rows.h"
#include "postgres/schema.h"
#include "postgres/wire.h"

/*
 * Ask with a statement of sql/queries about one game, which has a row; its
 * parameters are freed.  rows says how to read it.
 */
static enum finding ask_game(const struct admin *admin, struct params *params,
                             struct rows rows, struct store_answer *answer)
{
	PGresult *res =
		admin_query(admin, schema_query_text(rows.statement), params);

	if (!res)
		return FINDING_UNKNOWN;
	rows.res = res;
	rows.count = PQntuples(res);
	rows.if_none = STORE_NONE;
	*answer = rows_read(&rows);
	PQclear(res);
	if (answer->result == STORE_OK)
		return FINDING_FOUND;
	if (answer->result == STORE_NONE) {
		fprintf(stderr, "there is no such game, or it has no events\n");
		return FINDING_ABSENT;
	}
	fprintf(stderr, "a row of the game cannot be read; the line above "
	                "says why\n");
	return FINDING_UNKNOWN;
}

enum finding admin_load(struct admin *admin, struct uuid id,
                        struct arena *arena, struct store_game *game)
{
	struct rows rows = { .statement = "load",
		             .reader = rows_read_game,
		             .arena = arena,
		             .game = id };
	struct params params = { .bytes = NULL };
	struct store_answer answer;

	params_uuid(&params, id);
	params_bool(&params, false);
	params_null(&params);
	enum finding finding = ask_game(admin, &params, rows, &answer);
	if (finding == FINDING_FOUND)
		*game = *answer.game;
	return finding;
}

enum finding admin_events(struct admin *admin, struct uuid id,
                          struct arena *arena,
                          const struct store_event **events, size_t *count)
{
	struct rows rows = { .statement = "events_replay",
		             .reader = rows_read_replay,
		             .arena = arena,
		             .game = id };
	struct params params = { .bytes = NULL };
	struct store_answer answer;

	params_uuid(&params, id);
	enum finding finding = ask_game(admin, &params, rows, &answer);
	if (finding == FINDING_FOUND) {
		*events = answer.events;
		*count = answer.count;
	}
	return finding;
}

/* True for the errors of a text that is not a time (SQLSTATE 22...). */
static bool is_no_time(const PGresult *res)
{
	const char *state = PQresultErrorField(res, PG_DIAG_SQLSTATE);

	return state && strncmp(state, "22", 2) == 0;
}

enum verdict admin_replay_webhooks(struct admin *admin, const char *since,
                                   uint64_t *count)
{
	struct params params = { .bytes = NULL };
	enum verdict verdict = VERDICT_DONE;

	params_text(&params, since);
	PGresult *res =
		admin_ask(admin, schema_query_text("replay_webhooks"), &params);
	if (PQresultStatus(res) == PGRES_TUPLES_OK) {
		*count = (uint64_t)PQntuples(res);
	} else {
		admin_report(admin, res);
		verdict = is_no_time(res) ? VERDICT_BAD : VERDICT_UNKNOWN;
	}
	PQclear(res);
	if (verdict == VERDICT_BAD)
		fprintf(stderr,
		        "nothing is sent again: TIME is \"%s\"; expected: such "
		        "as 2026-01-31T12:00:00Z\n",
		        since);
	else if (verdict == VERDICT_UNKNOWN && !admin_is_lost(admin))
		fprintf(stderr, "nothing is sent again\n");
	else if (verdict == VERDICT_UNKNOWN)
		fprintf(stderr, "the notifications are sent again, or none of "
		                "them is; run the command again: a repeated "
		                "notification has the same id\n");
	return verdict;
}
