/*
 * command.h - gangctl's commands: one word and its arguments.
 */
#pragma once

#include <stdbool.h>

#include "base/macros.h"
#include "base/setting.h"
#include "base/verdict.h"

struct admin;

/* The arguments of a command. */
struct command_call {
	struct settings *settings;
	struct admin *admin; /* NULL: no connection needed */
	int count;           /* of the words after its name */
	char **words;
	int argc; /* main()'s, for a command that reads the settings again */
	char **argv;
};

enum command_needs {
	COMMAND_NEEDS_NOTHING, /* or it connects by itself */
	COMMAND_NEEDS_DAEMON,  /* the role of the daemon */
	COMMAND_NEEDS_OWNER,   /* of the schema, if a string for it is set */
};

struct command {
	const char *name;
	/* The exit status; unless it is VERDICT_DONE, the reason is printed. */
	enum verdict (*run)(const struct command_call *call);
	int least; /* words that follow */
	int most;
	enum command_needs needs;
};

/*
 * The command that words[0] names, if it accepts count - 1 arguments.  Else
 * NULL, with the help on stderr.
 */
const struct command *command_find(int count, char **words);

/*
 * Read the settings, as settings_read() does; also refuse a password in a flag,
 * which all users of the machine can read.
 */
MUST_CHECK enum setting_next command_read_settings(struct settings *settings,
                                                   int argc, char **argv,
                                                   int *rest);

/*
 * The connection string for a command that needs one.  NULL, with the reason on
 * stderr, if it is invalid.
 */
const char *command_url(const struct settings *settings,
                        enum command_needs needs);
