/*
 * survey.c - asks a database for the facts of survey.def, one after the other.
 *
 * Each fact has a statement of its own, so that one that a role may not see
 * leaves the others known.  asks[] and facts[] have the order of survey.def.
 */
#include "store/survey.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <libpq-fe.h>

#include "base/clock.h"
#include "base/macros.h"
#include "base/memory.h"
#include "store/schema.h"

enum { HOSTS_MAX = 16, MB = 1048576 };

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

enum asker { ASKER_NONE, ASKER_APP, ASKER_OWNER, ASKER_PUSH, ASKERS };

static const struct {
	const char *name;
	enum asker asker;
	const char *sql;
} asks[] = {
#define FOUND(name) { #name, ASKER_NONE, NULL },
#define PARAMETER(name) \
	{ #name, ASKER_APP, "SELECT current_setting('" #name "')" },
#define ASK(name, asker, sql) { #name, ASKER_##asker, sql },
#include "store/survey.def"
};

const char *survey_name(enum survey_fact fact)
{
	return asks[fact].name;
}

static const char *copy(struct arena *arena, const char *text)
{
	return text ? arena_strndup(arena, text, strlen(text)) : NULL;
}

/* --- what a connection tells ---------------------------------------------- */

static const char *option_value(const PQconninfoOption *options,
                                const char *keyword)
{
	while (options->keyword && strcmp(options->keyword, keyword) != 0)
		options++;
	return options->keyword && options->val ? options->val : "";
}

/* The word with this number of a list with commas; "" behind its end. */
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

/* True if a server answers at one of the hosts, be it a standby. */
static bool host_answers(struct arena *arena, const char *url,
                         const PQconninfoOption *options, unsigned number)
{
	const char *host = option_value(options, "host");
	const char *hostaddr = option_value(options, "hostaddr");
	const char *port = option_value(options, "port");
	/* Options behind dbname override the connection string. */
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

	survey->facts[SURVEY_hosts] = arena_printf(arena, "%u", count);
	for (unsigned i = 0; count > 1 && i < count && i < HOSTS_MAX; i++) {
		if (!host_answers(arena, url, options, i))
			away = arena_printf(arena, "%s%s%s", away,
			                    away[0] ? ", " : "",
			                    list_word(arena, list, i));
	}
	survey->facts[SURVEY_hosts_away] = away;
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
	survey->facts[SURVEY_is_local] = is_local(pg) ? "yes" : "no";
	survey->facts[SURVEY_used_password] =
		PQconnectionUsedPassword(pg) ? "yes" : "no";
	survey->facts[SURVEY_sslmode] =
		copy(arena, option_value(options, "sslmode"));
	survey->facts[SURVEY_attributes] =
		copy(arena, option_value(options, "target_session_attrs"));
	try_hosts(survey, arena, url, options);
	PQconninfoFree(options);
}

/* --- what the server tells ------------------------------------------------ */

static const char *ask(PGconn *pg, struct arena *arena, const char *sql)
{
	PGresult *res = PQexec(pg, sql);
	const char *value = NULL;

	if (PQresultStatus(res) == PGRES_TUPLES_OK)
		value = PQntuples(res) > 0 ? copy(arena, PQgetvalue(res, 0, 0))
		                           : "";
	PQclear(res);
	return value;
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

static const char *compare_schema(PGconn *pg)
{
	PGresult *res = PQexecParams(pg, schema_query_text("schema"), 0, NULL,
	                             NULL, NULL, NULL, 1);
	const char *state = PQresultErrorField(res, PG_DIAG_SQLSTATE);
	const char *found = "older";

	if (PQresultStatus(res) != PGRES_TUPLES_OK)
		found = state && strcmp(state, "42501") == 0 ? "denied"
		                                             : "none";
	else if (schema_is_known(res))
		found = has_unknown(res) ? "later" : "same";
	else if (has_all(res) && has_unknown(res))
		found = "unknown";
	PQclear(res);
	return found;
}

/* Prepare what the daemon prepares. */
static const char *find_refused(PGconn *pg, struct arena *arena)
{
	const char *refused = "";
	char name[SCHEMA_NAME_MAX];

	for (const struct embedded *query = embed_queries;
	     query->name && !refused[0]; query++) {
		schema_query_name(query, name);
		PGresult *res = PQprepare(pg, name, query->bytes, 0, NULL);
		const char *state = PQresultErrorField(res, PG_DIAG_SQLSTATE);

		if (PQresultStatus(res) != PGRES_COMMAND_OK)
			refused = arena_printf(arena, "%s: %s", name,
			                       state ? state : "no answer");
		PQclear(res);
	}
	return refused;
}

static const char *compare_clocks(PGconn *pg, struct arena *arena)
{
	int64_t before = clock_wall_us();
	const char *text =
		ask(pg, arena,
	            "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)"
	            "::bigint");
	int64_t after = clock_wall_us();

	if (!text)
		return NULL;
	int64_t theirs = strtoll(text, NULL, 10);
	/* The answer was made between the two: only what lies outside counts.
	 */
	int64_t skew = theirs < before  ? theirs - before
	               : theirs > after ? theirs - after
	                                : 0;
	return arena_printf(arena, "%lld", (long long)skew / 1000);
}

/* The data of a server on this machine, if this user may reach them. */
static void look_at_disk(struct survey *survey, struct arena *arena)
{
	const char *folder = survey->facts[SURVEY_data_directory];
	const char *local = survey->facts[SURVEY_is_local];
	struct statvfs disk;

	if (!folder || !local || strcmp(local, "yes") != 0 ||
	    statvfs(folder, &disk) != 0)
		return;
	unsigned long long unit = disk.f_frsize;
	survey->facts[SURVEY_disk_mb] =
		arena_printf(arena, "%llu", disk.f_blocks * unit / MB);
	survey->facts[SURVEY_disk_free_mb] =
		arena_printf(arena, "%llu", disk.f_bavail * unit / MB);
}

static PGconn *connect_as(struct arena *arena, const char *url,
                          const char **refusal)
{
	char reason[SCHEMA_REASON_MAX];
	PGconn *pg = schema_connect(url, "gangctl", NULL, reason);

	if (!pg)
		*refusal = copy(arena, reason);
	return pg;
}

/* A fact whose asker has no connection stays NULL. */
static void ask_all(struct survey *survey, struct arena *arena,
                    PGconn *const askers[ASKERS])
{
	for (size_t i = 0; i < ARRAY_LEN(asks); i++) {
		PGconn *pg = askers[asks[i].asker];

		if (pg)
			survey->facts[i] = ask(pg, arena, asks[i].sql);
	}
}

void survey_database(struct survey *survey, struct arena *arena,
                     const struct survey_urls *urls)
{
	PGconn *owner = NULL;
	PGconn *push = NULL;

	*survey = (struct survey){ .facts = { NULL } };
	PGconn *app =
		connect_as(arena, urls->app, &survey->facts[SURVEY_refusal]);
	if (urls->owner)
		owner = connect_as(arena, urls->owner,
		                   &survey->facts[SURVEY_owner_refusal]);
	if (urls->push)
		push = connect_as(arena, urls->push,
		                  &survey->facts[SURVEY_push_refusal]);
	if (app) {
		PGconn *const askers[ASKERS] = {
			[ASKER_APP] = app,
			[ASKER_OWNER] = owner ? owner : app,
			[ASKER_PUSH] = push,
		};

		ask_all(survey, arena, askers);
		look_at_connection(survey, arena, urls->app, app);
		look_at_disk(survey, arena);
		survey->facts[SURVEY_clock_skew_ms] =
			compare_clocks(app, arena);
		survey->facts[SURVEY_schema] = compare_schema(app);
		survey->facts[SURVEY_statement] = find_refused(app, arena);
	}
	PQfinish(push);
	PQfinish(owner);
	PQfinish(app);
}
