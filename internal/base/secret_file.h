/*
 * secret_file.h - files of keys and secrets, one on a line.
 *
 * Blank lines, and lines that begin with "#", are skipped.  A file that every
 * user of the machine can read is refused.
 */
#pragma once

#include <stdbool.h>

#include "base/macros.h"

enum { SECRET_FILE_REASON_SIZE = 512 };

/*
 * Takes a line, without the blanks around it; it is wiped afterwards.  Returns
 * NULL, or the form that the line must have, to follow "expected: a line that".
 */
typedef const char *secret_line_fn(void *arg, char *line);

/*
 * Hand each line to take().  False, with a sentence in reason, if the file
 * cannot be read, others may read it, or a line is refused; lines before that
 * one have been taken.  The reason quotes no part of a line.
 */
MUST_CHECK bool secret_file_read(const char *path, secret_line_fn *take,
                                 void *arg,
                                 char reason[SECRET_FILE_REASON_SIZE]);
