/*
 * rows[] is setting.def: each row has the kind of a setting, its place in
 * struct settings and its allowed values.  Reading, --help and the table of
 * deploy/settings.md are loops over it.  The environment is read first; an
 * absent or empty variable has its default.  Reading continues after a bad
 * value, so that one run reports all of them.
 *
 * The new name of a renamed setting overrides the old one (renamed[]), so that
 * one env file can serve this release and the one before it.
 */
#include "base/setting.h"

#include <assert.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/flag.h"
#include "base/log.h"

struct row {
	enum { KIND_TEXT, KIND_NUMBER, KIND_SWITCH } kind;
	size_t offset; /* into struct settings */
	const char *variable;
	const char *flag;
	const char *standard; /* the default */
	const char *what;
	const char *allowed;
	unsigned least; /* of a number */
	unsigned most;
};

#define PLACE(field) offsetof(struct settings, field)
static const struct row rows[] = {
#define TEXT(field, variable, flag, standard, allowed, what)       \
	{                                                          \
		KIND_TEXT, PLACE(field), variable, flag, standard, \
		what,      allowed,      0,        0               \
	},
#define SWITCH(field, variable, flag, standard, what)          \
	{ KIND_SWITCH, PLACE(field), variable, flag, standard, \
	  what,        "on or off",  0,        0 },
#define NUMBER(field, variable, flag, standard, least, most, what)     \
	{ KIND_NUMBER, PLACE(field),        variable, flag, #standard, \
	  what,        #least " to " #most, least,    most },
#include "base/setting.def"
};

_Static_assert(ARRAY_LEN(rows) <= 64, "each row has a bit in from_flags");

static const struct renamed {
	const char *variable; /* the old names */
	const char *flag;
	const char *now; /* the new variable */
} renamed[] = {
#define RENAMED(variable, flag, now) { variable, flag, now },
#include "base/setting_renamed.def"
};

static const struct row *find(const char *variable)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (strcmp(rows[i].variable, variable) == 0)
			return &rows[i];
	}
	assert(false);
	return NULL;
}

bool setting_is_variable(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (strcmp(rows[i].variable, name) == 0)
			return true;
	}
	return false;
}

const char *setting_present_name(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(renamed); i++) {
		if (strcmp(renamed[i].variable, name) == 0)
			return renamed[i].now;
	}
	return NULL;
}

/* The old names of a variable, or NULL. */
static const struct renamed *find_renamed(const char *variable)
{
	for (size_t i = 0; i < ARRAY_LEN(renamed); i++) {
		if (strcmp(renamed[i].now, variable) == 0)
			return &renamed[i];
	}
	return NULL;
}

static bool refuse(const struct row *row, const char *name, const char *value)
{
	(void)fprintf(stderr, "%s is \"%s\"; allowed: %s%s\n", name, value,
	              row->kind == KIND_NUMBER ? "a whole number from " : "",
	              row->allowed);
	return false;
}

void setting_refuse(const char *variable, const char *value)
{
	(void)refuse(find(variable), variable, value ? value : "(not shown)");
}

bool setting_is_from_flag(const struct settings *settings, const char *variable)
{
	return settings->from_flags >> (find(variable) - rows) & 1;
}

void setting_refuse_password(const char *variable)
{
	(void)fprintf(stderr,
	              "%s holds a password, which every user of this machine "
	              "could read in the list of processes; give it by the "
	              "variable %s, or leave the password out and keep it in "
	              "~/.pgpass or in the file that PGPASSFILE names\n",
	              find(variable)->flag, variable);
}

static bool set_number(struct settings *settings, const struct row *row,
                       const char *name, const char *value)
{
	char *end;

	errno = 0;
	unsigned long number = strtoul(value, &end, 10);
	if (value[0] < '0' || value[0] > '9' || *end || errno ||
	    number < row->least || number > row->most)
		return refuse(row, name, value);
	unsigned field = (unsigned)number;
	memcpy((char *)settings + row->offset, &field, sizeof(field));
	return true;
}

static bool set_switch(struct settings *settings, const struct row *row,
                       const char *name, const char *value)
{
	bool is_on = strcmp(value, "on") == 0;

	if (!is_on && strcmp(value, "off") != 0)
		return refuse(row, name, value);
	memcpy((char *)settings + row->offset, &is_on, sizeof(is_on));
	return true;
}

static bool set(struct settings *settings, const struct row *row,
                const char *name, const char *value)
{
	enum log_level level;

	if (row->kind == KIND_NUMBER)
		return set_number(settings, row, name, value);
	if (row->kind == KIND_SWITCH)
		return set_switch(settings, row, name, value);
	if (row->offset == PLACE(log_level) && !log_level_find(value, &level))
		return refuse(row, name, value);
	memcpy((char *)settings + row->offset, &value, sizeof(value));
	return true;
}

