/*
 * capacity.h - how many loops there are, and how many connections.
 */
#pragma once

#include "base/setting.h"

enum { CAPACITY_LOOPS_MAX = 64 };

/* Event loops: as set, or one for each processor. */
unsigned capacity_loops(const struct settings *settings);

/*
 * A loop's share of the connections to the database, at least 1.  The first
 * loops have one more than the last.
 */
unsigned capacity_database_connections(const struct settings *settings,
                                       unsigned loops, unsigned loop);

/*
 * Connections of clients in all: as set, or fewer, with a line in the log, if
 * the limit on open files is too low for them.  "others" is how many more HTTP
 * may have open at a time, to refuse those above the cap.
 */
unsigned capacity_clients(const struct settings *settings, unsigned loops,
                          unsigned others);
