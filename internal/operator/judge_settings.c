/*
 * judge_settings.c - the judgements of a daemon's settings and of its
 * connection to the database.
 */
#include "operator/judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void judge_mode(struct check_result *result, const char *file,
                       unsigned mode, bool has_password)
{
	judge_say(result, "%04o", mode);
	if (mode & 0022)
		judge_refuse(result, CHECK_FAIL,
		             "%04o: others may change the file", mode);
	else if (has_password && mode & 0044)
		judge_refuse(result, CHECK_FAIL,
		             "%04o: others may read the password in it", mode);
	else
		return;
	judge_advise(result, "chmod 600 %s", file);
}

JUDGE(env_file_mode)
{
	(void)check;
	judge_mode(result, facts->env_file, facts->env_file_mode,
	           facts->has_password);
}

JUDGE(push_env_file_mode)
{
	(void)check;
	judge_mode(result, facts->push_env_file, facts->push_env_file_mode,
	           facts->push_has_password);
}

JUDGE(migrate_url)
{
	(void)check;
	judge_say(result, "the daemon does not have it");
	if (!facts->has_migrate_url)
		return;
	judge_refuse(
		result, CHECK_FAIL,
		"the daemon has GANGD_MIGRATE_URL: an attacker in it could "
		"change the schema");
	judge_advise(result,
	             "move GANGD_MIGRATE_URL to /etc/gangd/gangctl.env");
}

JUDGE(unknown_variables)
{
	(void)check;
	judge_say(result, "none");
	if (!facts->unknown_variables[0])
		return;
	judge_refuse(result, CHECK_WARN, "no program has these settings: %s",
	             facts->unknown_variables);
	judge_advise(result, "gangd --help lists the settings");
}

JUDGE(old_names)
{
	(void)check;
	judge_say(result, "none");
	if (!facts->old_names[0])
		return;
	judge_refuse(result, CHECK_WARN,
	             "the next release does not know these names: %s",
	             facts->old_names);
	judge_advise(result, "gangd --help lists the present names");
}

JUDGE(quotas)
{
	(void)check;
	judge_say(result, "on");
	if (facts->has_quotas)
		return;
	judge_refuse(result, CHECK_WARN,
	             "off: right only behind a gateway with limits of its own");
	judge_advise(result, "GANGD_QUOTAS=on");
}

/* --- the connection ------------------------------------------------------- */

JUDGE(connect)
{
	const char *refusal = fact(facts, result, SURVEY_refusal);

	(void)check;
	judge_say(result, "the database answers");
	if (!refusal[0])
		return;
	judge_refuse(result, CHECK_FAIL, "%s", refusal);
	judge_advise(result, "set GANGD_DATABASE_URL, or start the server");
}

JUDGE(pooler)
{
	const char *pooler = fact(facts, result, SURVEY_pooler);

	(void)check;
	judge_say(result, "none");
	if (judge_is(pooler, "fit"))
		judge_say(result, "a pooler that keeps prepared statements");
	if (!judge_is(pooler, "unfit"))
		return;
	judge_refuse(result, CHECK_FAIL,
	             "a pooler gives each transaction another session, which "
	             "lacks the daemon's prepared statements");
	judge_advise(result, "pool_mode = session  # of PgBouncer; or 1.21 and "
	                     "later with max_prepared_statements = 200");
}

JUDGE(hosts)
{
	const char *away = fact(facts, result, SURVEY_hosts_away);

	(void)check;
	judge_say(result, "%s", fact(facts, result, SURVEY_hosts));
	if (!away[0])
		return;
	judge_refuse(result, CHECK_WARN, "no answer from %s of %s hosts", away,
	             fact(facts, result, SURVEY_hosts));
	judge_advise(result, "start the servers, or take them out of "
	                     "GANGD_DATABASE_URL");
}

JUDGE(target_session_attrs)
{
	const char *found = fact(facts, result, SURVEY_attributes);

	(void)check;
	judge_say(result, "%s", found);
	if (judge_is(found, "read-write") || judge_is(found, "primary"))
		return;
	judge_refuse(result, CHECK_FAIL,
	             "%s: the daemon may come to a server that takes no writes",
	             found);
	judge_advise(result,
	             "target_session_attrs=read-write in GANGD_DATABASE_URL");
}

static bool has_tls(const struct check_facts *facts,
                    struct check_result *result)
{
	return fact(facts, result, SURVEY_tls_version)[0];
}

JUDGE(tls)
{
	(void)check;
	if (has_tls(facts, result)) {
		judge_say(result, "in use");
		return;
	}
	judge_say(result, "none: the server is on this machine");
	if (fact_is_local(facts, result))
		return;
	judge_refuse(result, CHECK_FAIL,
	             "none: cards and tokens cross the network in the clear");
	judge_advise(result, "ssl = on at the server, sslmode=verify-full "
	                     "sslrootcert=FILE in GANGD_DATABASE_URL");
}

JUDGE(tls_version)
{
	const char *version = fact(facts, result, SURVEY_tls_version);

	(void)check;
	judge_say(result, "%s", has_tls(facts, result) ? version : "none");
	if (!has_tls(facts, result) || judge_is(version, "TLSv1.2") ||
	    judge_is(version, "TLSv1.3"))
		return;
	judge_refuse(result, CHECK_FAIL, "%s is broken", version);
	judge_advise_parameter(result, "ssl_min_protocol_version", "TLSv1.2");
}

JUDGE(sslmode)
{
	const char *mode = fact(facts, result, SURVEY_sslmode);

	(void)check;
	judge_say(result, "%s", mode);
	if (fact_is_local(facts, result) || judge_is(mode, "verify-full"))
		return;
	judge_refuse(result, CHECK_FAIL,
	             "%s: another machine could pose as the server", mode);
	judge_advise(result, "sslmode=verify-full sslrootcert=FILE in "
	                     "GANGD_DATABASE_URL");
}

JUDGE(authentication)
{
	const char *certificate =
		fact(facts, result, SURVEY_client_certificate);

	(void)check;
	if (certificate[0]) {
		judge_say(result, "a certificate");
		return;
	}
	if (fact_is(facts, result, SURVEY_used_password, "yes")) {
		judge_say(result, "a password");
		return;
	}
	judge_say(result, "not required: the server is on this machine");
	if (fact_is_local(facts, result))
		return;
	judge_refuse(result, CHECK_FAIL,
	             "the server lets everybody in that reaches it (or uses "
	             "Kerberos)");
	judge_advise(result,
	             "hostssl %s %s all scram-sha-256  # in pg_hba.conf",
	             fact(facts, result, SURVEY_database),
	             fact(facts, result, SURVEY_role));
}
