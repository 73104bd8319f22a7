/*
 * pooler.c - finds out whether a pooler swaps the server's sessions.
 *
 * A server names its process when a client connects, and says the same number
 * in pg_backend_pid().  A pooler makes a number up, since it has one name for
 * all the sessions that a client will have.
 *
 * A pooler in transaction mode gives an idle client's session to another
 * client. So a second client holds a transaction open, by which it takes the
 * session that the first one had last; the first one executes a prepared
 * statement, and gets another session.  A pooler may hand out its idle sessions
 * in any order: after some rounds each has had its turn, if the pool is quiet.
 * If others use the pool meanwhile this may miss; then a statement fails later
 * (26000), the connection is closed, and the next one is looked at again.
 */
#include "postgres/pooler.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "postgres/pg_wait.h"
#include "postgres/sqlstate.h"

enum { HOLDERS = 4, ANSWER_MS = 1000 };

static const char own_pid[] = "SELECT pg_backend_pid()";
static const char statement[] = "gangd_pooler";

struct look {
	PGconn *pg;               /* the connection that is looked at */
	PGconn *holders[HOLDERS]; /* take its session away */
	int stop_fd;
	int pid; /* of its session at first */
};

/* The first result of what was sent; NULL: no answer in time, or lost. */
static PGresult *take_result(const struct look *look, PGconn *pg)
{
	uint64_t deadline_ns =
		clock_monotonic_ns() + ANSWER_MS * CLOCK_NS_PER_MS;
	PGresult *first = NULL;

	while (pg_wait(pg, look->stop_fd, deadline_ns)) {
		PGresult *res = PQgetResult(pg);

		if (!res)
			return first;
		if (first)
			PQclear(res);
		else
			first = res;
	}
	/* An error may be the last thing that a connection says. */
	if (PQstatus(pg) != CONNECTION_OK)
		return first;
	PQclear(first);
	return NULL;
}

/* Judge an unexpected result; NULL: no result came. */
static enum pooler_finding judge(const PGresult *res)
{
	const char *state = PQresultErrorField(res, PG_DIAG_SQLSTATE);

	return state && sqlstate_session(state) == SESSION_OVER
	               ? POOLER_UNFIT
	               : POOLER_UNKNOWN;
}

/* Take the process that a session names; POOLER_FIT: *pid is it. */
static enum pooler_finding take_pid(const struct look *look, int *pid)
{
	PGresult *res = take_result(look, look->pg);
	bool good = PQresultStatus(res) == PGRES_TUPLES_OK;
	enum pooler_finding found = good ? POOLER_FIT : judge(res);

	if (good)
		*pid = (int)strtol(PQgetvalue(res, 0, 0), NULL, 10);
	PQclear(res);
	return found;
}

/*
 * Begin a transaction that keeps a session.  POOLER_FIT: it has one, or the
 * pooler has no session left and does not answer; POOLER_UNFIT: there are no
 * transactions.
 */
static enum pooler_finding hold_session(const struct look *look, PGconn *holder)
{
	PGresult *res = PQsendQuery(holder, "BEGIN; SELECT 1") == 1
	                        ? take_result(look, holder)
	                        : NULL;
	enum pooler_finding found = POOLER_FIT;

	if (PQresultErrorField(res, PG_DIAG_SQLSTATE))
		found = POOLER_UNFIT;
	else if (PQstatus(holder) != CONNECTION_OK)
		found = POOLER_UNKNOWN;
	PQclear(res);
	return found;
}

static bool roll_back(const struct look *look, PGconn *holder)
{
	PGresult *res = PQsendQuery(holder, "ROLLBACK") == 1
	                        ? take_result(look, holder)
	                        : NULL;
	bool good = PQresultStatus(res) == PGRES_COMMAND_OK;

	PQclear(res);
	return good;
}

static bool send_execute(const struct look *look)
{
	return PQsendQueryPrepared(look->pg, statement, 0, NULL, NULL, NULL,
	                           0) == 1;
}

/*
 * Prepare the statement and execute it once.  A new session has no statement
 * of this name, so if there is one the session was another client's.
 */
static enum pooler_finding prepare(struct look *look)
{
	PGresult *res =
		PQsendPrepare(look->pg, statement, own_pid, 0, NULL) == 1
			? take_result(look, look->pg)
			: NULL;
	enum pooler_finding found = PQresultStatus(res) == PGRES_COMMAND_OK
	                                    ? POOLER_FIT
	                                    : judge(res);

	PQclear(res);
	if (found != POOLER_FIT)
		return found;
	/* It is missing (26000) if another client used the pool in between. */
	return send_execute(look) ? take_pid(look, &look->pid) : POOLER_UNKNOWN;
}

/* *moved: it ran in another session than at first. */
static enum pooler_finding execute(const struct look *look, PGconn *holder,
                                   bool *moved)
{
	PGresult *res = send_execute(look) ? take_result(look, look->pg) : NULL;

	/* The pool has no other session: one is free when the holder ends. */
	if (!res && roll_back(look, holder))
		res = take_result(look, look->pg);
	bool good = PQresultStatus(res) == PGRES_TUPLES_OK;
	enum pooler_finding found = good ? POOLER_FIT : judge(res);
	*moved = good && strtol(PQgetvalue(res, 0, 0), NULL, 10) != look->pid;
	PQclear(res);
	return found;
}

static enum pooler_finding take_session_away(struct look *look, const char *url,
                                             const struct schema_host *host)
{
	enum pooler_finding found = POOLER_FIT;
	char reason[SCHEMA_REASON_MAX];
	bool moved = false;

	for (unsigned i = 0; i < HOLDERS && found == POOLER_FIT && !moved;
	     i++) {
		PGconn *holder = schema_connect(url, "gangd", host, reason);

		look->holders[i] = holder;
		if (!holder)
			break;
		found = hold_session(look, holder);
		/* Without one it has not taken that of the look. */
		if (found != POOLER_FIT ||
		    PQtransactionStatus(holder) == PQTRANS_ACTIVE)
			break;
		found = execute(look, holder, &moved);
	}
	return found;
}

enum pooler_finding pooler_look(PGconn *pg, const char *url,
                                const struct schema_host *host, int stop_fd)
{
	struct look look = { .pg = pg, .stop_fd = stop_fd };

	if (PQsendQuery(pg, own_pid) != 1 ||
	    take_pid(&look, &look.pid) != POOLER_FIT)
		return POOLER_UNKNOWN;
	if (look.pid == PQbackendPID(pg))
		return POOLER_NONE;
	enum pooler_finding found = prepare(&look);
	if (found != POOLER_FIT)
		return found;
	found = take_session_away(&look, url, host);
	for (unsigned i = 0; i < HOLDERS; i++)
		PQfinish(look.holders[i]);
	return found;
}
