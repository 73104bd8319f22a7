/*
 * fuzz_language.c - what may stand in an Accept-Language field.
 *
 * It is read a second time, by the grammar of RFC 9110 as an expression and
 * by going through its members from the most wanted to the least.
 */
#include "fuzz.h"

#include <regex.h>
#include <stdlib.h>
#include <strings.h>

#include "http/language.h"

enum { MEMBERS_MAX = 512 };

static const char *const languages[] = { "en", "de", "fr", "ru" };

static const char member_grammar[] =
	"^([A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*|\\*)"
	"([ \t]*;[ \t]*[qQ]=(0(\\.[0-9]{0,3})?|1(\\.0{0,3})?))?$";

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

/* Take the field apart where it stands; false if it is malformed. */
static bool split(char *field, struct members *members)
{
	members->count = 0;
	for (char *next = field; next;) {
		char *text = next;
		next = strchr(text, ',');
		if (next)
			*next++ = '\0';
		text = trim(text);
		if (!*text)
			continue;
		if (regexec(&grammar, text, 0, NULL, 0) != 0)
			return false;
		char *weight = strchr(text, '=');
		assert(members->count < MEMBERS_MAX);
		members->list[members->count++] =
			(struct member){ text, weight ? strtod(weight + 1, NULL)
			                              : 1 };
		text[strcspn(text, " \t;")] = '\0';
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

	for (size_t i = 0; i < members->count; i++) {
		const struct member *member = &members->list[i];
		if (member->quality <= 0 &&
		    strcasecmp(member->range, language) == 0)
			return false;
		named |= member->quality > 0 && finds(member->range, language);
	}
	return by->range[0] == '*' ? !named : finds(by->range, language);
}

/* By quality, then what is named, then as they stand. */
static int compare(const void *left, const void *right)
{
	const struct member *a = left;
	const struct member *b = right;
	bool a_any = a->range[0] == '*';
	bool b_any = b->range[0] == '*';

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
		assert(regcomp(&grammar, member_grammar,
		               REG_EXTENDED | REG_NOSUB) == 0);
	is_ready = true;
	memcpy(field, data, size);
	field[size] = '\0';
	size_t chosen = language_choose(field, languages, ARRAY_LEN(languages));
	assert(chosen == choose(field));
	free(field);
	return 0;
}
