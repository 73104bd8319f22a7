/*
 * judge_roles.c - the judgements of roles, grants and the schema.
 *
 * grants[] says what the daemon's role needs of each table: S, I, U and D as in
 * the fact "grants".  It needs no more: the event log only grows, and the
 * secret of the address hashes is read by one function.
 */
#include "operator/judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_MAX = 64 };

void judge_powers(struct check_result *result, const char *role,
                  const char *powers)
{
	judge_say(result, "%s", role);
	if (!powers[0])
		return;
	judge_refuse(result, CHECK_FAIL,
	             "%s has powers that it does not need: %s", role, powers);
	if (powers[0] == 'p')
		judge_advise(result, "REVOKE %s FROM %s;", powers, role);
	else
		judge_advise(
			result,
			"ALTER ROLE %s NOSUPERUSER NOCREATEROLE NOCREATEDB "
			"NOREPLICATION NOBYPASSRLS;",
			role);
}

JUDGE(role)
{
	(void)check;
	judge_powers(result, fact(facts, result, SURVEY_role),
	             fact(facts, result, SURVEY_powers));
}

JUDGE(role_owns)
{
	(void)check;
	judge_say(result, "nothing");
	if (!fact_is(facts, result, SURVEY_acts_for_owner, "t"))
		return;
	judge_refuse(
		result, CHECK_FAIL,
		"%s may act for the owner of the schema: an attacker in the "
		"daemon could change it",
		fact(facts, result, SURVEY_role));
	judge_advise(result, "GANGD_DATABASE_URL=\"... user=gangd_app\"");
}

JUDGE(role_creates)
{
	const char *where = fact(facts, result, SURVEY_creates_in);

	(void)check;
	judge_say(result, "nothing");
	if (!where[0])
		return;
	judge_refuse(result, CHECK_WARN, "%s may create objects in %s",
	             fact(facts, result, SURVEY_role), where);
	judge_advise(result, "REVOKE CREATE ON %.*s FROM %s, PUBLIC;",
	             (int)strcspn(where, ","), where,
	             fact(facts, result, SURVEY_role));
}

JUDGE(owner)
{
	const char *owner = fact(facts, result, SURVEY_owner_logs_in);

	(void)check;
	judge_say(result, "the owner of the schema cannot log in");
	if (!owner[0])
		return;
	judge_refuse(result, CHECK_WARN, "%s owns the schema and can log in",
	             owner);
	judge_advise(result, "ALTER ROLE %s NOLOGIN;", owner);
}

JUDGE(migrator)
{
	const char *refusal = fact(facts, result, SURVEY_owner_refusal);
	const char *acts = fact(facts, result, SURVEY_migrator_acts);
	const char *migrator = fact(facts, result, SURVEY_migrator);

	(void)check;
	if (refusal[0]) {
		judge_refuse(result, CHECK_FAIL, "GANGD_MIGRATE_URL: %s",
		             refusal);
		judge_advise(result, "set GANGD_MIGRATE_URL");
		return;
	}
	if (judge_is(migrator, fact(facts, result, SURVEY_role))) {
		judge_say(result, "no GANGD_MIGRATE_URL was given");
		return;
	}
	judge_say(result, "%s", migrator);
	if (!judge_is(acts, "f"))
		return;
	judge_refuse(result, CHECK_FAIL,
	             "%s cannot act for the owner of the schema", migrator);
	judge_advise(result, "GRANT gangd_owner TO %s;", migrator);
}

/* The privileges that the daemon's role needs; see admin/survey.def. */
static const struct {
	const char *table;
	const char *needs;
} grants[] = {
	{ "address_secret", "" },
	{ "commit_report", "SID" },
	{ "creation_key", "SID" },
	{ "event", "SI" },
	{ "game", "SIUD" },
	{ "idempotency_key", "SID" },
	{ "invitation", "SIUD" },
	{ "notification", "SIUD" },
	{ "push_subscription", "SIUD" },
	{ "schema_migration", "S" },
	{ "seat", "SIUD" },
	{ "stream_ticket", "SID" },
	{ "transfer", "SIUD" },
};

static const char *privilege_name(char letter)
{
	switch (letter) {
	case 'S':
		return "SELECT";
	case 'I':
		return "INSERT";
	case 'U':
		return "UPDATE";
	case 'D':
		return "DELETE";
	default:
		return "TRUNCATE, TRIGGER";
	}
}

/* The privileges that it needs of a table; NULL: no such table is known. */
static const char *find_needs(const char *table, size_t len)
{
	for (size_t i = 0; i < ARRAY_LEN(grants); i++) {
		if (strlen(grants[i].table) == len &&
		    memcmp(grants[i].table, table, len) == 0)
			return grants[i].needs;
	}
	return NULL;
}

/* Print the privileges of one set that are not in another; true: there are. */
static bool print_privileges(char *text, size_t size, const char *set,
                             const char *without)
{
	size_t len = 0;

	text[0] = '\0';
	for (; *set && *set != ','; set++) {
		if (memchr(without, *set, strcspn(without, ",")))
			continue;
		(void)snprintf(text + len, size - len, "%s%s",
		               len > 0 ? ", " : "", privilege_name(*set));
		len = strlen(text);
	}
	return len > 0;
}

