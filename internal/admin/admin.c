/*
 * admin.c - the database for the operator's tool.
 *
 * A migration is applied in one transaction with the row that records it, so it
 * is there whole or not at all.  Migrations come first, then all functions
 * together, if one of them has changed.  The advisory lock lets one machine at
 * a time do so.  A digest of each applied file is stored: a migration that
 * differs from the applied one is refused.
 */
#include "admin/admin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <libpq-fe.h>

#include "admin/admin_query.h"
#include "admin/sql_text.h"
#include "base/arena.h"
#include "base/memory.h"
#include "postgres/rows.h"
#include "postgres/schema.h"
#include "postgres/wire.h"

/*
 * While a migration waits for the lock of a table, all later statements on the
 * table wait too.  So it gives up soon, lets them pass, and tries again.
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
	" SET digest = EXCLUDED.digest, applied_at = EXCLUDED.applied_at";

/*
 * Only the roles that need a function may call it: roles that add events call
 * all; those that delete notifications, as gangd-push does, call the ones that
 * run with the caller's rights.  It changes only what is wrong, so a role that
 * does not own the functions can run it too.  Names are qualified: a
 * restored database may have others in the schema "public".
 */
static const char privileges_text[] =
	"DO $$ DECLARE command text; BEGIN"
	" FOR command IN"
	"  SELECT pg_catalog.format('REVOKE EXECUTE ON FUNCTION %s FROM "
	"PUBLIC',"
	"   oid::regprocedure)"
	"  FROM pg_proc WHERE pronamespace = 'gangd'::regnamespace"
	"  AND pg_catalog.has_function_privilege('public', oid, 'EXECUTE')"
	" LOOP EXECUTE command; END LOOP;"
	" FOR command IN"
	"  SELECT pg_catalog.format('GRANT EXECUTE ON FUNCTION %s TO %I',"
	"   p.oid::regprocedure, pg_catalog.pg_get_userbyid(grantee))"
	"  FROM pg_proc AS p CROSS JOIN pg_class AS t"
	"  CROSS JOIN pg_catalog.aclexplode(relacl)"
	"  WHERE pronamespace = 'gangd'::regnamespace AND grantee <> 0"
	"  AND ((t.oid = 'gangd.event'::regclass AND privilege_type = 'INSERT')"
	"   OR (t.oid = 'gangd.notification'::regclass"
	"    AND privilege_type = 'DELETE' AND NOT prosecdef))"
	"  AND NOT pg_catalog.has_function_privilege(grantee, p.oid, 'EXECUTE')"
	" LOOP EXECUTE command; END LOOP;"
	"END $$";

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

/*
 * Run a command; its rows are dropped.  By this call a server refuses a text of
 * several commands.
 */
static bool run(struct admin *admin, const char *text)
{
	admin->was_locked_out = false;
	if (admin_is_lost(admin))
		return false;
	PGresult *res =
		PQexecParams(admin->pg, text, 0, NULL, NULL, NULL, NULL, 0);
	bool good = PQresultStatus(res) == PGRES_COMMAND_OK ||
	            PQresultStatus(res) == PGRES_TUPLES_OK;
	const char *state = PQresultErrorField(res, PG_DIAG_SQLSTATE);

	admin->was_locked_out = state && strcmp(state, "55P03") == 0;
	if (!good && !admin->was_locked_out)
		admin_report(admin, res);
	PQclear(res);
	return good;
}

