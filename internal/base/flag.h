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
 * Read the flags of argv[1..], up to the first other word.  With anywhere,
 * flags and other words may be mixed: the words are moved after the flags.
 * *rest is the index of the first other word.  The last value of a repeated
 * flag counts.  False if a flag is unknown or has no value; then a line on
 * stderr lists the expected flags.
 */
MUST_CHECK bool flags_read(const struct flag *flags, size_t count,
                           bool anywhere, const char *expected, int argc,
                           char **argv, int *rest);
