/*
 * admin.c - the database for the operator's tool.
 *
 * A migration is applied in one transaction with the row that records it, so it
 * is there whole or not at all.  Migrations come first, then all functions
 * together, if one of them has changed.  The advisory lock lets one machine at
 * a time do so.  A digest of each applied file is stored: a migration that
 * differs from the applied one is refused.
 */
#include "store/admin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <libpq-fe.h>

#include "base/memory.h"
#include "store/admin_query.h"
#include "store/rows.h"
#include "store/schema.h"
#include "store/wire.h"

/*
 * All later statements on a table wait behind a migration that waits for its
 * lock.  So the migration gives up soon, lets them pass, and tries again.
 */
enum { LOCK_TRIES = 120 };
static const struct timespec lock_pause = { .tv_nsec = 500000000 };

/*
 * Begins every transaction that changes the schema: one machine at a time (the
 * number is arbitrary), and as the schema's owner if the role that migrates may
 * act for it.
 */
static const char begin_text[] =
	"BEGIN;"
	"SELECT pg_advisory_xact_lock(7453010308);"
	"SELECT set_config('role', pg_get_userbyid(nspowner), true)"
	" FROM pg_namespace"
	" WHERE nspname = 'gangd' AND pg_has_role(nspowner, 'MEMBER');"
	"SELECT set_config('lock_timeout', '200ms', true)";

static const char compatible_text[] =
	"UPDATE gangd.schema_migration SET compatible_from = $2"
	" WHERE name = $1";

static const char record_text[] =
	"INSERT INTO gangd.schema_migration (name, digest) VALUES ($1, $2)"
	" ON CONFLICT (name) DO UPDATE"
	" SET digest = EXCLUDED.digest, applied_at = now()";

/* --- asking and waiting --------------------------------------------------- */

struct admin *admin_open(const char *url)
{
	char reason[SCHEMA_REASON_MAX];
	PGconn *pg = schema_connect(url, "gangctl", NULL, reason);

	if (!pg) {
		fprintf(stderr, "cannot reach the database: %s\n", reason);
		return NULL;
	}
	PQsetErrorVerbosity(pg, PQERRORS_TERSE);
	struct admin *admin = xcalloc(1, sizeof(*admin));
	admin->pg = pg;
	return admin;
}

void admin_close(struct admin *admin)
{
	if (!admin)
		return;
	PQfinish(admin->pg);
	free(admin);
}

/* Run one command or several; their rows are dropped. */
static bool run(struct admin *admin, const char *text)
{
	PGresult *res = PQexec(admin->pg, text);
	bool good = PQresultStatus(res) == PGRES_COMMAND_OK ||
	            PQresultStatus(res) == PGRES_TUPLES_OK;
	const char *state = PQresultErrorField(res, PG_DIAG_SQLSTATE);

	admin->was_locked_out = state && strcmp(state, "55P03") == 0;
	if (!good && !admin->was_locked_out)
		fprintf(stderr, "the database refused: %s",
		        PQresultErrorMessage(res));
	PQclear(res);
	return good;
}

bool admin_change(const struct admin *admin, const char *text,
                  struct params *params)
{
	PGresult *res = admin_query(admin, text, params);

	PQclear(res);
	return res != NULL;
}

/* --- migrations ----------------------------------------------------------- */

enum recorded { RECORDED_NOT, RECORDED_SAME, RECORDED_OTHER, RECORDED_UNKNOWN };

/* Before the first migration there is nowhere to record it. */
static bool has_records(const struct admin *admin, bool *has)
{
	struct params none = { .bytes = NULL };
	PGresult *res = admin_query(
		admin, "SELECT to_regclass('gangd.schema_migration')", &none);

	if (!res)
		return false;
	*has = !PQgetisnull(res, 0, 0);
	PQclear(res);
	return true;
}

static enum recorded find_record(const struct admin *admin, const char *name,
                                 const uint8_t digest[SCHEMA_DIGEST_SIZE])
{
	struct params params = { .bytes = NULL };
	enum recorded found = RECORDED_NOT;
	struct row row;
	bool has;

	if (!has_records(admin, &has))
		return RECORDED_UNKNOWN;
	if (!has)
		return RECORDED_NOT;
	params_text(&params, name);
	params_bytes(&params, digest, SCHEMA_DIGEST_SIZE);
	PGresult *res =
		admin_query(admin,
	                    "SELECT digest = $2 FROM gangd.schema_migration"
	                    " WHERE name = $1",
	                    &params);
	if (!res)
		return RECORDED_UNKNOWN;
	if (PQntuples(res) > 0) {
		row_init(&row, res, 0);
		found = row_bool(&row) ? RECORDED_SAME : RECORDED_OTHER;
	}
	PQclear(res);
	return found;
}

static bool record(const struct admin *admin, const char *name,
                   const uint8_t digest[SCHEMA_DIGEST_SIZE])
{
	struct params params = { .bytes = NULL };

	params_text(&params, name);
	params_bytes(&params, digest, SCHEMA_DIGEST_SIZE);
	return admin_change(admin, record_text, &params);
}

/* Migrations without the line are older than the column. */
static bool record_compatible(const struct admin *admin,
                              const struct embedded *file)
{
	struct params params = { .bytes = NULL };
	char number[SCHEMA_NUMBER_LEN + 1];

	if (!schema_compatible_from(file, number))
		return true;
	params_text(&params, file->name);
	params_text(&params, number);
	return admin_change(admin, compatible_text, &params);
}

