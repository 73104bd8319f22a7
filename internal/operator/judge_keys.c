/*
 * judge_keys.c - the judgements of the key file, and of the keys that stored
 * values need.
 *
 * A list of keys is their numbers with blanks between them; in the fact
 * "stored_keys" 0 means values that are not encrypted.
 */
#include "operator/judge.h"

#include <stdlib.h>

JUDGE(key_file)
{
	(void)check;
	if (facts->keys_refusal) {
		judge_refuse(result, CHECK_FAIL, "%s", facts->keys_refusal);
		judge_advise(result,
		             "set GANGD_KEY_FILE to a file with a line of "
		             "gangctl new-key");
	} else if (facts->key_file[0]) {
		judge_say(result, "keys %s; the first one encrypts",
		          facts->keys);
	} else {
		judge_say(result, "none: nothing is encrypted");
	}
}

/* On is right only while gangctl rekey is under way. */
JUDGE(accept_plain)
{
	(void)check;
	if (!facts->key_file[0]) {
		judge_say(result, "no key file");
	} else if (!facts->accepts_plain) {
		judge_say(result, "off: a value in the clear is refused");
	} else {
		judge_refuse(result, CHECK_WARN,
		             "on: somebody who can write to the database can "
		             "give a game another state");
		judge_advise(result,
		             "gangctl rekey, then GANGD_ACCEPT_PLAIN=off "
		             "and a restart of all daemons");
	}
}

static bool has_key(const char *keys, unsigned long wanted)
{
	char *end = NULL;

	while (*keys) {
		if (strtoul(keys, &end, 10) == wanted)
			return true;
		keys = end + strspn(end, " ");
	}
	return false;
}

/* Only the owner of the schema may read them. */
static void refuse_unseen(const struct check_facts *facts,
                          struct check_result *result)
{
	judge_refuse(result, CHECK_WARN,
	             "not seen without the rights of the schema's owner");
	if (fact_is(facts, result, SURVEY_migrator,
	            fact(facts, result, SURVEY_role)))
		judge_advise(result, "set GANGD_MIGRATE_URL");
	else
		judge_advise(result, "GRANT gangd_owner TO %s;",
		             fact(facts, result, SURVEY_migrator));
}

JUDGE(stored_keys)
{
	unsigned long first = strtoul(facts->keys, NULL, 10);
	bool has_others = false;
	bool has_plain = false;
	char *end = NULL;

	(void)check;
	if (fact_is(facts, result, SURVEY_schema, "none")) {
		judge_say(result, "nothing is stored");
		return;
	}
	if (fact_is_denied(facts, SURVEY_stored_keys)) {
		refuse_unseen(facts, result);
		return;
	}
	const char *stored = fact(facts, result, SURVEY_stored_keys);
	judge_say(result, "the file has all that stored values need");
	for (; *stored; stored = end + strspn(end, " ")) {
		unsigned long key = strtoul(stored, &end, 10);

		if (key && !has_key(facts->keys, key)) {
			judge_refuse(
				result, CHECK_FAIL,
				"values are encrypted under key %lu, which "
				"GANGD_KEY_FILE lacks: their games cannot "
				"be played",
				key);
			judge_advise(result,
			             "set GANGD_KEY_FILE to the file of "
			             "the daemons, or put key %lu back "
			             "into it",
			             key);
			return;
		}
		has_others = has_others || key != first;
		has_plain = has_plain || key == 0;
	}
	if (!has_others)
		return;
	if (has_plain && !facts->accepts_plain) {
		judge_refuse(result, CHECK_FAIL,
		             "values are stored that are not encrypted, and "
		             "GANGD_ACCEPT_PLAIN is off: their games cannot be "
		             "played");
		judge_advise(result, "gangctl rekey");
		return;
	}
	judge_refuse(result, CHECK_WARN,
	             "values are stored that key %lu has not encrypted", first);
	judge_advise(result, "gangctl rekey");
}
