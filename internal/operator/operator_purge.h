/*
 * operator_purge.h - gangctl purge: deletes what has reached its age.
 */
#pragma once

#include "admin/admin.h"
#include "base/macros.h"
#include "base/setting.h"
#include "base/verdict.h"

/*
 * Read the count words after "purge", purge, and print the number of games.
 * Write the metrics to the file that the words name, if they do; it appears
 * under its name when it is whole.  If another purge works on the database,
 * nothing is deleted and no file is written.  Unless it is done, the reason is
 * on stderr: VERDICT_BAD for a word that is not understood, or a file that
 * cannot be written; VERDICT_UNKNOWN if the database fails.  Then no file is
 * written, and the number of games that were deleted so far is printed.
 */
MUST_CHECK enum verdict operator_purge(struct admin *admin,
                                       const struct settings *settings,
                                       int count, char **words);
