/*
 * connector.c - the thread that makes a store's connections.
 *
 * "wanted" counts the connections that are still to be made, and the thread
 * works while it is not 0.  A connection is either wanted, in ready[], or with
 * the store; together they are always "all".  The lock guards this state, and
 * is never held while the thread waits for the database.  Of several hosts the
 * one that was last connected to ("last") is tried alone first, until a
 * connection to it is lost: behind a silent host each would take two seconds.
 * The log has a line only when the kind of trouble changes.
 */
#include "store/connector.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/log.h"
#include "base/memory.h"
#include "store/schema.h"

enum {
	PAUSE_MIN_MS = 100,
	PAUSE_MAX_MS = 1000,
	SET_UP_MS = 2000, /* from connected to ready */
	SETTINGS_MAX = 600,
};

enum trouble {
	TROUBLE_NONE,
	TROUBLE_AWAY,   /* no server, or a connection was lost */
	TROUBLE_SCHEMA, /* its schema is not this program's */
	TROUBLE_SET_UP, /* it refuses to prepare a statement */
};

/* An attempt to connect. */
struct attempt {
	PGconn *pg;
	struct schema_host host; /* to try first; then the one that was found */
	enum trouble trouble;
	char reason[SCHEMA_REASON_MAX];
};

struct connector {
	const char *url;
	unsigned all; /* connections of the store */
	unsigned lock_ms;
	bool is_spread; /* over servers, and planned as the server chooses */
	int ready_fd;   /* readable while ready[] may have one */
	int stop_fd;    /* readable when the thread is to end */
	pthread_t thread;

	pthread_mutex_t lock; /* over all below */
	pthread_cond_t changed;
	bool stopping;
	unsigned wanted; /* connections still to be made */
	PGconn *ready[CONNECTOR_MAX];
	unsigned ready_count;
	enum trouble logged;     /* the last one in the log */
	struct schema_host last; /* of several hosts; name[0] == 0: none */
};

static void note_trouble(struct connector *connector, enum trouble trouble,
                         const char *reason)
{
	static const char *const events[] = {
		[TROUBLE_AWAY] = "database_unavailable",
		[TROUBLE_SCHEMA] = "database_schema_unknown",
		[TROUBLE_SET_UP] = "database_statement_refused",
	};

	if (connector->logged == trouble)
		return;
	connector->logged = trouble;
	LOG(LOG_WARNING, events[trouble], LOG_TEXT("reason", reason));
}

static void note_connected(struct connector *connector)
{
	connector->logged = TROUBLE_NONE;
	LOG(LOG_INFO, "database_connected",
	    LOG_INT("connections", connector->all));
}

/* --- what is done on a new connection ------------------------------------- */

/*
 * enable_seqscan: every statement finds its rows by a key.  A prepared plan
 * that scans a table because it was tiny would stay when the table has grown.
 *
 * plan_cache_mode: for the same reason no plan depends on the parameters; with
 * short arrays PostgreSQL would plan the statement anew each time.  A
 * PostgreSQL that is spread over servers finds the server by the parameters, so
 * there it is left to it (auto).
 *
 * lock_timeout: a statement that waits for a locked game gives up early enough
 * for the others of its batch to be carried out without it.
 *
 * The others: the server soon ends a statement whose connection was given up,
 * and a transaction whose machine is gone, which holds locks.
 *
 * The message is a commit.  A host that was the primary, and does not know yet
 * that another is, has no standby for it, and does not answer.
 */
static bool send_settings(const struct connector *connector, PGconn *pg,
                          bool has_hosts)
{
	const char *commit = ", pg_logical_emit_message(true, 'gangd', '')";
	char text[SETTINGS_MAX];

	(void)snprintf(
		text, sizeof(text),
		"SELECT set_config('enable_seqscan', 'off', false),"
		" set_config('plan_cache_mode', '%s', false),"
		" set_config('lock_timeout', '%ums', false),"
		" set_config('client_connection_check_interval', '1s',"
		" false), set_config('tcp_keepalives_idle', '5s', false),"
		" set_config('tcp_keepalives_interval', '5s', false),"
		" set_config('tcp_keepalives_count', '3', false)%s",
		connector->is_spread ? "auto" : "force_generic_plan",
		connector->lock_ms, has_hosts ? commit : "");
	return PQsendQueryParams(pg, text, 0, NULL, NULL, NULL, NULL, 0) == 1;
}

/* Send everything that makes a connection ready, in one round trip. */
static bool send_set_up(const struct connector *connector, PGconn *pg,
                        bool has_hosts)
{
	char name[SCHEMA_NAME_MAX];

	if (PQsetnonblocking(pg, 1) != 0 || !PQenterPipelineMode(pg) ||
	    !PQsendQueryParams(pg, schema_query_text("schema"), 0, NULL, NULL,
	                       NULL, NULL, 1) ||
	    !send_settings(connector, pg, has_hosts))
		return false;
	for (const struct embedded *query = embed_queries; query->name;
	     query++) {
		schema_query_name(query, name);
		if (!PQsendPrepare(pg, name, query->bytes, 0, NULL))
			return false;
	}
	return PQpipelineSync(pg) == 1;
}

