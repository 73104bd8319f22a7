/*
 * fuzz_language.c - the values of an Accept-Language field.
 *
 * The test reads the field a second time, with the grammar of a weight as a
 * regular expression, and goes through its members from the most wanted to the
 * least.
 */
#include "fuzz.h"

#include <regex.h>
#include <stdlib.h>
#include <strings.h>

#include "http/accept.h"

enum { MEMBERS_MAX = 4096 };

static const char *const languages[] = { "en", "de", "fr", "ru" };

static const char weight_grammar[] = "^(0(\\.[0-9]{0,3})?|1(\\.0{0,3})?)$";

struct member {
	char *range;
	double quality;
};

struct members {
	size_t count;
	struct member list[MEMBERS_MAX];
};

static regex_t grammar;

/* Cut the blanks at both ends off. */
static char *trim(char *text)
{
	text += strspn(text, " \t");
	size_t len = strlen(text);
	while (len > 0 && strchr(" \t", text[len - 1]))
		text[--len] = '\0';
	return text;
}

/* The length of a text up to one of the separators outside of quotes. */
static size_t piece(const char *text, const char *separators)
{
	bool quoted = false;
	size_t len = 0;

	for (; text[len]; len++) {
		if (text[len] == '"')
			quoted = !quoted;
		else if (quoted && text[len] == '\\' && text[len + 1])
			len++;
		else if (!quoted && strchr(separators, text[len]))
			break;
	}
	return len;
}

/* End the text at the separator, if any; returns the text after it. */
static char *cut(char *text, const char *separators)
{
	size_t len = piece(text, separators);
	bool is_last = text[len] == '\0';

	text[len] = '\0';
	return text + len + !is_last;
}

/* Split a member in place; false if its weight is malformed. */
static bool read_member(char *text, struct member *member)
{
	char *params = cut(text, ";");

	*member = (struct member){ trim(text), 1 };
	while (*params) {
		char *param = params;
		params = cut(params, ";");
		param = trim(param);
		if (strncasecmp(param, "q=", 2) != 0)
			continue;
		member->quality = strtod(param + 2, NULL);
		return regexec(&grammar, param + 2, 0, NULL, 0) == 0;
	}
	return true;
}

/* Split the field in place; false if it is malformed. */
static bool split(char *field, struct members *members)
{
	members->count = 0;
	while (*field) {
		char *text = field;
		field = cut(field, ",");
		text = trim(text);
		if (!*text)
			continue;
		assert(members->count < MEMBERS_MAX);
		if (!read_member(text, &members->list[members->count++]))
			return false;
	}
	return true;
}

static bool finds(const char *range, const char *language)
{
	return strncasecmp(range, language, 2) == 0 &&
	       (range[2] == '\0' || range[2] == '-');
}

static bool is_wanted(const struct members *members, const struct member *by,
                      const char *language)
{
	bool named = false;

	for (size_t i = 0; i < members->count; i++)
		named |= finds(members->list[i].range, language);
	return strcmp(by->range, "*") == 0 ? !named
	                                   : finds(by->range, language);
}

/* Order by quality, then named languages first, then by place. */
static int compare(const void *left, const void *right)
{
	const struct member *a = left;
	const struct member *b = right;
	bool a_any = strcmp(a->range, "*") == 0;
	bool b_any = strcmp(b->range, "*") == 0;

	if (a->quality < b->quality || a->quality > b->quality)
		return a->quality < b->quality ? 1 : -1;
	if (a_any != b_any)
		return a_any ? 1 : -1;
	return a->range > b->range ? 1 : -1;
}

static size_t choose(char *field)
{
	static struct members members;

	if (!split(field, &members))
		return 0;
	qsort(members.list, members.count, sizeof(*members.list), compare);
	for (size_t i = 0; i < members.count; i++) {
		const struct member *member = &members.list[i];
		if (member->quality <= 0)
			break;
		for (size_t j = 0; j < ARRAY_LEN(languages); j++) {
			if (is_wanted(&members, member, languages[j]))
				return j;
		}
	}
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static bool is_ready;
	char *field = malloc(size + 1);

	assert(field);
	if (!is_ready)
		assert(regcomp(&grammar, weight_grammar,
		               REG_EXTENDED | REG_NOSUB) == 0);
	is_ready = true;
	memcpy(field, data, size);
	field[size] = '\0';
	size_t chosen = accept_language(field, languages, ARRAY_LEN(languages));
	assert(chosen == choose(field));
	free(field);
	return 0;
}
