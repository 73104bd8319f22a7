/*
 * The texts are rows that texts.py made, sorted by key, with a column for each
 * language.  The build fails unless every language has every text.
 */
#include "service/texts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"

static const char *const languages[] = {
#define LANGUAGE(tag) tag,
#define TEXT(...)
#include "service/texts.def"
};

struct text {
	const char *key;
	const char *in[ARRAY_LEN(languages)];
};

static const struct text texts[] = {
#define LANGUAGE(tag)
#define TEXT(key, ...) { key, { __VA_ARGS__ } },
#include "service/texts.def"
};

const char *const *texts_languages(size_t *count)
{
	*count = ARRAY_LEN(languages);
	return languages;
}

static int compare(const void *key, const void *element)
{
	const struct text *text = element;

	return strcmp(key, text->key);
}

const char *texts_find(const char *key, size_t language)
{
	const struct text *text =
		bsearch(key, texts, ARRAY_LEN(texts), sizeof(*texts), compare);

	assert(language < ARRAY_LEN(languages));
	return text ? text->in[language] : NULL;
}
