/*
 * test_setting.c - settings from flags and the environment.  A flag wins over
 * a variable, and old names still work with a warning.  Rows are in
 * setting.def.
 */
#include "base/setting.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rows.h"

enum { FLAGS_MAX = 5, SAID_MAX = 512 };

#define FLAGS(...)          \
	{                   \
		__VA_ARGS__ \
	}

struct reads_row {
	const char *name;
	const char *variable;
	const char *value;
	const char *flags[FLAGS_MAX];
	enum setting_next next;
	const char *listen;
	unsigned loops;
	const char *said;
};

static struct reads_row reads_rows[] = {
#define READS(name, variable, value, flags, next, ...) \
	{ name, variable, value, flags, SETTING_##next, __VA_ARGS__ },
#include "setting.def"
};

static const char *const variables[] = {
#define TEXT(field, variable, ...)   variable,
#define NUMBER(field, variable, ...) variable,
#define SWITCH(field, variable, ...) variable,
#include "base/setting.def"
};

/* Read with stderr and stdout in files, so that what is said can be seen. */
static enum setting_next read_aside(struct settings *settings, int argc,
                                    char **argv, char said[SAID_MAX])
{
	static const char *const used[] = { "GANGD_LOOPS", NULL };
	FILE *err = tmpfile();
	int kept_err = dup(STDERR_FILENO);
	int kept_out = dup(STDOUT_FILENO);
	int rest;

	assert_non_null(err);
	(void)fflush(stdout);
	(void)dup2(fileno(err), STDERR_FILENO);
	(void)dup2(fileno(err), STDOUT_FILENO);
	enum setting_next next =
		settings_read(settings, "usage\n", used, argc, argv, &rest);
	(void)fflush(stdout);
	(void)dup2(kept_err, STDERR_FILENO);
	(void)dup2(kept_out, STDOUT_FILENO);
	(void)close(kept_err);
	(void)close(kept_out);

	rewind(err);
	size_t len = fread(said, 1, SAID_MAX - 1, err);
	said[len] = '\0';
	(void)fclose(err);
	return next;
}

static void check_reads(void **state)
{
	struct reads_row *row = *state;
	char program[] = "gangd";
	char *argv[FLAGS_MAX + 1] = { program };
	struct settings settings;
	char said[SAID_MAX];
	int argc = 1;

	for (size_t i = 0; i < ARRAY_LEN(variables); i++)
		(void)unsetenv(variables[i]);
	if (row->variable)
		(void)setenv(row->variable, row->value, 1);
	for (; row->flags[argc - 1]; argc++)
		argv[argc] = strdup(row->flags[argc - 1]);

	assert_int_equal(read_aside(&settings, argc, argv, said), row->next);
	if (!row->said)
		assert_true(strlen(said) > 2);
	else
		assert_string_equal(said, row->said);
	if (row->next == SETTING_RUN) {
		assert_string_equal(settings.listen, row->listen);
		assert_int_equal(settings.loops, row->loops);
	}
	while (--argc > 0)
		free(argv[argc]);
}

static void a_flag_and_a_variable_are_kept_apart(void **state)
{
	char program[] = "gangd";
	char flag[] = "--database-url=host=/x";
	char *argv[] = { program, flag };
	struct settings settings;
	char said[SAID_MAX];

	(void)state;
	(void)setenv("GANGD_MIGRATE_URL", "host=/y", 1);
	assert_int_equal(read_aside(&settings, 2, argv, said), SETTING_RUN);
	assert_true(setting_is_from_flag(&settings, "GANGD_DATABASE_URL"));
	assert_false(setting_is_from_flag(&settings, "GANGD_MIGRATE_URL"));
	assert_false(setting_is_from_flag(&settings, "GANGD_LOG_LEVEL"));
	(void)unsetenv("GANGD_MIGRATE_URL");
}

/* Read one flag with the environment as it is; the settings borrow the flag. */
static enum setting_next read_one(struct settings *settings, const char *flag,
                                  char said[SAID_MAX])
{
	static char copy[64];
	char program[] = "gangd";
	char *argv[] = { program, copy };

	(void)snprintf(copy, sizeof(copy), "%s", flag);
	return read_aside(settings, 2, argv, said);
}

static void assert_says(const char *said, const char *old, const char *now)
{
	char line[128];

	(void)snprintf(line, sizeof(line),
	               "\"event\":\"setting_renamed\",\"old\":\"%s\","
	               "\"new\":\"%s\"}\n",
	               old, now);
	assert_non_null(strstr(said, line));
}

static void an_old_variable_is_read_with_a_warning(void **state)
{
	static const char *const olds[][2] = {
#define RENAMED(variable, flag, now) { variable, now },
#include "base/setting_renamed.def"
	};
	struct settings settings;
	char said[SAID_MAX];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(olds); i++) {
		(void)setenv(olds[i][0], "x", 1);
		assert_int_equal(read_one(&settings, "--loops=1", said),
		                 SETTING_STOP_BADLY);
		assert_says(said, olds[i][0], olds[i][1]);
		assert_non_null(strstr(said, " is \"x\"; allowed: "));
		(void)unsetenv(olds[i][0]);
	}
}

