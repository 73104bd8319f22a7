/*
 * The one tokenizer of lists, for Accept and its relatives, Content-Type and
 * Prefer.  It copies nothing and never fails: the caller ignores a member that
 * makes no sense.  A comma or a semicolon in a quoted string separates nothing,
 * and a quoted string without an end goes to the end of the field.
 */
#include "http/list.h"

#include <string.h>
#include <strings.h>

static const char blanks[] = " \t";

/* The length of a text up to one of the separators. */
static size_t piece_len(const char *text, const char *separators)
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

static struct http_slice trimmed(const char *text, size_t len)
{
	while (len > 0 && strchr(blanks, text[len - 1]))
		len--;
	return (struct http_slice){ text, len };
}

const char *list_read(const char *text, struct list_member *member)
{
	text += strspn(text, blanks);
	size_t len = piece_len(text, ";,");

	member->value = trimmed(text, len);
	member->params = text + len;
	member->end = text + piece_len(text, ",");
	return member->end;
}

bool list_next(const char **field, struct list_member *member)
{
	if (!*field)
		return false;
	const char *start = *field + strspn(*field, " \t,");
	*field = list_read(start, member);
	return *field > start;
}

bool list_is(const struct list_member *member, const char *word)
{
	return member->value.len == strcspn(word, ";") &&
	       strncasecmp(member->value.text, word, member->value.len) == 0;
}

bool list_param(struct list_member *member, const char *name,
                struct http_slice *value)
{
	size_t name_len = strlen(name);

	while (member->params < member->end) {
		const char *at = member->params + 1;
		at += strspn(at, blanks);
		struct http_slice param = trimmed(at, piece_len(at, ";,"));

		member->params = at + piece_len(at, ";,");
		if (param.len > name_len && at[name_len] == '=' &&
		    strncasecmp(at, name, name_len) == 0) {
			*value = (struct http_slice){
				at + name_len + 1,
				param.len - name_len - 1,
			};
			return true;
		}
	}
	return false;
}

bool list_weight(struct list_member *member, unsigned *weight)
{
	struct http_slice text;
	unsigned worth = LIST_WEIGHT_MAX;
	unsigned sum = 0;

	*weight = LIST_WEIGHT_MAX;
	if (!list_param(member, "q", &text))
		return true;
	for (size_t i = 0; i < text.len; i++) {
		char c = text.text[i];

		if (i == 1 ? c != '.' : c < '0' || c > '9' || worth == 0)
			return false;
		if (i == 1)
			continue;
		sum += (unsigned)(c - '0') * worth;
		worth /= 10;
	}
	if (text.len == 0 || sum > LIST_WEIGHT_MAX)
		return false;
	*weight = sum;
	return true;
}
