/*
 * check.h - gangctl check: are the settings, the server and the roles as a
 * daemon needs them?
 *
 * The facts are read first (admin/survey.h); each check is a function over
 * them, which reads nothing.  No fact holds a password.
 */
#pragma once

#include <stdbool.h>

#include "admin/survey.h"
#include "base/macros.h"
#include "base/verdict.h"

/* CHECK_UNKNOWN: a fact that the check needs could not be found out. */
enum check_level {
	CHECK_OK,
	CHECK_WARN,
	CHECK_FAIL,
	CHECK_UNKNOWN,
	CHECK_LEVELS
};

struct check_facts {
	struct survey survey;

	/* The daemon's environment file; NULL: its environment is ours. */
	const char *env_file;
	unsigned env_file_mode; /* permission bits */
	bool has_password;      /* in its connection string */
	bool has_migrate_url;   /* GANGD_MIGRATE_URL is in the file */
	const char
		*unknown_variables; /* GANGD_... that no program knows; or "" */
	const char *old_names;      /* variables with their old names; or "" */
	bool has_quotas;
	bool gathers; /* GANGD_BATCH is not 0 */

	/* GANGD_KEY_FILE; its keys' numbers, with blanks, the first one of
	 * which encrypts; and why they cannot be read, or NULL. */
	const char *key_file; /* "": none */
	const char *keys;
	const char *keys_refusal;
	bool accepts_plain; /* values that are not encrypted, all the same */

	/* The environment file of gangd-push alone; NULL: it is not checked. */
	const char *push_env_file;
	unsigned push_env_file_mode;
	bool push_has_password;

	unsigned daemons;
	unsigned connections; /* of each daemon, to the database */
};

enum { CHECK_TEXT_MAX = 512 };

struct check_result {
	enum check_level level;
	char found[CHECK_TEXT_MAX];  /* what is so, and why it matters */
	char advice[CHECK_TEXT_MAX]; /* a command or setting; "" if all is well
	                              */
};

/* Without what it needs a check is left out. */
enum check_needs {
	NEEDS_NOTHING,
	NEEDS_FILE,      /* the environment file of a daemon */
	NEEDS_DATABASE,  /* that answers the daemon */
	NEEDS_PUSH_FILE, /* that of gangd-push */
	NEEDS_PUSH_ROLE, /* and an answer to it */
};

/* The checks, in the order of check.def. */
struct check {
	const char *area;
	const char *name;
	enum check_needs needs;
	void (*judge)(const struct check *check,
	              const struct check_facts *facts,
	              struct check_result *result);
	/* For judge_parameter() only. */
	enum survey_fact fact;
	const char *good;
	enum check_level otherwise;
	const char *why;
};
extern const struct check check_table[];
extern const unsigned check_count;

/*
 * Find out the facts of the database, judge, and print a line for each check,
 * or one JSON object.  VERDICT_BAD if a check fails; otherwise VERDICT_UNKNOWN
 * if the result of one is unknown, or cannot be printed.
 */
MUST_CHECK enum verdict check_run(struct check_facts *facts,
                                  const struct survey_urls *urls, bool as_json);