/* In a transaction: apply one migration if it is missing. */
static bool apply_migration(struct admin *admin, const struct embedded *file,
                            bool *changed)
{
	uint8_t digest[SCHEMA_DIGEST_SIZE];

	schema_digest_file(file, digest);
	switch (find_record(admin, file->name, digest)) {
	case RECORDED_NOT:
		break;
	case RECORDED_SAME:
		return true;
	case RECORDED_OTHER:
		fprintf(stderr,
		        "%s differs from the file that was applied to this "
		        "database; run the gangctl of another release\n",
		        file->name);
		return false;
	case RECORDED_UNKNOWN:
		return false;
	}
	*changed = true;
	return run(admin, file->bytes) && record(admin, file->name, digest) &&
	       record_compatible(admin, file);
}

/* An older program's functions would not fit a newer program's tables. */
static bool is_not_newer(const struct admin *admin)
{
	struct params none = { .bytes = NULL };
	PGresult *res = admin_query(admin, schema_query_text("schema"), &none);
	bool known = res != NULL;

	for (int row = 0; known && row < PQntuples(res); row++) {
		known = schema_has(PQgetvalue(res, row, 0));
		if (!known)
			fprintf(stderr,
			        "the database has %s, which this gangctl does "
			        "not know; run that of a later release\n",
			        PQgetvalue(res, row, 0));
	}
	PQclear(res);
	return known;
}

/* In a transaction: apply all functions if one of them is another. */
static bool apply_functions(struct admin *admin, const struct embedded *files,
                            bool *changed)
{
	uint8_t digest[SCHEMA_DIGEST_SIZE];

	if (!is_not_newer(admin))
		return false;
	schema_digest_functions(digest);
	switch (find_record(admin, SCHEMA_FUNCTIONS, digest)) {
	case RECORDED_NOT:
	case RECORDED_OTHER:
		break;
	case RECORDED_SAME:
		return true;
	case RECORDED_UNKNOWN:
		return false;
	}
	for (const struct embedded *file = files; file->name; file++) {
		if (!run(admin, file->bytes))
			return false;
	}
	*changed = true;
	return record(admin, SCHEMA_FUNCTIONS, digest);
}

typedef bool step_fn(struct admin *admin, const struct embedded *file,
                     bool *changed);

static bool try_transaction(struct admin *admin, step_fn *step,
                            const struct embedded *file, bool *changed)
{
	*changed = false;
	if (run(admin, begin_text) && step(admin, file, changed) &&
	    run(admin, "COMMIT"))
		return true;
	PQclear(PQexec(admin->pg, "ROLLBACK"));
	return false;
}

/* Do a step whole or not at all, and print its name if it changed anything. */
static bool in_transaction(struct admin *admin, step_fn *step,
                           const struct embedded *file, const char *name)
{
	bool changed;

	for (unsigned tries = 1;; tries++) {
		if (try_transaction(admin, step, file, &changed)) {
			if (changed)
				printf("applied %s\n", name);
			return true;
		}
		if (!admin->was_locked_out || tries == LOCK_TRIES)
			break;
		(void)nanosleep(&lock_pause, NULL);
	}
	if (admin->was_locked_out)
		fprintf(stderr,
		        "another transaction has locked a table; find it in "
		        "pg_stat_activity, end it and migrate again\n");
	fprintf(stderr, "%s: nothing of it was applied\n", name);
	return false;
}

bool admin_migrate(struct admin *admin)
{
	for (const struct embedded *file = embed_migrations; file->name;
	     file++) {
		if (!in_transaction(admin, apply_migration, file, file->name))
			return false;
	}
	if (!in_transaction(admin, apply_functions, embed_functions,
	                    SCHEMA_FUNCTIONS))
		return false;
	printf("the schema is up to date\n");
	return true;
}

/* --- games ---------------------------------------------------------------- */

/*
 * Ask with a statement of sql/queries about one game, which has a row; its
 * parameters are freed.  rows says how to read it.
 */
static bool ask_game(const struct admin *admin, struct params *params,
                     struct rows rows, struct store_answer *answer)
{
	PGresult *res =
		admin_query(admin, schema_query_text(rows.statement), params);

	if (!res)
		return false;
	rows.res = res;
	rows.count = PQntuples(res);
	rows.if_none = STORE_NONE;
	*answer = rows_read(&rows);
	PQclear(res);
	if (answer->result == STORE_NONE)
		fprintf(stderr, "there is no such game, or it has no events\n");
	return answer->result == STORE_OK;
}

bool admin_load(struct admin *admin, struct uuid id, struct arena *arena,
                struct store_game *game)
{
	struct rows rows = { .statement = "load",
		             .reader = rows_read_game,
		             .arena = arena,
		             .game = id };
	struct params params = { .bytes = NULL };
	struct store_answer answer;

	params_uuid(&params, id);
	params_bool(&params, false);
	if (!ask_game(admin, &params, rows, &answer))
		return false;
	*game = *answer.game;
	return true;
}

bool admin_events(struct admin *admin, struct uuid id, struct arena *arena,
                  const struct store_event **events, size_t *count)
{
	struct rows rows = { .statement = "events_replay",
		             .reader = rows_read_replay,
		             .arena = arena,
		             .game = id };
	struct params params = { .bytes = NULL };
	struct store_answer answer;

	params_uuid(&params, id);
	if (!ask_game(admin, &params, rows, &answer))
		return false;
	*events = answer.events;
	*count = answer.count;
	return true;
}

bool admin_replay_webhooks(struct admin *admin, const char *since,
                           uint64_t *count)
{
	struct params params = { .bytes = NULL };

	params_text(&params, since);
	PGresult *res = admin_query(admin, schema_query_text("replay_webhooks"),
	                            &params);
	if (!res)
		return false;
	*count = (uint64_t)PQntuples(res);
	PQclear(res);
	return true;
}
