/*
 * fuzz_env_file.c - environment files, as systemd reads them.
 *
 * The text is read a second time, by pieces of a line and not by states, and
 * both readings find the same variables.  Each variable, written anew between
 * double quotes, reads the same.
 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/env_file.h"

enum { VARIABLES_MAX = 1024 };

static const char ends[] = "\n\r";
static const char blanks[] = " \t\n\r";

struct variable {
	char *name;
	char *value;
};

struct variables {
	size_t count;
	struct variable list[VARIABLES_MAX];
};

static void add(void *arg, const char *name, const char *value)
{
	struct variables *all = arg;
	struct variable *next = &all->list[all->count++];

	assert(all->count <= VARIABLES_MAX);
	next->name = strdup(name);
	next->value = strdup(value);
	assert(next->name && next->value);
}

static void forget(struct variables *all)
{
	while (all->count > 0) {
		struct variable *last = &all->list[--all->count];

		free(last->name);
		free(last->value);
	}
}

/* --- the second reading --------------------------------------------------- */

/* A text that grows; it has room for all that is read. */
struct text {
	char *bytes;
	size_t len;
	size_t kept; /* of which so much stays when blanks at the end go */
};

static void keep(struct text *text, const char *from, size_t len)
{
	memcpy(text->bytes + text->len, from, len);
	text->len += len;
	text->kept = text->len;
}

/* Behind the quote that ends it, or at the end of all. */
static const char *read_double(const char *at, struct text *value)
{
	while (*at && *at != '"') {
		if (*at != '\\') {
			keep(value, at++, 1);
		} else if (!at[1]) {
			return at + 1;
		} else {
			if (strchr("\"\\`$", at[1]))
				keep(value, at + 1, 1);
			else if (at[1] != '\n')
				keep(value, at, 2);
			at += 2;
		}
	}
	return at + (*at == '"');
}

/* The rest of a line, in which quotes are bytes as others. */
static const char *read_plain(const char *at, struct text *value)
{
	while (*at && !strchr(ends, *at)) {
		if (*at == '\\') {
			if (at[1] && !strchr(ends, at[1]))
				keep(value, at + 1, 1);
			at += at[1] ? 2 : 1;
		} else if (strchr(blanks, *at)) {
			value->bytes[value->len++] = *at++;
		} else {
			keep(value, at++, 1);
		}
	}
	return at;
}

static const char *read_value(const char *at, struct text *value)
{
	for (;;) {
		at += strspn(at, " \t");
		if (*at == '"') {
			at = read_double(at + 1, value);
		} else if (*at == '\'') {
			size_t len = strcspn(at + 1, "'");

			keep(value, at + 1, len);
			at += 1 + len + (at[1 + len] == '\'');
		} else {
			return read_plain(at, value);
		}
	}
}

static const char *skip_comment(const char *at)
{
	while (*at && !strchr(ends, *at))
		at += *at == '\\' && at[1] ? 2 : 1;
	return at;
}

static bool is_name(const char *name)
{
	for (const char *at = name; *at; at++) {
		bool is_letter = (*at >= 'a' && *at <= 'z') ||
		                 (*at >= 'A' && *at <= 'Z') || *at == '_';

		if (!is_letter && (at == name || *at < '0' || *at > '9'))
			return false;
	}
	return name[0];
}

/*
 * A name, "=" and a value; or a line without "=".  The first byte is the
 * name's, whatever it is.
 */
static const char *read_line(const char *at, struct variables *all)
{
	size_t len = 1 + strcspn(at + 1, "=\n\r");

	if (at[len] != '=')
		return at + len;
	const char *after = at + len + 1;
	char *name = strndup(at, len);
	struct text value = { .bytes = malloc(strlen(at) + 1) };
	assert(name && value.bytes);
	while (len > 0 && strchr(blanks, name[len - 1]))
		name[--len] = '\0';
	at = read_value(after, &value);
	value.bytes[value.kept] = '\0';
	if (is_name(name))
		add(all, name, value.bytes);
	free(name);
	free(value.bytes);
	return at;
}

static void read_again(const char *at, struct variables *all)
{
	while (*(at += strspn(at, blanks))) {
		if (*at == '#' || *at == ';')
			at = skip_comment(at);
		else
			at = read_line(at, all);
	}
}

/* --- both ----------------------------------------------------------------- */

static void assert_same(const struct variables *is,
                        const struct variables *should)
{
	assert(is->count == should->count);
	for (size_t i = 0; i < is->count; i++) {
		assert(strcmp(is->list[i].name, should->list[i].name) == 0);
		assert(strcmp(is->list[i].value, should->list[i].value) == 0);
	}
}

/* All of them as text, the values between double quotes. */
static char *write_anew(const struct variables *all)
{
	size_t size = 1;
	char *text;
	char *to;

	for (size_t i = 0; i < all->count; i++)
		size += strlen(all->list[i].name) + sizeof("=\"\"\n") +
		        2 * strlen(all->list[i].value);
	text = to = malloc(size);
	assert(text);
	for (size_t i = 0; i < all->count; i++) {
		to = stpcpy(to, all->list[i].name);
		to = stpcpy(to, "=\"");
		for (const char *at = all->list[i].value; *at; at++) {
			if (strchr("\"\\`$", *at))
				*to++ = '\\';
			*to++ = *at;
		}
		to = stpcpy(to, "\"\n");
	}
	*to = '\0';
	return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct variables found;
	static struct variables again;
	char *text = malloc(size + 1);

	assert(text);
	memcpy(text, data, size);
	text[size] = '\0';
	read_again(text, &again);
	env_file_parse(text, add, &found);
	assert_same(&found, &again);
	forget(&again);
	free(text);
	text = write_anew(&found);
	env_file_parse(text, add, &again);
	assert_same(&again, &found);
	forget(&again);
	forget(&found);
	free(text);
	return 0;
}
