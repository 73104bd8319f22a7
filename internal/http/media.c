#include "http/media.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "http/quality.h"

static const char json_type[] = "application/json";
static const char problem_type[] = "application/problem+json";
static const char blanks[] = " \t";

/* How closely a media range can name a type; 0 is not at all. */
enum { BY_ANY = 1, BY_KIND, BY_NAME };

/* Of the ranges that name a type most closely, the one that wants it most. */
struct wish {
	unsigned closeness;
	unsigned quality; /* in thousandths */
	unsigned place;   /* in the field, from 1 */
};

/* The piece at *at up to one of the separators outside of quotes. */
static size_t piece_len(const char *at, const char *separators)
{
	bool quoted = false;
	size_t len = 0;

	for (; at[len]; len++) {
		if (at[len] == '"')
			quoted = !quoted;
		else if (quoted && at[len] == '\\' && at[len + 1])
			len++;
		else if (!quoted && strchr(separators, at[len]))
			break;
	}
	return len;
}

static size_t trimmed_len(const char *text, size_t len)
{
	while (len > 0 && strchr(blanks, text[len - 1]))
		len--;
	return len;
}

/* True if the text is the word, whose own parameters do not count. */
static bool is_word(const char *text, size_t len, const char *word)
{
	return len == strcspn(word, ";") && strncasecmp(text, word, len) == 0;
}

static unsigned closeness(const char *range, size_t len, const char *type)
{
	size_t slash = strcspn(type, "/") + 1;

	if (is_word(range, len, type))
		return BY_NAME;
	if (len == slash + 1 && range[slash] == '*' &&
	    strncasecmp(range, type, slash) == 0)
		return BY_KIND;
	return is_word(range, len, "*/*") ? BY_ANY : 0;
}

/* What the q among the parameters says; no number asks for nothing less. */
static unsigned quality_of(const char *params, const char *end)
{
	while (params < end) {
		params += 1 + strspn(params + 1, blanks);
		size_t len = piece_len(params, ";,");
		if (len > 2 && strncasecmp(params, "q=", 2) == 0) {
			const char *at = params + 2;
			unsigned quality;
			bool is_read = quality_read(&at, &quality);

			return is_read && at == params + trimmed_len(params,
			                                             len)
			               ? quality
			               : QUALITY_MAX;
		}
		params += len;
	}
	return QUALITY_MAX;
}

static struct wish wish_for(const char *type, const char *accept)
{
	struct wish best = { .closeness = 0 };

	for (unsigned place = 1; *accept; place++) {
		accept += strspn(accept, " \t,");
		size_t item = piece_len(accept, ",");
		size_t range = piece_len(accept, ";,");
		struct wish wish = {
			closeness(accept, trimmed_len(accept, range), type),
			quality_of(accept + range, accept + item),
			place,
		};
		if (wish.closeness > best.closeness ||
		    (wish.closeness == best.closeness && wish.closeness > 0 &&
		     wish.quality > best.quality))
			best = wish;
		accept += item;
	}
	return best;
}

bool media_accepted(const char *accept, const char *type)
{
	struct wish problem;

	if (!accept || accept[strspn(accept, " \t,")] == '\0')
		return true;
	if (wish_for(type, accept).quality > 0)
		return true;
	if (strcmp(type, json_type) != 0)
		return false;
	problem = wish_for(problem_type, accept);
	return problem.closeness == BY_NAME && problem.quality > 0;
}

bool media_prefers(const char *accept, const char *type, const char *other)
{
	struct wish wish;
	struct wish others;

	if (!accept)
		return false;
	wish = wish_for(type, accept);
	others = wish_for(other, accept);
	if (wish.closeness != BY_NAME || wish.quality == 0)
		return false;
	if (wish.quality != others.quality)
		return wish.quality > others.quality;
	return others.closeness != BY_NAME || wish.place < others.place;
}

bool media_is_json(const char *content_type)
{
	if (!content_type)
		return false;
	content_type += strspn(content_type, blanks);
	size_t len = strcspn(content_type, ";,");
	return content_type[len] != ',' &&
	       is_word(content_type, trimmed_len(content_type, len), json_type);
}

static bool is_utf8(const char *name, size_t len)
{
	if (len > 1 && name[0] == '"' && name[len - 1] == '"') {
		name++;
		len -= 2;
	}
	return (len == 5 && strncasecmp(name, "utf-8", len) == 0) ||
	       (len == 4 && strncasecmp(name, "utf8", len) == 0);
}

bool media_is_utf8(const char *content_type)
{
	static const char charset[] = "charset=";
	const char *at = content_type + piece_len(content_type, ";");

	while (*at) {
		at += 1 + strspn(at + 1, blanks);
		size_t len = trimmed_len(at, piece_len(at, ";"));
		size_t name = sizeof(charset) - 1;
		if (len >= name && strncasecmp(at, charset, name) == 0 &&
		    !is_utf8(at + name, len - name))
			return false;
		at += piece_len(at, ";");
	}
	return true;
}
