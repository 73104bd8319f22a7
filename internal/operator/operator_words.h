/*
 * operator_words.h - the words behind a command of gangctl.
 */
#pragma once

#include <stdbool.h>

#include "base/macros.h"

/*
 * Read a whole number from 1 to max.  False, with a line on stderr that names
 * the argument and the range, for any other word.
 */
MUST_CHECK bool operator_words_number(const char *name, const char *word,
                                      unsigned max, unsigned *number);
