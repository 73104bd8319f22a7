/*
 * A command ends at a semicolon outside of comments, quotes and dollar quotes,
 * by the lexical rules of PostgreSQL with standard_conforming_strings on.  The
 * text comes from the files of sql/, so whatever is not closed reaches to the
 * end.
 */
#include "admin/sql_text.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || (c & 0x80);
}

/* The place after the next end, or the end of the text. */
static const char *skip_to(const char *at, const char *end)
{
	const char *found = strstr(at, end);

	return found ? found + strlen(end) : at + strlen(at);
}

/* Comments of this kind may be nested. */
static const char *skip_comment(const char *at)
{
	unsigned depth = 0;

	do {
		if (strncmp(at, "/*", 2) == 0) {
			depth++;
			at += 2;
		} else if (strncmp(at, "*/", 2) == 0) {
			depth--;
			at += 2;
		} else {
			at++;
		}
	} while (depth > 0 && *at);
	return at;
}

/* A doubled quote is two strings here, which does no harm. */
static const char *skip_quoted(const char *at, bool has_escapes)
{
	char quote = *at++;

	while (*at && *at != quote)
		at += has_escapes && *at == '\\' && at[1] ? 2 : 1;
	return *at ? at + 1 : at;
}

/* "$$ ... $$" or "$name$ ... $name$"; a parameter, "$1", is neither. */
static const char *skip_dollar(const char *at)
{
	const char *end = at + 1;
	char tag[64];

	if (isdigit((unsigned char)*end))
		return end;
	while (is_name(*end))
		end++;
	size_t len = (size_t)(end - at) + 1;
	if (*end != '$' || len >= sizeof(tag))
		return at + 1;
	memcpy(tag, at, len);
	tag[len] = '\0';
	return skip_to(at + len, tag);
}

/* The place after what begins here; before is the character before it. */
static const char *skip(const char *at, char before)
{
	if (strncmp(at, "--", 2) == 0)
		return skip_to(at, "\n");
	if (strncmp(at, "/*", 2) == 0)
		return skip_comment(at);
	if (*at == '\'')
		return skip_quoted(at, before == 'E' || before == 'e');
	if (*at == '"')
		return skip_quoted(at, false);
	if (*at == '$' && !is_name(before))
		return skip_dollar(at);
	return at + 1;
}

size_t sql_text_command(const char *text)
{
	const char *at = text;
	bool has_begun = false;

	while (*at) {
		bool is_comment =
			strncmp(at, "--", 2) == 0 || strncmp(at, "/*", 2) == 0;

		if (*at == ';' && has_begun)
			return (size_t)(at + 1 - text);
		if (!is_comment && *at != ';' && !isspace((unsigned char)*at))
			has_begun = true;
		at = skip(at, at > text ? at[-1] : ' ');
	}
	return has_begun ? (size_t)(at - text) : 0;
}
