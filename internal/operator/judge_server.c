/*
 * judge_server.c - the judgements of the server: what it is, what it logs,
 * and whether a commit lasts.
 */
#include "operator/judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	OLDEST_VERSION = 150000,
	ARCHIVE_LATE_S = 300, /* as the alert GangdArchiveLate */
	ARCHIVE_TIMEOUT_MOST_S = 60,
};

JUDGE(version)
{
	long version = fact_number(facts, result, SURVEY_version);

	(void)check;
	judge_say(result, "%ld.%ld", version / 10000, version % 10000);
	if (version >= OLDEST_VERSION)
		return;
	judge_refuse(result, CHECK_FAIL,
	             "%ld: gangd needs PostgreSQL 15 or later",
	             version / 10000);
	judge_advise(result, "pg_upgradecluster, or a newer server");
}

JUDGE(encoding)
{
	const char *encoding = fact(facts, result, SURVEY_encoding);

	(void)check;
	judge_say(result, "%s", encoding);
	if (judge_is(encoding, "UTF8"))
		return;
	judge_refuse(result, CHECK_FAIL, "%s: names of players are UTF-8",
	             encoding);
	judge_advise(result,
	             "CREATE DATABASE gangd OWNER gangd_owner ENCODING 'UTF8' "
	             "TEMPLATE template0;");
}

JUDGE(takes_writes)
{
	(void)check;
	judge_say(result, "yes");
	if (fact_is(facts, result, SURVEY_recovery, "t")) {
		judge_refuse(result, CHECK_FAIL, "no: the server is a standby");
		judge_advise(result,
		             "target_session_attrs=read-write and all hosts "
		             "in GANGD_DATABASE_URL");
	} else if (!fact_is(facts, result, SURVEY_default_transaction_read_only,
	                    "off")) {
		judge_refuse(result, CHECK_FAIL,
		             "no: default_transaction_read_only is on");
		judge_advise_parameter(result, "default_transaction_read_only",
		                       "off");
	}
}

JUDGE(batch)
{
	bool is_spread = fact_is(facts, result, SURVEY_is_spread, "t");

	(void)check;
	judge_say(result, "right for this server");
	if (!is_spread || !facts->gathers)
		return;
	judge_refuse(result, CHECK_FAIL,
	             "the tables are spread over servers, which refuse "
	             "statements about several games");
	judge_advise(result, "GANGD_BATCH=0");
}

/* --- its log -------------------------------------------------------------- */

JUDGE(log_min_duration_statement)
{
	const char *value =
		fact(facts, result, SURVEY_log_min_duration_statement);

	judge_say(result, "%s", value);
	if (!judge_is(value, "0"))
		return;
	judge_refuse(result, CHECK_WARN,
	             "0: each statement adds lines to the log");
	judge_advise_parameter(result, check->name, "250ms");
}

JUDGE(debug_print)
{
	static const enum survey_fact which[] = { SURVEY_debug_print_parse,
		                                  SURVEY_debug_print_rewritten,
		                                  SURVEY_debug_print_plan };

	(void)check;
	judge_say(result, "off");
	for (size_t i = 0; i < ARRAY_LEN(which); i++) {
		if (judge_is(fact(facts, result, which[i]), "off"))
			continue;
		judge_refuse(result, CHECK_FAIL,
		             "%s is on: plans in the log show values",
		             survey_name(which[i]));
		judge_advise_parameter(result, survey_name(which[i]), "off");
	}
}

JUDGE(auto_explain)
{
	const char *value = fact(facts, result, SURVEY_auto_explain);

	(void)check;
	judge_say(result, "off");
	if (!value[0] || judge_is(value, "-1"))
		return;
	judge_refuse(
		result, CHECK_FAIL,
		"plans of statements of %s and more come into the log, with "
		"values",
		value);
	judge_advise_parameter(result, "auto_explain.log_min_duration", "-1");
}

JUDGE(pgaudit)
{
	(void)check;
	judge_say(result, "off");
	if (!fact_is(facts, result, SURVEY_pgaudit, "on"))
		return;
	judge_refuse(result, CHECK_FAIL,
	             "pgaudit.log_parameter is on: values come into the log");
	judge_advise_parameter(result, "pgaudit.log_parameter", "off");
}

/* Refuse those of several servers that lack settings. */
static void judge_nodes(struct check_result *result, const char *nodes,
                        const char *why)
{
	judge_say(result, "none");
	if (!nodes[0])
		return;
	judge_refuse(result, CHECK_FAIL, "%s: %s", nodes, why);
	judge_advise(result, "# on each of them: include the settings of "
	                     "deploy/citus/postgresql.conf");
}

