/*
 * now.h - the "now" of a refusal: the present state of the game.
 *
 * A ruleset fills it in from a view, so it holds nothing that the viewer may
 * not see.  All strings are static.
 */
#pragma once

#include <stdint.h>

/* A member of "now": the word; without one the number, or null if it is 0. */
struct now_member {
	const char *name;
	const char *word; /* or NULL */
	unsigned number;
};

enum { NOW_MEMBERS_MAX = 6 };

/*
 * The detail is a sentence, or NULL for the error's own text.  In it, {name} is
 * replaced by the member of that name, and {about} by the text about, which
 * names the object of the action.
 */
struct now {
	struct now_member members[NOW_MEMBERS_MAX];
	unsigned count;
	const char *detail;
	const char *about;
};
