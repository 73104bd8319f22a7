/*
 * fuzz_setting.c - the settings, from the environment and from flags.
 *
 * A line that begins with GANGD_ is a variable, any other line a word of the
 * command line.  An accepted setting is in its range, and reads the same when
 * it is written as a flag; a refusal says why.
 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"
#include "base/setting.h"
#include "postgres/connection_string.h"
#include "store/store.h"

enum { LINES_MAX = 64, SAID_MAX = 1 << 16, WRITTEN_MAX = 4096 };

extern char **environ;

struct lines {
	char *variables[LINES_MAX + 1]; /* ended by NULL */
	char *words[LINES_MAX + 1];
	size_t variables_count;
	int words_count;
};

static char said[SAID_MAX];

/* Read settings as the programs do, but collect their messages in memory. */
static enum setting_next read_lines(struct settings *settings,
                                    struct lines *lines, int *rest)
{
	static FILE *aside;
	FILE *err = stderr;
	FILE *out = stdout;
	char **outside = environ;

	if (!aside)
		aside = fmemopen(said, sizeof(said), "w");
	assert(aside);
	rewind(aside);
	said[0] = '\0';
	stderr = stdout = aside;
	environ = lines->variables;
	enum setting_next next =
		settings_read(settings, "usage\n", NULL, lines->words_count,
	                      lines->words, rest);
	environ = outside;
	stderr = err;
	stdout = out;
	(void)fflush(aside);
	return next;
}

static void split(struct lines *lines, char *text)
{
	static char program[] = "gangd";

	*lines = (struct lines){ .words = { program }, .words_count = 1 };
	while (text && lines->variables_count < LINES_MAX &&
	       lines->words_count < LINES_MAX) {
		char *end = strchr(text, '\n');
		if (end)
			*end++ = '\0';
		if (strncmp(text, "GANGD_", 6) == 0)
			lines->variables[lines->variables_count++] = text;
		else
			lines->words[lines->words_count++] = text;
		text = end;
	}
}

/* --- what must hold ------------------------------------------------------- */

static void check_ranges(const struct settings *settings)
{
	enum log_level level;

#define SWITCH(...)
#define TEXT(field, ...) assert(settings->field);
#define NUMBER(field, variable, flag, standard, least, most, what) \
	assert(settings->field + 1 > (least) && settings->field <= (most));
#include "base/setting.def"
	assert(log_level_find(settings->log_level, &level));
	bool is_url = connection_string_is_valid(settings->database_url);
	assert(settings->database_url[0] || !is_url);
}

static void check_same(const struct settings *a, const struct settings *b)
{
#define TEXT(field, ...)   assert(strcmp(a->field, b->field) == 0);
#define NUMBER(field, ...) assert(a->field == b->field);
#define SWITCH(field, ...) assert(a->field == b->field);
#include "base/setting.def"
}

/* Written as flags, which need no environment. */
static void check_written(const struct settings *settings)
{
	static char texts[LINES_MAX][WRITTEN_MAX];
	static char variable[] = "GANGD_LOOPS=17";
	struct lines lines = { .variables = { variable } };
	struct settings again;
	int rest;
	int at = 1;

	lines.words[0] = texts[0];
#define TEXT(field, variable, flag, ...)                      \
	(void)snprintf(texts[at], WRITTEN_MAX, "%s=%s", flag, \
	               settings->field);                      \
	lines.words[at] = texts[at];                          \
	at++;
#define NUMBER(field, variable, flag, ...)                    \
	(void)snprintf(texts[at], WRITTEN_MAX, "%s=%u", flag, \
	               settings->field);                      \
	lines.words[at] = texts[at];                          \
	at++;
#define SWITCH(field, variable, flag, ...)                    \
	(void)snprintf(texts[at], WRITTEN_MAX, "%s=%s", flag, \
	               settings->field ? "on" : "off");       \
	lines.words[at] = texts[at];                          \
	at++;
#include "base/setting.def"
	lines.words_count = at;
	assert(read_lines(&again, &lines, &rest) == SETTING_RUN);
	assert(rest == lines.words_count);
	check_same(settings, &again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct settings settings;
	struct lines lines;
	int rest = 0;
	char *text = malloc(size + 1);

	assert(text);
	memcpy(text, data, size);
	text[size] = '\0';
	split(&lines, text);
	switch (read_lines(&settings, &lines, &rest)) {
	case SETTING_RUN:
		assert(said[0] == '\0');
		assert(rest >= 1 && rest <= lines.words_count);
		/* "-" is not a flag, and "--" ends the flags. */
		assert(rest == lines.words_count ||
		       lines.words[rest][0] != '-' || !lines.words[rest][1] ||
		       strcmp(lines.words[rest - 1], "--") == 0);
		check_ranges(&settings);
		check_written(&settings);
		break;
	case SETTING_STOP_WELL:
	case SETTING_STOP_BADLY:
		assert(said[0] && said[strlen(said) - 1] == '\n');
		break;
	}
	free(text);
	return 0;
}
