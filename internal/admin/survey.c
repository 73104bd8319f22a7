/*
 * survey.c - asks a database for the facts of survey.def, one after the other.
 *
 * Each fact has a statement of its own, so that one that a role may not see
 * leaves the others known.  asks[] and facts[] have the order of survey.def.
 * All facts begin as unknown; only an answer makes one found or absent.
 */
#include "admin/survey.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <libpq-fe.h>

#include "base/clock.h"
#include "base/macros.h"
#include "base/memory.h"
#include "postgres/pooler.h"
#include "postgres/schema.h"

enum { MB = 1048576 };

/* The powers of a role beyond its grants; "": none. */
static const char powers_sql[] =
	"SELECT concat_ws(', ',"
	" CASE WHEN rolsuper THEN 'SUPERUSER' END,"
	" CASE WHEN rolcreaterole THEN 'CREATEROLE' END,"
	" CASE WHEN rolcreatedb THEN 'CREATEDB' END,"
	" CASE WHEN rolreplication THEN 'REPLICATION' END,"
	" CASE WHEN rolbypassrls THEN 'BYPASSRLS' END,"
	" (SELECT string_agg(other.rolname, ', ' ORDER BY other.rolname)"
	"  FROM pg_roles AS other"
	"  WHERE NOT own.rolsuper AND pg_has_role(other.oid, 'MEMBER')"
	"  AND other.rolname IN ('pg_read_all_data', 'pg_write_all_data',"
	"   'pg_read_server_files', 'pg_write_server_files',"
	"   'pg_execute_server_program')))"
	" FROM pg_roles AS own WHERE rolname = current_user";

enum asker { ASKER_NONE, ASKER_APP, ASKER_OWNER, ASKER_PUSH, ASKER_COUNT };