/* Wait until the connection has a result to give; false if it is too late. */
static bool await_result(const struct connector *connector, PGconn *pg,
                         uint64_t deadline_ns)
{
	while (PQisBusy(pg)) {
		uint64_t now = clock_monotonic_ns();
		int more = PQflush(pg);
		struct pollfd fds[] = {
			{ .fd = PQsocket(pg), .events = POLLIN },
			{ .fd = connector->stop_fd, .events = POLLIN },
		};

		if (more < 0 || now >= deadline_ns)
			return false;
		if (more > 0)
			fds[0].events |= POLLOUT;
		int ready =
			poll(fds, ARRAY_LEN(fds),
		             (int)((deadline_ns - now) / CLOCK_NS_PER_MS) + 1);
		if ((ready < 0 && errno != EINTR) || fds[1].revents != 0)
			return false;
		if (ready > 0 && fds[0].revents & ~POLLOUT &&
		    !PQconsumeInput(pg))
			return false;
	}
	return true;
}

static bool refuse(struct attempt *attempt, enum trouble trouble,
                   const char *reason, const char *state)
{
	attempt->trouble = trouble;
	(void)snprintf(attempt->reason, sizeof(attempt->reason), "%s%s%s",
	               reason, state ? ": " : "", state ? state : "");
	return false;
}

/* There is no such schema or table, or this role may not read it. */
static bool state_is_about_schema(const char *state)
{
	return state &&
	       (strncmp(state, "42", 2) == 0 || strncmp(state, "3F", 2) == 0);
}

/* The first answer is the schema's, the others those of the statements. */
static bool check_answer(struct attempt *attempt, const PGresult *res,
                         unsigned number)
{
	ExecStatusType status = PQresultStatus(res);
	const char *state = PQresultErrorField(res, PG_DIAG_SQLSTATE);

	if (number == 0 && state_is_about_schema(state))
		return refuse(attempt, TROUBLE_SCHEMA,
		              "no schema; run gangctl migrate", state);
	if (status == PGRES_FATAL_ERROR &&
	    (!state || strncmp(state, "42", 2) != 0))
		return refuse(attempt, TROUBLE_AWAY, "lost while connecting",
		              state);
	if (number == 0 && !schema_is_known(res))
		return refuse(attempt, TROUBLE_SCHEMA,
		              "another version; run gangctl migrate", NULL);
	if (number == 1 && status != PGRES_TUPLES_OK)
		return refuse(attempt, TROUBLE_SET_UP, "set_config", state);
	if (number > 1 && status != PGRES_COMMAND_OK)
		return refuse(attempt, TROUBLE_SET_UP,
		              embed_queries[number - 2].name, state);
	return true;
}

/* Read the answers until all are there or one is not as it should be. */
static bool read_set_up(const struct connector *connector,
                        struct attempt *attempt)
{
	uint64_t deadline_ns =
		clock_monotonic_ns() + SET_UP_MS * CLOCK_NS_PER_MS;
	bool good = true;
	unsigned number = 0;

	while (good) {
		if (!await_result(connector, attempt->pg, deadline_ns))
			return refuse(attempt, TROUBLE_AWAY,
			              "no answer to a new connection", NULL);
		PGresult *res = PQgetResult(attempt->pg);
		if (!res)
			continue; /* the end of one statement's results */
		bool is_end = PQresultStatus(res) == PGRES_PIPELINE_SYNC;
		if (!is_end)
			good = check_answer(attempt, res, number++);
		PQclear(res);
		if (is_end)
			return true;
	}
	return false;
}

/* Connect to the host that is to be tried first, or else to any. */
static PGconn *connect_to_host(const char *url, struct attempt *attempt)
{
	struct schema_host *host = &attempt->host;
	PGconn *pg = NULL;

	if (host->name[0])
		pg = schema_connect(url, "gangd", host, attempt->reason);
	if (pg)
		return pg;
	host->name[0] = '\0';
	pg = schema_connect(url, "gangd", NULL, attempt->reason);
	if (pg && !schema_connected_host(pg, host))
		host->name[0] = '\0'; /* there is only one */
	return pg;
}

/* Without the lock; the only place that waits for the database. */
static void try_to_connect(const struct connector *connector,
                           struct attempt *attempt)
{
	attempt->trouble = TROUBLE_AWAY;
	attempt->pg = connect_to_host(connector->url, attempt);
	if (!attempt->pg)
		return;
	if (!send_set_up(connector, attempt->pg, attempt->host.name[0])) {
		refuse(attempt, TROUBLE_AWAY, "lost while connecting", NULL);
	} else if (read_set_up(connector, attempt)) {
		attempt->trouble = TROUBLE_NONE;
		return;
	}
	PQfinish(attempt->pg);
	attempt->pg = NULL;
}

/* --- the thread ----------------------------------------------------------- */

