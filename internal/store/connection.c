/*
 * connection.c - one connection to the database.
 *
 * A connection carries one batch at a time, in libpq's pipeline mode: first all
 * statements, then a sync.  libpq gives the results in the same order: for each
 * statement a result and then NULL, and at last that of the sync.  "answered"
 * is the statement whose result is next.  An error of the commit comes in front
 * of the sync, in place of another result of the last statement; so "answered"
 * stays at the last one, and what comes later replaces its result.
 *
 * A connection to one of several hosts that was silent for seconds may lead to
 * a host that was frozen, and was the primary when it last answered.  Its batch
 * follows a commit with a sync of its own, which such a host never
 * acknowledges; until it has, the server reads nothing of the batch
 * (is_proving).
 *
 * A commit that waits for a standby holds its session at the server, whatever
 * becomes of the connection.  So the owner may give up what was sent and keep
 * the connection: its results are read and dropped (overdue_ns), and after them
 * it is as good as before.
 *
 * An error that leaves it in doubt whether the session can run our functions is
 * followed by the statement check_session, in place of a batch
 * (is_checking_session).
 *
 * epoll waits for input on the socket all the time, and for output only while
 * libpq has bytes that the socket did not take (is_full).
 */
#include "store/connection.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>

#include "base/clock.h"
#include "postgres/schema.h"
#include "postgres/sqlstate.h"

/*
 * A host that freezes is replaced after this at the earliest, twice over: the
 * lease of Patroni, less the time for which its renewal may have been tried
 * (deploy/ha/README.md, "Its times").
 */
static const uint64_t silent_ns = 3 * CLOCK_NS_PER_S;

bool connection_fail(struct connection *connection, const char *reason,
                     const char *detail)
{
	(void)snprintf(connection->failure, sizeof(connection->failure),
	               "%s%s%s", reason, detail[0] ? ": " : "", detail);
	return false;
}

static bool break_off(struct connection *connection)
{
	return connection_fail(connection, "a connection broke", "");
}

static void set_epoll(const struct connection *connection, int operation)
{
	struct epoll_event event = { .events = EPOLLIN,
		                     .data.u32 = connection->number };

	if (connection->is_full)
		event.events |= EPOLLOUT;
	int res = epoll_ctl(connection->epoll_fd, operation,
	                    PQsocket(connection->pg), &event);
	assert(res == 0);
	(void)res;
}

void connection_open(struct connection *connection, PGconn *pg, int epoll_fd,
                     uint32_t number, uint64_t proven_ns)
{
	*connection = (struct connection){ .pg = pg,
		                           .epoll_fd = epoll_fd,
		                           .number = number,
		                           .is_one_of_several = proven_ns > 0,
		                           .answered_ns = proven_ns };
	set_epoll(connection, EPOLL_CTL_ADD);
}

void connection_close(struct connection *connection)
{
	assert(!connection->batch.head);
	/* It fails when libpq has closed the socket, which does the same. */
	epoll_ctl(connection->epoll_fd, EPOLL_CTL_DEL, PQsocket(connection->pg),
	          NULL);
	PQfinish(connection->pg);
	connection->pg = NULL;
}

bool connection_is_idle(const struct connection *connection)
{
	return connection->pg && !connection->is_busy;
}

const char *connection_asked(const struct connection *connection)
{
	if (connection->is_checking_session)
		return "check_session";
	return connection->batch.head ? connection->batch.head->query->name
	                              : "";
}

bool connection_is_silent(const struct connection *connection, uint64_t now_ns)
{
	return connection->is_one_of_several &&
	       now_ns - connection->answered_ns > silent_ns;
}

/* --- sending -------------------------------------------------------------- */

static bool send_one(PGconn *pg, struct statement *statement)
{
	struct params_list list;

	params_list(&statement->params, &list);
	statement->was_sent = true;
	return PQsendQueryPrepared(pg, statement->query->name,
	                           (int)statement->params.count, list.values,
	                           statement->params.lens, list.formats,
	                           1) == 1;
}

