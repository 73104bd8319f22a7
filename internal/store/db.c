/*
 * db.c - the store: its connections, and the statements on their way.
 *
 * A statement is in one of three places.  It waits in a queue until a
 * connection is idle (batch.c); it is in the batch of a connection
 * (connection.c); or it is lost, and the next store_run() ends it with
 * STORE_UNAVAILABLE.  The detour through "lost" is there because a connection
 * may break in any call, and a caller must never be called from inside a call
 * of its own.
 *
 * In a tick the loop calls store_run(), which reads results and checks
 * deadlines, and store_flush(), which sends.  A statement that finds no idle
 * connection waits for the first that is: by then there is more to go with it,
 * and after another batch it would only wait for that one's commit.  Loads and
 * moves may wait a little longer, for others of any store of the process
 * (lending.c).
 *
 * FAILURES.md says what becomes of statements and connections that fail.
 */
#include "store/db.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "metric/metric.h"
#include "postgres/schema.h"
#include "store/commits.h"
#include "store/expiry.h"
#include "store/gather.h"
#include "store/lending.h"
#include "store/placement.h"

enum {
	LOCK_PERCENT = 40, /* of a deadline: twice leaves some of it */
	/* Among the numbers of the connections. */
	CONNECTOR = UINT8_MAX,
	POOL = UINT8_MAX - 1,
	SERVER = UINT8_MAX + 1,
};

static unsigned lock_ms(const struct store *store)
{
	return store->config.deadline_ms * LOCK_PERCENT / 100;
}

bool db_is_spread(const struct store *store)
{
	return store->config.batch_max == 0;
}

/* --- statements ----------------------------------------------------------- */

unsigned store_room(const struct store *store)
{
	return STORE_QUEUE_MAX > store->unanswered
	               ? STORE_QUEUE_MAX - store->unanswered
	               : 0;
}

void store_set_deadline(struct store *store, uint64_t latest_ns)
{
	store->next_latest_ns = latest_ns;
}

void db_queue(struct store *store, struct statement *statement)
{
	statement->home = store->member;
	statement->queued_ns = clock_monotonic_ns();
	statement->deadline =
		deadline_make(statement->queued_ns,
	                      store->config.deadline_ms * CLOCK_NS_PER_MS,
	                      store->next_latest_ns);
	store->next_latest_ns = UINT64_MAX;
	if (!statement_is_read(statement) && expiry_holds(store))
		expiry_hold(store, statement);
	else if (store_room(store) > 0)
		batch_queue(&store->queues, statement);
	else
		statement_push(&store->lost, statement);
	store->unanswered++;
}

void db_queue_game(struct store *store, struct uuid game,
                   struct statement *statement)
{
	struct store *server = store->placement
	                               ? placement_find(store->placement, game)
	                               : NULL;

	if (server) {
		store_set_deadline(server, store->next_latest_ns);
		store->next_latest_ns = UINT64_MAX;
	}
	db_queue(server ? server : store, statement);
}

void db_queue_any(struct store *store, struct statement *statement)
{
	struct store *server = store->placement && store->up == 0
	                               ? placement_find_any(store->placement)
	                               : NULL;

	db_queue(server ? server : store, statement);
}

/* The caller of another store's statement is called by that store. */
static void call(struct store *store, struct statement *statement)
{
	store->unanswered--;
	if (statement->home == store->member)
		statement_answer(statement);
}

/* A statement that was given back has no sharers, and no rows to be read. */
static void end(struct store *store, struct statement *statement)
{
	if (statement->home == store->member)
		statement_free(statement);
	else
		lending_give_back(store, statement);
}

/* Answer a statement and those that share its answer. */
static void answer(struct store *store, struct statement *statement,
                   enum store_result result, struct statement_rows rows)
{
	struct statement *sharer;

	statement_read(statement, result, rows);
	call(store, statement);
	while ((sharer = statement->sharers)) {
		statement->sharers = sharer->next;
		statement_read(sharer, result, rows);
		call(store, sharer);
		end(store, sharer);
	}
	end(store, statement);
}

/* Answer the members of a gathered statement, or ask them singly. */
static void finish_members(struct store *store, struct statement *gathered,
                           enum store_result result)
{
	struct statement_rows rows = { .res = gathered->res, .column = 1 };
	struct statement *member;

