/*
 * judge.h - the judgements of gangctl check, and how they are put in words.
 *
 * A judgement is a pure function over facts.  It begins as CHECK_OK with the
 * text that it found (judge_say); judge_refuse() makes it worse, and
 * judge_advise() says what to do.
 *
 * A judgement gets the text of a fact only together with its result.  If the
 * fact is unknown, the result is CHECK_UNKNOWN, and stays so whatever the
 * judgement says after it: it cannot call ok what nobody has found out.
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
void judge_advise(struct check_result *result, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The powers of a role beyond its grants, as SURVEY_powers has them. */
void judge_powers(struct check_result *result, const char *role,
                  const char *powers);

/* The advice to set a parameter of the server. */
void judge_advise_parameter(struct check_result *result, const char *name,
                            const char *value);

/* The text of a fact, never NULL: "" if it is absent, or unknown. */
const char *fact(const struct check_facts *facts, struct check_result *result,
                 enum survey_fact which);

/* The number that a fact is; 0 if it is absent or unknown. */
long fact_number(const struct check_facts *facts, struct check_result *result,
                 enum survey_fact which);

static inline bool judge_is(const char *value, const char *wanted)
{
	return strcmp(value, wanted) == 0;
}

static inline bool fact_is(const struct check_facts *facts,
                           struct check_result *result, enum survey_fact which,
                           const char *wanted)
{
	return judge_is(fact(facts, result, which), wanted);
}

/* The advice to let the role that migrates see what it may not. */
void judge_advise_sight(const struct check_facts *facts,
                        struct check_result *result);

/* True if the server runs on this machine. */
static inline bool fact_is_local(const struct check_facts *facts,
                                 struct check_result *result)
{
	return fact_is(facts, result, SURVEY_is_local, "yes");
}

/*
 * True if the role may not see a fact, for a judgement that names the grant
 * which is missing; the result stays as it is.
 */
static inline bool fact_is_denied(const struct check_facts *facts,
                                  enum survey_fact which)
{
	const struct survey_answer *answer = &facts->survey.facts[which];

	return answer->finding == FINDING_UNKNOWN && answer->is_denied;
}