static void begin(struct connection *connection)
{
	connection->sent_ns = clock_monotonic_ns();
	connection->answered = connection->batch.head;
	connection->is_complete = false;
	connection->is_busy = true;
	connection->is_dirty = true;
	connection->may_commit = false;
	connection->is_probe = false;
	connection->has_failed = false;
}

/* Send a query that belongs to no batch, with a sync. */
static bool send_own(struct connection *connection, const char *text)
{
	return PQsendQueryParams(connection->pg, text, 0, NULL, NULL, NULL,
	                         NULL, 1) == 1 &&
	       PQpipelineSync(connection->pg) == 1;
}

/* Send a commit, if another host may be the primary by now. */
static bool prove(struct connection *connection)
{
	connection->is_proving =
		connection_is_silent(connection, connection->sent_ns);
	return !connection->is_proving ||
	       send_own(connection, "SELECT " SCHEMA_COMMIT);
}

bool connection_send_commit(struct connection *connection)
{
	begin(connection);
	connection->may_commit = true;
	connection->is_probe = true;
	return send_own(connection, "SELECT " SCHEMA_COMMIT) ||
	       connection_fail(connection, "cannot send", "a commit");
}

bool connection_send_ping(struct connection *connection)
{
	begin(connection);
	return send_own(connection, "SELECT 1") ||
	       connection_fail(connection, "cannot send", "a ping");
}

void connection_give_up(struct connection *connection, uint64_t now_ns)
{
	assert(!connection->batch.head);
	connection->answered = NULL;
	connection->overdue_ns = now_ns;
	connection->stuck_ns = 0;
}

bool connection_send(struct connection *connection)
{
	struct statement *first = connection->batch.head;

	assert(first);
	begin(connection);
	bool good = prove(connection);
	connection->may_commit =
		connection->is_proving || !statement_is_read(first);
	for (struct statement *each = first; each; each = each->next)
		good = send_one(connection->pg, each) && good;
	if (!good || !PQpipelineSync(connection->pg))
		return connection_fail(connection, "cannot send",
		                       first->query->name);
	return true;
}

static bool check_session(struct connection *connection)
{
	begin(connection);
	connection->answered = NULL; /* its batch is about to be finished */
	connection->is_checking_session = true;
	return (PQsendQueryPrepared(connection->pg, "check_session", 0, NULL,
	                            NULL, NULL, 1) == 1 &&
	        PQpipelineSync(connection->pg) == 1) ||
	       connection_fail(connection, "cannot send", "check_session");
}

bool connection_flush(struct connection *connection)
{
	int more = PQflush(connection->pg);

	connection->is_dirty = false;
	if (more < 0 || PQstatus(connection->pg) != CONNECTION_OK)
		return break_off(connection);
	if (connection->is_full != (more > 0)) {
		connection->is_full = more > 0;
		set_epoll(connection, EPOLL_CTL_MOD);
	}
	return true;
}

/* --- reading -------------------------------------------------------------- */

/*
 * True if the server ends the session with this error.  A mere ERROR with a
 * state such as 57P01 or 08006 is about another server, by which a PostgreSQL
 * that is spread over servers carries a statement out: the session goes on.
 */
static bool ends_session(const PGresult *res)
{
	const char *severity =
		PQresultErrorField(res, PG_DIAG_SEVERITY_NONLOCALIZED);

	return severity && (strcmp(severity, "FATAL") == 0 ||
	                    strcmp(severity, "PANIC") == 0);
}

/*
 * True if no result follows: libpq itself says that the connection broke (then
 * there is no state), or the server ends it.
 */
static bool is_last_result(const PGresult *res)
{
	const char *state = PQresultErrorField(res, PG_DIAG_SQLSTATE);

	return PQresultStatus(res) == PGRES_FATAL_ERROR &&
	       (!state || ends_session(res));
}

