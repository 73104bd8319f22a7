/*
 * sqlstate.h - what an error of the server says about a change, and about the
 * session that it came from.
 *
 * An error that the server sends in answer to a statement has ended the
 * statement's transaction, so nothing was changed.  Some errors report that an
 * answer was lost further on; those leave it open.
 */
#pragma once

#include <stdbool.h>

#include "postgres/records.h"

enum session_state {
	SESSION_GOOD,     /* the error is about the statement */
	SESSION_DOUBTFUL, /* perhaps the session cannot run our statements */
	SESSION_OVER,     /* it cannot */
};

/* Two transactions were in each other's way: trying again helps. */
bool sqlstate_is_conflict(const char *state);

/* STORE_UNAVAILABLE, STORE_REFUSED or STORE_BROKEN. */
enum store_result sqlstate_result(const char *state);

enum session_state sqlstate_session(const char *state);
