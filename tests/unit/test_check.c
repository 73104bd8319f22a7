/*
 * test_check.c - the judgements of gangctl check, without a server.  Rows are
 * in check.def.  Every check must be OK where all is well, and must have a row
 * where it is not.
 */
#include "operator/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"

enum { FACTS_LEN = 512 };

struct check_row {
	const char *name; /* of the check */
	const char *changed;
	enum check_level level;
	const char *advice;
};

/* The grants of push-role.sql. */
#define PUSH_TABLES                                                           \
	"game=SELECT(game_id host mode push_seats rematch revision ruleset) " \
	"UPDATE(push_seats revision),"                                        \
	"notification=SELECT UPDATE(attempts due_at) DELETE,"                 \
	"push_subscription=SELECT DELETE,schema_migration=SELECT,"            \
	"seat=SELECT(client_reference game_id last_seen name seat "           \
	"seen_version token_hash)"
#define PUSH_GRANTS "push_grants=" PUSH_TABLES

static struct check_row check_rows[] = {
#define CHECK(check, changed, level, advice) \
	{ check, changed, CHECK_##level, advice },
#include "check.def"
};

/* A server on another machine, and the primary of two, where all is well. */
static const char well[] =
	"refusal=;owner_refusal=;push_refusal=;is_local=no;sslmode=verify-full;"
	"attributes=read-write;hosts=2;"
	"hosts_away=;used_password=yes;schema=same;statement=;function=;"
	"pooler=none;functions_public=;clock_skew_ms=0;"
	"disk_free_mb=50000;disk_mb=100000;role=gangd_app;database=gangd;"
	"version=150018;encoding=UTF8;recovery=f;"
	"default_transaction_read_only=off;"
	"default_transaction_isolation=read committed;idle_session_timeout=0;"
	"jit=off;autovacuum=on;is_spread=f;tls_version=TLSv1.3;client_"
	"certificate=;"
	"password_encryption=scram-sha-256;powers=;acts_for_owner=f;"
	"creates_in=;owner_logs_in=;migrator_acts=t;migrator=gangd_migrate;"
	"grants=address_secret=,creation_key=SID,event=SI,game=SIUD,"
	"idempotency_key=SID,invitation=SIUD,schema_migration=S,seat=SIUD,"
	"stream_ticket=SID,transfer=SIUD;functions_denied=;schema_usage=t;"
	"stored_keys=2;push_role=gangd_push;push_powers=;" PUSH_GRANTS ";"
	"log_parameter_max_length=0;log_parameter_max_length_on_error=0;"
	"log_error_verbosity=terse;log_statement=none;"
	"log_min_duration_statement=-1;log_min_duration_sample=-1;"
	"log_min_messages=warning;debug_print_parse=off;"
	"debug_print_rewritten=off;debug_print_plan=off;auto_explain=;pgaudit=;"
	"nodes_logging=;nodes_plans=;"
	"fsync=on;synchronous_commit=on;full_page_writes=on;data_checksums=on;"
	"synchronous_standby_names=;commits_waiting=0;sync_standbys=0;"
	"max_connections=200;reserved_connections=3;other_connections=2;"
	"role_connections=-1;database_connections=-1;data_directory=/data;"
	"wal_mb=100;wal_max_mb=2048;slots_idle=;archiver_fails=f;"
	"archive_mode=on;archive_timeout_s=30;archived_ago_s=20;"
	"archive_waits_s=0";

static enum survey_fact find_fact(const char *name, size_t len)
{
	unsigned fact = 0;

