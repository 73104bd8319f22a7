#include "http/language.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "http/quality.h"

enum { SUBTAG_MAX = 8 };

/* A member of the field: "de-CH;q=0.7". */
struct range {
	const char *text;
	size_t len;
	unsigned quality; /* in thousandths */
};

/* What the field says of one language. */
struct wish {
	unsigned quality; /* the best of its ranges; 0: none */
	size_t place;     /* of that range in the field */
	bool excluded;
};

static const char blanks[] = " \t";

static bool is_digit(char c)
{
	return '0' <= c && c <= '9';
}

static bool is_letter(char c)
{
	return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z');
}

static size_t subtag_len(const char *text, bool is_first)
{
	size_t len = 0;

	while (is_letter(text[len]) || (!is_first && is_digit(text[len])))
		len++;
	return len;
}

static bool read_tag(const char **at, struct range *range)
{
	const char *text = *at;
	size_t len = subtag_len(text, true);

	*range = (struct range){ .text = text, .len = 1 };
	if (*text == '*') {
		*at = text + 1;
		return true;
	}
	text += len;
	while (len > 0 && len <= SUBTAG_MAX && *text == '-') {
		len = subtag_len(++text, false);
		text += len;
	}
	range->len = (size_t)(text - range->text);
	*at = text;
	return len > 0 && len <= SUBTAG_MAX;
}

/* A range with its weight, and what is blank behind it. */
static bool read_range(const char **at, struct range *range)
{
	const char *text = *at;

	if (!read_tag(&text, range))
		return false;
	text += strspn(text, blanks);
	range->quality = QUALITY_MAX;
	if (*text == ';') {
		text++;
		text += strspn(text, blanks);
		if (strncasecmp(text, "q=", 2) != 0)
			return false;
		text += 2;
		if (!quality_read(&text, &range->quality))
			return false;
		text += strspn(text, blanks);
	}
	*at = text;
	return *text == ',' || *text == '\0';
}

/* True if the range is the language, or goes on with more subtags. */
static bool finds(const struct range *range, const char *language)
{
	size_t len = strlen(language);

	return range->len >= len &&
	       strncasecmp(range->text, language, len) == 0 &&
	       (range->len == len || range->text[len] == '-');
}

static bool is_any(const struct range *range)
{
	return range->len == 1 && range->text[0] == '*';
}

static void note(struct wish *wish, const struct range *range, size_t place)
{
	if (range->quality > wish->quality) {
		wish->quality = range->quality;
		wish->place = place;
	}
}

/* Read all of the field; false if it is malformed. */
static bool read_field(const char *field, const char *const *languages,
                       size_t count, struct wish *wishes)
{
	struct wish *others = &wishes[count];
	struct range range;

	for (size_t place = 0;; place++) {
		field += strspn(field, " \t,");
		if (*field == '\0')
			return true;
		if (!read_range(&field, &range))
			return false;
		if (is_any(&range))
			note(others, &range, place);
		for (size_t i = 0; i < count; i++) {
			if (!finds(&range, languages[i]))
				continue;
			note(&wishes[i], &range, place);
			if (range.quality == 0)
				wishes[i].excluded |=
					range.len == strlen(languages[i]);
		}
	}
}

size_t language_choose(const char *field, const char *const *languages,
                       size_t count)
{
	/* The one behind the languages is that of "*". */
	struct wish wishes[LANGUAGES_MAX + 1] = { { .quality = 0 } };
	struct wish best = { .quality = 0 };
	size_t chosen = 0;

	assert(count <= LANGUAGES_MAX);
	if (!field || !read_field(field, languages, count, wishes))
		return 0;
	for (size_t i = 0; i < count; i++) {
		struct wish wish = wishes[i];
		if (wish.quality == 0) {
			wish.quality = wishes[count].quality;
			wish.place = SIZE_MAX;
		}
		if (!wish.excluded && (wish.quality > best.quality ||
		                       (wish.quality == best.quality &&
		                        wish.place < best.place))) {
			best = wish;
			chosen = i;
		}
	}
	return chosen;
}
