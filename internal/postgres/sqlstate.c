/*
 * The SQLSTATEs of PostgreSQL, appendix A of its manual, and those by which
 * PgBouncer reports its own errors.  A row is a code or the beginning of one.
 */
#include "postgres/sqlstate.h"

#include <string.h>

#include "base/macros.h"

/*
 * The server lost the answer of another server that it uses, or the outcome of
 * a transaction is unknown.
 */
static const char *const open_outcomes[] = { "08", "40003", "57P01", "57P02",
	                                     "57P03" };

/* It passes: a conflict, out of resources, locked, cancelled. */
static const char *const passing[] = { "40001", "40P01", "53", "55P03",
	                               "57014" };

/*
 * The server takes no writes any more (25006), or a pooler has changed the
 * session: a prepared statement is gone (26000), is there already (42P05), or
 * has other parameters (08P01).
 */
static const char *const over[] = { "25006", "26000", "42P05", "08P01" };

/*
 * No statement of ours can cause these by its parameters: a function, table or
 * grant is gone (42, 3F), a library cannot be loaded (58), the server is at
 * odds with itself (XX).  A damaged file of one table has 58 or XX too, so only
 * check_session shows what it is.
 */
static const char *const doubtful[] = { "3F", "42", "58", "XX" };

static bool is_among(const char *state, const char *const *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (strncmp(state, rows[i], strlen(rows[i])) == 0)
			return true;
	}
	return false;
}

bool sqlstate_is_conflict(const char *state)
{
	return strcmp(state, "40001") == 0 || strcmp(state, "40P01") == 0;
}

enum session_state sqlstate_session(const char *state)
{
	if (is_among(state, over, ARRAY_LEN(over)))
		return SESSION_OVER;
	return is_among(state, doubtful, ARRAY_LEN(doubtful)) ? SESSION_DOUBTFUL
	                                                      : SESSION_GOOD;
}

enum store_result sqlstate_result(const char *state)
{
	if (sqlstate_session(state) != SESSION_GOOD ||
	    is_among(state, passing, ARRAY_LEN(passing)))
		return STORE_REFUSED;
	return is_among(state, open_outcomes, ARRAY_LEN(open_outcomes))
	               ? STORE_UNAVAILABLE
	               : STORE_BROKEN;
}
