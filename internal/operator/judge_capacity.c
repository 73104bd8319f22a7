/*
 * judge_capacity.c - the judgements of what can run out: connections, disk,
 * WAL; and of the clock.
 */
#include "operator/judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	SKEW_WARN_MS = 1000,
	SKEW_FAIL_MS = 60000,
	DISK_FAIL_MB = 1024,
	DISK_WARN_SHARE = 10, /* one tenth */
};

JUDGE(connections)
{
	long have = fact_number(facts, result, SURVEY_max_connections) -
	            fact_number(facts, result, SURVEY_reserved_connections);
	long want = (long)facts->daemons * (long)facts->connections;
	long others = fact_number(facts, result, SURVEY_other_connections);

	(void)check;
	judge_say(result, "%u daemons need %ld of %ld, others use %ld",
	          facts->daemons, want, have, others);
	/* One for gangctl. */
	if (want + others + 1 <= have)
		return;
	judge_refuse(result, want + 1 > have ? CHECK_FAIL : CHECK_WARN,
	             "%u daemons need %ld connections, others use %ld, and the "
	             "server has %ld",
	             facts->daemons, want, others, have);
	judge_advise(
		result,
		"ALTER SYSTEM SET max_connections = %ld;  -- and restart the "
		"server",
		want + others + 20);
}

JUDGE(connection_limits)
{
	long role = fact_number(facts, result, SURVEY_role_connections);
	long database = fact_number(facts, result, SURVEY_database_connections);
	long want = (long)facts->daemons * (long)facts->connections;

	(void)check;
	judge_say(result, "none");
	if (role >= 0 && role < want) {
		judge_refuse(result, CHECK_FAIL,
		             "%s may have %ld connections of %ld",
		             fact(facts, result, SURVEY_role), role, want);
		judge_advise(result, "ALTER ROLE %s CONNECTION LIMIT -1;",
		             fact(facts, result, SURVEY_role));
	} else if (database >= 0 && database < want) {
		judge_refuse(result, CHECK_FAIL,
		             "the database may have %ld connections of %ld",
		             database, want);
		judge_advise(result, "ALTER DATABASE %s CONNECTION LIMIT -1;",
		             fact(facts, result, SURVEY_database));
	}
}

JUDGE(clock)
{
	long skew = fact_number(facts, result, SURVEY_clock_skew_ms);

	(void)check;
	judge_say(result, "the server's is %ld ms ahead", skew);
	if (labs(skew) < SKEW_WARN_MS)
		return;
	judge_refuse(result,
	             labs(skew) < SKEW_FAIL_MS ? CHECK_WARN : CHECK_FAIL,
	             "the server's is %ld ms ahead: one of the two is wrong",
	             skew);
	judge_advise(result, "timedatectl set-ntp true  # on both machines");
}

JUDGE(disk)
{
	(void)check;
	if (fact_is_denied(facts, SURVEY_disk_free_mb)) {
		judge_refuse(result, CHECK_WARN,
		             "the role may not see where the data are");
		judge_advise_sight(facts, result);
		return;
	}
	if (fact_is(facts, result, SURVEY_disk_free_mb, "")) {
		judge_refuse(result, CHECK_WARN,
		             "the server's disk cannot be seen from here");
		judge_advise(result, "df -h  # on the server");
		return;
	}
	long left = fact_number(facts, result, SURVEY_disk_free_mb);
	long all = fact_number(facts, result, SURVEY_disk_mb);
	long wal = fact_number(facts, result, SURVEY_wal_max_mb);
	judge_say(result, "%ld MB of %ld free", left, all);
	if (left >= all / DISK_WARN_SHARE && left >= DISK_FAIL_MB + wal)
		return;
	judge_refuse(result, left < DISK_FAIL_MB ? CHECK_FAIL : CHECK_WARN,
	             "%ld MB of %ld free; the WAL alone may take %ld", left,
	             all, wal);
	judge_advise(result, "gangctl purge 30  # or a larger disk");
}

JUDGE(wal)
{
	(void)check;
	if (fact_is_denied(facts, SURVEY_wal_mb)) {
		judge_refuse(result, CHECK_WARN,
		             "the role may not see the size of the WAL");
		judge_advise_sight(facts, result);
		return;
	}
	long wal = fact_number(facts, result, SURVEY_wal_mb);
	long most = fact_number(facts, result, SURVEY_wal_max_mb);
	judge_say(result, "%ld MB; the settings allow %ld", wal, most);
	if (wal <= 2 * most)
		return;
	judge_refuse(
		result, CHECK_FAIL,
		"%ld MB; the settings allow %ld: a standby or the archive is "
		"behind",
		wal, most);
	judge_advise(result, "SELECT * FROM pg_replication_slots; "
	                     "SELECT * FROM pg_stat_archiver;");
}

JUDGE(slots)
{
	const char *idle = fact(facts, result, SURVEY_slots_idle);

	(void)check;
	judge_say(result, "none idle");
	if (!idle[0])
		return;
	judge_refuse(result, CHECK_WARN,
	             "nobody reads %s: the server keeps WAL for it without end",
	             idle);
	judge_advise(result, "SELECT pg_drop_replication_slot('%.*s');",
	             (int)strcspn(idle, ","), idle);
}