static bool is_among(const char *const *names, const char *name)
{
	while (*names && strcmp(*names, name) != 0)
		names++;
	return *names != NULL;
}

static void print_help(const char *usage, const char *const *only)
{
	(void)printf("%s\nSettings, as a variable or as a flag:\n", usage);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (only && !is_among(only, rows[i].variable))
			continue;
		(void)printf("\n  %s, %s", rows[i].variable, rows[i].flag);
		(void)printf("\n      %s\n      allowed: %s", rows[i].what,
		             rows[i].allowed);
		if (rows[i].standard[0])
			(void)printf("\n      default: %s", rows[i].standard);
		(void)printf("\n");
	}
}

static void print_table(void)
{
	(void)printf("| variable | flag | default | allowed | what it is |\n"
	             "|---|---|---|---|---|\n");
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const char *quote = rows[i].standard[0] ? "`" : "";

		(void)printf("| `%s` | `%s` | %s%s%s | %s | %s |\n",
		             rows[i].variable, rows[i].flag, quote,
		             rows[i].standard, quote, rows[i].allowed,
		             rows[i].what);
	}
}

static void warn_renamed(const char *old, const char *now)
{
	LOG(LOG_WARNING, "setting_renamed", LOG_TEXT("old", old),
	    LOG_TEXT("new", now));
}

/* The value of a variable; NULL if it is absent or empty. */
static const char *read_variable(const char *name)
{
	const char *value = getenv(name);

	return value && value[0] ? value : NULL;
}

static bool read_environment(struct settings *settings)
{
	bool good = true;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const char *name = rows[i].variable;
		const char *value = read_variable(name);
		const struct renamed *old = find_renamed(name);

		if (!value && old && (value = read_variable(old->variable))) {
			warn_renamed(old->variable, name);
			name = old->variable;
		}
		if (!value)
			value = rows[i].standard;
		good = set(settings, &rows[i], name, value) && good;
	}
	return good;
}

/* The flags: one for each row, then the old ones, then those that print. */
struct flags {
	struct flag list[FLAGS_MAX];
	size_t count;
	const char *values[ARRAY_LEN(rows)];
	const char *old_values[ARRAY_LEN(renamed)];
	bool help;
	bool version;
	bool table;
};

static void add_flag(struct flags *flags, const char *name, const char **value,
                     bool *is_given)
{
	assert(flags->count < FLAGS_MAX);
	flags->list[flags->count++] =
		(struct flag){ name + strlen("--"), is_given, value };
}

static void list_flags(struct flags *flags)
{
	*flags = (struct flags){ .count = 0 };
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		add_flag(flags, rows[i].flag, &flags->values[i], NULL);
	for (size_t i = 0; i < ARRAY_LEN(renamed); i++)
		add_flag(flags, renamed[i].flag, &flags->old_values[i], NULL);
	add_flag(flags, "--help", NULL, &flags->help);
	add_flag(flags, "--version", NULL, &flags->version);
	add_flag(flags, "--settings", NULL, &flags->table);
}

static bool set_flag(struct settings *settings, const struct row *row,
                     const char *flag, const char *value)
{
	if (!value)
		return true;
	settings->from_flags |= UINT64_C(1) << (row - rows);
	return set(settings, row, flag, value);
}

/* A new name overrides the old one, whichever comes first. */
static bool set_flags(struct settings *settings, const struct flags *flags)
{
	bool good = true;

	for (size_t i = 0; i < ARRAY_LEN(renamed); i++) {
		const struct row *row = find(renamed[i].now);
		const char *value = flags->old_values[i];

		if (value)
			warn_renamed(renamed[i].flag, row->flag);
		good = set_flag(settings, row, renamed[i].flag, value) && good;
	}
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		good = set_flag(settings, &rows[i], rows[i].flag,
		                flags->values[i]) &&
		       good;
	return good;
}

const char *setting_version(void)
{
	return GANGD_VERSION;
}

static bool print_answer(const struct flags *flags, const char *usage,
                         const char *const *only)
{
	if (flags->help)
		print_help(usage, only);
	else if (flags->version)
		(void)printf("%s\n", setting_version());
	else if (flags->table)
		print_table();
	else
		return false;
	return true;
}

enum setting_next settings_read(struct settings *settings, const char *usage,
                                const char *const *only, int argc, char **argv,
                                int *rest)
{
	struct flags flags;

	*settings = (struct settings){ 0 };
	bool good = read_environment(settings);
	list_flags(&flags);
	const struct flag_table table = {
		.flags = flags.list,
		.count = flags.count,
		.expected = "the flags that --help lists",
	};
	if (!flags_read(&table, argc, argv, rest))
		return SETTING_STOP_BADLY;
	if (print_answer(&flags, usage, only))
		return SETTING_STOP_WELL;
	good = set_flags(settings, &flags) && good;
	return good ? SETTING_RUN : SETTING_STOP_BADLY;
}
