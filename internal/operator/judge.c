/*
 * judge.c - the table of checks, the judgement of a parameter, and how a
 * judgement is put in words.
 *
 * In the table an area is a row of its own, without a name; it is the area of
 * the rows that follow.
 */
#include "operator/judge.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { WORD_MAX = 64 };

__attribute__((format(printf, 2, 0))) static void print(
	char text[CHECK_TEXT_MAX], const char *format, va_list values)
{
	(void)vsnprintf(text, CHECK_TEXT_MAX, format, values);
}

void judge_say(struct check_result *result, const char *format, ...)
{
	va_list values;

	va_start(values, format);
	if (result->level != CHECK_UNKNOWN)
		print(result->found, format, values);
	va_end(values);
}

void judge_refuse(struct check_result *result, enum check_level level,
                  const char *format, ...)
{
	va_list values;

	va_start(values, format);
	if (result->level != CHECK_UNKNOWN) {
		print(result->found, format, values);
		result->level = level;
	}
	va_end(values);
}

void judge_advise(struct check_result *result, const char *format, ...)
{
	va_list values;

	va_start(values, format);
	if (result->level != CHECK_UNKNOWN)
		print(result->advice, format, values);
	va_end(values);
}

void judge_advise_parameter(struct check_result *result, const char *name,
                            const char *value)
{
	judge_advise(result,
	             "ALTER SYSTEM SET %s = '%s'; SELECT pg_reload_conf();",
	             name, value);
}

/* --- facts ---------------------------------------------------------------- */

static void note_unknown(struct check_result *result, const char *name,
                         const struct survey_answer *answer)
{
	if (result->level == CHECK_UNKNOWN)
		return;
	judge_refuse(result, CHECK_WARN, "\"%s\" could not be found out: %s",
	             name, answer->text);
	judge_advise(result, answer->is_denied
	                             ? "look at the server as its superuser"
	                             : "gangctl check  # again");
	result->level = CHECK_UNKNOWN;
}

const char *fact(const struct check_facts *facts, struct check_result *result,
                 enum survey_fact which)
{
	const struct survey_answer *answer = &facts->survey.facts[which];

	switch (answer->finding) {
	case FINDING_UNKNOWN:
		note_unknown(result, survey_name(which), answer);
		return "";
	case FINDING_ABSENT:
	case FINDING_FOUND:
		break;
	}
	return answer->text;
}

long fact_number(const struct check_facts *facts, struct check_result *result,
                 enum survey_fact which)
{
	return strtol(fact(facts, result, which), NULL, 10);
}

/* --- parameters of the server --------------------------------------------- */

/* The length of the first of the values with bars between them. */
static size_t word_len(const char *words)
{
	return strcspn(words, "|");
}

static bool is_among(const char *value, const char *words)
{
	size_t len = strlen(value);

	for (;;) {
		size_t next = word_len(words);

		if (next == len && strncmp(words, value, len) == 0)
			return true;
		if (!words[next])
			return false;
		words += next + 1;
	}
}

static void judge_parameter(const struct check *check,
                            const struct check_facts *facts,
                            struct check_result *result)
{
	const char *value = fact(facts, result, check->fact);
	char first[WORD_MAX];

	judge_say(result, "%s", value);
	if (is_among(value, check->good))
		return;
	(void)snprintf(first, sizeof(first), "%.*s", (int)word_len(check->good),
	               check->good);
	judge_refuse(result, check->otherwise, "%s: %s", value, check->why);
	judge_advise_parameter(result, check->name, first);
}

/* The role that migrates may see more than that of a daemon. */
void judge_advise_sight(const struct check_facts *facts,
                        struct check_result *result)
{
	const char *migrator = fact(facts, result, SURVEY_migrator);

	if (fact_is(facts, result, SURVEY_role, migrator))
		judge_advise(result, "set GANGD_MIGRATE_URL, and GRANT "
		                     "pg_monitor to its role");
	else
		judge_advise(result, "GRANT pg_monitor TO %s;", migrator);
}

/* --- the table ------------------------------------------------------------ */

const struct check check_table[] = {
#define AREA(title) { .area = title },
#define PARAMETER(name, good, level, why)                        \
	{ NULL,          #name, NEEDS_DATABASE, judge_parameter, \
	  SURVEY_##name, good,  CHECK_##level,  why },
#define JUDGED(name, needs) { NULL, #name, NEEDS_##needs, judge_##name },
#include "operator/check.def"
};

const unsigned check_count = ARRAY_LEN(check_table);
