/*
 * admin_query.h - the connection of the operator's tool, for the files behind
 * admin.h.
 */
#pragma once

#include <stdbool.h>

#include <libpq-fe.h>

#include "store/wire.h"

struct admin {
	PGconn *pg;
	bool was_locked_out; /* the last command waited too long for a lock */
};

/*
 * Run one statement with its parameters, which are freed.  Its rows, in binary;
 * NULL, with the reason on stderr, if it fails.
 */
PGresult *admin_query(const struct admin *admin, const char *text,
                      struct params *params);

/* The same, without its rows; true if it succeeds. */
MUST_CHECK bool admin_change(const struct admin *admin, const char *text,
                             struct params *params);
