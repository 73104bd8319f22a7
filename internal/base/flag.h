/*
 * flag.h - the flags of a command line, read by getopt_long(): "--flag",
 * "--flag=value" or "--flag value".
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/macros.h"

/* Exactly one of is_given and value is not NULL. */
struct flag {
	const char *name;   /* without "--" */
	bool *is_given;     /* of a flag without a value */
	const char **value; /* borrowed from argv */
};

enum { FLAGS_MAX = 96 };

/* The flags of a command line. */
struct flag_table {
	const struct flag *flags;
	size_t count;         /* at most FLAGS_MAX */
	bool anywhere;        /* among other words too, not only before them */
	const char *expected; /* for messages: the flags, and the other words */
};

/*
 * Read the flags of argv[1..] up to the first other word; with anywhere read
 * all of them, and move the other words to the end of argv.  *rest is the index
 * of the first other word.  If a flag is given twice, its last value counts.
 * False, with a line on stderr that names the expected flags, for an unknown
 * flag or one without its value.
 */
MUST_CHECK bool flags_read(const struct flag_table *table, int argc,
                           char **argv, int *rest);
