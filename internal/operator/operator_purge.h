/*
 * operator_purge.h - gangctl purge: deletes what has reached its age.
 */
#pragma once

#include <stdbool.h>

#include "base/setting.h"
#include "store/admin.h"

/*
 * Read the words behind "purge", purge, print how many games it were, and write
 * the metrics to the file that the words name, which appears under its name
 * when it is whole.  If another purge works on the database, nothing is done
 * and no file is written.  False, with the reason on stderr, for words that are
 * none, and if it cannot.
 */
bool operator_purge(struct admin *admin, const struct settings *settings,
                    int count, char **words);
