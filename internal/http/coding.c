#include "http/coding.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "http/quality.h"

static const char blanks[] = " \t";

/* The weight behind a coding; what is no weight allows nothing. */
static unsigned weight_of(const char *params, size_t len)
{
	const char *end = params + len;
	unsigned quality;

	params += strspn(params, blanks);
	if (params >= end)
		return QUALITY_MAX;
	if (*params++ != ';')
		return 0;
	params += strspn(params, blanks);
	if (strncasecmp(params, "q=", 2) != 0)
		return 0;
	params += 2;
	if (!quality_read(&params, &quality))
		return 0;
	return params + strspn(params, blanks) == end ? quality : 0;
}

static bool is_word(const char *text, size_t len, const char *word)
{
	return len == strlen(word) && strncasecmp(text, word, len) == 0;
}

bool coding_accepts_gzip(const char *field)
{
	bool is_named = false;
	unsigned named = 0;
	unsigned any = 0;

	while (field && *field) {
		field += strspn(field, " \t,");
		size_t item = strcspn(field, ",");
		size_t len = strcspn(field, " \t;,");
		unsigned weight = weight_of(field + len, item - len);

		if (is_word(field, len, "gzip") ||
		    is_word(field, len, "x-gzip")) {
			is_named = true;
			named = weight;
		} else if (is_word(field, len, "*")) {
			any = weight;
		}
		field += item;
	}
	return (is_named ? named : any) > 0;
}
