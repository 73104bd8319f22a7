/*
 * judge.h - the judgements of gangctl check, and how they are put in words.
 *
 * A judgement is a pure function over facts.  It begins as CHECK_OK with the
 * text that it found (judge_say), and is made worse by judge_refuse() and a
 * mend. A fact that is NULL could not be read: judge_unknown() says so, and
 * warns, since nothing is known to be wrong.
 */
#pragma once

#include <stdbool.h>
#include <string.h>

#include "operator/check.h"

#define JUDGE(name)                                        \
	void judge_##name(const struct check *check,       \
	                  const struct check_facts *facts, \
	                  struct check_result *result)

#define AREA(title)
#define PARAMETER(...)
#define JUDGED(name, needs) JUDGE(name);
#include "operator/check.def"

/* As printf() does. */
void judge_say(struct check_result *result, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void judge_refuse(struct check_result *result, enum check_level level,
                  const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void judge_mend(struct check_result *result, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The powers of a role beyond its grants, as SURVEY_powers has them. */
void judge_powers(struct check_result *result, const char *role,
                  const char *powers);

/* The subject could not be read. */
void judge_unknown(struct check_result *result, const char *subject);

/* The mend of a parameter of the server. */
void judge_mend_parameter(struct check_result *result, const char *name,
                          const char *value);

static inline const char *fact(const struct check_facts *facts,
                               enum survey_fact which)
{
	return facts->survey.facts[which];
}

/* True if the value of a fact is known and is the wanted one. */
static inline bool judge_is(const char *value, const char *wanted)
{
	return value && strcmp(value, wanted) == 0;
}

static inline bool fact_is(const struct check_facts *facts,
                           enum survey_fact which, const char *wanted)
{
	return judge_is(fact(facts, which), wanted);
}

/* True if the server runs on this machine. */
static inline bool fact_is_local(const struct check_facts *facts)
{
	return fact_is(facts, SURVEY_is_local, "yes");
}

/* The number that a fact is; 0 if it is not known. */
long fact_number(const struct check_facts *facts, enum survey_fact which);
