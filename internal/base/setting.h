/*
 * setting.h - the settings, from the environment and from flags.
 *
 * The rows are in setting.def.  A flag wins over its variable, and of two flags
 * the last one.  An old name (setting_renamed.def) sets what its new name does
 * and logs a warning, setting_renamed; the new variable wins over the old one.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

/* Texts are borrowed from the environment and the command line. */
struct settings {
#define TEXT(field, ...)   const char *field;
#define NUMBER(field, ...) unsigned field;
#include "base/setting.def"
	uint64_t from_flags; /* a bit for each row that a flag has set */
};

/* The next step after reading the command line. */
enum setting_next { SETTING_RUN, SETTING_STOP_WELL, SETTING_STOP_BADLY };

/*
 * Read the environment, then the flags in argv[1..], "--flag=value" or
 * "--flag value".  A bad value is refused on stderr with its setting's name
 * and what is allowed.  --help, --version and --settings (the README's table)
 * are answered here; --help lists the variables in only, which ends with NULL,
 * or all if only is NULL.  The first word that is not a flag ends the reading;
 * its index is in *rest.
 */
MUST_CHECK enum setting_next settings_read(struct settings *settings,
                                           const char *usage,
                                           const char *const *only, int argc,
                                           char **argv, int *rest);

/*
 * True if a flag has set it, rather than its variable: the command line of a
 * process can be read by all users of the machine.
 */
bool setting_is_from_flag(const struct settings *settings,
                          const char *variable);

/* Refuse a flag whose value holds a password, and tell where it belongs. */
void setting_refuse_password(const char *variable);

/*
 * Refuse a setting in the words of settings_read(), for a caller that can judge
 * more of a value than its row does.  Pass NULL for a value that may hold a
 * password.
 */
void setting_refuse(const char *variable, const char *value);

/* The version of this program, which is that of its contract; static. */
const char *setting_version(void);
