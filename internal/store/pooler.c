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
#include "store/pooler.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "store/pg_wait.h"
#include "store/sqlstate.h"

enum { HOLDERS = 4, ANSWER_MS = 1000 };

static const char own_pid[] = "SELECT pg_backend_pid()";
static const char statement[] = "gangd_pooler";

struct look {
	PGconn *pg;               /* the connection that is looked at */
	PGconn *holders[HOLDERS]; /* take its session away */
	int stop_fd;
	int pid; /* of its session at first */
};

/* The first result of what was sent; NULL: none in time. */
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
	PQclear(first);
	return NULL;
}

/* The number of a result with one; 0: it is an error, or there is none. */
static int take_number(const struct look *look, PGconn *pg)
{
	PGresult *res = take_result(look, pg);
	int number = PQresultStatus(res) == PGRES_TUPLES_OK
	                     ? (int)strtol(PQgetvalue(res, 0, 0), NULL, 10)
	                     : 0;

	PQclear(res);
	return number;
}

static bool run(const struct look *look, PGconn *pg, const char *sql)
{
	PGresult *res =
		PQsendQuery(pg, sql) == 1 ? take_result(look, pg) : NULL;
	bool good = PQresultStatus(res) == PGRES_COMMAND_OK;

	PQclear(res);
	return good;
}

static bool send_execute(const struct look *look)
{
	return PQsendQueryPrepared(look->pg, statement, 0, NULL, NULL, NULL,
	                           0) == 1;
}

/* Judge a result that is not the wanted one; NULL: none came in time.
 */
static enum pooler_finding judge(const PGresult *res)
{
	const char *state = PQresultErrorField(res, PG_DIAG_SQLSTATE);

	return state && sqlstate_session(state) == SESSION_OVER
	               ? POOLER_UNFIT
	               : POOLER_UNKNOWN;
}

/*
 * Prepare the statement and execute it once.  A new session has none of its
 * name, so if there is one the session was another client's.
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
	if (found == POOLER_FIT && send_execute(look)) {
		look->pid = take_number(look, look->pg);
		/* Another client used the pool in between. */
		if (look->pid == 0 && PQstatus(look->pg) == CONNECTION_OK)
			return POOLER_UNFIT;
	}
	return found;
}

/* *moved: it ran in another session than at first. */
static enum pooler_finding execute(const struct look *look, PGconn *holder,
                                   bool *moved)
{
	PGresult *res = send_execute(look) ? take_result(look, look->pg) : NULL;

	/* The pool has no other session: one is free when the holder ends. */
	if (!res && run(look, holder, "ROLLBACK"))
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
		/* Without an answer no session is left for it, so it has not
		 * taken this one; with an error there are no transactions. */
		if (!holder)
			break;
		if (!run(look, holder, "BEGIN; SELECT 1"))
			return PQtransactionStatus(holder) == PQTRANS_ACTIVE
			               ? POOLER_FIT
			               : POOLER_UNFIT;
		found = execute(look, holder, &moved);
	}
	return found;
}

enum pooler_finding pooler_look(PGconn *pg, const char *url,
                                const struct schema_host *host, int stop_fd)
{
	struct look look = { .pg = pg, .stop_fd = stop_fd };

	int pid = PQsendQuery(pg, own_pid) == 1 ? take_number(&look, pg) : 0;

	if (pid == 0)
		return POOLER_UNKNOWN;
	if (pid == PQbackendPID(pg))
		return POOLER_NONE;
	enum pooler_finding found = prepare(&look);
	if (found != POOLER_FIT)
		return found;
	found = take_session_away(&look, url, host);
	for (unsigned i = 0; i < HOLDERS; i++)
		PQfinish(look.holders[i]);
	return found;
}