	while (fact < SURVEY_COUNT &&
	       (strlen(survey_name(fact)) != len ||
	        memcmp(survey_name(fact), name, len) != 0))
		fact++;
	assert_true(fact < SURVEY_COUNT);
	return fact;
}

/* Behind the name of a fact: "=value", "=", "" or "!". */
static struct survey_answer make_answer(const char *text)
{
	return (struct survey_answer){
		.finding = text[0] != '=' ? FINDING_UNKNOWN
		           : !text[1]     ? FINDING_ABSENT
		                          : FINDING_FOUND,
		.is_denied = text[0] == '!',
		.text = text[0] == '=' ? text + 1 : "the connection was lost",
	};
}

/* Set the facts of a text, whose semicolons become zero bytes. */
static void set_facts(struct survey *survey, char *text)
{
	char *rest;

	for (char *next = strtok_r(text, ";", &rest); next;
	     next = strtok_r(NULL, ";", &rest)) {
		size_t len = strcspn(next, "=!");

		survey->facts[find_fact(next, len)] = make_answer(next + len);
	}
}

static void make_well(struct check_facts *facts, char *text, size_t size)
{
	*facts = (struct check_facts){ .env_file = "gangd.env",
		                       .env_file_mode = 0600,
		                       .has_password = true,
		                       .unknown_variables = "",
		                       .old_names = "",
		                       .has_quotas = true,
		                       .gathers = true,
		                       .key_file = "keys",
		                       .keys = "2 3",
		                       .push_env_file = "push.env",
		                       .push_env_file_mode = 0600,
		                       .push_has_password = true,
		                       .daemons = 2,
		                       .connections = 16 };
	(void)snprintf(text, size, "%s", well);
	set_facts(&facts->survey, text);
}

static const struct check *find_check(const char *name)
{
	unsigned i = 0;

	while (i < check_count &&
	       (!check_table[i].name || strcmp(check_table[i].name, name) != 0))
		i++;
	assert_true(i < check_count);
	return &check_table[i];
}

static void judge(const char *name, const struct check_facts *facts,
                  struct check_result *result)
{
	const struct check *check = find_check(name);

	*result = (struct check_result){ .level = CHECK_OK };
	check->judge(check, facts, result);
	assert_true(result->found[0]);
	assert_int_equal(result->advice[0] != '\0', result->level != CHECK_OK);
}

static void check_row(void **state)
{
	const struct check_row *row = *state;
	struct check_facts facts;
	struct check_result result;
	char text[sizeof(well)];
	char changed[FACTS_LEN];

	make_well(&facts, text, sizeof(text));
	int len = snprintf(changed, sizeof(changed), "%s", row->changed);
	assert_in_range(len, 1, sizeof(changed) - 1);
	set_facts(&facts.survey, changed);
	judge(row->name, &facts, &result);
	assert_int_equal(result.level, row->level);
	if (!strstr(result.advice, row->advice))
		fail_msg("%s: %s", result.found, result.advice);
}

static void check_well(void **state)
{
	struct check_facts facts;
	struct check_result result;
	char text[sizeof(well)];

	(void)state;
	make_well(&facts, text, sizeof(text));
	for (unsigned i = 0; i < check_count; i++) {
		if (!check_table[i].name)
			continue;
		judge(check_table[i].name, &facts, &result);
		if (result.level != CHECK_OK)
			fail_msg("%s: %s", check_table[i].name, result.found);
	}
}

/* True if the judgement reads a fact: its text changes with it. */
static bool is_reading(const struct check *check, struct check_facts *facts,
                       enum survey_fact fact)
{
	struct survey_answer kept = facts->survey.facts[fact];
	struct check_result result;

