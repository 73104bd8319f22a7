/*
 * attempt.c - connects to a server, and sets the connection up.
 *
 * libpq goes through the hosts of the connection string until one lets the role
 * in and says that it takes writes.  When the hosts are known, they are asked
 * at once instead, again and again: one that is silent delays nothing when
 * another becomes the primary.  The host that is found may have been the
 * primary, and not know that another one is.  It fails to be set up; then each
 * host is tried alone.  From one attempt to the next the plan keeps the list of
 * hosts, and the connections whose commit is not acknowledged; the caller hands
 * back the host.
 */
#include "store/attempt.h"

#include <assert.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "postgres/pg_wait.h"
#include "postgres/pooler.h"

enum {
	SET_UP_MS = 2000, /* from connected to ready */
	PROOF_MS = 2000,  /* from ready to an acknowledged commit */
	RACE_MS = 2000,   /* in which one of all hosts lets us in */
	AGAIN_MS = 500,   /* until a host that did not is asked again */
	SETTINGS_MAX = 600,
};

/* --- what is done on a new connection ------------------------------------- */

/*
 * enable_seqscan: every statement finds its rows by a key.  A prepared plan
 * that scans a table because it was tiny would stay when the table has grown.
 *
 * plan_cache_mode: for the same reason no plan depends on the parameters; with
 * short arrays PostgreSQL would plan the statement anew each time.  Citus finds
 * the server by the parameters, and a session keeps some 30 KB of each
 * execution of a plan that does not depend on them (13.2), so there each
 * execution is planned.
 *
 * lock_timeout: a statement that waits for a locked game gives up early enough
 * for the others of its batch to be carried out without it.
 *
 * The others: the server soon ends a statement whose connection was given up,
 * and a transaction whose machine is gone, which holds locks.
 */
static bool send_settings(const struct attempt_plan *plan, PGconn *pg)
{
	char text[SETTINGS_MAX];

	(void)snprintf(
		text, sizeof(text),
		"SELECT set_config('enable_seqscan', 'off', false),"
		" set_config('plan_cache_mode', '%s', false),"
		" set_config('lock_timeout', '%ums', false),"
		" set_config('client_connection_check_interval', '1s',"
		" false), set_config('tcp_keepalives_idle', '5s', false),"
		" set_config('tcp_keepalives_interval', '5s', false),"
		" set_config('tcp_keepalives_count', '3', false)",
		plan->is_spread ? "force_custom_plan" : "force_generic_plan",
		plan->lock_ms);
	return PQsendQueryParams(pg, text, 0, NULL, NULL, NULL, NULL, 0) == 1;
}

/* Send everything that makes a connection ready, in one round trip. */
static bool send_set_up(const struct attempt_plan *plan, PGconn *pg)
{
	char name[SCHEMA_NAME_MAX];

	if (PQsetnonblocking(pg, 1) != 0 || !PQenterPipelineMode(pg) ||
	    !PQsendQueryParams(pg, schema_query_text("schema"), 0, NULL, NULL,
	                       NULL, NULL, 1) ||
	    !send_settings(plan, pg))
		return false;
	for (const struct embedded *query = embed_queries; query->name;
	     query++) {
		schema_query_name(query, name);
		if (!PQsendPrepare(pg, name, query->bytes, 0, NULL))
			return false;
	}
	return PQsendQueryPrepared(pg, "check_session", 0, NULL, NULL, NULL,
	                           1) == 1 &&
	       PQpipelineSync(pg) == 1;
}