	if (result == STORE_OK && !gather_find_rows(gathered))
		result = STORE_BROKEN;
	while ((member = statement_pop(&gathered->members))) {
		rows.first = member->row;
		rows.count = member->row == STATEMENT_NO_ROW ? 0 : 1;
		if (result != STORE_OK)
			member->was_sent = gathered->was_sent;
		if (result == STORE_OK && gather_is_unsettled(member))
			batch_retry(&store->queues, member);
		else
			answer(store, member, result, rows);
	}
	statement_free(gathered);
}

static void finish(struct store *store, struct statement *statement,
                   enum store_result result)
{
	const struct statement_rows rows = {
		.res = statement->res, .count = PQntuples(statement->res)
	};

	if (statement->members.head)
		finish_members(store, statement, result);
	else
		answer(store, statement, result, rows);
}

/* --- connections ---------------------------------------------------------- */

/* Take a connection that has failed out of the store. */
static void drop(struct store *store, struct connection *connection)
{
	expiry_lose_all(store, &connection->batch);
	if (connection->is_busy && connection->is_probe)
		commits_end_probe(0, COMMITS_UNKNOWN);
	connection_close(connection);
	metric_add(METRIC_DATABASE_CONNECTIONS, 0, -1);
	if (--store->up == 0)
		store->down_since_ns = clock_monotonic_ns();
}

void db_lose(struct store *store, struct connection *connection)
{
	connector_replace(store->connector, connection->pg,
	                  connection->failure);
	drop(store, connection);
}

/*
 * One of several hosts takes writes: when a new connection leads to another
 * one, those that nobody waits for lead to a server that was the primary.  If
 * it is silent, each idle one would cost a request its deadline.
 */
static bool leads_elsewhere(const struct connection *connection,
                            const PGconn *pg)
{
	return (connection_is_idle(connection) || connection->overdue_ns) &&
	       connection->pg && !schema_is_same_host(pg, connection->pg);
}

static void lose_other_hosts(struct store *store, const PGconn *pg)
{
	for (unsigned i = 0; i < store->config.connections; i++) {
		struct connection *connection = &store->connections[i];

		if (!leads_elsewhere(connection, pg))
			continue;
		(void)connection_fail(connection, "another host is the primary",
		                      PQhost(pg));
		db_lose(store, connection);
	}
}

/* The connection that a new one to another host takes the place of, or NULL. */
static struct connection *find_superseded(struct store *store, const PGconn *pg)
{
	for (unsigned i = 0; i < store->config.connections; i++) {
		if (leads_elsewhere(&store->connections[i], pg))
			return &store->connections[i];
	}
	return NULL;
}

static struct connection *find_closed(struct store *store)
{
	for (unsigned i = 0; i < store->config.connections; i++) {
		if (!store->connections[i].pg)
			return &store->connections[i];
	}
	return NULL;
}

static void take_connection(struct store *store,
                            const struct connector_ready *ready)
{
	struct connection *place;

	if (ready->is_elsewhere) {
		place = find_superseded(store, ready->pg);
		if (!place) {
			PQfinish(ready->pg);
			return;
		}
		drop(store, place);
	}
	place = find_closed(store);
	assert(place);
	connection_open(place, ready->pg, store->epoll_fd,
	                (uint32_t)(place - store->connections),
	                ready->proven_ns);
	store->up++;
	metric_add(METRIC_DATABASE_CONNECTIONS, 0, 1);
	lose_other_hosts(store, ready->pg);
}

static void take_connections(struct store *store)
{
	struct connector_ready ready;

	while (connector_take(store->connector, &ready))
		take_connection(store, &ready);
}

/* True if the statement lost against a lock and has time for one more try. */
static bool waits_again(const struct store *store,
                        const struct statement *statement)
{
	return batch_is_locked_out(statement) &&
	       !deadline_has_passed(&statement->deadline,
	                            clock_monotonic_ns() +
	                                    lock_ms(store) * CLOCK_NS_PER_MS);
}

static void finish_batch(struct store *store, struct statement_queue *batch)
{
	bool is_final = batch_is_final(batch);
	struct statement *statement;

	while ((statement = statement_pop(batch))) {
		if (is_final && !waits_again(store, statement))
			finish(store, statement, batch_result(statement));
		else
			batch_retry(&store->queues, statement);
	}
}

