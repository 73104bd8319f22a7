/*
 * survey.h - what "gangctl check" asks a database.
 */
#pragma once

#include <stdbool.h>

#include "base/arena.h"
#include "base/finding.h"

enum survey_fact {
#define FOUND(name)     SURVEY_##name,
#define PARAMETER(name) SURVEY_##name,
#define ASK(name, ...)  SURVEY_##name,
#include "admin/survey.def"
	SURVEY_COUNT
};

/*
 * A fact has a text without a password, in the arena or static, and never NULL:
 *
 *   found    what it is; booleans of SQL are "t" and "f"
 *   absent   "": the server says that it has no such value
 *   unknown  why: the connection was lost, the server refused the question
 */
struct survey_answer {
	enum finding finding;
	bool is_denied; /* unknown, since the role may not see it */
	const char *text;
};

struct survey {
	struct survey_answer facts[SURVEY_COUNT];
};

/* The name of a fact, as in survey.def; static. */
const char *survey_name(enum survey_fact fact);

/* Valid connection strings; NULL: not given. */
struct survey_urls {
	const char *app;   /* the daemon's, which is not NULL */
	const char *owner; /* of the role that migrates */
	const char *push;  /* of gangd-push */
};

/* Connect by each of them, and find out every fact.  Waits; changes nothing. */
void survey_database(struct survey *survey, struct arena *arena,
                     const struct survey_urls *urls);
