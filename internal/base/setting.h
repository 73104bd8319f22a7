/*
 * setting.h - the settings, from the environment and from flags.
 *
 * The rows are in setting.def.  A flag wins over its variable.
 */
#ifndef BASE_SETTING_H
#define BASE_SETTING_H

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

/* What to do after reading the command line. */
enum setting_next { SETTING_RUN, SETTING_STOP_WELL, SETTING_STOP_BADLY };

/*
 * Read the environment, then the flags in argv[1..], "--flag=value" or
 * "--flag value".  A bad one is refused on stderr with its name, its value
 * and what is allowed.  --help, --version and --settings (the README's table)
 * are answered here; --help lists only the variables named, up to a NULL, or
 * all without a list.  The first word that is no flag ends the reading; its
 * index is in *rest.
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

/* Refuse a flag whose value holds a password, and say what to do instead. */
void setting_refuse_password(const char *variable);

/*
 * Refuse a setting that only its user could judge, in the same words.  Pass
 * NULL for a value that may hold a password.
 */
void setting_refuse(const char *variable, const char *value);

#endif