/* All that was sent is answered. */
static void note_answer(struct connection *connection)
{
	if (connection->is_probe)
		commits_end_probe(connection->sent_ns, connection->has_failed
		                                               ? COMMITS_ERROR
		                                               : COMMITS_BACK);
	else if (connection->overdue_ns)
		commits_note_late_answer();
	connection->is_probe = false;
	connection->overdue_ns = 0;
	connection->stuck_ns = 0;
}

void db_read(struct store *store, struct connection *connection)
{
	bool good = connection_read(connection);

	if (connection->is_complete) {
		good = connection_review(connection, store->config.deadline_ms *
		                                             CLOCK_NS_PER_MS) &&
		       good;
		finish_batch(store, &connection->batch);
		if (!connection->is_busy)
			note_answer(connection);
	}
	if (!good)
		db_lose(store, connection);
}

static void flush_connection(struct store *store, struct connection *connection)
{
	if (!connection_flush(connection))
		db_lose(store, connection);
}

/* The connection's deadline is renewed only if the loop was late. */
static void send_batch(struct store *store, struct connection *connection,
                       enum batch_choice choice, uint64_t by_ns)
{
	connection->deadline =
		(struct deadline){ .at_ns = by_ns, .latest_ns = 0 };
	batch_take(&store->queues, choice, store->config.batch_max,
	           &connection->batch);
	metric_observe_size(METRIC_BATCH_SIZE, connection->batch.count);
	lending_note_sent(store, &connection->batch);
	if (!connection_send(connection))
		db_lose(store, connection);
}

/* Give an idle connection the next batch, if there is one. */
static void send_next(struct store *store, struct connection *connection,
                      bool may_commit)
{
	enum batch_choice choice = may_commit ? BATCH_ANY : BATCH_READS;
	const struct statement *next = batch_first(&store->queues, choice);

	if (next && (may_commit ||
	             !connection_is_silent(connection, clock_monotonic_ns())))
		send_batch(store, connection, choice, next->deadline.at_ns);
}

void store_flush(struct store *store)
{
	unsigned commits = expiry_commits(store);
	unsigned most = expiry_holds(store) ? 0 : expiry_most_commits(store);

	if (store->placement)
		placement_flush(store->placement);
	lending_run(store, commits < most);
	for (unsigned i = 0; i < store->config.connections; i++) {
		struct connection *connection = &store->connections[i];

		if (batch_first(&store->queues, BATCH_ANY) &&
		    connection_is_idle(connection)) {
			send_next(store, connection, commits < most);
			commits +=
				connection->is_busy && connection->may_commit;
		}
		if (connection->pg && connection->is_dirty)
			flush_connection(store, connection);
	}
}

uint64_t store_timeout_ns(const struct store *store)
{
	uint64_t first_ns = expiry_next_ns(store);
	uint64_t now_ns = clock_monotonic_ns();

	if (store->lost.head)
		return 0;
	uint64_t servers_ns = UINT64_MAX;
	if (store->placement) {
		servers_ns = placement_timeout_ns(store->placement);
		if (store->up > 0 &&
		    placement_due_ns(store->placement) < first_ns)
			first_ns = placement_due_ns(store->placement);
	}
	if (store->lent_until_ns && store->lent_until_ns < first_ns)
		first_ns = store->lent_until_ns;
	if (first_ns == UINT64_MAX)
		return servers_ns;
	uint64_t own_ns = first_ns > now_ns ? first_ns - now_ns : 0;
	return own_ns < servers_ns ? own_ns : servers_ns;
}

/* --- the store ------------------------------------------------------------ */

static void watch(const struct store *store, int fd, uint32_t number)
{
	struct epoll_event event = { .events = EPOLLIN, .data.u32 = number };
	int res = epoll_ctl(store->epoll_fd, EPOLL_CTL_ADD, fd, &event);

	assert(res == 0);
	(void)res;
}

struct store *store_open(const struct store_config *config)
{
	struct store *store = xcalloc(1, sizeof(*store));

