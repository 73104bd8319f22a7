#include "http/media.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

static const char json_type[] = "application/json";
static const char blanks[] = " \t";

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

/* How closely a media range names the type: 0 is not at all. */
static unsigned closeness(const char *range, size_t len, const char *type)
{
	size_t slash = strcspn(type, "/") + 1;

	if (is_word(range, len, type))
		return 3;
	if (strcmp(type, json_type) == 0 &&
	    is_word(range, len, "application/problem+json"))
		return 3;
	if (len == slash + 1 && range[slash] == '*' &&
	    strncasecmp(range, type, slash) == 0)
		return 2;
	return is_word(range, len, "*/*") ? 1 : 0;
}

/* True unless the parameters hold a q of nothing but zeroes. */
static bool is_wanted(const char *params, const char *end)
{
	while (params < end) {
		params += 1 + strspn(params + 1, blanks);
		size_t len = piece_len(params, ";,");
		if (len > 2 && strncasecmp(params, "q=", 2) == 0) {
			size_t digits = trimmed_len(params, len);
			return strspn(params + 2, "0.") < digits - 2;
		}
		params += len;
	}
	return true;
}

bool media_accepted(const char *accept, const char *type)
{
	unsigned closest = 0;
	bool wanted = false;

	if (!accept || accept[strspn(accept, " \t,")] == '\0')
		return true;
	while (*accept) {
		accept += strspn(accept, " \t,");
		size_t item = piece_len(accept, ",");
		size_t range = piece_len(accept, ";,");
		const char *end = accept + item;
		unsigned close =
			closeness(accept, trimmed_len(accept, range), type);
		if (close > 0 && close >= closest) {
			bool said = is_wanted(accept + range, end);
			wanted = said || (close == closest && wanted);
			closest = close;
		}
		accept = end;
	}
	return wanted;
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

/* Which of the items names the type, from 1, and wants it; 0: none. */
static unsigned place_of(const char *accept, const char *type)
{
	for (unsigned place = 1; *accept; place++) {
		accept += strspn(accept, " \t,");
		size_t item = piece_len(accept, ",");
		size_t range = piece_len(accept, ";,");
		if (is_word(accept, trimmed_len(accept, range), type) &&
		    is_wanted(accept + range, accept + item))
			return place;
		accept += item;
	}
	return 0;
}

bool media_prefers(const char *accept, const char *type, const char *other)
{
	if (!accept)
		return false;
	unsigned place = place_of(accept, type);
	unsigned others = place_of(accept, other);
	return place && (!others || place < others);
}