static const struct {
	const char *name;
	enum asker asker;
	const char *sql;
} asks[] = {
#define FOUND(name) { #name, ASKER_NONE, NULL },
#define PARAMETER(name) \
	{ #name, ASKER_APP, "SELECT current_setting('" #name "')" },
#define ASK(name, asker, sql) { #name, ASKER_##asker, sql },
#include "admin/survey.def"
};

const char *survey_name(enum survey_fact fact)
{
	return asks[fact].name;
}

/* --- answers -------------------------------------------------------------- */

static struct survey_answer found(const char *text)
{
	return (struct survey_answer){ .finding = text[0] ? FINDING_FOUND
		                                          : FINDING_ABSENT,
		                       .text = text };
}

static struct survey_answer unknown(const char *why)
{
	return (struct survey_answer){ .text = why };
}

static const char *copy(struct arena *arena, const char *text)
{
	return arena_strndup(arena, text, strlen(text));
}

static bool is_state(const PGresult *res, const char *wanted)
{
	const char *state = PQresultErrorField(res, PG_DIAG_SQLSTATE);

	return state && strcmp(state, wanted) == 0;
}

/* The unknown answer to a statement that failed, and why. */
static struct survey_answer refused(struct arena *arena, const PGresult *res)
{
	const char *message = PQresultErrorField(res, PG_DIAG_MESSAGE_PRIMARY);
	struct survey_answer answer =
		unknown(message ? copy(arena, message)
	                        : "the connection to the database was lost");

	answer.is_denied = is_state(res, "42501");
	return answer;
}

/* --- what a connection says  ---------------------------------------------- */

static const char *option_value(const PQconninfoOption *options,
                                const char *keyword)
{
	while (options->keyword && strcmp(options->keyword, keyword) != 0)
		options++;
	return options->keyword && options->val ? options->val : "";
}

/* The word with this number of a list with commas; "" past its end. */
static const char *list_word(struct arena *arena, const char *list,
                             unsigned number)
{
	while (number > 0 && *list) {
		list += strcspn(list, ",");
		list += *list == ',';
		number--;
	}
	return arena_strndup(arena, list, strcspn(list, ","));
}

static unsigned list_count(const char *list)
{
	unsigned count = 1;

	for (const char *at = list; *at; at++)
		count += *at == ',';
	return count;
}

/* True if a server answers at this host; it may be a standby. */
static bool host_answers(struct arena *arena, const char *url,
                         const PQconninfoOption *options, unsigned number)
{
	const char *host = option_value(options, "host");
	const char *hostaddr = option_value(options, "hostaddr");
	const char *port = option_value(options, "port");
	/* Options after dbname override the connection string. */
	const char *const names[] = { "connect_timeout",
		                      "dbname",
		                      "host",
		                      "hostaddr",
		                      "port",
		                      "target_session_attrs",
		                      "fallback_application_name",
		                      NULL };
	const char *const values[] = {
		"2",
		url,
		list_word(arena, host, number),
		list_word(arena, hostaddr, number),
		list_word(arena, port, list_count(port) > 1 ? number : 0),
		"any",
		"gangctl",
		NULL
	};
	PGconn *pg = PQconnectdbParams(names, values, 1);

	memory_expect(pg);
	bool answers = PQstatus(pg) == CONNECTION_OK;
	PQfinish(pg);
	return answers;
}

static void try_hosts(struct survey *survey, struct arena *arena,
                      const char *url, const PQconninfoOption *options)
{
	const char *host = option_value(options, "host");
	const char *list = host[0] ? host : option_value(options, "hostaddr");
	unsigned count = list_count(list);
	const char *away = "";

	survey->facts[SURVEY_hosts] = found(arena_printf(arena, "%u", count));
	for (unsigned i = 0; count > 1 && i < count; i++) {
		if (!host_answers(arena, url, options, i))
			away = arena_printf(arena, "%s%s%s", away,
			                    away[0] ? ", " : "",
			                    list_word(arena, list, i));
	}
	survey->facts[SURVEY_hosts_away] = found(away);
}

static bool is_local(const PGconn *pg)
{
	const char *host = PQhost(pg);
	const char *address = PQhostaddr(pg);

	return host[0] == '/' || host[0] == '@' ||
	       strncmp(address, "127.", 4) == 0 || strcmp(address, "::1") == 0;
}

static void look_at_connection(struct survey *survey, struct arena *arena,
                               const char *url, PGconn *pg)
{
	PQconninfoOption *options = PQconninfo(pg);

	memory_expect(options);
	survey->facts[SURVEY_is_local] = found(is_local(pg) ? "yes" : "no");
	survey->facts[SURVEY_used_password] =
		found(PQconnectionUsedPassword(pg) ? "yes" : "no");
	survey->facts[SURVEY_sslmode] =
		found(copy(arena, option_value(options, "sslmode")));
	survey->facts[SURVEY_attributes] = found(
		copy(arena, option_value(options, "target_session_attrs")));
	try_hosts(survey, arena, url, options);
	PQconninfoFree(options);
}

/* --- what the server says  ------------------------------------------------ */

/* NULL, and no row at all, are absent. */
static struct survey_answer ask(PGconn *pg, struct arena *arena,
                                const char *sql)
{
	PGresult *res = PQexec(pg, sql);
	struct survey_answer answer;

	if (PQresultStatus(res) != PGRES_TUPLES_OK)
		answer = refused(arena, res);
	else if (PQntuples(res) > 0)
		answer = found(copy(arena, PQgetvalue(res, 0, 0)));
	else
		answer = found("");
	PQclear(res);
	return answer;
}

static bool has_all(const PGresult *res)
{
	for (const struct embedded *file = embed_migrations; file->name;
	     file++) {
		int row = 0;

		while (row < PQntuples(res) &&
		       strcmp(PQgetvalue(res, row, 0), file->name) != 0)
			row++;
		if (row == PQntuples(res))
			return false;
	}
	return true;
}

static bool has_unknown(const PGresult *res)
{
	for (int row = 0; row < PQntuples(res); row++) {
		if (!schema_has(PQgetvalue(res, row, 0)))
			return true;
	}
	return false;
}

/* "none" without the schema or its first table. */
static struct survey_answer compare_schema(PGconn *pg, struct arena *arena)
{
	PGresult *res = PQexecParams(pg, schema_query_text("schema"), 0, NULL,
	                             NULL, NULL, NULL, 1);
	struct survey_answer answer = found("older");

	if (is_state(res, "42501"))
		answer = found("denied");
	else if (is_state(res, "3F000") || is_state(res, "42P01"))
		answer = found("none");
	else if (PQresultStatus(res) != PGRES_TUPLES_OK)
		answer = refused(arena, res);
	else if (schema_is_known(res))
		answer = found(has_unknown(res) ? "later" : "same");
	else if (has_all(res) && has_unknown(res))
		answer = found("unknown");
	PQclear(res);
	return answer;
}

/* True for the errors of a statement that does not fit the schema or grants. */
static bool is_misfit(const char *state)
{
	return state &&
	       (strncmp(state, "42", 2) == 0 || strncmp(state, "3F", 2) == 0);
}

/* Prepare what the daemon prepares. */
static struct survey_answer find_refused(PGconn *pg, struct arena *arena)
{
	struct survey_answer answer = found("");
	char name[SCHEMA_NAME_MAX];

	for (const struct embedded *query = embed_queries;
	     query->name && answer.finding == FINDING_ABSENT; query++) {
		schema_query_name(query, name);
		PGresult *res = PQprepare(pg, name, query->bytes, 0, NULL);
		const char *state = PQresultErrorField(res, PG_DIAG_SQLSTATE);

		if (PQresultStatus(res) != PGRES_COMMAND_OK)
			answer = is_misfit(state)
			                 ? found(arena_printf(arena, "%s: %s",
			                                      name, state))
			                 : refused(arena, res);
		PQclear(res);
	}
	return answer;
}

/* Do what the daemon does before it trusts a new session. */
static struct survey_answer find_function_trouble(PGconn *pg,
                                                  struct arena *arena)
{
	PGresult *res = PQexecParams(pg, schema_query_text("check_session"), 0,
	                             NULL, NULL, NULL, NULL, 1);
	const char *trouble = schema_session_trouble(res);
	const char *message = PQresultErrorField(res, PG_DIAG_MESSAGE_PRIMARY);
	struct survey_answer answer =
		found(trouble ? arena_printf(arena, "%s%s%s", trouble,
	                                     message ? " " : "",
	                                     message ? message : "")
	                      : "");

	if (trouble && !PQresultErrorField(res, PG_DIAG_SQLSTATE) &&
	    PQresultStatus(res) != PGRES_TUPLES_OK)
		answer = refused(arena, res);
	PQclear(res);
	return answer;
}

static struct survey_answer find_pooler(PGconn *pg, const char *url)
{
	switch (pooler_look(pg, url, NULL, -1)) {
	case POOLER_NONE:
		return found("none");
	case POOLER_FIT:
		return found("fit");
	case POOLER_UNFIT:
		return found("unfit");
	case POOLER_UNKNOWN:
		break;
	}
	return unknown("no answer in time");
}

static struct survey_answer compare_clocks(PGconn *pg, struct arena *arena)
{
	int64_t before = clock_wall_us();
	struct survey_answer theirs =
		ask(pg, arena,
	            "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)"
	            "::bigint");
	int64_t after = clock_wall_us();

	if (theirs.finding != FINDING_FOUND)
		return theirs;
	int64_t time = strtoll(theirs.text, NULL, 10);
	/* The answer was made between the two: only what lies outside counts.
	 */
	int64_t skew = time < before  ? time - before
	               : time > after ? time - after
	                              : 0;
	return found(arena_printf(arena, "%lld", (long long)skew / 1000));
}

/*
 * The data of a server on this machine: absent if this user cannot reach them,
 * or they are elsewhere.
 */
static void look_at_disk(struct survey *survey, struct arena *arena)
{
	const struct survey_answer *folder =
		&survey->facts[SURVEY_data_directory];
	bool is_here = strcmp(survey->facts[SURVEY_is_local].text, "yes") == 0;
	struct survey_answer *left = &survey->facts[SURVEY_disk_free_mb];
	struct survey_answer *all = &survey->facts[SURVEY_disk_mb];
	struct statvfs disk;

	*left = *all = is_here ? *folder : found("");
	if (left->finding != FINDING_FOUND)
		return;
	if (statvfs(folder->text, &disk) != 0) {
		*left = *all = found("");
		return;
	}
	unsigned long long unit = disk.f_frsize;
	*all = found(arena_printf(arena, "%llu", disk.f_blocks * unit / MB));
	*left = found(arena_printf(arena, "%llu", disk.f_bavail * unit / MB));
}

/* NULL: *refusal says why. */
static PGconn *connect_as(struct arena *arena, const char *url,
                          struct survey_answer *refusal)
{
	char reason[SCHEMA_REASON_MAX];
	PGconn *pg = url ? schema_connect(url, "gangctl", NULL, reason) : NULL;

	*refusal = found(url && !pg ? copy(arena, reason) : "");
	return pg;
}

/* A fact whose asker has no connection stays unknown. */
static void ask_all(struct survey *survey, struct arena *arena,
                    PGconn *const askers[ASKER_COUNT])
{
	for (size_t i = 0; i < ARRAY_LEN(asks); i++) {
		PGconn *pg = askers[asks[i].asker];

		if (pg)
			survey->facts[i] = ask(pg, arena, asks[i].sql);
	}
}

/* Through an unfit pooler, which statements are there depends on chance. */
static void look_through_pooler(struct survey *survey, struct arena *arena,
                                const char *url, PGconn *pg)
{
	struct survey_answer pooler = find_pooler(pg, url);
	const char *why_not = NULL;

	/* An answer that has not come may be on its way. */
	if (pooler.finding == FINDING_UNKNOWN)
		why_not = "the connection gave no answer";
	else if (pooler.finding == FINDING_FOUND &&
	         strcmp(pooler.text, "unfit") == 0)
		why_not = "the pooler loses prepared statements";
	survey->facts[SURVEY_pooler] = pooler;
	survey->facts[SURVEY_statement] =
		why_not ? unknown(why_not) : find_refused(pg, arena);
}

void survey_database(struct survey *survey, struct arena *arena,
                     const struct survey_urls *urls)
{
	for (size_t i = 0; i < SURVEY_COUNT; i++)
		survey->facts[i] = unknown("nobody could be asked");
	PGconn *app =
		connect_as(arena, urls->app, &survey->facts[SURVEY_refusal]);
	PGconn *owner = connect_as(arena, urls->owner,
	                           &survey->facts[SURVEY_owner_refusal]);
	PGconn *push = connect_as(arena, urls->push,
	                          &survey->facts[SURVEY_push_refusal]);
	if (app) {
		PGconn *const askers[ASKER_COUNT] = {
			[ASKER_APP] = app,
			[ASKER_OWNER] = owner ? owner : app,
			[ASKER_PUSH] = push,
		};

		ask_all(survey, arena, askers);
		look_at_connection(survey, arena, urls->app, app);
		look_at_disk(survey, arena);
		survey->facts[SURVEY_clock_skew_ms] =
			compare_clocks(app, arena);
		survey->facts[SURVEY_schema] = compare_schema(app, arena);
		survey->facts[SURVEY_function] =
			find_function_trouble(app, arena);
		look_through_pooler(survey, arena, urls->app, app);
	}
	PQfinish(push);
	PQfinish(owner);
	PQfinish(app);
}