/* With the lock. */
static void deliver(struct connector *connector, PGconn *pg)
{
	assert(connector->ready_count < CONNECTOR_MAX);
	connector->ready[connector->ready_count++] = pg;
	connector->wanted--;
	(void)eventfd_write(connector->ready_fd, 1);
	if (connector->wanted == 0)
		note_connected(connector);
}

/* With the lock: sleep until that time, or until the store is closed. */
static void pause_until(struct connector *connector, uint64_t ns)
{
	struct timespec until = { .tv_sec = (time_t)(ns / CLOCK_NS_PER_S),
		                  .tv_nsec = (long)(ns % CLOCK_NS_PER_S) };
	int res = 0;

	while (!connector->stopping && res == 0)
		res = pthread_cond_timedwait(&connector->changed,
		                             &connector->lock, &until);
}

/* With the lock, except while it tries. */
static void connect_all(struct connector *connector)
{
	uint64_t pause_ms = PAUSE_MIN_MS;

	while (!connector->stopping && connector->wanted > 0) {
		uint64_t began_ns = clock_monotonic_ns();
		struct attempt attempt = { .host = connector->last };

		pthread_mutex_unlock(&connector->lock);
		try_to_connect(connector, &attempt);
		pthread_mutex_lock(&connector->lock);
		connector->last = attempt.host;
		if (attempt.pg) {
			deliver(connector, attempt.pg);
			pause_ms = PAUSE_MIN_MS;
			continue;
		}
		if (!connector->stopping)
			note_trouble(connector, attempt.trouble,
			             attempt.reason);
		pause_until(connector, began_ns + pause_ms * CLOCK_NS_PER_MS);
		pause_ms = pause_ms * 2 > PAUSE_MAX_MS ? PAUSE_MAX_MS
		                                       : pause_ms * 2;
	}
}

static void *run(void *arg)
{
	struct connector *connector = arg;

	pthread_mutex_lock(&connector->lock);
	while (!connector->stopping) {
		if (connector->wanted > 0)
			connect_all(connector);
		else
			pthread_cond_wait(&connector->changed,
			                  &connector->lock);
	}
	pthread_mutex_unlock(&connector->lock);
	return NULL;
}

/* --- for the store -------------------------------------------------------- */

static int open_eventfd(void)
{
	int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);

	assert(fd >= 0);
	return fd;
}

/* The process's signals are for other threads to take. */
static void start_thread(struct connector *connector)
{
	sigset_t all;
	sigset_t before;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int res = pthread_create(&connector->thread, NULL, run, connector);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	/* The system is out of memory, or of threads. */
	if (res != 0)
		memory_fail();
}

struct connector *connector_open(const char *url, unsigned wanted,
                                 unsigned lock_ms, bool is_spread)
{
	struct connector *connector = xcalloc(1, sizeof(*connector));
	pthread_condattr_t attr;

	assert(wanted > 0 && wanted <= CONNECTOR_MAX);
	connector->url = url;
	connector->all = wanted;
	connector->wanted = wanted;
	connector->lock_ms = lock_ms;
	connector->is_spread = is_spread;
	connector->ready_fd = open_eventfd();
	connector->stop_fd = open_eventfd();
	pthread_mutex_init(&connector->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&connector->changed, &attr);
	pthread_condattr_destroy(&attr);
	start_thread(connector);
	return connector;
}

int connector_fd(const struct connector *connector)
{
	return connector->ready_fd;
}

PGconn *connector_take(struct connector *connector)
{
	PGconn *pg = NULL;
	eventfd_t count;

	pthread_mutex_lock(&connector->lock);
	if (connector->ready_count > 0)
		pg = connector->ready[--connector->ready_count];
	if (connector->ready_count == 0)
		(void)eventfd_read(connector->ready_fd, &count);
	pthread_mutex_unlock(&connector->lock);
	return pg;
}

void connector_replace(struct connector *connector, const PGconn *lost,
                       const char *reason)
{
	pthread_mutex_lock(&connector->lock);
	connector->wanted++;
	if (strcmp(connector->last.name, PQhost(lost)) == 0 &&
	    strcmp(connector->last.port, PQport(lost)) == 0)
		connector->last.name[0] = '\0';
	note_trouble(connector, TROUBLE_AWAY, reason);
	pthread_cond_signal(&connector->changed);
	pthread_mutex_unlock(&connector->lock);
}

void connector_close(struct connector *connector)
{
	pthread_mutex_lock(&connector->lock);
	connector->stopping = true;
	(void)eventfd_write(connector->stop_fd, 1);
	pthread_cond_signal(&connector->changed);
	pthread_mutex_unlock(&connector->lock);
	pthread_join(connector->thread, NULL);

	for (unsigned i = 0; i < connector->ready_count; i++)
		PQfinish(connector->ready[i]);
	close(connector->ready_fd);
	close(connector->stop_fd);
	pthread_cond_destroy(&connector->changed);
	pthread_mutex_destroy(&connector->lock);
	free(connector);
}
