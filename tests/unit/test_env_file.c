/*
 * test_env_file.c - environment files, read as systemd does.  Rows are in
 * env_file.def.
 */
#include "base/env_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rows.h"

enum { TEXT_MAX = 256, TOO_LONG = 65537 };

struct env_file_row {
	const char *name;
	const char *text;
	const char *variables;
};

static struct env_file_row env_file_rows[] = {
#define ENV_FILE(...) { __VA_ARGS__ },
#include "env_file.def"
};

static void note(void *arg, const char *name, const char *value)
{
	char *variables = arg;
	size_t len = strlen(variables);

	(void)snprintf(variables + len, TEXT_MAX - len, "%s=%s|", name, value);
}

static void check_env_file(void **state)
{
	const struct env_file_row *row = *state;
	char variables[TEXT_MAX] = "";
	char text[TEXT_MAX];

	(void)snprintf(text, sizeof(text), "%s", row->text);
	env_file_parse(text, note, variables);
	assert_string_equal(variables, row->variables);
}

/* A file of len bytes, the first of which are a variable. */
static bool read_file_of(size_t len, char variables[TEXT_MAX])
{
	char path[] = "/tmp/gangd-env.XXXXXX";
	int fd = mkstemp(path);
	char *bytes = malloc(len);

	assert_true(fd >= 0);
	assert_non_null(bytes);
	memset(bytes, '\n', len);
	memcpy(bytes, "A=b", 3);
	assert_int_equal(write(fd, bytes, len), len);
	bool good = env_file_read(path, note, variables);
	free(bytes);
	(void)close(fd);
	(void)unlink(path);
	return good;
}

static void check_sizes(void **state)
{
	char variables[TEXT_MAX] = "";

	(void)state;
	assert_true(read_file_of(TOO_LONG - 1, variables));
	assert_string_equal(variables, "A=b|");
	variables[0] = '\0';
	assert_false(read_file_of(TOO_LONG, variables));
	assert_string_equal(variables, "");
	assert_false(env_file_read("/nonexistent", note, variables));
}

int main(void)
{
	static struct rows rows;

	ROWS_ADD(&rows, env_file_rows, check_env_file);
	rows_add(&rows, "sizes", check_sizes, NULL);
	return rows_run("env_file", &rows);
}
