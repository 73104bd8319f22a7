/*
 * flag.h - the flags of a command line, read by getopt_long(): "--flag",
 * "--flag=value" or "--flag value".
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/macros.h"

/* One of the two is not NULL. */
struct flag {
	const char *name;   /* without "--" */
	bool *is_given;     /* of a flag without a value */
	const char **value; /* borrowed from argv */
};

enum { FLAGS_MAX = 96 };

/*
 * Read the flags of argv[1..], up to the first other word or, with anywhere,
 * among other words, which then follow the flags.  *rest is the index of the
 * first other word.  A flag that is given twice has its last value.  False,
 * with a line on stderr that has the expected flags in it, if one is unknown or
 * without its value.
 */
MUST_CHECK bool flags_read(const struct flag *flags, size_t count,
                           bool anywhere, const char *expected, int argc,
                           char **argv, int *rest);
