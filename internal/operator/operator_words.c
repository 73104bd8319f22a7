/*
 * Arguments of commands; nothing is kept.
 */
#include "operator/operator_words.h"

#include <stdio.h>
#include <stdlib.h>

bool operator_words_number(const char *name, const char *word, unsigned max,
                           unsigned *number)
{
	char *end;
	unsigned long read = strtoul(word, &end, 10);

	if (word[0] < '0' || word[0] > '9' || *end || read < 1 || read > max) {
		(void)fprintf(stderr,
		              "%s is \"%s\"; expected: a whole number from "
		              "1 to %u\n",
		              name, word, max);
		return false;
	}
	*number = (unsigned)read;
	return true;
}

bool operator_words_flags(struct operator_words *words,
                          const struct flag *flags, size_t count, int most,
                          const char *expected)
{
	const struct flag_table table = { flags, count, true, expected };
	int rest;

	if (!flags_read(&table, words->count + 1, words->words - 1, &rest))
		return false;
	words->words += rest - 1;
	words->count -= rest - 1;
	if (words->count <= most)
		return true;
	(void)fprintf(stderr, "unexpected argument \"%s\"; expected: %s\n",
	              words->words[most], expected);
	return false;
}
