/*
 * operator_words.h - the words after a command of gangctl.
 */
#pragma once

#include <stdbool.h>

#include "base/flag.h"
#include "base/macros.h"

/*
 * Read a whole number from 1 to max.  False, with a line on stderr that names
 * the argument and the range, for any other word.
 */
MUST_CHECK bool operator_words_number(const char *name, const char *word,
                                      unsigned max, unsigned *number);

/* The words after the command, which words[-1] is. */
struct operator_words {
	int count;
	char **words;
};

/*
 * Read the flags among the words, and leave the other ones, at most that many.
 * False, with a line on stderr that says what was expected.
 */
MUST_CHECK bool operator_words_flags(struct operator_words *words,
                                     const struct flag *flags, size_t count,
                                     int most, const char *expected);