static void an_old_variable_sets_its_new_one(void **state)
{
	struct settings settings;
	char said[SAID_MAX];

	(void)state;
	(void)setenv("GANGD_LIMIT_LOBBY", "7", 1);
	assert_int_equal(read_one(&settings, "--loops=1", said), SETTING_RUN);
	assert_int_equal(settings.cap_lobby, 7);
	(void)unsetenv("GANGD_LIMIT_LOBBY");
}

static void a_new_variable_wins_over_the_old_one(void **state)
{
	struct settings settings;
	char said[SAID_MAX];

	(void)state;
	(void)setenv("GANGD_LIMIT_TOKEN", "7", 1);
	(void)setenv("GANGD_QUOTA_TOKEN", "8", 1);
	assert_int_equal(read_one(&settings, "--loops=1", said), SETTING_RUN);
	assert_int_equal(settings.quota_token, 8);
	assert_string_equal(said, "");
	(void)unsetenv("GANGD_LIMIT_TOKEN");
	(void)unsetenv("GANGD_QUOTA_TOKEN");
}

static void an_old_flag_wins_over_any_variable(void **state)
{
	struct settings settings;
	char said[SAID_MAX];

	(void)state;
	(void)setenv("GANGD_QUOTAS", "on", 1);
	assert_int_equal(read_one(&settings, "--limits=off", said),
	                 SETTING_RUN);
	assert_false(settings.quotas);
	assert_says(said, "--limits", "--quotas");
	assert_true(setting_is_from_flag(&settings, "GANGD_QUOTAS"));
	assert_int_equal(read_one(&settings, "--limit-game=x", said),
	                 SETTING_STOP_BADLY);
	assert_non_null(strstr(said, "--limit-game is \"x\"; allowed: "));
	(void)unsetenv("GANGD_QUOTAS");
}

int main(void)
{
	static struct rows rows;

	ROWS_ADD(&rows, reads_rows, check_reads);
	rows_add(&rows, "a flag and a variable are kept apart",
	         a_flag_and_a_variable_are_kept_apart, NULL);
	rows_add(&rows, "an old variable is read with a warning",
	         an_old_variable_is_read_with_a_warning, NULL);
	rows_add(&rows, "an old variable sets its new one",
	         an_old_variable_sets_its_new_one, NULL);
	rows_add(&rows, "a new variable wins over the old one",
	         a_new_variable_wins_over_the_old_one, NULL);
	rows_add(&rows, "an old flag wins over any variable",
	         an_old_flag_wins_over_any_variable, NULL);
	return rows_run("setting", &rows);
}
