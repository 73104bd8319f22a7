/*
 * admin_query.h - the connection of the operator's tool, for the files that
 * implement admin.h.
 *
 * A statement without an answer is in one of two states.  The server refused
 * it: nothing was changed.  Or the connection was lost (admin_is_lost()): a
 * statement that is a transaction of its own may or may not have been carried
 * out, and one within a transaction was not, since its COMMIT was not sent.
 */
#pragma once

#include <stdbool.h>

#include <libpq-fe.h>

#include "postgres/records.h"
#include "postgres/wire.h"

struct admin {
	PGconn *pg;
	bool was_locked_out; /* the last command waited too long for a lock */
};

/*
 * Run one statement with its parameters, which are freed.  Its rows, in binary;
 * NULL, with the reason on stderr, if it has no answer.
 */
PGresult *admin_query(const struct admin *admin, const char *text,
                      struct params *params);

/* The same, without its rows; true if it succeeds. */
MUST_CHECK bool admin_change(const struct admin *admin, const char *text,
                             struct params *params);

/* The same, but the result may be an error, which nobody has reported. */
PGresult *admin_ask(const struct admin *admin, const char *text,
                    struct params *params);

/* Write on stderr why a statement has no answer; once for a lost connection. */
void admin_report(const struct admin *admin, const PGresult *res);

bool admin_is_lost(const struct admin *admin);

/*
 * End a transaction: STORE_OK; STORE_BROKEN, and nothing of it is written; or
 * STORE_UNAVAILABLE: the answer was lost, so that all or nothing is written.
 */
MUST_CHECK enum store_result admin_commit(const struct admin *admin);