/* The first table with a privilege too few, or too many. */
static void judge_grants_of(const struct check_facts *facts,
                            struct check_result *result, bool too_many)
{
	const char *table = fact(facts, result, SURVEY_grants);
	bool is_later = fact_is(facts, result, SURVEY_schema, "later");
	char wrong[WORDS_MAX];

	if (!table[0]) {
		judge_say(result, "there are no tables");
		return;
	}
	judge_say(result, too_many ? "none" : "all that are needed");
	while (*table) {
		int len = (int)strcspn(table, "=");
		const char *has = table + len + 1;
		const char *needs = find_needs(table, (size_t)len);

		if (!needs)
			needs = is_later ? has : "";
		if (print_privileges(wrong, sizeof(wrong),
		                     too_many ? has : needs,
		                     too_many ? needs : has)) {
			judge_refuse(result, CHECK_FAIL, "%s may %s%s on %.*s",
			             fact(facts, result, SURVEY_role),
			             too_many ? "" : "not ", wrong, len, table);
			judge_advise(result, "%s %s ON gangd.%.*s %s %s;",
			             too_many ? "REVOKE" : "GRANT", wrong, len,
			             table, too_many ? "FROM" : "TO",
			             fact(facts, result, SURVEY_role));
			return;
		}
		table = has + strcspn(has, ",");
		table += *table == ',';
	}
}

JUDGE(grants)
{
	(void)check;
	if (fact_is(facts, result, SURVEY_schema_usage, "f")) {
		judge_refuse(result, CHECK_FAIL, "%s may not use the schema",
		             fact(facts, result, SURVEY_role));
		judge_advise(result, "GRANT USAGE ON SCHEMA gangd TO %s;",
		             fact(facts, result, SURVEY_role));
		return;
	}
	judge_grants_of(facts, result, false);
}

JUDGE(grants_too_many)
{
	(void)check;
	judge_grants_of(facts, result, true);
}

JUDGE(functions)
{
	const char *denied = fact(facts, result, SURVEY_functions_denied);

	(void)check;
	judge_say(result, "all may be called");
	if (!denied[0])
		return;
	judge_refuse(result, CHECK_FAIL, "%s may not call %s",
	             fact(facts, result, SURVEY_role), denied);
	judge_advise(result,
	             "GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA gangd TO %s;",
	             fact(facts, result, SURVEY_role));
}

JUDGE(functions_public)
{
	const char *open = fact(facts, result, SURVEY_functions_public);

	(void)check;
	judge_say(result, "none may be called by everybody");
	if (!open[0])
		return;
	judge_refuse(result, CHECK_FAIL, "everybody may call %s", open);
	judge_advise(
		result,
		"GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA gangd TO %s; "
		"REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA gangd "
		"FROM PUBLIC;  -- then run push-role.sql, if gangd-push has "
		"a role of its own",
		fact(facts, result, SURVEY_role));
}

/* --- the schema ----------------------------------------------------------- */

JUDGE(schema)
{
	const char *schema = fact(facts, result, SURVEY_schema);

	(void)check;
	judge_say(result, "that of this release");
	if (judge_is(schema, "same"))
		return;
	if (judge_is(schema, "later")) {
		judge_say(result, "of a later release, which allows this one");
		return;
	}
	if (judge_is(schema, "unknown")) {
		judge_refuse(
			result, CHECK_FAIL,
			"of a later release, which this one does not know");
		judge_advise(result, "upgrade gangd and gangctl");
	} else if (judge_is(schema, "denied")) {
		judge_refuse(result, CHECK_FAIL, "%s may not read the schema",
		             fact(facts, result, SURVEY_role));
		judge_advise(result,
		             "GRANT USAGE ON SCHEMA gangd TO %s; "
		             "GRANT SELECT ON gangd.schema_migration TO %s;",
		             fact(facts, result, SURVEY_role),
		             fact(facts, result, SURVEY_role));
	} else {
		judge_refuse(result, CHECK_FAIL, "%s",
		             judge_is(schema, "none")
		                     ? "none"
		                     : "of an earlier release");
		judge_advise(result, "gangctl migrate");
	}
}

/* A new session has called a function; or tried to. */
static void judge_function(const struct check_facts *facts,
                           struct check_result *result)
{
	const char *trouble = fact(facts, result, SURVEY_function);

	/* Functions that may not be called are a check of their own. */
	if (!trouble[0] || fact(facts, result, SURVEY_functions_denied)[0])
		return;
	judge_refuse(result, CHECK_FAIL,
	             "a new session cannot run gangd's functions: %s", trouble);
	if (strncmp(trouble, "58", 2) == 0 || strncmp(trouble, "XX", 2) == 0)
		judge_advise(result, "systemctl restart postgresql  # its "
		                     "package was replaced while it ran");
	else
		judge_advise(result, "gangctl migrate");
}

JUDGE(statements)
{
	const char *statement = fact(facts, result, SURVEY_statement);

	(void)check;
	judge_say(result, "all can be prepared, and functions run");
	if (!statement[0]) {
		judge_function(facts, result);
		return;
	}
	judge_refuse(result, CHECK_FAIL, "the server refuses %s", statement);
	judge_advise(result, "gangctl migrate");
}
