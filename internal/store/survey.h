/*
 * survey.h - what "gangctl check" wants to know about a database.
 */
#pragma once

#include "base/arena.h"

enum survey_fact {
#define FOUND(name)     SURVEY_##name,
#define PARAMETER(name) SURVEY_##name,
#define ASK(name, ...)  SURVEY_##name,
#include "store/survey.def"
	SURVEY_COUNT
};

/*
 * Each fact is a text without a password, in the arena or static; NULL: not
 * known, since there is no connection or the role may not see it.  Booleans of
 * SQL are "t" and "f".
 */
struct survey {
	const char *facts[SURVEY_COUNT];
};

/* The name of a fact, as in survey.def; static. */
const char *survey_name(enum survey_fact fact);

/* Valid connection strings; NULL: none of it. */
struct survey_urls {
	const char *app;   /* the daemon's, which is not NULL */
	const char *owner; /* of the role that migrates */
	const char *push;  /* of gangd-push */
};

/* Connect by each of them, and find out every fact.  Waits; changes nothing. */
void survey_database(struct survey *survey, struct arena *arena,
                     const struct survey_urls *urls);