static bool refuse(struct attempt *attempt, enum attempt_trouble trouble,
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

static bool check_session(struct attempt *attempt, const PGresult *res)
{
	const char *trouble = schema_session_trouble(res);

	return !trouble ||
	       refuse(attempt, ATTEMPT_FUNCTIONS,
	              "a session cannot run gangd's functions; restart "
	              "PostgreSQL if its package was replaced, else see "
	              "gangctl check",
	              trouble);
}

static bool check_prepared(struct attempt *attempt, const PGresult *res,
                           const char *name)
{
	const char *state = PQresultErrorField(res, PG_DIAG_SQLSTATE);

	if (PQresultStatus(res) == PGRES_COMMAND_OK)
		return true;
	/* A new session has no statements: another client prepared it. */
	if (state && strcmp(state, "42P05") == 0)
		return refuse(attempt, ATTEMPT_POOLER, POOLER_ADVICE, state);
	return refuse(attempt, ATTEMPT_SET_UP, name, state);
}

/* The server, or the way to it, has gone: it did not refuse anything. */
static bool is_lost(const PGresult *res)
{
	const char *state = PQresultErrorField(res, PG_DIAG_SQLSTATE);

	return PQresultStatus(res) == PGRES_FATAL_ERROR &&
	       (!state || strncmp(state, "08", 2) == 0 ||
	        strncmp(state, "53", 2) == 0 || strncmp(state, "57", 2) == 0);
}

/*
 * The answers are the schema's, that of the settings, one for each statement
 * that is prepared, and of check_session.
 */
static bool check_answer(struct attempt *attempt, const PGresult *res,
                         unsigned number)
{
	const char *state = PQresultErrorField(res, PG_DIAG_SQLSTATE);

	if (number == 0 && state_is_about_schema(state))
		return refuse(attempt, ATTEMPT_SCHEMA,
		              "no schema; run gangctl migrate", state);
	if (is_lost(res) || (number == 0 && state))
		return refuse(attempt, ATTEMPT_AWAY, "lost while connecting",
		              state);
	if (number == 0)
		return schema_is_known(res) ||
		       refuse(attempt, ATTEMPT_SCHEMA,
		              "another version; run gangctl migrate", NULL);
	if (number == 1)
		return PQresultStatus(res) == PGRES_TUPLES_OK ||
		       refuse(attempt, ATTEMPT_SET_UP, "set_config", state);
	const char *name = embed_queries[number - 2].name;
	return name ? check_prepared(attempt, res, name)
	            : check_session(attempt, res);
}

/* Read the answers until all are there or one is not as it should be. */
static bool read_set_up(const struct attempt_plan *plan,
                        struct attempt *attempt)
{
	uint64_t deadline_ns =
		clock_monotonic_ns() + SET_UP_MS * CLOCK_NS_PER_MS;
	bool good = true;
	unsigned number = 0;

	while (good) {
		if (!pg_wait(attempt->pg, plan->stop_fd, deadline_ns))
			return refuse(attempt, ATTEMPT_AWAY,
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

/* --- whether a host is still the primary ---------------------------------- */

static bool send_proof(PGconn *pg)
{
	return PQsendQueryParams(pg, "SELECT " SCHEMA_COMMIT, 0, NULL, NULL,
	                         NULL, NULL, 1) == 1 &&
	       PQpipelineSync(pg) == 1;
}

static struct attempt_unproven *find_unproven(struct attempt_plan *plan,
                                              const struct schema_host *host)
{
	for (unsigned i = 0; i < ARRAY_LEN(plan->unproven); i++) {
		struct attempt_unproven *unproven = &plan->unproven[i];

		if (unproven->pg && schema_is_host(host, unproven->pg))
			return unproven;
	}
	return NULL;
}

static void keep_unproven(struct attempt_plan *plan,
                          const struct attempt *attempt, uint64_t sent_ns)
{
	unsigned place = 0;

	while (place < ARRAY_LEN(plan->unproven) && plan->unproven[place].pg)
		place++;
	assert(place < ARRAY_LEN(plan->unproven));
	plan->unproven[place] =
		(struct attempt_unproven){ attempt->pg, sent_ns };
}

enum proof { PROOF_GIVEN, PROOF_DUE, PROOF_FAILED };

/* Wait until then for the answer to a commit. */
static enum proof read_proof(const struct attempt_plan *plan, PGconn *pg,
                             uint64_t deadline_ns)
{
	for (;;) {
		if (!pg_wait(pg, plan->stop_fd, deadline_ns))
			return PQstatus(pg) == CONNECTION_OK ? PROOF_DUE
			                                     : PROOF_FAILED;
		PGresult *res = PQgetResult(pg);
		ExecStatusType status = PQresultStatus(res);
		bool is_failed = res ? status == PGRES_FATAL_ERROR
		                     : PQstatus(pg) != CONNECTION_OK;

		PQclear(res);
		if (is_failed)
			return PROOF_FAILED;
		if (status == PGRES_PIPELINE_SYNC)
			return PROOF_GIVEN;
	}
}

/* The new connection of an attempt is proven, kept for later, or closed. */
static bool prove(struct attempt_plan *plan, struct attempt *attempt)
{
	uint64_t sent_ns = clock_monotonic_ns();
	enum proof proof = PROOF_FAILED;

	if (send_proof(attempt->pg))
		proof = read_proof(plan, attempt->pg,
		                   sent_ns + PROOF_MS * CLOCK_NS_PER_MS);
	if (proof == PROOF_GIVEN) {
		attempt->proven_ns = sent_ns;
		return true;
	}
	if (proof == PROOF_DUE)
		keep_unproven(plan, attempt, sent_ns);
	else
		PQfinish(attempt->pg);
	attempt->pg = NULL;
	return refuse(attempt, ATTEMPT_AWAY, "no commit is acknowledged", NULL);
}

/*
 * See what has become of the connection that an earlier attempt has kept.  True
 * if that decides this one.
 */
static bool is_decided(struct attempt_plan *plan, struct attempt *attempt,
                       struct attempt_unproven *unproven)
{
	enum proof proof =
		PQconsumeInput(unproven->pg)
			? read_proof(plan, unproven->pg, clock_monotonic_ns())
			: PROOF_FAILED;

	if (proof == PROOF_DUE) {
		refuse(attempt, ATTEMPT_AWAY, "no commit is acknowledged",
		       NULL);
		return true;
	}
	if (proof == PROOF_GIVEN) {
		attempt->pg = unproven->pg;
		attempt->proven_ns = unproven->sent_ns;
		attempt->trouble = ATTEMPT_GOOD;
	} else {
		PQfinish(unproven->pg);
	}
	unproven->pg = NULL;
	return proof == PROOF_GIVEN;
}

void attempt_end(struct attempt_plan *plan)
{
	for (unsigned i = 0; i < ARRAY_LEN(plan->unproven); i++) {
		PQfinish(plan->unproven[i].pg);
		plan->unproven[i].pg = NULL;
	}
}

/* --- hosts ---------------------------------------------------------------- */

/* Look whether a pooler is in between, and whether it suits. */
static bool look_for_pooler(const struct attempt_plan *plan,
                            struct attempt *attempt)
{
	const struct schema_host *host =
		attempt->host.name[0] ? &attempt->host : NULL;

	switch (pooler_look(attempt->pg, plan->url, host, plan->stop_fd)) {
	case POOLER_NONE:
	case POOLER_FIT:
		return true;
	case POOLER_UNFIT:
		return refuse(attempt, ATTEMPT_POOLER, POOLER_ADVICE, NULL);
	case POOLER_UNKNOWN:
		break;
	}
	return refuse(attempt, ATTEMPT_AWAY, "no answer to a new connection",
	              NULL);
}

/* Make a new connection ready; one that cannot be is closed. */
static bool set_up(struct attempt_plan *plan, struct attempt *attempt)
{
	if (!look_for_pooler(plan, attempt)) {
		/* The reason is noted. */
	} else if (!send_set_up(plan, attempt->pg)) {
		refuse(attempt, ATTEMPT_AWAY, "lost while connecting", NULL);
	} else if (read_set_up(plan, attempt)) {
		attempt->trouble = ATTEMPT_GOOD;
		return !attempt->host.name[0] || prove(plan, attempt);
	}
	PQfinish(attempt->pg);
	attempt->pg = NULL;
	return false;
}

/* Connect to the host of the attempt alone. */
static bool try_host(struct attempt_plan *plan, struct attempt *attempt)
{
	struct attempt_unproven *unproven = find_unproven(plan, &attempt->host);

	if (unproven && is_decided(plan, attempt, unproven))
		return attempt->pg;
	attempt->trouble = ATTEMPT_AWAY;
	attempt->pg = schema_connect(plan->url, "gangd", &attempt->host,
	                             attempt->reason);
	return attempt->pg && set_up(plan, attempt);
}

static bool is_stopping(const struct attempt_plan *plan)
{
	struct pollfd fd = { .fd = plan->stop_fd, .events = POLLIN };

	return poll(&fd, 1, 0) != 0;
}

/* Connect to the first of all hosts from this one on that is good. */
static bool try_each(struct attempt_plan *plan, unsigned from,
                     const struct schema_host *not_here,
                     struct attempt *attempt)
{
	for (unsigned i = from; i < plan->hosts_count && !is_stopping(plan);
	     i++) {
		struct attempt other = { .host = plan->hosts[i] };

		if (not_here && strcmp(other.host.name, not_here->name) == 0 &&
		    strcmp(other.host.port, not_here->port) == 0)
			continue;
		if (try_host(plan, &other)) {
			*attempt = other;
			return true;
		}
		if (attempt->trouble != ATTEMPT_GOOD)
			continue;
		attempt->trouble = other.trouble;
		memcpy(attempt->reason, other.reason, sizeof(other.reason));
	}
	return false;
}

/*
 * Connect to the first host that libpq finds; *next is then the one after it
 * in the list, or the first if it is not in there.
 */
static bool try_any(struct attempt_plan *plan, struct attempt *attempt,
                    unsigned *next)
{
	attempt->host.name[0] = '\0';
	attempt->trouble = ATTEMPT_AWAY;
	attempt->pg = schema_connect(plan->url, "gangd", NULL, attempt->reason);
	if (!attempt->pg)
		return false;
	*next = 0;
	if (schema_connected_host(attempt->pg, &attempt->host))
		plan->hosts_count = schema_hosts(attempt->pg, plan->hosts);
	for (unsigned i = 0; i < plan->hosts_count; i++) {
		if (schema_is_host(&plan->hosts[i], attempt->pg))
			*next = i + 1;
	}
	return set_up(plan, attempt);
}

/* --- all hosts at once ---------------------------------------------------- */

struct runner {
	PGconn *pg; /* NULL: the host has refused */
	PostgresPollingStatusType waits;
	uint64_t asked_ns;
};

struct race {
	struct runner runners[SCHEMA_HOSTS_MAX];
	struct pollfd fds[SCHEMA_HOSTS_MAX + 1]; /* the last one to stop */
	uint64_t end_ns;
};

static uint64_t again_ns(const struct runner *runner)
{
	return runner->asked_ns + AGAIN_MS * CLOCK_NS_PER_MS;
}

/* Ask the hosts whose time has come; when the next one's comes, or the end. */
static uint64_t start_runners(const struct attempt_plan *plan,
                              struct race *race, uint64_t now_ns)
{
	uint64_t next_ns = race->end_ns;

	for (unsigned i = 0; i < plan->hosts_count; i++) {
		struct runner *runner = &race->runners[i];

		if (!runner->pg && again_ns(runner) <= now_ns) {
			*runner = (struct runner){
				.pg = schema_start(plan->url, "gangd",
				                   &plan->hosts[i]),
				.waits = PGRES_POLLING_WRITING,
				.asked_ns = now_ns,
			};
		}
		if (!runner->pg && again_ns(runner) < next_ns)
			next_ns = again_ns(runner);
		race->fds[i] = (struct pollfd){
			.fd = runner->pg ? PQsocket(runner->pg) : -1,
			.events = runner->waits == PGRES_POLLING_READING
			                  ? POLLIN
			                  : POLLOUT,
		};
	}
	race->fds[plan->hosts_count] =
		(struct pollfd){ .fd = plan->stop_fd, .events = POLLIN };
	return next_ns;
}

/* True if the host has let us in. */
static bool run_on(struct runner *runner, struct attempt *attempt)
{
	if (PQstatus(runner->pg) != CONNECTION_BAD)
		runner->waits = PQconnectPoll(runner->pg);
	else
		runner->waits = PGRES_POLLING_FAILED;
	if (runner->waits == PGRES_POLLING_READING ||
	    runner->waits == PGRES_POLLING_WRITING)
		return false;
	runner->pg = schema_connected(runner->pg, attempt->reason);
	return runner->pg;
}

/* The host that is the first to let us in, or hosts_count. */
static unsigned run_race(const struct attempt_plan *plan, struct race *race,
                         struct attempt *attempt)
{
	uint64_t now_ns = clock_monotonic_ns();
	unsigned count = plan->hosts_count;

	race->end_ns = now_ns + RACE_MS * CLOCK_NS_PER_MS;
	for (; now_ns < race->end_ns; now_ns = clock_monotonic_ns()) {
		uint64_t next_ns = start_runners(plan, race, now_ns);
		int ready =
			poll(race->fds, count + 1,
		             (int)((next_ns - now_ns) / CLOCK_NS_PER_MS) + 1);

		if (ready > 0 && race->fds[count].revents)
			return count;
		for (unsigned i = 0; i < count && ready >= 0; i++) {
			struct runner *runner = &race->runners[i];
			bool may_go_on =
				race->fds[i].revents || race->fds[i].fd < 0;

			if (runner->pg && may_go_on && run_on(runner, attempt))
				return i;
		}
	}
	return count;
}

/* Connect to the first of all hosts that lets us in. */
static bool try_race(struct attempt_plan *plan, struct attempt *attempt)
{
	struct race race = { .end_ns = 0 };

	(void)refuse(attempt, ATTEMPT_AWAY, "no host answers", NULL);
	unsigned winner = run_race(plan, &race, attempt);
	for (unsigned i = 0; i < plan->hosts_count; i++) {
		if (i != winner)
			PQfinish(race.runners[i].pg);
	}
	if (winner == plan->hosts_count)
		return false;
	attempt->pg = race.runners[winner].pg;
	attempt->host = plan->hosts[winner];
	return set_up(plan, attempt) || try_each(plan, 0, NULL, attempt);
}

static bool has_unproven(const struct attempt_plan *plan)
{
	for (unsigned i = 0; i < ARRAY_LEN(plan->unproven); i++) {
		if (plan->unproven[i].pg)
			return true;
	}
	return false;
}

/* The trouble of the first host stays, unless another is good. */
static bool try_all(struct attempt_plan *plan, struct attempt *attempt)
{
	unsigned next = plan->hosts_count;

	if (attempt->host.name[0] && try_host(plan, attempt))
		return true;
	/* libpq might choose a host that has a connection already. */
	if (has_unproven(plan))
		return try_each(plan, 0, NULL, attempt);
	if (plan->hosts_count > 1)
		return try_race(plan, attempt);
	return try_any(plan, attempt, &next) ||
	       try_each(plan, next, NULL, attempt);
}

/* The hosts that have not acknowledged a commit are not the primary. */
static void end(struct attempt_plan *plan, struct attempt *attempt)
{
	if (!attempt->pg)
		attempt->host.name[0] = '\0';
	else
		attempt_end(plan);
}

void attempt_run(struct attempt_plan *plan, struct attempt *attempt)
{
	(void)try_all(plan, attempt);
	end(plan, attempt);
}

void attempt_elsewhere(struct attempt_plan *plan, struct attempt *attempt)
{
	struct schema_host here = attempt->host;

	(void)try_each(plan, 0, &here, attempt);
	end(plan, attempt);
}
