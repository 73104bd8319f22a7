/*
 * setting.h - the settings, read from the environment and from flags.
 *
 * setting.def lists them.  A flag overrides the variable; a repeated flag
 * overrides the one before, and a new name of a flag the old one.  An old name
 * (setting_renamed.def) still works and logs the warning setting_renamed; the
 * new variable overrides the old one.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/macros.h"

/* The texts are borrowed from the environment and the command line. */
struct settings {
#define TEXT(field, ...)   const char *field;
#define NUMBER(field, ...) unsigned field;
#define SWITCH(field, ...) bool field;
#include "base/setting.def"
	uint64_t from_flags; /* bit n: a flag has set row n */
};

/* The next step after reading the command line. */
enum setting_next { SETTING_RUN, SETTING_STOP_WELL, SETTING_STOP_BADLY };

/*
 * Read the environment, then the flags in argv[1..], "--flag=value" or
 * "--flag value"; the first other word ends the flags, and *rest is its index.
 * Every bad value is reported on stderr, with the setting and the allowed
 * values.  Prints --help, --version and --settings (the table of
 * deploy/settings.md).
 * --help lists the variables in only, an array that NULL ends; NULL: all.
 */
MUST_CHECK enum setting_next settings_read(struct settings *settings,
                                           const char *usage,
                                           const char *const *only, int argc,
                                           char **argv, int *rest);

/*
 * True if a flag has set the variable: every user of the machine can read the
 * command line of a process.
 */
bool setting_is_from_flag(const struct settings *settings,
                          const char *variable);

/* True if there is a setting with this variable, under its present name. */
bool setting_is_variable(const char *name);

/* The new name of a renamed variable; NULL if it was not renamed. */
const char *setting_present_name(const char *name);

/* Print that a flag must not hold a password, and the safe alternatives. */
void setting_refuse_password(const char *variable);

/*
 * Print the message of settings_read() for a bad value, for a caller that
 * checks more than settings_read() does.  NULL means a value with a password.
 */
void setting_refuse(const char *variable, const char *value);

/* The version of the program and of its API; static. */
const char *setting_version(void);
