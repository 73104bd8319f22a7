/*
 * expiry.c - what a store gives up, and how it finds out more.
 *
 * A batch of reads that is not answered in time is given up with its
 * connection.  A batch that may commit is given up, but its connection stays
 * open, overdue: the commit may wait for a standby, and then the server keeps
 * the session, so that a new connection would be one more.  An overdue
 * connection becomes idle again when its results come.  Otherwise it ends when
 * its socket does; when another host is found to be the primary; or when a
 * probe that was sent later is committed, and the results still do not come.
 *
 * While a commit of any store is overdue, or commits are refused (commits.h),
 * one store of the process has a probe under way.
 *
 * A connection to one of several hosts would need a commit before its next
 * reads if it was silent for some seconds (connection.c).  So idle ones are
 * asked often enough, and reads go on when commits do not come back.
 */
#include "store/expiry.h"

#include "base/clock.h"
#include "store/commits.h"

static const uint64_t ping_ns = CLOCK_NS_PER_S; /* of an idle connection */
static const uint64_t look_ns = CLOCK_NS_PER_S; /* at the other hosts */
static const uint64_t poll_ns = 50 * CLOCK_NS_PER_MS; /* what others found */

static uint64_t deadline_ns(const struct store *store)
{
	return store->config.deadline_ms * CLOCK_NS_PER_MS;
}

/* --- commits under way ---------------------------------------------------- */

unsigned expiry_commits(const struct store *store)
{
	unsigned count = 0;

	for (unsigned i = 0; i < store->config.connections; i++) {
		const struct connection *connection = &store->connections[i];

		count += connection->pg && connection->is_busy &&
		         connection->may_commit;
	}
	return count;
}

unsigned expiry_most_commits(const struct store *store)
{
	unsigned for_reads = store->config.for_reads;

	return store->up > for_reads ? store->up - for_reads : 1;
}

static bool is_overdue(const struct connection *connection)
{
	return connection->pg && connection->overdue_ns;
}

bool expiry_holds(const struct store *store)
{
	return !store->config.is_server && commits_are_held();
}

void expiry_hold(struct store *store, struct statement *statement)
{
	statement->is_held = true;
	statement_push(&store->lost, statement);
}

static void hold_commits(struct store *store)
{
	static const enum statement_kind kinds[] = { STATEMENT_ALONE,
		                                     STATEMENT_COMMIT };
	struct statement *statement;

	for (unsigned i = 0; i < ARRAY_LEN(kinds); i++) {
		while ((statement = statement_pop(&store->queues.of[kinds[i]])))
			expiry_hold(store, statement);
	}
}

/* --- what is too late ----------------------------------------------------- */

void expiry_lose_all(struct store *store, struct statement_queue *queue)
{
	struct statement *statement;

	while ((statement = statement_pop(queue)))
		statement_push(&store->lost, statement);
}

/* When to stop waiting for a connection, if none is up until then. */
static uint64_t hopeless_ns(const struct store *store)
{
	return store->down_since_ns + deadline_ns(store);
}

static void expire_queue(struct store *store, struct statement_queue *queue,
                         uint64_t now_ns)
{
	struct statement *statement;

	while (queue->head &&
	       deadline_has_passed(&queue->head->deadline, now_ns)) {
		statement = statement_pop(queue);
		if (!statement->was_sent &&
		    deadline_renew(&statement->deadline, now_ns,
		                   deadline_ns(store)))
			statement_insert_by_deadline(queue, statement);
		else
			statement_push(&store->lost, statement);
	}
}

static bool is_due(const struct connection *connection, uint64_t now_ns)
{
	return connection->pg && connection->is_busy &&
	       !connection->overdue_ns &&
	       deadline_has_passed(&connection->deadline, now_ns);
}

/* Its callers are answered; if it may commit, its results are waited for. */
static void give_up(struct store *store, struct connection *connection,
                    uint64_t now_ns)
{
	if (!connection->may_commit) {
		connection_fail(connection, "no answer in time",
		                connection_asked(connection));
		db_lose(store, connection);
		return;
	}
	expiry_lose_all(store, &connection->batch);
	connection_give_up(connection, now_ns);
}

/* An overdue connection, although other commits come back, is of no use. */
static void close_if_stuck(struct store *store, struct connection *connection,
                           uint64_t now_ns)
{
	if (!connection->stuck_ns &&
	    commits_proven_ns() > connection->overdue_ns)
		connection->stuck_ns = now_ns;
	if (connection->stuck_ns &&
	    now_ns - connection->stuck_ns > deadline_ns(store)) {
		connection_fail(connection, "no answer in time", "a commit");
		db_lose(store, connection);
	}
}

static void expire_connection(struct store *store,
                              struct connection *connection, uint64_t now_ns)
{
	/* The results may be there, if it is the loop that is late. */
	if (is_due(connection, now_ns))
		db_read(store, connection);
	/* They may come yet, if the loop was late just before it sent. */
	if (is_due(connection, now_ns) &&
	    !deadline_renew(&connection->deadline, now_ns, deadline_ns(store)))
		give_up(store, connection, now_ns);
	if (is_overdue(connection))
		close_if_stuck(store, connection, now_ns);
}

