/*
 * text.c - takes words, quoted strings and JSON from a line, and fills in its
 * variables.
 *
 * A cursor points into the line and only moves forward; what is taken is copied
 * into the story's arena.
 */
#include "text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool text_end(const char **at)
{
	while (**at == ' ' || **at == '\t')
		(*at)++;
	return !**at;
}

bool text_take(const char **at, const char *word)
{
	size_t len = strlen(word);

	text_end(at);
	if (strncmp(*at, word, len) != 0)
		return false;
	if ((*at)[len] && !isspace((unsigned char)(*at)[len]))
		return false;
	*at += len;
	text_end(at);
	return true;
}

const char *text_word(struct story *story, const char **at)
{
	const char *start;

	text_end(at);
	start = *at;
	while (**at && !isspace((unsigned char)**at))
		(*at)++;
	if (*at > start + 1 && (*at)[-1] == ',')
		(*at)--;
	const char *word =
		arena_strndup(&story->arena, start, (size_t)(*at - start));
	text_end(at);
	return word;
}

/* The byte that a backslash and what follows it stand for. */
static char unescape(const char **at)
{
	static const char from[] = "rnt0", to[] = "\r\n\t";
	char digits[3] = "";
	const char *found;
	char c = *(*at)++;

	if (c == 'x') {
		memcpy(digits, *at, strnlen(*at, 2));
		*at += strlen(digits);
		return (char)strtoul(digits, NULL, 16);
	}
	found = strchr(from, c);
	return c && found ? to[found - from] : c;
}

const char *text_string(struct story *story, const char **at, size_t *len)
{
	char *text;
	size_t n = 0;

	text_end(at);
	if (**at != '"')
		story_fail(story, NULL, "no string here: %s", *at);
	text = arena_zalloc(&story->arena, strlen(*at) + 1);
	for ((*at)++; **at && **at != '"';) {
		if (**at == '\\') {
			(*at)++;
			text[n++] = unescape(at);
		} else {
			text[n++] = *(*at)++;
		}
	}
	if (**at != '"')
		story_fail(story, NULL, "the string has no end");
	(*at)++;
	if (len)
		*len = n;
	text_end(at);
	return text;
}

/* Past a string in double quotes. */
static const char *skip_string(const char *c)
{
	for (c++; *c && *c != '"'; c++) {
		if (*c == '\\' && c[1])
			c++;
	}
	return *c ? c + 1 : c;
}

const char *text_json(struct story *story, const char **at)
{
	int depth = 0;
	const char *start;

	text_end(at);
	start = *at;
	while (**at) {
		char c = **at;
		if (!depth && (isspace((unsigned char)c) || c == ','))
			break;
		depth += (c == '{' || c == '[') - (c == '}' || c == ']');
		*at = c == '"' ? skip_string(*at) : *at + 1;
	}
	const char *json =
		arena_strndup(&story->arena, start, (size_t)(*at - start));
	text_end(at);
	return json;
}

const char *text_until(struct story *story, const char **at, const char *stop,
                       const char *or_stop)
{
	const char *start;
	const char *end;
	const char *other;

	text_end(at);
	start = *at;
	end = strstr(start, stop);
	other = strstr(start, or_stop);
	if (!end || (other && other < end))
		end = other;
	if (!end)
		end = start + strlen(start);
	*at = end;
	while (end > start && isspace((unsigned char)end[-1]))
		end--;
	text_end(at);
	return arena_strndup(&story->arena, start, (size_t)(end - start));
}

/* --- variables ------------------------------------------------------------ */

static const char *actor_variable(struct story *story, const char *name)
{
	const char *dot = strchr(name, '.');
	struct actor *actor;

	if (!dot)
		return NULL;
	actor = story_actor(story, arena_strndup(&story->arena, name,
	                                         (size_t)(dot - name)));
	if (strcmp(dot, ".token") == 0)
		return actor->token;
	if (strcmp(dot, ".seat") == 0)
		return arena_printf(&story->arena, "%d", actor->seat);
	if (strcmp(dot, ".game") == 0 && actor->game)
		return actor->game->id;
	return NULL;
}

/* $(text*count), with the cursor behind the parenthesis. */
static const char *repeated(struct story *story, const char **at)
{
	const char *star = strchr(*at, '*');
	const char *end = star ? strchr(star, ')') : NULL;

	if (!end)
		story_fail(story, NULL, "$(text*count) has no end");
	size_t len = (size_t)(star - *at);
	size_t count = strtoul(star + 1, NULL, 10);
	char *text = arena_zalloc(&story->arena, len * count + 1);
	for (size_t i = 0; i < count; i++)
		memcpy(text + i * len, *at, len);
	*at = end + 1;
	return text;
}

/* The value of the variable behind a dollar; moves past its name. */
static const char *value_at(struct story *story, const char **at)
{
	const char *start = *at;
	const char *name;

	if (!isalpha((unsigned char)**at) && **at != '(')
		return "$";
	if (**at == '(') {
		(*at)++;
		return repeated(story, at);
	}
	while (isalnum((unsigned char)**at) || **at == '_' ||
	       (**at == '.' && isupper((unsigned char)*start) &&
	        islower((unsigned char)(*at)[1])))
		(*at)++;
	name = arena_strndup(&story->arena, start, (size_t)(*at - start));
	for (struct variable *v = story->variables; v; v = v->next) {
		if (strcmp(v->name, name) == 0)
			return v->text;
	}
	const char *value = actor_variable(story, name);
	if (!value)
		story_fail(story, NULL, "nothing is known as $%s", name);
	return value;
}

/* The text as in a JSON string, without the quotes. */
static const char *escaped(struct story *story, const char *value)
{
	char *text = arena_zalloc(&story->arena, 2 * strlen(value) + 1);
	char *to = text;

	for (; *value; value++) {
		if (*value == '"' || *value == '\\')
			*to++ = '\\';
		*to++ = *value;
	}
	return text;
}

const char *text_fill(struct story *story, const char *line)
{
	const char *filled = "";
	bool in_string = false;

	while (*line) {
		const char *start = line;
		while (*line && *line != '$') {
			in_string ^= *line == '"';
			line += *line == '\\' && line[1] ? 2 : 1;
		}
		filled = arena_printf(&story->arena, "%s%.*s", filled,
		                      (int)(line - start), start);
		if (!*line)
			break;
		line++;
		const char *value = value_at(story, &line);
		filled =
			arena_printf(&story->arena, "%s%s", filled,
		                     in_string ? escaped(story, value) : value);
	}
	return filled;
}