JUDGE(nodes_logging)
{
	const char *nodes = fact(facts, result, SURVEY_nodes_logging);

	(void)check;
	judge_nodes(result, nodes,
	            "statements with values may come into the log");
}

JUDGE(nodes_plans)
{
	const char *nodes = fact(facts, result, SURVEY_nodes_plans);

	(void)check;
	judge_nodes(result, nodes,
	            "sessions keep plans, and grow with each statement");
}

/* --- durability ----------------------------------------------------------- */

JUDGE(synchronous_commit)
{
	const char *value = fact(facts, result, SURVEY_synchronous_commit);

	judge_say(result, "%s", value);
	if (judge_is(value, "on") || judge_is(value, "remote_apply"))
		return;
	judge_refuse(result, judge_is(value, "off") ? CHECK_FAIL : CHECK_WARN,
	             "%s: moves that were answered can be lost", value);
	judge_advise_parameter(result, check->name, "on");
}

JUDGE(data_checksums)
{
	(void)check;
	judge_say(result, "on");
	if (fact_is(facts, result, SURVEY_data_checksums, "on"))
		return;
	judge_refuse(result, CHECK_WARN, "off: a damaged disk goes unnoticed");
	judge_advise(result,
	             "pg_checksums --enable -D DATA  # while the server is "
	             "stopped");
}

/*
 * Without a synchronous standby commits wait for ever.  A role that may not see
 * the standbys sees the commits of its own that wait.
 */
JUDGE(acknowledged_commits)
{
	const char *names =
		fact(facts, result, SURVEY_synchronous_standby_names);
	long waiting = fact_number(facts, result, SURVEY_commits_waiting);
	bool has_none = fact_is(facts, result, SURVEY_sync_standbys, "0");

	(void)check;
	judge_say(result, "at once: they wait for no standby");
	if (names[0])
		judge_say(result, "no commit waits for long for a standby: %s",
		          names);
	if (waiting > 0)
		judge_refuse(result, CHECK_FAIL,
		             "%ld commits wait for a synchronous standby, "
		             "and none answers (synchronous_standby_names = "
		             "'%s'): players can read, but not move",
		             waiting, names);
	else if (names[0] && has_none)
		judge_refuse(result, CHECK_FAIL,
		             "no synchronous standby is connected "
		             "(synchronous_standby_names = '%s'): commits "
		             "wait, and players cannot move",
		             names);
	else
		return;
	judge_advise(result,
	             "start a standby; see \"No synchronous standby\" in the "
	             "guide.  Do not cancel or end the sessions that wait");
}

/* Judge an archive that is on. */
static void judge_archive(const struct check_facts *facts,
                          struct check_result *result)
{
	long waits = fact_number(facts, result, SURVEY_archive_waits_s);
	long timeout = fact_number(facts, result, SURVEY_archive_timeout_s);
	const char *ago = fact(facts, result, SURVEY_archived_ago_s);

	judge_say(result, "nothing waits; no segment was archived yet");
	if (ago[0])
		judge_say(result, "%ld s wait; a segment was archived %s s ago",
		          waits, ago);
	if (fact_is(facts, result, SURVEY_archiver_fails, "t"))
		judge_refuse(result, CHECK_FAIL,
		             "archive_command fails: WAL fills the disk, and "
		             "changes of the last %ld s are on one disk",
		             waits);
	else if (waits > ARCHIVE_LATE_S)
		judge_refuse(result, CHECK_FAIL,
		             "a segment of WAL waits for the archive since "
		             "%ld s: later changes are on one disk",
		             waits);
	else if (timeout == 0 || timeout > ARCHIVE_TIMEOUT_MOST_S)
		judge_refuse(result, CHECK_WARN,
		             "archive_timeout is %ld s: changes are archived "
		             "when a segment of WAL is full, or later than a "
		             "minute after",
		             timeout);
	else
		return;
	if (result->level == CHECK_WARN)
		judge_advise_parameter(result, "archive_timeout", "30s");
	else
		judge_advise(result, "SELECT * FROM pg_stat_archiver;  # and "
		                     "the server's log");
}

JUDGE(archiver)
{
	(void)check;
	judge_say(result, "on a standby; the primary archives");
	if (fact_is(facts, result, SURVEY_recovery, "t"))
		return;
	judge_say(result, "off: with its disk a server loses what the last "
	                  "dump lacks");
	if (fact_is(facts, result, SURVEY_archive_mode, "off"))
		return;
	if (!fact_is_denied(facts, SURVEY_archive_waits_s)) {
		judge_archive(facts, result);
		return;
	}
	judge_refuse(result, CHECK_WARN,
	             "the role may not see what waits for the archive");
	judge_advise_sight(facts, result);
}