static void expire_queues(struct store *store, uint64_t now_ns)
{
	bool is_hopeless = store->up == 0 && hopeless_ns(store) <= now_ns;

	if (expiry_holds(store))
		hold_commits(store);
	for (unsigned kind = 0; kind < STATEMENT_KIND_COUNT; kind++) {
		if (is_hopeless)
			expiry_lose_all(store, &store->queues.of[kind]);
		else
			expire_queue(store, &store->queues.of[kind], now_ns);
	}
}

/* --- finding out ---------------------------------------------------------- */

static bool wants_probe(const struct store *store)
{
	return !store->config.is_server &&
	       (commits_are_held() || commits_are_overdue()) &&
	       expiry_commits(store) < expiry_most_commits(store);
}

struct connection *expiry_find_idle(struct store *store)
{
	for (unsigned i = 0; i < store->config.connections; i++) {
		if (connection_is_idle(&store->connections[i]))
			return &store->connections[i];
	}
	return NULL;
}

static void probe(struct store *store, uint64_t now_ns)
{
	struct connection *connection = expiry_find_idle(store);

	if (!connection || !wants_probe(store) || !commits_begin_probe(now_ns))
		return;
	connection->deadline =
		(struct deadline){ .at_ns = now_ns + deadline_ns(store) };
	if (!connection_send_commit(connection))
		db_lose(store, connection);
}

/* Those that were overdue when a probe was answered say nothing new. */
static void report_overdue(struct store *store)
{
	uint64_t answered_ns = commits_answered_ns();
	struct commits_share present = { .most = expiry_most_commits(store) };
	bool has_probe = false;

	if (store->config.is_server)
		return;
	for (unsigned i = 0; i < store->config.connections; i++) {
		const struct connection *connection = &store->connections[i];

		if (!is_overdue(connection) ||
		    connection->overdue_ns <= answered_ns)
			continue;
		present.overdue++;
		has_probe = has_probe || connection->is_probe;
	}
	commits_report(&store->reported, present, has_probe);
}

/* The host of an overdue connection may not be the primary any more. */
static void look_elsewhere(struct store *store, uint64_t now_ns)
{
	if (now_ns < store->look_at_ns)
		return;
	for (unsigned i = 0; i < store->config.connections; i++) {
		const struct connection *connection = &store->connections[i];

		if (!is_overdue(connection) || !connection->is_one_of_several)
			continue;
		connector_look_elsewhere(store->connector, connection->pg);
		store->look_at_ns = now_ns + look_ns;
		return;
	}
}

/* When an idle connection is asked, so that it is not silent for too long. */
static uint64_t ping_at_ns(const struct connection *connection, uint64_t now_ns)
{
	return connection_is_idle(connection) &&
	                       connection->is_one_of_several &&
	                       !connection_is_silent(connection, now_ns)
	               ? connection->answered_ns + ping_ns
	               : UINT64_MAX;
}

static void ping(struct store *store, struct connection *connection,
                 uint64_t now_ns)
{
	if (now_ns < ping_at_ns(connection, now_ns))
		return;
	connection->deadline =
		(struct deadline){ .at_ns = now_ns + deadline_ns(store) };
	if (!connection_send_ping(connection))
		db_lose(store, connection);
}

void expiry_run(struct store *store)
{
	uint64_t now_ns = clock_monotonic_ns();

	for (unsigned i = 0; i < store->config.connections; i++)
		expire_connection(store, &store->connections[i], now_ns);
	report_overdue(store);
	expire_queues(store, now_ns);
	probe(store, now_ns);
	look_elsewhere(store, now_ns);
	for (unsigned i = 0; i < store->config.connections; i++)
		ping(store, &store->connections[i], now_ns);
}

/* --- when to run ---------------------------------------------------------- */

static uint64_t sooner(uint64_t a_ns, uint64_t b_ns)
{
	return a_ns < b_ns ? a_ns : b_ns;
}

static uint64_t connection_next_ns(const struct store *store,
                                   const struct connection *connection,
                                   uint64_t now_ns)
{
	if (!connection->pg)
		return UINT64_MAX;
	if (connection->stuck_ns)
		return connection->stuck_ns + deadline_ns(store) + 1;
	if (connection->is_busy && !connection->overdue_ns)
		return connection->deadline.at_ns;
	return ping_at_ns(connection, now_ns);
}

uint64_t expiry_next_ns(const struct store *store)
{
	const struct statement *next = batch_first(&store->queues, BATCH_ANY);
	uint64_t now_ns = clock_monotonic_ns();
	uint64_t first_ns = next ? next->deadline.at_ns : UINT64_MAX;

	if (next && store->up == 0)
		first_ns = sooner(first_ns, hopeless_ns(store));
	for (unsigned i = 0; i < store->config.connections; i++) {
		const struct connection *connection = &store->connections[i];

		first_ns =
			sooner(first_ns,
		               connection_next_ns(store, connection, now_ns));
		if (is_overdue(connection))
			first_ns = sooner(first_ns, now_ns + poll_ns);
	}
	if (commits_are_overdue() || expiry_holds(store))
		first_ns = sooner(first_ns, now_ns + poll_ns);
	return first_ns;
}
