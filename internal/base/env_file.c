/*
 * env_file.c - a parser of environment files, with the states of systemd's.
 *
 * Names and values are written over the text that they are read from.  The
 * output is never longer than the input, so "to" never overtakes the byte that
 * is read.  "trimmed" points past the last byte of an unquoted value that is
 * not a blank: trailing blanks are dropped at the end of the line.
 */
#include "base/env_file.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { FILE_MAX = 65536 };

static const char blanks[] = " \t\n\r";

struct parser {
	enum state {
		STATE_BEFORE_NAME,
		STATE_NAME,
		STATE_BEFORE_VALUE,
		STATE_VALUE,
		STATE_VALUE_ESCAPE,
		STATE_SINGLE,
		STATE_DOUBLE,
		STATE_DOUBLE_ESCAPE,
		STATE_COMMENT,
		STATE_COMMENT_ESCAPE,
	} state;
	char *name;
	char *value;   /* NULL: the line has no "=" yet */
	char *to;      /* where the next byte goes */
	char *trimmed; /* see above */
	env_file_fn *each;
	void *arg;
};

static bool is_end(char c)
{
	return c == '\n' || c == '\r';
}

static bool is_blank(char c)
{
	return c && strchr(blanks, c);
}

static bool is_name(const char *name)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "abcdefghijklmnopqrstuvwxyz_";
	static const char others[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz_0123456789";

	return name[0] && strchr(letters, name[0]) &&
	       strspn(name, others) == strlen(name);
}

static void put(struct parser *parser, char c)
{
	*parser->to++ = c;
	parser->trimmed = parser->to;
}

/* Append to an unquoted value; a trailing blank is dropped later. */
static void put_plain(struct parser *parser, char c)
{
	*parser->to++ = c;
	if (!is_blank(c))
		parser->trimmed = parser->to;
}

static void end_name(struct parser *parser)
{
	while (parser->to > parser->name && is_blank(parser->to[-1]))
		parser->to--;
	*parser->to++ = '\0';
	parser->value = parser->trimmed = parser->to;
	parser->state = STATE_BEFORE_VALUE;
}

static void end_line(struct parser *parser)
{
	parser->state = STATE_BEFORE_NAME;
	if (!parser->value)
		return;
	*parser->trimmed = '\0';
	if (is_name(parser->name))
		parser->each(parser->arg, parser->name, parser->value);
	parser->value = NULL;
}

static void begin_name(struct parser *parser, char *at)
{
	if (*at == '#' || *at == ';') {
		parser->state = STATE_COMMENT;
	} else if (!is_blank(*at)) {
		parser->state = STATE_NAME;
		parser->name = parser->to = at;
		*parser->to++ = *at;
	}
}

static void read_name(struct parser *parser, char c)
{
	if (is_end(c))
		end_line(parser);
	else if (c == '=')
		end_name(parser);
	else
		*parser->to++ = c;
}

static void begin_value(struct parser *parser, char c)
{
	if (is_end(c)) {
		end_line(parser);
	} else if (c == '\'') {
		parser->state = STATE_SINGLE;
	} else if (c == '"') {
		parser->state = STATE_DOUBLE;
	} else if (c == '\\') {
		parser->state = STATE_VALUE_ESCAPE;
	} else if (!is_blank(c)) {
		parser->state = STATE_VALUE;
		put_plain(parser, c);
	}
}

static void read_value(struct parser *parser, char c)
{
	if (is_end(c))
		end_line(parser);
	else if (c == '\\')
		parser->state = STATE_VALUE_ESCAPE;
	else
		put_plain(parser, c);
}

static void read_quoted(struct parser *parser, char c)
{
	if (c == (parser->state == STATE_SINGLE ? '\'' : '"'))
		parser->state = STATE_BEFORE_VALUE;
	else if (c == '\\' && parser->state == STATE_DOUBLE)
		parser->state = STATE_DOUBLE_ESCAPE;
	else
		put(parser, c);
}

static void read_escaped(struct parser *parser, char c)
{
	bool is_quoted = parser->state == STATE_DOUBLE_ESCAPE;

	parser->state = is_quoted ? STATE_DOUBLE : STATE_VALUE;
	if (c == '\n' || (!is_quoted && c == '\r'))
		return; /* the line goes on */
	if (is_quoted && !strchr("\"\\`$", c))
		put(parser, '\\');
	put(parser, c);
}

static void read_comment(struct parser *parser, char c)
{
	if (parser->state == STATE_COMMENT_ESCAPE)
		parser->state = STATE_COMMENT;
	else if (c == '\\')
		parser->state = STATE_COMMENT_ESCAPE;
	else if (is_end(c))
		parser->state = STATE_BEFORE_NAME;
}

static void read_byte(struct parser *parser, char *at)
{
	switch (parser->state) {
	case STATE_BEFORE_NAME:
		begin_name(parser, at);
		break;
	case STATE_NAME:
		read_name(parser, *at);
		break;
	case STATE_BEFORE_VALUE:
		begin_value(parser, *at);
		break;
	case STATE_VALUE:
		read_value(parser, *at);
		break;
	case STATE_SINGLE:
	case STATE_DOUBLE:
		read_quoted(parser, *at);
		break;
	case STATE_VALUE_ESCAPE:
	case STATE_DOUBLE_ESCAPE:
		read_escaped(parser, *at);
		break;
	case STATE_COMMENT:
	case STATE_COMMENT_ESCAPE:
		read_comment(parser, *at);
		break;
	}
}

void env_file_parse(char *text, env_file_fn *each, void *arg)
{
	struct parser parser = { .each = each, .arg = arg };

	for (char *at = text; *at; at++)
		read_byte(&parser, at);
	end_line(&parser); /* the last line may end with the file */
}

bool env_file_read(const char *path, env_file_fn *each, void *arg)
{
	FILE *file = fopen(path, "r");
	bool good = false;

	if (file) {
		char *text = xcalloc(1, FILE_MAX + 1);
		size_t len = fread(text, 1, FILE_MAX + 1, file);

		good = !ferror(file) && len <= FILE_MAX;
		text[good ? len : 0] = '\0';
		if (good)
			env_file_parse(text, each, arg);
		free(text);
		(void)fclose(file);
	}
	if (!good)
		(void)fprintf(stderr,
		              "cannot read the environment file %s; "
		              "expected: a file of up to 64 KiB that this user "
		              "may read\n",
		              path);
	return good;
}
