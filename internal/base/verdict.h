/*
 * verdict.h - how a command of gangctl ends; the values are exit statuses.
 */
#pragma once

enum verdict {
	VERDICT_DONE = 0,    /* everything was done, or is well */
	VERDICT_BAD = 1,     /* refused, or something bad was found */
	VERDICT_UNKNOWN = 2, /* the check or the work could not finish */
};

/* Combine the verdicts of two parts of a command: BAD outranks UNKNOWN. */
static inline enum verdict verdict_worse(enum verdict a, enum verdict b)
{
	if (a == VERDICT_BAD || b == VERDICT_BAD)
		return VERDICT_BAD;
	return a == VERDICT_UNKNOWN ? a : b;
}