	assert(config->connections > 0 && config->connections <= CONNECTOR_MAX);
	assert(config->batch_max <= STORE_BATCH_MAX);
	store->config = *config;
	commits_open();
	store->down_since_ns = clock_monotonic_ns();
	store->next_latest_ns = UINT64_MAX;
	store->connector = connector_open(config->url, config->connections,
	                                  lock_ms(store), db_is_spread(store));
	store->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	memory_expect_descriptor(store->epoll_fd);
	watch(store, connector_fd(store->connector), CONNECTOR);
	lending_open(store);
	watch(store, gather_pool_fd(store->pool, store->member), POOL);
	if (db_is_spread(store) && !config->is_server)
		store->placement =
			placement_open(config, store->epoll_fd, SERVER);
	return store;
}

int store_fd(const struct store *store)
{
	return store->epoll_fd;
}

bool store_is_ready(const struct store *store)
{
	return store->up > 0 ||
	       (store->placement && placement_find_any(store->placement));
}

bool store_answers(const struct store *store)
{
	uint64_t overdue_ns = 0;
	uint64_t answered_ns = 0;

	for (unsigned i = 0; i < store->config.connections; i++) {
		const struct connection *connection = &store->connections[i];

		if (!connection->pg)
			continue;
		if (connection->overdue_ns > overdue_ns)
			overdue_ns = connection->overdue_ns;
		if (connection->answered_ns > answered_ns)
			answered_ns = connection->answered_ns;
	}
	return store_is_ready(store) && answered_ns >= overdue_ns;
}

bool store_can_create(const struct store *store, struct uuid game)
{
	return !store->placement || placement_can_have(store->placement, game);
}

bool store_refuses_changes(void)
{
	return commits_are_held();
}

/*
 * A caller may queue a new statement, which may be lost too: it is finished in
 * the next run.
 */
static void finish_lost(struct store *store)
{
	struct statement_queue lost = store->lost;
	struct statement *statement;

	store->lost = (struct statement_queue){ .head = NULL };
	while ((statement = statement_pop(&lost)))
		finish(store, statement,
		       statement->is_held ? STORE_HELD : STORE_UNAVAILABLE);
}

static void serve_event(struct store *store, const struct epoll_event *event)
{
	if (event->data.u32 == CONNECTOR) {
		take_connections(store);
		return;
	}
	if (event->data.u32 == POOL) {
		lending_answer(store, false);
		return;
	}
	/* placement_run() runs all of them. */
	if (event->data.u32 == SERVER)
		return;
	struct connection *connection = &store->connections[event->data.u32];
	if (connection->pg && event->events & EPOLLOUT)
		flush_connection(store, connection);
	if (connection->pg && event->events & ~(uint32_t)EPOLLOUT)
		db_read(store, connection);
}

/* The servers of a store whose tables are spread. */
static void run_servers(struct store *store)
{
	struct statement *question =
		store->up > 0 ? placement_ask(store->placement) : NULL;

	if (question)
		db_queue(store, question);
	placement_run(store->placement);
}

void store_run(struct store *store)
{
	struct epoll_event events[CONNECTOR_MAX + 2];
	int count = epoll_wait(store->epoll_fd, events, ARRAY_LEN(events), 0);

	for (int i = 0; i < count; i++)
		serve_event(store, &events[i]);
	if (store->placement)
		run_servers(store);
	expiry_run(store);
	finish_lost(store);
}

/*
 * Lose all statements, and wait for those that another store of the pool has
 * sent: it gives them back by their deadlines.  A caller may queue a new
 * statement, which is lost too.
 */
static void end_statements(struct store *store)
{
	lending_take_back(store);
	while (store->unanswered > 0) {
		for (unsigned kind = 0; kind < STATEMENT_KIND_COUNT; kind++)
			expiry_lose_all(store, &store->queues.of[kind]);
		if (store->lost.head)
			finish_lost(store);
		else
			lending_answer(store, true);
	}
	lending_close(store);
}

void store_close(struct store *store)
{
	if (!store)
		return;
	connector_close(store->connector);
	for (unsigned i = 0; i < store->config.connections; i++) {
		struct connection *connection = &store->connections[i];

		if (connection->pg)
			drop(store, connection);
	}
	placement_end(store->placement);
	end_statements(store);
	placement_close(store->placement);
	commits_report(&store->reported, (struct commits_share){ 0 }, false);
	commits_close();
	close(store->epoll_fd);
	free(store);
}
