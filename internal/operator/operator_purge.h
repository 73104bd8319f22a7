/*
 * operator_purge.h - gangctl purge: deletes what has reached its age.
 */
#pragma once

#include <stdbool.h>

#include "base/setting.h"
#include "store/admin.h"

/*
 * Read the count words behind "purge", purge, and print the number of games.
 * Write the metrics to the file that the words name, if they do; it appears
 * under its name when it is whole.  If another purge works on the database,
 * nothing is deleted and no file is written.  False, with the reason on stderr:
 * a word is not understood, or the database or the file fails.
 */
bool operator_purge(struct admin *admin, const struct settings *settings,
                    int count, char **words);