/* Run the commands of a text one by one. */
static bool run_all(struct admin *admin, const char *text)
{
	struct arena arena;
	bool good = true;
	size_t len;

	arena_init(&arena);
	for (; good && (len = sql_text_command(text)); text += len)
		good = run(admin, arena_strndup(&arena, text, len));
	arena_fini(&arena);
	return good;
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
static enum verdict apply_migration(struct admin *admin,
                                    const struct embedded *file, bool *changed)
{
	uint8_t digest[SCHEMA_DIGEST_SIZE];

	schema_digest_file(file, digest);
	switch (find_record(admin, file->name, digest)) {
	case RECORDED_NOT:
		break;
	case RECORDED_SAME:
		return VERDICT_DONE;
	case RECORDED_OTHER:
		fprintf(stderr,
		        "%s differs from the file that was applied to this "
		        "database; run the gangctl of another release\n",
		        file->name);
		return VERDICT_BAD;
	case RECORDED_UNKNOWN:
		return VERDICT_UNKNOWN;
	}
	*changed = true;
	return run_all(admin, file->bytes) &&
	                       record(admin, file->name, digest) &&
	                       record_compatible(admin, file)
	               ? VERDICT_DONE
	               : VERDICT_UNKNOWN;
}

/* VERDICT_BAD: an older program's functions would not fit the newer tables. */
static enum verdict look_for_newer(const struct admin *admin)
{
	struct params none = { .bytes = NULL };
	PGresult *res = admin_query(admin, schema_query_text("schema"), &none);
	enum verdict verdict = res ? VERDICT_DONE : VERDICT_UNKNOWN;

	for (int row = 0; verdict == VERDICT_DONE && row < PQntuples(res);
	     row++) {
		if (schema_has(PQgetvalue(res, row, 0)))
			continue;
		verdict = VERDICT_BAD;
		fprintf(stderr,
		        "the database has %s, which this gangctl does not "
		        "know; run that of a later release\n",
		        PQgetvalue(res, row, 0));
	}
	PQclear(res);
	return verdict;
}

/* The record of the functions; RECORDED_OTHER too if one was dropped since. */
static enum recorded find_functions(const struct admin *admin,
                                    const uint8_t digest[SCHEMA_DIGEST_SIZE])
{
	struct params none = { .bytes = NULL };
	enum recorded found = find_record(admin, SCHEMA_FUNCTIONS, digest);

	if (found != RECORDED_SAME)
		return found;
	PGresult *res =
		admin_query(admin,
	                    "SELECT proname::text FROM pg_proc"
	                    " WHERE pronamespace = to_regnamespace('gangd')",
	                    &none);
	if (!res)
		return RECORDED_UNKNOWN;
	if (schema_session_trouble(res))
		found = RECORDED_OTHER;
	PQclear(res);
	return found;
}

/*
 * In a transaction: apply all functions if one of them differs, or is gone.  An
 * operator may have changed privileges, so they are set again in any case.
 */
static enum verdict apply_functions(struct admin *admin,
                                    const struct embedded *files, bool *changed)
{
	uint8_t digest[SCHEMA_DIGEST_SIZE];
	enum verdict verdict = look_for_newer(admin);

	if (verdict != VERDICT_DONE)
		return verdict;
	schema_digest_functions(digest);
	switch (find_functions(admin, digest)) {
	case RECORDED_NOT:
	case RECORDED_OTHER:
		break;
	case RECORDED_SAME:
		return run(admin, privileges_text) ? VERDICT_DONE
		                                   : VERDICT_UNKNOWN;
	case RECORDED_UNKNOWN:
		return VERDICT_UNKNOWN;
	}
	for (const struct embedded *file = files; file->name; file++) {
		if (!run_all(admin, file->bytes))
			return VERDICT_UNKNOWN;
	}
	*changed = true;
	return run(admin, privileges_text) &&
	                       record(admin, SCHEMA_FUNCTIONS, digest)
	               ? VERDICT_DONE
	               : VERDICT_UNKNOWN;
}

typedef enum verdict step_fn(struct admin *admin, const struct embedded *file,
                             bool *changed);

/* One try at a step, which changes the schema whole or not at all. */
struct trial {
	enum verdict verdict;
	bool changed;
	bool is_open; /* the answer to COMMIT was lost */
};

static struct trial try_transaction(struct admin *admin, step_fn *step,
                                    const struct embedded *file)
{
	struct trial trial = { .verdict = VERDICT_UNKNOWN };
	enum store_result ended = STORE_BROKEN;

	if (run_all(admin, begin_text))
		trial.verdict = step(admin, file, &trial.changed);
	if (trial.verdict == VERDICT_DONE) {
		ended = admin_commit(admin);
		if (ended != STORE_OK)
			trial.verdict = VERDICT_UNKNOWN;
	} else {
		PQclear(PQexec(admin->pg, "ROLLBACK"));
	}
	trial.is_open = ended == STORE_UNAVAILABLE && trial.changed;
	return trial;
}

/* Do a step, and print what became of it if it changed anything or failed. */
static enum verdict in_transaction(struct admin *admin, step_fn *step,
                                   const struct embedded *file,
                                   const char *name)
{
	struct trial trial = try_transaction(admin, step, file);

	for (unsigned tries = 1; trial.verdict != VERDICT_DONE &&
	                         admin->was_locked_out && tries < LOCK_TRIES;
	     tries++) {
		(void)nanosleep(&lock_pause, NULL);
		trial = try_transaction(admin, step, file);
	}
	if (trial.verdict == VERDICT_DONE) {
		if (trial.changed)
			printf("applied %s\n", name);
		return trial.verdict;
	}
	if (admin->was_locked_out)
		fprintf(stderr,
		        "another transaction has locked a table; find it in "
		        "pg_stat_activity, end it and migrate again\n");
	if (trial.is_open)
		fprintf(stderr,
		        "%s: all of it was applied, or nothing; run gangctl "
		        "migrate again, which applies what is missing\n",
		        name);
	else
		fprintf(stderr, "%s: nothing of it was applied\n", name);
	return trial.verdict;
}

enum verdict admin_migrate(struct admin *admin)
{
	enum verdict verdict = VERDICT_DONE;

	for (const struct embedded *file = embed_migrations;
	     file->name && verdict == VERDICT_DONE; file++)
		verdict = in_transaction(admin, apply_migration, file,
		                         file->name);
	if (verdict == VERDICT_DONE)
		verdict = in_transaction(admin, apply_functions,
		                         embed_functions, SCHEMA_FUNCTIONS);
	if (verdict == VERDICT_DONE)
		printf("the schema is up to date\n");
	return verdict;
}
