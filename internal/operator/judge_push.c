/*
 * judge_push.c - the judgements of gangd-push's role.
 *
 * needs[] says what deploy/systemd/push-role.sql grants, as the fact
 * "push_grants" has it.  A role with these grants sees no card that is hidden,
 * and no name.
 */
#include "operator/judge.h"

static const char run_script[] =
	"as the server's superuser, run push-role.sql of /usr/lib/gangd or "
	"/usr/local/lib/gangd: psql -X -d gangd -f FILE";

JUDGE(push_connect)
{
	const char *refusal = fact(facts, result, SURVEY_push_refusal);

	(void)check;
	judge_say(result, "the database answers");
	if (!refusal[0])
		return;
	judge_refuse(result, CHECK_FAIL, "%s", refusal);
	judge_advise(result,
	             "set GANGD_DATABASE_URL in %s, or start the server",
	             facts->push_env_file);
}

/* True if gangd-push has the role of the daemon. */
static bool shares_role(const struct check_facts *facts,
                        struct check_result *result)
{
	return judge_is(fact(facts, result, SURVEY_push_role),
	                fact(facts, result, SURVEY_role));
}

JUDGE(push_role)
{
	const char *role = fact(facts, result, SURVEY_push_role);

	(void)check;
	judge_powers(result, role, fact(facts, result, SURVEY_push_powers));
	if (result->level != CHECK_OK || !shares_role(facts, result))
		return;
	judge_refuse(result, CHECK_WARN,
	             "%s is the daemon's role, which can read cards; "
	             "gangd-push does not need them",
	             role);
	judge_advise(result,
	             "%s; then user=gangd_push in GANGD_DATABASE_URL of %s",
	             run_script, facts->push_env_file);
}

static const struct {
	const char *table;
	const char *privileges;
} needs[] = {
	{ "game", "SELECT(game_id host mode push_seats rematch revision "
	          "ruleset) UPDATE(push_seats revision)" },
	{ "notification", "SELECT UPDATE(attempts due_at) DELETE" },
	{ "push_subscription", "SELECT DELETE" },
	{ "schema_migration", "SELECT" },
	{ "seat", "SELECT(client_reference game_id last_seen name seat "
	          "seen_version token_hash)" },
};

/* The privileges that the role needs on a table; "": none. */
static const char *find_needs(const char *table, size_t len)
{
	for (size_t i = 0; i < ARRAY_LEN(needs); i++) {
		if (strlen(needs[i].table) == len &&
		    memcmp(needs[i].table, table, len) == 0)
			return needs[i].privileges;
	}
	return "";
}

/* The entry of a table in the fact; NULL: it has no privilege. */
static const char *find_grant(const char *grants, const char *table)
{
	size_t len = strlen(table);

	while (*grants) {
		if (strncmp(grants, table, len) == 0 && grants[len] == '=')
			return grants + len + 1;
		grants += strcspn(grants, ",");
		grants += *grants == ',';
	}
	return NULL;
}

static void refuse_grant(const struct check_facts *facts,
                         struct check_result *result, const char *table,
                         size_t table_len, const char *has)
{
	const char *wants = find_needs(table, table_len);

	judge_refuse(result, CHECK_FAIL, "%s has on %.*s: %.*s; it needs: %s",
	             fact(facts, result, SURVEY_push_role), (int)table_len,
	             table, has ? (int)strcspn(has, ",") : 7,
	             has ? has : "nothing", wants[0] ? wants : "nothing");
	judge_advise(result, "%s", run_script);
}

/* True if what a table has is what it needs. */
static bool fits(const char *has, const char *wants)
{
	size_t len = has ? strcspn(has, ",") : 0;

	return len == strlen(wants) && strncmp(has ? has : "", wants, len) == 0;
}

JUDGE(push_grants)
{
	const char *grants = fact(facts, result, SURVEY_push_grants);
	const char *table = grants;

	(void)check;
	judge_say(result, "those of push-role.sql");
	if (shares_role(facts, result)) {
		judge_say(result, "those of the daemon");
		return;
	}
	for (size_t i = 0; i < ARRAY_LEN(needs); i++) {
		const char *has = find_grant(grants, needs[i].table);

		if (!fits(has, needs[i].privileges)) {
			refuse_grant(facts, result, needs[i].table,
			             strlen(needs[i].table), has);
			return;
		}
	}
	while (*table) {
		size_t len = strcspn(table, "=");
		const char *has = table + len + 1;

		if (!find_needs(table, len)[0]) {
			refuse_grant(facts, result, table, len, has);
			return;
		}
		table = has + strcspn(has, ",");
		table += *table == ',';
	}
}
