/*
 * judge_keys.c - the judgements of the key file, and of the keys that stored
 * values need.
 *
 * A list of keys is their numbers with blanks between them; in the fact
 * "stored_keys" 0 stands for values that are not encrypted.
 */
#include "operator/judge.h"

#include <stdlib.h>

JUDGE(key_file)
{
	(void)check;
	if (facts->keys_refusal) {
		judge_refuse(result, CHECK_FAIL, "%s", facts->keys_refusal);
		judge_mend(result,
		           "set GANGD_KEY_FILE to a file with a line of "
		           "gangctl new-key");
	} else if (facts->key_file[0]) {
		judge_say(result, "keys %s; the first one encrypts",
		          facts->keys);
	} else {
		judge_say(result, "none: nothing is encrypted");
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

/* The facts are not known: only the owner may read them. */
static void judge_unseen(const struct check_facts *facts,
                         struct check_result *result)
{
	if (fact_is(facts, SURVEY_schema, "none")) {
		judge_say(result, "nothing is stored");
	} else if (fact(facts, SURVEY_owner_refusal) ||
	           fact_is(facts, SURVEY_migrator_acts, "f")) {
		judge_say(result, "not seen without the owner's rights");
	} else {
		judge_unknown(result, "the keys of stored values");
	}
	if (judge_is(fact(facts, SURVEY_migrator), fact(facts, SURVEY_role))) {
		judge_refuse(result, CHECK_WARN,
		             "not seen without GANGD_MIGRATE_URL");
		judge_mend(result, "set GANGD_MIGRATE_URL");
	}
}

JUDGE(stored_keys)
{
	const char *stored = fact(facts, SURVEY_stored_keys);
	unsigned long first = strtoul(facts->keys, NULL, 10);
	bool has_others = false;
	char *end = NULL;

	(void)check;
	if (!stored) {
		judge_unseen(facts, result);
		return;
	}
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
			judge_mend(result,
			           "set GANGD_KEY_FILE to the file of "
			           "the daemons, or put key %lu back "
			           "into it",
			           key);
			return;
		}
		has_others = has_others || key != first;
	}
	if (!has_others)
		return;
	judge_refuse(result, CHECK_WARN,
	             "values are stored that key %lu has not encrypted", first);
	judge_mend(result, "gangctl rekey");
}
