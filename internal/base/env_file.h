/*
 * env_file.h - files of environment variables, read as systemd reads those of
 * EnvironmentFile=.
 *
 * A line is NAME=VALUE.  Lines that begin with # or ; are comments.  A value
 * may be quoted, by pieces, with single quotes (no byte is special) or double
 * quotes (a backslash escapes ", \, ` and $).  Outside of quotes a backslash
 * escapes any byte, and blanks around the value are dropped.  A backslash at
 * the end of a line joins the next one.
 */
#pragma once

#include <stdbool.h>

#include "base/macros.h"

/* name is a valid name of a variable; both are valid during the call. */
typedef void env_file_fn(void *arg, const char *name, const char *value);

/*
 * Call each() for every variable of a text, in order.  Lines without a valid
 * name are skipped, as systemd does.  The text is overwritten.
 */
void env_file_parse(char *text, env_file_fn *each, void *arg);

/*
 * The same for a file of up to 64 KiB.  False, with the reason on stderr: it
 * cannot be read.
 */
MUST_CHECK bool env_file_read(const char *path, env_file_fn *each, void *arg);
