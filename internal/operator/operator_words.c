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