	facts->survey.facts[fact] = make_answer("");
	judge(check->name, facts, &result);
	facts->survey.facts[fact] = kept;
	if (result.level != CHECK_OK && result.level != CHECK_UNKNOWN)
		fail_msg("%s without %s: %s", check->name, survey_name(fact),
		         result.found);
	return result.level == CHECK_UNKNOWN;
}

/*
 * Each fact alone is unknown.  A judgement that reads it says so, and at least
 * one reads it, but for those that only the words about a fault need, or
 * the survey itself.
 */
static void check_unknown(void **state)
{
	static const enum survey_fact elsewhere[] = { SURVEY_database,
		                                      SURVEY_data_directory };
	struct check_facts facts;
	char text[sizeof(well)];

	(void)state;
	make_well(&facts, text, sizeof(text));
	for (unsigned fact = 0; fact < SURVEY_COUNT; fact++) {
		unsigned readers = 0;

		for (size_t i = 0; i < ARRAY_LEN(elsewhere); i++)
			readers += elsewhere[i] == fact;
		for (unsigned i = 0; i < check_count; i++)
			readers += check_table[i].name &&
			           is_reading(&check_table[i], &facts, fact);
		if (readers == 0)
			fail_msg("nothing reads %s", survey_name(fact));
	}
}

/* All facts are unknown: no check that needs a database is anything else. */
static void check_nothing_known(void **state)
{
	struct check_facts facts;
	struct check_result result;
	char text[sizeof(well)];

	(void)state;
	make_well(&facts, text, sizeof(text));
	for (unsigned i = 0; i < SURVEY_COUNT; i++)
		facts.survey.facts[i] = make_answer("");
	for (unsigned i = 0; i < check_count; i++) {
		if (!check_table[i].name ||
		    (check_table[i].needs != NEEDS_DATABASE &&
		     check_table[i].needs != NEEDS_PUSH_ROLE))
			continue;
		judge(check_table[i].name, &facts, &result);
		if (result.level != CHECK_UNKNOWN)
			fail_msg("%s: %s", check_table[i].name, result.found);
		assert_non_null(strstr(result.found, "connection was lost"));
	}
}

/* The facts that are not a database's. */
static void check_settings(void **state)
{
	struct check_facts facts;
	struct check_result result;
	char text[sizeof(well)];

	(void)state;
	make_well(&facts, text, sizeof(text));
	facts.env_file_mode = 0644;
	judge("env_file_mode", &facts, &result);
	assert_int_equal(result.level, CHECK_FAIL);
	assert_string_equal(result.advice, "chmod 600 gangd.env");
	facts.has_password = false;
	judge("env_file_mode", &facts, &result);
	assert_int_equal(result.level, CHECK_OK);
	facts.env_file_mode = 0622;
	judge("env_file_mode", &facts, &result);
	assert_int_equal(result.level, CHECK_FAIL);
	facts.push_env_file_mode = 0644;
	judge("push_env_file_mode", &facts, &result);
	assert_int_equal(result.level, CHECK_FAIL);
	assert_string_equal(result.advice, "chmod 600 push.env");
	facts.push_has_password = false;
	judge("push_env_file_mode", &facts, &result);
	assert_int_equal(result.level, CHECK_OK);
	facts.accepts_plain = true;
	judge("accept_plain", &facts, &result);
	assert_int_equal(result.level, CHECK_WARN);
	facts.survey.facts[SURVEY_stored_keys] = make_answer("=0 2");
	judge("stored_keys", &facts, &result);
	assert_int_equal(result.level, CHECK_WARN);
	facts.survey.facts[SURVEY_stored_keys] = make_answer("=2");
	facts.key_file = facts.keys = "";
	judge("accept_plain", &facts, &result);
	assert_int_equal(result.level, CHECK_OK);
	judge("key_file", &facts, &result);
	assert_int_equal(result.level, CHECK_OK);
	judge("stored_keys", &facts, &result);
	assert_int_equal(result.level, CHECK_FAIL);
	facts.survey.facts[SURVEY_stored_keys] = make_answer("=0");
	judge("stored_keys", &facts, &result);
	assert_int_equal(result.level, CHECK_OK);
	facts.keys_refusal = "every user can read it";
	judge("key_file", &facts, &result);
	assert_int_equal(result.level, CHECK_FAIL);
	facts.has_migrate_url = true;
	judge("migrate_url", &facts, &result);
	assert_int_equal(result.level, CHECK_FAIL);
	facts.unknown_variables = "GANGD_LOOPZ";
	judge("unknown_variables", &facts, &result);
	assert_int_equal(result.level, CHECK_WARN);
	assert_non_null(strstr(result.found, "GANGD_LOOPZ"));
	facts.old_names = "GANGD_LIMITS";
	judge("old_names", &facts, &result);
	assert_int_equal(result.level, CHECK_WARN);
	assert_non_null(strstr(result.found, "GANGD_LIMITS"));
	facts.has_quotas = false;
	judge("quotas", &facts, &result);
	assert_int_equal(result.level, CHECK_WARN);
}

/* Each check that needs an answer has a row where it is not OK. */
static void check_all_planted(void **state)
{
	(void)state;
	for (unsigned i = 0; i < check_count; i++) {
		size_t row = 0;

		if (!check_table[i].name ||
		    (check_table[i].needs != NEEDS_DATABASE &&
		     check_table[i].needs != NEEDS_PUSH_ROLE))
			continue;
		while (row < ARRAY_LEN(check_rows) &&
		       (check_rows[row].level == CHECK_OK ||
		        strcmp(check_rows[row].name, check_table[i].name) != 0))
			row++;
		if (row == ARRAY_LEN(check_rows))
			fail_msg("no row plants a fault for %s",
			         check_table[i].name);
	}
}

int main(void)
{
	static struct rows rows;

	ROWS_ADD(&rows, check_rows, check_row);
	rows_add(&rows, "all is well", check_well, NULL);
	rows_add(&rows, "one fact is unknown", check_unknown, NULL);
	rows_add(&rows, "all facts are unknown", check_nothing_known, NULL);
	rows_add(&rows, "settings", check_settings, NULL);
	rows_add(&rows, "a row for each", check_all_planted, NULL);
	return rows_run("check", &rows);
}