/* NULL: the results of one statement have ended, or the connection has. */
static bool read_end(struct connection *connection)
{
	const struct statement *answered = connection->answered;

	if (PQstatus(connection->pg) != CONNECTION_OK)
		return break_off(connection);
	if (answered && answered->res && answered->next)
		connection->answered = answered->next;
	return true;
}

/* A sync: the batch has all its results, or the commit before it has. */
static void read_sync(struct connection *connection)
{
	if (connection->is_proving) {
		connection->is_proving = false;
		return;
	}
	connection->is_complete = true;
	connection->is_busy = false;
	connection->answered_ns = connection->sent_ns;
}

/* The result of the probe commit; only its success matters. */
static bool read_proof(struct connection *connection, const PGresult *res)
{
	const char *state = PQresultErrorField(res, PG_DIAG_SQLSTATE);

	if (!res && PQstatus(connection->pg) != CONNECTION_OK)
		return break_off(connection);
	if (!res || PQresultStatus(res) == PGRES_TUPLES_OK)
		return true;
	return connection_fail(connection, "a silent connection cannot commit",
	                       state ? state : "");
}

static bool read_session_check(struct connection *connection,
                               const PGresult *res)
{
	if (!res && PQstatus(connection->pg) != CONNECTION_OK)
		return break_off(connection);
	const char *trouble = res ? schema_session_trouble(res) : NULL;
	return !trouble ||
	       connection_fail(connection,
	                       "a session cannot run gangd's functions",
	                       trouble);
}

static bool read_result(struct connection *connection)
{
	PGresult *res = PQgetResult(connection->pg);

	if (connection->is_checking_session) {
		bool is_end = PQresultStatus(res) == PGRES_PIPELINE_SYNC;
		bool good = is_end || read_session_check(connection, res);

		connection->is_checking_session = !is_end;
		connection->is_busy = !is_end;
		PQclear(res);
		return good;
	}
	if (PQresultStatus(res) == PGRES_PIPELINE_SYNC) {
		read_sync(connection);
		PQclear(res);
		return true;
	}
	if (connection->is_proving) {
		bool good = read_proof(connection, res);

		PQclear(res);
		return good;
	}
	if (!res)
		return read_end(connection);
	if (is_last_result(res)) {
		const char *state = PQresultErrorField(res, PG_DIAG_SQLSTATE);

		connection_fail(connection, "the server ended a connection",
		                state ? state : "");
		PQclear(res);
		return false;
	}
	if (!connection->answered) {
		if (PQresultStatus(res) == PGRES_FATAL_ERROR)
			connection->has_failed = true;
		PQclear(res);
		return true;
	}
	PQclear(connection->answered->res);
	connection->answered->res = res;
	return true;
}

bool connection_read(struct connection *connection)
{
	bool is_whole = PQconsumeInput(connection->pg) == 1;

	/* Even after a failure there may be results that came before it. */
	while (connection->is_busy && !PQisBusy(connection->pg)) {
		if (!read_result(connection))
			return false;
	}
	return is_whole || break_off(connection);
}

bool connection_review(struct connection *connection, uint64_t check_ns)
{
	bool is_doubtful = false;

	for (const struct statement *statement = connection->batch.head;
	     statement; statement = statement->next) {
		const char *state =
			PQresultErrorField(statement->res, PG_DIAG_SQLSTATE);
		enum session_state session =
			state ? sqlstate_session(state) : SESSION_GOOD;

		if (session == SESSION_OVER)
			return connection_fail(
				connection, "a session is of no use any more",
				state);
		is_doubtful = is_doubtful || session == SESSION_DOUBTFUL;
	}
	if (!is_doubtful)
		return true;
	connection->deadline = (struct deadline){
		.at_ns = clock_monotonic_ns() + check_ns,
	};
	return check_session(connection);
}
