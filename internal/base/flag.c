/*
 * The table becomes getopt_long()'s.  A flag's number there is its place plus
 * FIRST, so that it differs from '?' and ':'.
 */
#include "base/flag.h"

#include <assert.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

enum { FIRST = 256 };

/*
 * getopt_long() accepts an unambiguous abbreviation of a flag.  A new flag may
 * make it ambiguous, so abbreviations are refused.
 */
static bool is_whole(const struct flag *flag, const char *word)
{
	return strcspn(word + 2, "=") == strlen(flag->name);
}

static void list_options(const struct flag_table *table,
                         struct option options[FLAGS_MAX + 1])
{
	assert(table->count <= FLAGS_MAX);
	for (size_t i = 0; i < table->count; i++) {
		const struct flag *flag = &table->flags[i];

		options[i].name = flag->name;
		options[i].has_arg =
			flag->value ? required_argument : no_argument;
		options[i].val = FIRST + (int)i;
	}
}

bool flags_read(const struct flag_table *table, int argc, char **argv,
                int *rest)
{
	struct option options[FLAGS_MAX + 1] = { { .name = NULL } };
	const char *short_options = table->anywhere ? ":" : "+:";
	const char *word = NULL;
	int found;

	list_options(table, options);
	opterr = 0;
	optind = 0; /* start again, also after another command line */
	while ((found = getopt_long(argc, argv, short_options, options,
	                            NULL)) >= FIRST) {
		const struct flag *flag = &table->flags[found - FIRST];
		bool is_next = flag->value && optarg == argv[optind - 1];

		word = argv[optind - 1 - is_next];
		if (!is_whole(flag, word))
			break;
		if (flag->value)
			*flag->value = optarg;
		else
			*flag->is_given = true;
	}
	*rest = optind;
	if (found == -1)
		return true;
	(void)fprintf(stderr, "%s \"%s\"; expected: %s\n",
	              found == ':' ? "no value follows" : "unexpected argument",
	              found < FIRST ? argv[optind - 1] : word, table->expected);
	return false;
}
