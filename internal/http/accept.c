/*
 * The three fields have the same form and are read in the same way: a type, a
 * coding or a language has the highest weight of the members that name it, or
 * of the wildcards if no member does.  RFC 9110 distinguishes more: here the
 * parameters of a range are ignored, and all wildcards are equal.
 */
#include "http/accept.h"

#include <string.h>
#include <strings.h>

#include "http/list.h"

static const char json_type[] = "application/json";
static const char problem_type[] = "application/problem+json";

enum match { MATCH_NONE, MATCH_WILDCARD, MATCH_NAME };

typedef enum match (*match_fn)(const struct list_member *member,
                               const char *name);

/* The weight that a field gives to one value. */
struct wish {
	enum match match;
	unsigned weight; /* in thousandths */
	size_t place;    /* of the member that counts */
};

static struct wish wish_for(const char *field, const char *name, match_fn match)
{
	struct wish best = { .match = MATCH_NONE };
	struct list_member member;

	for (size_t place = 1; list_next(&field, &member); place++) {
		struct wish wish = { match(&member, name), 0, place };

		(void)list_weight(&member, &wish.weight);
		if (wish.match > best.match ||
		    (wish.match == best.match && wish.match &&
		     wish.weight > best.weight))
			best = wish;
	}
	return best;
}

static bool is_stronger(struct wish a, struct wish b)
{
	if (a.weight != b.weight)
		return a.weight > b.weight;
	return a.match > b.match || (a.match == b.match && a.place < b.place);
}

static enum match match_type(const struct list_member *member, const char *type)
{
	size_t kind = strcspn(type, "/") + 1;

	if (list_is(member, type))
		return MATCH_NAME;
	if (list_is(member, "*/*") ||
	    (member->value.len == kind + 1 && member->value.text[kind] == '*' &&
	     strncasecmp(member->value.text, type, kind) == 0))
		return MATCH_WILDCARD;
	return MATCH_NONE;
}

bool accept_type(const char *field, const char *type)
{
	const char *rest = field;
	struct list_member member;

	if (!list_next(&rest, &member))
		return true;
	if (wish_for(field, type, match_type).weight > 0)
		return true;
	if (strcmp(type, json_type) != 0)
		return false;
	struct wish problem = wish_for(field, problem_type, match_type);
	return problem.match == MATCH_NAME && problem.weight > 0;
}

bool accept_prefers(const char *field, const char *type, const char *other)
{
	struct wish wish = wish_for(field, type, match_type);

	return wish.match == MATCH_NAME && wish.weight > 0 &&
	       is_stronger(wish, wish_for(field, other, match_type));
}

static enum match match_gzip(const struct list_member *member, const char *name)
{
	/* RFC 9110, section 8.4.1.3: the old name is the same. */
	if (list_is(member, name) || list_is(member, "x-gzip"))
		return MATCH_NAME;
	return list_is(member, "*") ? MATCH_WILDCARD : MATCH_NONE;
}

bool accept_gzip(const char *field)
{
	return wish_for(field, "gzip", match_gzip).weight > 0;
}

bool accept_is_language(struct http_slice tag, const char *language)
{
	size_t len = strlen(language);

	return tag.len >= len && strncasecmp(tag.text, language, len) == 0 &&
	       (tag.len == len || tag.text[len] == '-');
}

static enum match match_language(const struct list_member *member,
                                 const char *language)
{
	if (list_is(member, "*"))
		return MATCH_WILDCARD;
	return accept_is_language(member->value, language) ? MATCH_NAME
	                                                   : MATCH_NONE;
}

static bool has_malformed_weight(const char *field)
{
	struct list_member member;
	unsigned weight;

	while (list_next(&field, &member)) {
		if (!list_weight(&member, &weight))
			return true;
	}
	return false;
}

size_t accept_language(const char *field, const char *const *languages,
                       size_t count)
{
	struct wish best = { .match = MATCH_NONE };
	size_t chosen = 0;

	if (has_malformed_weight(field))
		return 0;
	for (size_t i = 0; i < count; i++) {
		struct wish wish =
			wish_for(field, languages[i], match_language);

		if (wish.weight > 0 && is_stronger(wish, best)) {
			best = wish;
			chosen = i;
		}
	}
	return chosen;
}
