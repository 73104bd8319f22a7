/*
 * outcome.h - how a command of gangctl ends; the values are exit statuses.
 */
#pragma once

enum outcome {
	OUTCOME_DONE = 0,    /* all was done, or is well */
	OUTCOME_BAD = 1,     /* refused, or something bad was found */
	OUTCOME_UNKNOWN = 2, /* it could not be found out or finished */
};

/* Of two parts of a command: what is known to be bad comes first. */
static inline enum outcome outcome_worse(enum outcome a, enum outcome b)
{
	if (a == OUTCOME_BAD || b == OUTCOME_BAD)
		return OUTCOME_BAD;
	return a == OUTCOME_UNKNOWN ? a : b;
}
