/*
 * now.h - where a game stands, for a refusal that does not fit it.
 *
 * A ruleset fills this in from a view, so it holds nothing that the viewer may
 * not see.  All strings are static.
 */
#pragma once

#include <stdint.h>

/* A member of "now": a word or a number; 0 without a word is null. */
struct now_member {
	const char *name;
	const char *word; /* NULL: the number */
	unsigned number;
};

enum { NOW_MEMBERS_MAX = 6 };

/*
 * The detail is a sentence in which {name} stands for the member of that name,
 * and {about} for what the action was about; NULL: the ruleset knows no better
 * one than the error's own.
 */
struct now {
	struct now_member members[NOW_MEMBERS_MAX];
	unsigned count;
	const char *detail;
	const char *about;
};
